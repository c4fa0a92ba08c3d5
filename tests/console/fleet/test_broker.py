"""The broker's users: a real Redis, real Celery workers, and agents that stay in their place."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from celery import current_app
from kombu import Queue

from agents.wire.names import TASK_RING, Lane, host_queue
from console.accounts.actors import SYSTEM
from console.config.env import ROOT
from console.core.redis import redis_client
from console.fleet.broker import broker_url_for, broker_user, broker_users_reconcile
from console.fleet.enrolment import Enrolment
from console.fleet.models import Host
from console.fleet.selectors import broker_users_wanted
from console.fleet.services import host_retire, host_revoke
from tests.console.hosts import enrol
from tests.support.redis import redis_running

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def broker(tmp_path: Path, settings: Any) -> Iterator[str]:
    """A Redis of this test alone: users outlive FLUSHALL."""
    with redis_running(tmp_path) as url:
        settings.REDIS_URL = url
        settings.AGENT_REDIS_URL = ""
        yield url


def url_of(enrolment: Enrolment) -> str:
    return broker_url_for(enrolment.host.pk, enrolment.broker_password, is_local=True)


def as_agent(enrolment: Enrolment) -> "redis.Redis":
    return redis.Redis.from_url(url_of(enrolment), decode_responses=True)


def ring(host: Host, lane: Lane, broker: str) -> None:
    """Ring as console.fleet.doorbell does."""
    with current_app.connection_for_write(broker) as connection:
        queue = Queue(host_queue(str(host.pk), lane))
        current_app.send_task(
            TASK_RING, args=["work-1"], queue=queue, declare=[], connection=connection
        )


@contextmanager
def worker(enrolment: Enrolment) -> Iterator[Iterator[str]]:
    """An agent's Celery worker in a process of its own; gives the lines that it prints."""
    script = Path(__file__).with_name("doorbell_worker.py")
    argv = [sys.executable, str(script), url_of(enrolment), str(enrolment.host.pk)]
    process = subprocess.Popen(
        argv, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}
    )
    assert process.stdout is not None
    try:
        yield (line.strip() for line in process.stdout)
    finally:
        process.kill()
        process.wait(10)


def test_a_worker_with_its_own_user_hears_both_lanes_and_is_denied_nothing(broker: str) -> None:
    enrolment = enrol()
    with worker(enrolment) as heard:
        assert next(heard) == "ready"
        for lane in Lane:
            ring(enrolment.host, lane, broker)
            assert next(heard) == f"ring {lane.value} work-1"
    denied: Any = redis_client().execute_command("ACL", "LOG")
    assert denied == []


def test_a_worker_takes_back_what_it_left_unacknowledged(broker: str) -> None:
    enrolment = enrol()
    key = f"{broker_user(enrolment.host.pk)}.unacked"
    ring(enrolment.host, Lane.WORK, broker)
    queue = host_queue(str(enrolment.host.pk), Lane.WORK)
    message: Any = redis_client().rpop(queue)
    payload = b"[" + message + b', "", "' + queue.encode() + b'"]'
    redis_client().hset(key, "old", payload)
    redis_client().zadd(f"{key}_index", {"old": 1.0})
    with worker(enrolment) as heard:
        assert [next(heard), next(heard)] == ["ready", "ring work work-1"]
    denied: Any = redis_client().execute_command("ACL", "LOG")
    assert denied == []


@pytest.mark.usefixtures("broker")
def test_an_agent_reaches_nothing_but_its_own_keys() -> None:
    own, other = enrol("alpha"), enrol("beta")
    client = as_agent(own)
    assert client.llen(host_queue(str(own.host.pk), Lane.WORK)) == 0
    for key in (host_queue(str(other.host.pk), Lane.WORK), "console", "keyrack:events"):
        for command in (("LLEN", key), ("LPUSH", key, "x"), ("BRPOP", key, "1"), ("GET", key)):
            with pytest.raises(redis.exceptions.NoPermissionError):
                client.execute_command(*command)


