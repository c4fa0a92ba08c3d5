"""Who is active and who is offline: derived from heartbeats, flushed in batches, with one grace."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from console.accounts.actors import SYSTEM
from console.core.errors import StateConflict
from console.core.redis import redis_client
from console.fleet.enums import HOST_TRANSITIONS, HostState
from console.fleet.gauges import MAX_POINTS, gauges_roll
from console.fleet.models import GaugeSeries, Host
from console.fleet.pulse import SEEN_KEY, WATCH_KEY, pulse_beat, watch_restart
from console.fleet.reachability import host_contact, host_lose, hosts_flush
from console.fleet.services import host_retire, host_revoke
from console.fleet.tasks import BEAT_SCHEDULE, hosts_flush_task
from tests.console.hosts import Agent, enrol, heartbeat_with_gauge, host_with, some_facts

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis_url")]


def active(name: str = "alpha", seconds_ago: float = 0) -> Host:
    """Return an active host last heard of `seconds_ago`, while the watch began long before."""
    enrolment = enrol(name)
    Agent(enrolment.credential).beat()
    at = time.time() - seconds_ago
    redis_client().zadd(SEEN_KEY, {str(enrolment.host.pk): at})
    Host.objects.filter(pk=enrolment.host.pk).update(last_seen_at=datetime.fromtimestamp(at, UTC))
    redis_client().set(WATCH_KEY, time.time() - 3600)
    return Host.objects.get(pk=enrolment.host.pk)


def state(host: Host) -> str:
    return Host.objects.get(pk=host.pk).state


def test_a_silent_host_is_offline_and_one_that_calls_is_not() -> None:
    silent, calling = active("silent", 61), active("calling", 30)
    assert hosts_flush().offline == 1
    assert (state(silent), state(calling)) == ("offline", "active")


def test_an_empty_redis_gives_every_host_one_grace_period() -> None:
    host = active(seconds_ago=600)
    redis_client().flushall()
    hosts_flush()
    assert state(host) == "active"
    redis_client().set(WATCH_KEY, time.time() - 61)
    hosts_flush()
    assert state(host) == "offline"


def test_a_console_that_just_started_gives_one_too() -> None:
    host = active(seconds_ago=600)
    watch_restart()
    hosts_flush()
    assert state(host) == "active"


def test_without_redis_nothing_changes(settings: Any) -> None:
    host = active(seconds_ago=600)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    hosts_flush_task()
    assert state(host) == "active"


def test_last_contact_is_flushed() -> None:
    host = active()
    at = time.time() + 5
    redis_client().zadd(SEEN_KEY, {str(host.pk): at})
    hosts_flush()
    last_seen_at = Host.objects.get().last_seen_at
    assert last_seen_at is not None
    assert abs(last_seen_at.timestamp() - at) < 0.001


def test_many_hosts_are_flushed_in_as_many_queries_as_few() -> None:
    def queries() -> int:
        for host in Host.objects.all():
            redis_client().zadd(SEEN_KEY, {str(host.pk): time.time()})
        with CaptureQueriesContext(connection) as captured:
            hosts_flush()
        return len(captured)

    active("first")
    few = queries()
    for number in range(20):
        active(f"host-{number}")
    assert queries() == few


def test_a_heartbeat_with_our_digest_confirms_the_inventory() -> None:
    host = host_with(some_facts())
    early = timezone.now() - timedelta(hours=1)
    Host.objects.update(inventory_at=early, last_seen_at=early)
    for digest, confirmed in (("another", False), (host.snapshot_digest, True)):
        body = f'{{"snapshot_digest":"{digest}"}}'.encode()
        pulse_beat(str(host.pk), body, time.time(), has_gauges=False)
        hosts_flush()
        inventory_at = Host.objects.get().inventory_at
        assert inventory_at is not None
        assert (inventory_at > early) is confirmed


def test_a_retired_host_is_neither_flushed_nor_revived() -> None:
    host = active()
    host_retire(host=host, actor=SYSTEM)
    redis_client().zadd(SEEN_KEY, {str(host.pk): time.time()})
    hosts_flush()
    assert state(host) == "retired"


def test_every_chore_of_the_schedule_exists() -> None:
    for entry in BEAT_SCHEDULE.values():
        assert entry["task"] in current_app.tasks


@pytest.mark.parametrize("source", HostState)
@pytest.mark.parametrize("target", HostState)
def test_services_move_hosts_as_the_table_allows(source: HostState, target: HostState) -> None:
    host = enrol().host
    Host.objects.filter(pk=host.pk).update(state=source)
    moved = _move(host, target)
    if moved is not None:
        assert moved is HOST_TRANSITIONS.allows(source, target)
        assert state(host) == (target if moved else source)


def _move(host: Host, target: HostState) -> bool | None:
    """Try to move `host` to `target` by its service; None: only enrolment leads there."""
    if target is HostState.ACTIVE:
        return host_contact(host=host, at=timezone.now())
    if target is HostState.OFFLINE:
        return host_lose(host=host)
    service = {HostState.RETIRED: host_retire, HostState.REVOKED: host_revoke}.get(target)
    if service is None:
        return None
    try:
        service(host=host, actor=SYSTEM)
    except StateConflict:
        return False
    return True


def test_one_agents_impossible_figures_do_not_keep_anothers_from_the_database() -> None:
    for name, gauge in {"alpha": ("ok", "t", 1.0), "beta": ("in\ud800f\0", "\0", 1e308)}.items():
        host = active(name)
        pulse_beat(str(host.pk), heartbeat_with_gauge(*gauge), time.time(), has_gauges=True)
    endless = heartbeat_with_gauge("endless", "", 1.0).replace(b"1.0}", b"1e999}")
    pulse_beat(str(active("gamma").pk), endless, time.time(), has_gauges=True)
    gauges_roll()
    stored = GaugeSeries.objects.exclude(name="host.uptime_seconds").order_by("name")
    odd = "\N{REPLACEMENT CHARACTER}"
    assert [row.name for row in stored] == [f"in{odd}f{odd}", "ok"]


def test_gauges_become_points_of_a_bounded_series(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.fleet.gauges.MAX_POINTS", 3)
    host = active()
    for value in range(5):
        body = heartbeat_with_gauge("token.sessions", "t", value)
        pulse_beat(str(host.pk), body, time.time(), has_gauges=True)
        assert gauges_roll() == 1
    series = GaugeSeries.objects.get(name="token.sessions")
    assert (series.value, [value for _, value in series.points]) == (4.0, [2.0, 3.0, 4.0])


def test_a_series_holds_a_day() -> None:
    assert MAX_POINTS == 288


def test_silent_hosts_get_no_points() -> None:
    host = active(seconds_ago=3000)
    body = heartbeat_with_gauge("token.sessions", "t", 1)
    pulse_beat(str(host.pk), body, time.time() - 3000, has_gauges=True)
    assert gauges_roll() == 0
