"""Maintenance windows: outside them an apply stays queued."""

import uuid
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from agents.wire.names import Lane
from console.changes.enums import ChangeState
from console.changes.models import MaintenanceWindow
from console.changes.services import change_apply, pause_set
from console.changes.windows import apply_allowed_at, next_interval, window_create, windows_tick
from console.fleet.groups import host_group_create
from console.fleet.models import HostGroup
from tests.console.base import DetailTests, EndpointTests, ListTests
from tests.console.changes.cast import ChangesTestCase
from tests.console.jobs.cast import FakeAgent


def weekly(**fields: Any) -> MaintenanceWindow:
    """Sundays 02:30 in Prague, for an hour; not stored."""
    given = {"weekdays": [6], "start_time": time(2, 30), "time_zone": "Europe/Prague"} | fields
    return MaintenanceWindow(kind="weekly", duration_seconds=3600, **given)


class WindowTestCase(ChangesTestCase):
    """The cast, alpha, and a group with it."""

    def group(self) -> HostGroup:
        """A group with alpha in it."""
        actor, name = self.actor(self.adam), uuid.uuid4().hex
        return host_group_create(actor=actor, name=name, hosts=[self.alpha.row.pk])

    def window(self, opens: timedelta, group: HostGroup | None = None) -> MaintenanceWindow:
        """A window of one hour that opens in so long."""
        starts = timezone.now() + opens
        times = {"starts_at": starts, "ends_at": starts + timedelta(hours=1)}
        group = group or self.group()
        actor = self.actor(self.adam)
        return window_create(actor=actor, group=group, name="night", kind="once", **times)

    def queued(self) -> Any:
        """A change of low risk, applied."""
        change = self.planned(risk="low")
        actor, digest = self.actor(self.omar), change.plan.digest  # type: ignore[union-attr]
        return change_apply(actor=actor, change=change, plan_digest=digest)


class OpeningTests(WindowTestCase):
    """When a host may be changed."""

    def test_a_host_without_windows_is_always_open(self) -> None:
        now = timezone.now()
        assert apply_allowed_at(self.alpha.row, now).is_open
        assert apply_allowed_at(self.alpha.row, now).at == now

    def test_outside_says_when_it_opens_and_for_which_window(self) -> None:
        window = self.window(timedelta(hours=2))
        opening = apply_allowed_at(self.alpha.row, timezone.now())
        assert (opening.is_open, opening.at) == (False, window.starts_at)
        assert "night" in opening.sentence

    def test_any_open_window_is_enough(self) -> None:
        group = self.group()
        self.window(timedelta(hours=2), group)
        self.window(-timedelta(minutes=1), group)
        assert apply_allowed_at(self.alpha.row, timezone.now()).is_open

    def test_windows_that_are_all_over_never_open_again(self) -> None:
        self.window(-timedelta(hours=3))
        opening = apply_allowed_at(self.alpha.row, timezone.now())
        assert (opening.is_open, opening.at) == (False, None)

    def test_a_weekly_window_keeps_its_local_time_over_a_change_of_clocks(self) -> None:
        winter = next_interval(weekly(), datetime(2026, 3, 20, tzinfo=UTC))
        summer = next_interval(weekly(), datetime(2026, 4, 1, tzinfo=UTC))
        assert winter is not None
        assert summer is not None
        assert winter[0] == datetime(2026, 3, 22, 1, 30, tzinfo=UTC)
        assert summer[0] == datetime(2026, 4, 5, 0, 30, tzinfo=UTC)

    def test_a_start_that_clocks_skip_is_an_hour_later_and_one_that_comes_twice_the_first(
        self,
    ) -> None:
        spring = next_interval(weekly(), datetime(2026, 3, 28, tzinfo=UTC))
        autumn = next_interval(weekly(), datetime(2026, 10, 24, tzinfo=UTC))
        assert spring is not None
        assert autumn is not None
        assert spring[0] == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
        assert autumn[0] == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
        assert {end - start for start, end in (spring, autumn)} == {timedelta(hours=1)}

    def test_a_window_over_midnight_is_still_open_after_it(self) -> None:
        window = weekly(start_time=time(23, 30), time_zone="UTC")
        now = datetime(2026, 3, 23, 0, 15, tzinfo=UTC)
        interval = next_interval(window, now)
        assert interval is not None
        assert interval[0] < now < interval[1]


