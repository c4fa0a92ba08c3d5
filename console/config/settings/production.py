"""Several processes behind one address; all comes from the environment, nothing is made up."""

from console.config import env
from console.config.settings.base import *  # noqa: F403 - settings build on it
from console.config.settings.base import IS_HTTPS, TRUSTED_PROXIES

SECRET_KEY = env.secret_key(create=False)
env.required("KEYRACK_DATABASE_URL", "the database, postgresql://user:password@host/name")
env.required("KEYRACK_REDIS_URL", "the broker, redis://:password@host:6379/0")
env.required("KEYRACK_PUBLIC_URL", "the address under which people and agents reach this console")

if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if IS_HTTPS:
    SECURE_HSTS_SECONDS = 31_536_000
    # A proxy that we trust says how its caller came; probes from inside come without one.
    SECURE_SSL_REDIRECT = TRUSTED_PROXIES > 0
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
# Whether HSTS may cover subdomains and be preloaded is for the owner of the domain to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
