"""Settings that every way of running the console shares. No secret has a default here."""

import logging
from datetime import timedelta
from typing import Any

from console.config import env
from console.config.log import configure_logging

ROOT = env.ROOT
VAR_DIR = env.var_dir()
PUBLIC_URL = env.public_url()
REDIS_URL = env.redis_url()
TRUSTED_PROXIES = env.integer("KEYRACK_TRUSTED_PROXIES", 0)
# True in a process to which only event streams are sent.
EVENTS_ONLY = env.boolean("KEYRACK_EVENTS_ONLY")
DASHBOARD_DIR = ROOT / "frontend" / "dist"

DEBUG = False
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en-gb"
USE_I18N = False
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ROOT_URLCONF = "console.config.urls"
WSGI_APPLICATION = "console.config.wsgi.application"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_structlog",
    "axes",
    "console.core",
    "console.accounts",
    "console.audit",
    "console.fleet",
    "console.inventory",
    "console.jobs",
    "console.changes",
    "console.advice",
    "console.agentapi",
]

MIDDLEWARE = [
    "django_structlog.middlewares.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "console.core.dashboard.StaticMiddleware",
    "console.core.limits.BodyLimitMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]

DATABASES = {"default": env.database()}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# Who may come in.
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_CLIENT_IP_CALLABLE = "console.accounts.lockout.client_ip"
AXES_LOCKOUT_CALLABLE = "console.accounts.lockout.lockout_response"
AXES_VERBOSE = False

# Browsers.
ALLOWED_HOSTS = env.allowed_hosts(PUBLIC_URL)
IS_HTTPS = PUBLIC_URL.startswith("https://")
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
CSRF_FAILURE_VIEW = "console.core.error_handler.csrf_failure"
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = IS_HTTPS
SESSION_COOKIE_AGE = int(timedelta(hours=12).total_seconds())
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "object-src": ["'none'"],
    }
}

# Files.
STATIC_URL = "/static/"
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = False
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MAX_AGE = 300
# Vite puts a hash of the content into the names of everything under assets/.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/assets/.+-[A-Za-z0-9_-]{8}\.[a-z0-9.]+$"
MAX_BODY_BYTES = 1 << 20
MAX_AGENT_BODY_BYTES = 32 << 20

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "console.accounts.authentication.BearerAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["console.core.parsers.JsonParser"],
    "DEFAULT_PAGINATION_CLASS": "console.core.pagination.KeysetPagination",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "console.core.schema.KeyrackSchema",
    "EXCEPTION_HANDLER": "console.core.error_handler.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Keyrack",
    "DESCRIPTION": "The public API of the Keyrack console: everything the dashboard does.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "PREPROCESSING_HOOKS": ["console.core.schema.public_only"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "console.core.schema.events_append",
    ],
    "COMPONENT_SPLIT_REQUEST": False,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "RiskEnum": "console.changes.models_policy.RISKS",
        "KindEnum": "console.overview.search.KINDS",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
}

# Celery: doorbells and the console's own chores. Nothing here depends on a task's result.
TASK_HARD_LIMIT_SECONDS = 600
CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Above every hard limit: a message is delivered again only when its worker is surely gone.
    "visibility_timeout": 6 * TASK_HARD_LIMIT_SECONDS,
    "socket_timeout": 10,
    "socket_connect_timeout": 1,
    "socket_keepalive": True,
    # Who sends within a request tries once; workers try on by a setting of their own.
    "max_retries": 0,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.1,
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.2,
    "interval_max": 0.2,
}
CELERY_TASK_DEFAULT_QUEUE = "console"
CELERY_TASK_CREATE_MISSING_QUEUES = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = TASK_HARD_LIMIT_SECONDS
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "console.core.beat:HeartbeatScheduler"
CELERY_BEAT_MAX_LOOP_INTERVAL = 5

# Work of agents: how long a silent agent keeps an order, how long an order waits to be taken, and
# how long a doorbell counts as ringing.
WORK_LEASE_SECONDS = env.integer("KEYRACK_LEASE_SECONDS", 60)
WORK_QUEUE_SECONDS = env.integer("KEYRACK_QUEUE_SECONDS", 3600)
DOORBELL_SECONDS = 15
# Raw output of runs is pruned after this; samples and comparisons are history and stay.
RUN_OUTPUT_DAYS = env.integer("KEYRACK_RUN_OUTPUT_DAYS", 90)

# Agents: how often they call, when silence means offline, and where they find the broker.
# AGENT_REDIS_URL is the broker's address as other hosts reach it (without user); without it only
# hosts that share the console's loopback get one, the others live by heartbeats alone.
HEARTBEAT_SECONDS = env.integer("KEYRACK_HEARTBEAT_SECONDS", 15)
SCAN_SECONDS = env.integer("KEYRACK_SCAN_SECONDS", 300)
OFFLINE_AFTER_SECONDS = env.integer("KEYRACK_OFFLINE_AFTER_SECONDS", 60)
BROKER_ACL = env.boolean("KEYRACK_BROKER_ACL", default=True)
AGENT_REDIS_URL = env.text("KEYRACK_AGENT_REDIS_URL")
# The agent's wheel and what it needs; `make setup` puts them there.
AGENT_DIST_DIR = env.folder("KEYRACK_AGENT_WHEELS", ROOT / ".tools" / "wheels")
# The console's certificate, or the pin of its key where another program in front holds it.
TLS_CERTIFICATE = env.text("KEYRACK_TLS_CERT")
TLS_PIN = env.text("KEYRACK_TLS_PIN")
# Snapshots older than this are pruned, but each host keeps its newest ones.
SNAPSHOT_DAYS = env.integer("KEYRACK_SNAPSHOT_DAYS", 180)

# Logs: one line per event; a request that went well is only worth a debug line.
LOG_LEVEL = env.text("KEYRACK_LOG_LEVEL", "INFO").upper()
LOGGING_CONFIG = None
configure_logging(level=LOG_LEVEL, as_json=env.boolean("KEYRACK_LOG_JSON", default=True))
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_2XX_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_DEFAULT_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO
DJANGO_STRUCTLOG_REQUEST_CANCELLED_LOG_LEVEL = logging.DEBUG
# KeyrackView binds the actor; asking here would cost a query per request.
DJANGO_STRUCTLOG_USER_ID_FIELD = ""
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
