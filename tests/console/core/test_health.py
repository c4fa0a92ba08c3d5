"""/healthz, /readyz and /metrics."""

import time

import pytest
import redis
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from rest_framework.test import APIClient

from console.core.events import publish
from console.core.pulse import Pulse, pulse_write
from console.core.tasks import pulse
from tests.console.base import ConsoleTestCase

pytestmark = pytest.mark.django_db


def test_healthz_answers_without_database_and_redis() -> None:
    """This process serves requests."""
    response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_readyz_is_200_when_all_four_parts_work(redis_url: str) -> None:
    """The worker by a task that beat asks for, beat by itself."""
    pulse()
    pulse_write(Pulse.BEAT)
    response = Client().get("/readyz")
    assert response.status_code == 200, response.content
    assert list(response.json()["checks"]) == ["database", "broker", "worker", "beat"]
    assert response.json()["status"] == "ready"


def test_readyz_names_the_part_that_is_missing(redis_url: str) -> None:
    """And is 503."""
    pulse_write(Pulse.BEAT)
    response = Client().get("/readyz")
    checks = response.json()["checks"]
    assert response.status_code == 503
    assert checks["worker"] == {"is_ok": False, "message": "The worker has given no sign of life."}
    assert [name for name, check in checks.items() if check["is_ok"]] == [
        "database",
        "broker",
        "beat",
    ]


def test_readyz_takes_an_old_sign_of_life_for_none(redis_url: str) -> None:
    """A worker that hangs for a minute is not ready."""
    pulse_write(Pulse.BEAT)
    with redis.Redis.from_url(redis_url) as client:
        client.set("keyrack:alive:worker", str(time.time() - 60))
    message = Client().get("/readyz").json()["checks"]["worker"]["message"]
    assert message == "The worker gave its last sign of life 60 seconds ago."


def test_readyz_says_that_redis_is_down() -> None:
    """Of the two others it then knows nothing."""
    checks = Client().get("/readyz").json()["checks"]
    assert checks["database"]["is_ok"]
    assert checks["broker"]["message"] == "Redis does not answer: ConnectionError."
    assert checks["worker"]["message"].startswith("Unknown: Redis")


def metrics() -> dict[str, dict[str, float]]:
    """Scrape from this machine; return samples by name and first label."""
    text = Client().get("/metrics").content.decode()
    return {
        family.name: {next(iter(s.labels.values()), ""): s.value for s in family.samples}
        for family in text_string_to_metric_families(text)
    }


def test_metrics_are_computed_when_they_are_scraped(redis_url: str) -> None:
    """Parts, signs of life, queue and event bus."""
    pulse()
    publish("host", "h", 1)
    with redis.Redis.from_url(redis_url) as client:
        client.rpush("console", "a", "b")
    found = metrics()
    assert found["keyrack_up"] == {"database": 1, "broker": 1, "worker": 1, "beat": 0}
    assert 0 <= found["keyrack_pulse_age_seconds"]["worker"] < 5
    assert found["keyrack_queue_length"] == {"console": 2}


def test_metrics_say_that_redis_is_down() -> None:
    """The rest is still there."""
    assert metrics()["keyrack_up"] == {"database": 1, "broker": 0, "worker": 0, "beat": 0}


class MetricsAccessTests(ConsoleTestCase):
    """Who may scrape."""

    def test_another_machine_needs_a_token(self) -> None:
        """401, in the one error shape."""
        response = APIClient().get("/metrics", REMOTE_ADDR="192.0.2.7")
        assert self.error_of(response, 401) == "metrics.unauthenticated"
        assert self.bearer(self.vera).get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 200

    def test_a_proxy_on_this_machine_does_not_make_its_callers_local(self) -> None:
        """Whoever it speaks for came from elsewhere."""
        response = APIClient().get("/metrics", HTTP_X_FORWARDED_FOR="192.0.2.7")
        assert self.error_of(response, 401) == "metrics.unauthenticated"
        with self.settings(TRUSTED_PROXIES=1):
            claims = {"HTTP_X_FORWARDED_FOR": "127.0.0.1, 192.0.2.7"}
            assert APIClient().get("/metrics", **claims).status_code == 401
            local = {"HTTP_X_FORWARDED_FOR": "192.0.2.7, 127.0.0.1"}
            assert APIClient().get("/metrics", **local).status_code == 200
