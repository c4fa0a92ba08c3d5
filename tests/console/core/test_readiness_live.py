"""Readiness with a real worker and a real beat; production's settings."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from console.config.env import ROOT
from tests.support.console import RunningConsole
from tests.support.redis import redis_flush

pytestmark = pytest.mark.integration
CELERY = [sys.executable, "-m", "celery", "--app", "console.config.celery:app"]


@contextmanager
def program(console: RunningConsole, name: str, *arguments: str) -> Iterator[None]:
    """Run a part of Celery for the length of the block."""
    process = console.spawn([*CELERY, name, *arguments], name)
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def wait_for_status(console: RunningConsole, status: int) -> httpx.Response:
    """Ask /readyz until it answers `status`."""
    deadline = time.monotonic() + 60
    while (reply := httpx.get(f"{console.url}/readyz")).status_code != status:
        assert time.monotonic() < deadline, reply.text
        time.sleep(0.5)
    return reply


def test_worker_and_beat_make_the_console_ready(
    running_console: RunningConsole, redis_server: str
) -> None:
    """Within the first pulse of each; before, it says which are missing."""
    console = running_console
    redis_flush(redis_server)
    checks = wait_for_status(console, 503).json()["checks"]
    assert [name for name, check in checks.items() if not check["is_ok"]] == ["worker", "beat"]
    schedule = str(console.folder / "schedule")
    with (
        program(console, "worker", "--queues", "console", "--pool", "threads", "-c", "2"),
        program(console, "beat", "--schedule", schedule, "--pidfile="),
    ):
        assert wait_for_status(console, 200).json()["status"] == "ready"


def production(**variables: str) -> "subprocess.CompletedProcess[str]":
    """Check production's settings with just these variables."""
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "console.config.settings.production",
            **variables,
        },
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_production_does_not_start_without_its_secret(tmp_path: object) -> None:
    """And makes none up."""
    result = production(KEYRACK_VAR=str(tmp_path))
    assert result.returncode != 0
    assert "Set KEYRACK_SECRET_KEY" in result.stderr


def test_production_passes_djangos_own_deployment_checks(tmp_path: object) -> None:
    """With everything set, not one warning."""
    result = production(
        KEYRACK_VAR=str(tmp_path),
        KEYRACK_SECRET_KEY=os.urandom(50).hex(),
        KEYRACK_DATABASE_URL="postgresql://keyrack:x@db.example/keyrack",
        KEYRACK_REDIS_URL="redis://:x@redis.example:6379/0",
        KEYRACK_PUBLIC_URL="https://keyrack.example",
        KEYRACK_TRUSTED_PROXIES="1",
    )
    assert result.returncode == 0, result.stderr
