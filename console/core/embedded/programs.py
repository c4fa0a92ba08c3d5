"""The programs of the embedded console: what each is started with."""

import shutil
import sys

from agents.wire.names import CONSOLE_QUEUE
from console.config.env import ROOT
from console.core.embedded.options import Options
from console.core.embedded.processes import Program


def redis_program(options: Options) -> Program:
    """Return the private Redis, configured by `redis_prepare`."""
    server = shutil.which("redis-server") or "redis-server"
    configuration = options.layout.redis / "redis.conf"
    return _program(options, "redis", [server, str(configuration)])


def web_program(options: Options) -> Program:
    """Return the web server: one ASGI process for API, event stream and dashboard."""
    argv = [sys.executable, "-m", "granian", "--interface", "asginl", "--workers", "1"]
    argv += ["--loop", "asyncio", "--host", options.bind, "--port", str(options.port)]
    argv += ["--respawn-failed-workers", "--workers-kill-timeout", "5", "--no-ws"]
    argv += ["--log-level", "warning", "console.config.asgi:application"]
    if options.certificate and options.key:
        argv += ["--ssl-certificate", str(options.certificate), "--ssl-keyfile", str(options.key)]
    return _program(options, "web", argv)


def worker_program(options: Options) -> Program:
    """Return the Celery worker of the console's own queue."""
    argv = [*_CELERY, "worker", "--queues", CONSOLE_QUEUE, "--pool", "threads"]
    argv += ["--concurrency", "4", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    return _program(options, "worker", [*argv, "--loglevel", "warning"])


def beat_program(options: Options) -> Program:
    """Return Celery beat, which puts the regular tasks on the console's queue."""
    schedule = options.layout.beat / "schedule"
    argv = [*_CELERY, "beat", "--schedule", str(schedule), "--pidfile=", "--loglevel", "warning"]
    return _program(options, "beat", argv)


_CELERY = [sys.executable, "-m", "celery", "--app", "console.config.celery:app"]


def _program(options: Options, name: str, argv: list[str]) -> Program:
    return Program(
        name=name,
        argv=tuple(argv),
        log=options.layout.log_file(name),
        cwd=ROOT,
        environment=options.environment(),
    )