@pytest.mark.usefixtures("broker")
@pytest.mark.parametrize(
    "command",
    ["KEYS *", "SCAN 0", "FLUSHALL", "CONFIG GET *", "ACL LIST", "MONITOR", "CLIENT LIST",
     "PUBLISH x y", "SUBSCRIBE x", "INFO", "EVAL return 0", "SHUTDOWN", "ACL WHOAMI"],
)  # fmt: skip
def test_an_agent_has_no_command_that_it_does_not_need(command: str) -> None:
    with pytest.raises(redis.exceptions.NoPermissionError):
        as_agent(enrol()).execute_command(*command.split())


@pytest.mark.usefixtures("broker")
def test_a_script_reaches_no_further_than_the_agent() -> None:
    client = as_agent(enrol())
    digest = client.script_load("return redis.call('GET', 'keyrack:events')")
    with pytest.raises(redis.exceptions.ResponseError, match="can't access"):
        client.evalsha(digest, 0)


@pytest.mark.usefixtures("broker")
def test_enrolling_again_ends_the_old_password() -> None:
    old = enrol()
    connected = as_agent(old)
    assert connected.ping()
    new = enrol()
    assert as_agent(new).ping()
    for client in (connected, as_agent(old)):
        with pytest.raises(redis.exceptions.AuthenticationError):
            client.ping()


@pytest.mark.usefixtures("broker")
@pytest.mark.parametrize("dismiss", [host_retire, host_revoke])
def test_a_dismissed_agent_has_no_user_and_no_messages(dismiss: Any) -> None:
    enrolment = enrol()
    client = as_agent(enrolment)
    queue = host_queue(str(enrolment.host.pk), Lane.WORK)
    client.lpush(queue, "message")
    dismiss(host=enrolment.host, actor=SYSTEM)
    with pytest.raises(redis.RedisError):
        client.ping()
    assert redis_client().exists(queue) == 0


@pytest.mark.usefixtures("broker")
def test_users_are_made_again_after_a_redis_that_forgot_them() -> None:
    enrolment = enrol()
    stranger = enrol("stranger")
    redis_client().execute_command("ACL", "DELUSER", broker_user(enrolment.host.pk))
    wanted = broker_users_wanted()
    del wanted[str(stranger.host.pk)]
    assert broker_users_reconcile(wanted) == {"made": 1, "removed": 1}
    assert as_agent(enrolment).ping()
    assert broker_users_reconcile(wanted) == {"made": 0, "removed": 0}


def test_a_password_changed_while_redis_was_away_is_set_later(broker: str, settings: Any) -> None:
    old = enrol()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    new = enrol()
    settings.REDIS_URL = broker
    assert as_agent(old).ping()
    assert broker_users_reconcile(broker_users_wanted()) == {"made": 1, "removed": 0}
    assert as_agent(new).ping()
    with pytest.raises(redis.exceptions.AuthenticationError):
        as_agent(old).ping()


@pytest.mark.usefixtures("broker")
def test_a_start_of_the_console_sets_everybodys_rules_anew() -> None:
    enrolment = enrol()
    user = broker_user(enrolment.host.pk)
    redis_client().execute_command("ACL", "SETUSER", user, "-llen")
    broker_users_reconcile(broker_users_wanted(), renew=True)
    queue = host_queue(str(enrolment.host.pk), Lane.WORK)
    assert as_agent(enrolment).llen(queue) == 0


def test_a_broker_that_is_down_does_not_prevent_enrolment(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert enrol().host.state == "pending"
    assert len(broker_users_wanted()) == 1


def test_users_outlive_a_restart_where_redis_has_a_file_for_them(
    tmp_path: Path, settings: Any
) -> None:
    (tmp_path / "users.acl").write_text("user default on nopass ~* &* +@all\n")
    with redis_running(tmp_path, "--aclfile", str(tmp_path / "users.acl")) as url:
        settings.REDIS_URL = url
        enrolment = enrol()
    with redis_running(tmp_path, "--aclfile", str(tmp_path / "users.acl")) as url:
        settings.REDIS_URL = url
        assert as_agent(enrolment).ping()
