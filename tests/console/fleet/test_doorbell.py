"""Doorbells against a real Redis: one at a time, none to offline hosts, none when Redis is down."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.conf import settings

from agents.wire.names import TASK_RING, Lane
from console.accounts.actors import SYSTEM
from console.config.celery import app
from console.fleet.doorbell import DIRECT_LIMIT, Ring, doorbell_answered, ring_now, ring_on_commit
from console.jobs.services import job_create
from tests.console.jobs.cast import FakeAgent, job_made, run_of
from tests.support.hosts import host_enrolled

HOST = "01900000-0000-7000-8000-000000000001"
RING = Ring(HOST, Lane.WORK, "the-run", True)


@pytest.fixture
def broker(redis_url: str) -> Iterator["redis.Redis"]:
    """The console's broker, with the Celery application connected to it."""
    _connect(redis_url)
    with redis.Redis.from_url(redis_url) as client:
        yield client
    _connect("redis://127.0.0.1:1/0")


def _connect(url: str) -> None:
    app.conf.broker_url = url
    app._pool = app.amqp._producer_pool = None


def queued(broker: Any, host_id: str = HOST, lane: str = "work") -> list[Any]:
    return [json.loads(body) for body in broker.lrange(f"host.{host_id}.{lane}", 0, -1)]


def test_a_doorbell_is_a_task_name_and_one_id(broker: Any) -> None:
    assert ring_now([RING]) == 1
    (message,) = queued(broker)
    assert message["headers"]["task"] == TASK_RING
    assert message["headers"]["argsrepr"] == "['the-run']"
    assert message["headers"]["eta"] is None
    assert message["headers"]["expires"] is not None


def test_a_doorbell_that_rings_is_not_rung_again(broker: Any) -> None:
    ring_now([RING])
    assert ring_now([RING]) == 0
    assert ring_now([Ring(HOST, Lane.QUICK, "x", True)]) == 1
    assert (len(queued(broker)), len(queued(broker, lane="quick"))) == (1, 1)


def test_an_answered_doorbell_rings_anew(broker: Any) -> None:
    ring_now([RING])
    doorbell_answered(HOST, Lane.WORK)
    assert ring_now([RING]) == 1


def test_a_doorbell_nobody_answers_rings_again_after_a_while(broker: Any) -> None:
    ring_now([RING])
    remaining = broker.ttl(f"keyrack:doorbell:{HOST}:work")
    assert 0 < remaining <= settings.DOORBELL_SECONDS


def test_nothing_but_messages_is_left_in_the_broker(broker: Any) -> None:
    ring_now([RING])
    assert sorted(broker.keys()) == [
        f"host.{HOST}.work".encode(),
        f"keyrack:doorbell:{HOST}:work".encode(),
    ]
    assert HOST not in str(list(app.amqp.queues))


@pytest.mark.django_db(transaction=True)
def test_creating_a_job_rings_each_online_host_after_the_commit(broker: Any) -> None:
    alpha, beta = host_enrolled("alpha").row, host_enrolled("beta").row
    type(beta).objects.filter(pk=beta.pk).update(state="offline")
    job_made(alpha, beta)
    assert (len(queued(broker, str(alpha.pk))), queued(broker, str(beta.pk))) == (1, [])


@pytest.mark.django_db(transaction=True)
def test_a_finished_order_rings_for_the_next_one(broker: Any) -> None:
    alpha = host_enrolled("alpha").row
    job_made(alpha)
    job_made(alpha)
    agent = FakeAgent(alpha)
    order = agent.begin()
    broker.flushall()
    agent.send(agent.finished(order))
    assert len(queued(broker, str(alpha.pk))) == 1


@pytest.mark.django_db(transaction=True)
def test_many_doorbells_are_left_to_a_worker(broker: Any) -> None:
    rings = [Ring(f"h{number}", Lane.WORK, "x", True) for number in range(DIRECT_LIMIT + 1)]
    ring_on_commit(rings)
    (message,) = [json.loads(body) for body in broker.lrange("console", 0, -1)]
    assert message["headers"]["task"] == "keyrack.console.doorbells_ring"
    assert not broker.exists("host.h0.work")


@pytest.mark.django_db(transaction=True)
def test_without_redis_a_job_is_created_all_the_same() -> None:
    alpha = host_enrolled("alpha").row
    job = job_create(actor=SYSTEM, workload="openssl.speed", host_ids=[alpha.pk], parameters={})
    assert run_of(job).state == "queued"
    assert ring_now([RING]) == 0
    assert FakeAgent(alpha).must_claim().work_id == str(run_of(job).pk)