class HeldBackTests(WindowTestCase):
    """Applying outside a window."""

    def test_a_change_stays_queued_until_the_window_opens(self) -> None:
        window = self.window(timedelta(hours=2))
        change = self.queued()
        assert FakeAgent(self.alpha.row).claim(Lane.WORK) is None
        assert change.state == ChangeState.QUEUED
        MaintenanceWindow.objects.filter(pk=window.pk).update(opens_at=timezone.now())
        assert windows_tick() == 1
        assert windows_tick() == 0
        order = FakeAgent(self.alpha.row).must_claim(Lane.WORK)
        assert order.parameters["phase"] == 0

    def test_the_change_says_what_holds_it_back(self) -> None:
        change = self.queued()
        url = f"/api/v1/changes/{change.pk}/"
        client = self.session(self.vera)
        assert client.get(url).json()["held"] is None
        self.window(timedelta(hours=2))
        assert client.get(url).json()["held"]["by"] == "window"
        pause_set(actor=self.actor(self.adam), is_paused=True, reason="audit week")
        assert client.get(url).json()["held"]["text"].endswith("audit week")

    def test_a_window_moves_on_to_its_next_week(self) -> None:
        fields: dict[str, Any] = {"weekdays": [0], "start_time": time(1), "duration_seconds": 3600}
        actor = self.actor(self.adam)
        window = window_create(
            actor=actor, group=self.group(), name="w", kind="weekly", time_zone="UTC", **fields
        )
        old = window.opens_at
        assert old is not None
        assert window.closes_at is not None
        windows_tick(window.closes_at)
        window.refresh_from_db()
        assert window.opens_at == old + timedelta(days=7)


class MaintenanceWindowListApi(ListTests, WindowTestCase):
    """GET /maintenance-windows/"""

    view_name = "maintenance-window-list"
    verb = "change.read"

    def make_rows(self, count: int) -> None:
        for number in range(count):
            self.window(timedelta(hours=number))


class MaintenanceWindowCreateApi(EndpointTests, WindowTestCase):
    """POST /maintenance-windows/"""

    view_name = "maintenance-window-list"
    method = "post"
    verb = "maintenance_window.manage"
    success = 201

    def body(self) -> dict[str, Any]:
        return {
            "group": str(self.group().pk), "name": "Sunday night", "kind": "weekly",
            "weekdays": [6, 6], "start_time": "02:00", "duration_seconds": 7200,
            "time_zone": "Europe/Prague",
        }  # fmt: skip

    def test_refuses_windows_that_could_not_open(self) -> None:
        client = self.session(self.adam)
        odd: dict[str, Any]
        for odd in ({"weekdays": []}, {"duration_seconds": 0}, {"time_zone": "Mars/Olympus"},
                    {"kind": "once"}, {"weekdays": [7]}):  # fmt: skip
            reply = client.post(self.url(), {**self.body(), **odd}, format="json")
            assert reply.status_code == 400, odd


class MaintenanceWindowDetailApi(DetailTests, WindowTestCase):
    """GET /maintenance-windows/<id>/"""

    view_name = "maintenance-window-detail"
    verb = "change.read"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": self.window(timedelta(hours=1)).pk}


class MaintenanceWindowUpdateApi(MaintenanceWindowDetailApi):
    """PATCH /maintenance-windows/<id>/"""

    method = "patch"
    verb = "maintenance_window.manage"

    def body(self) -> dict[str, Any]:
        return {"name": "later"}


class MaintenanceWindowDeleteApi(MaintenanceWindowDetailApi):
    """DELETE /maintenance-windows/<id>/"""

    method = "delete"
    verb = "maintenance_window.manage"
    success = 204
