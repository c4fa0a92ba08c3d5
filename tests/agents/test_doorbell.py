"""The doorbell at a real Redis: what rings, what does not, which keys it touches, a lost broker."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from celery import Celery
from kombu import Queue

from agents.enrolment import Identity
from agents.wire.names import TASK_RING
from agents.worker.core import Core
from agents.worker.doorbell import Doorbell
from tests.agents.support.daemons import wait_until
from tests.support.redis import redis_running

HOST = "h1"


class Bell:
    """A doorbell in a thread, and what it heard."""

    def __init__(self, core: Core, broker_url: str) -> None:
        plain = {name: getattr(core.identity, name) for name in Identity.__slots__}
        core.identity = Identity(**{**plain, "broker_url": broker_url})
        self.core = core
        self.heard: list[tuple[str, str]] = []
        self._doorbell = Doorbell(core, lambda lane, work_id: self.heard.append((lane, work_id)))
        self._thread = threading.Thread(target=self._doorbell.run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it; that takes until the broker has ended its BRPOP."""
        self.core.stop.set()
        self._doorbell.stop()
        self._thread.join(15)
        assert not self._thread.is_alive()

    def is_listening(self) -> bool:
        return self.core.broker_ok


@pytest.fixture(scope="module")
def broker_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_running(tmp_path_factory.mktemp("broker")) as url:
        yield url


@pytest.fixture(autouse=True)
def short_brpop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agents.worker.doorbell.BRPOP_SECONDS", 1)


@pytest.fixture
def make_bell(core: Core) -> Iterator[Callable[[str], Bell]]:
    bells: list[Bell] = []

    def make(broker_url: str) -> Bell:
        bells.append(Bell(core, broker_url))
        wait_until(bells[-1].is_listening)
        return bells[-1]

    yield make
    for bell in bells:
        bell.stop()


@pytest.fixture
def bell(make_bell: Callable[[str], Bell], broker_url: str) -> Bell:
    bell = make_bell(broker_url)
    wait_until(lambda: bell.heard)
    bell.heard.clear()
    return bell


def send(broker_url: str, queue: str, task: str = TASK_RING, **message: Any) -> None:
    """Ring as the console does: straight into the queue, nothing declared."""
    with Celery(broker=broker_url, set_as_current=False) as app:
        message.setdefault("args", ["work-1"])
        app.send_task(task, queue=Queue(queue), declare=[], retry=False, **message)


@pytest.mark.parametrize("lane", ["work", "quick"])
def test_a_doorbell_wakes_its_lane_with_the_hint(bell: Bell, broker_url: str, lane: str) -> None:
    send(broker_url, f"host.{HOST}.{lane}")
    wait_until(lambda: bell.heard)
    assert bell.heard == [(lane, "work-1")]


def test_both_lanes_look_when_the_broker_is_connected(
    make_bell: Callable[[str], Bell], broker_url: str
) -> None:
    bell = make_bell(broker_url)
    wait_until(lambda: bell.heard)
    assert bell.heard == [("", "")]


def test_another_hosts_doorbell_is_not_heard(bell: Bell, broker_url: str) -> None:
    send(broker_url, "host.h2.work")
    send(broker_url, f"host.{HOST}.quick", args=["mine"])
    wait_until(lambda: bell.heard)
    assert bell.heard == [("quick", "mine")]


def test_another_task_is_not_carried_out_and_the_bell_goes_on(bell: Bell, broker_url: str) -> None:
    send(broker_url, f"host.{HOST}.work", task="os.system", args=["id"])
    send(broker_url, f"host.{HOST}.work", args=["after"])
    wait_until(lambda: ("work", "after") in bell.heard)
    assert bell.heard[-1] == ("work", "after")


@pytest.mark.parametrize("arguments", [[], ["a", "b", 3], [{"x": 1}], [None]])
def test_whatever_a_message_carries_it_is_only_a_hint(
    bell: Bell, broker_url: str, arguments: list[Any]
) -> None:
    send(broker_url, f"host.{HOST}.work", args=arguments)
    wait_until(lambda: bell.heard)
    assert bell.heard[0][0] == "work"


def test_only_keys_of_its_own_host_are_touched(bell: Bell, broker_url: str) -> None:
    client = redis.Redis.from_url(broker_url)
    touched: set[str] = set()
    with client.monitor() as monitor:
        send(broker_url, f"host.{HOST}.work")
        wait_until(lambda: bell.heard)
        client.echo("enough")
        for command in monitor.listen():
            words = command["command"].split()
            if words[0] == "ECHO":
                break
            touched |= set(words[1:]) if words[0] in ("BRPOP", "ZADD", "HSET", "ZREM") else set()
    keys = {word for word in touched if word.startswith(("host.", "unacked", "_kombu"))}
    assert keys
    assert all(key.startswith(f"host.{HOST}.") for key in keys)


def test_a_confined_redis_user_is_enough(make_bell: Callable[[str], Bell], broker_url: str) -> None:
    rules = ["on", ">secret-of-h1", f"~host.{HOST}.*", "resetchannels", "-@all"]
    commands = [
        "brpop",
        "ping",
        "client",
        "zadd",
        "hset",
        "zrem",
        "hdel",
        "hget",
        "zrevrangebyscore",
    ]
    allowed = [f"+{name}" for name in [*commands, "multi", "exec", "set", "get", "del", "llen"]]
    admin = redis.Redis.from_url(broker_url)
    admin.execute_command("ACL", "SETUSER", "agent-h1", "reset", *rules, *allowed)
    bell = make_bell(broker_url.replace("redis://", "redis://agent-h1:secret-of-h1@"))
    send(broker_url, f"host.{HOST}.work", args=["confined"])
    wait_until(lambda: ("work", "confined") in bell.heard)
    assert bell.is_listening()


def test_a_restarted_broker_is_found_again(
    make_bell: Callable[[str], Bell], tmp_path: Path
) -> None:
    (tmp_path / "one").mkdir()
    with redis_running(tmp_path / "one") as url:
        bell = make_bell(url)
    wait_until(lambda: not bell.is_listening())
    port = int(url.rpartition(":")[2].partition("/")[0])
    (tmp_path / "two").mkdir()
    with redis_running(tmp_path / "two", port=port) as url:
        wait_until(bell.is_listening, 40)
        send(url, f"host.{HOST}.work", args=["again"])
        wait_until(lambda: ("work", "again") in bell.heard)
