"""How the console's Celery is set up: doorbells and chores, and nothing to abuse."""

import pytest
from django.conf import settings

from console.config.celery import app
from console.core.beat import beat_schedule_collect


@pytest.fixture(autouse=True)
def _loaded() -> None:
    """Import all tasks, as a worker does."""
    app.loader.import_default_modules()


def test_only_json_is_taken_and_nobody_remote_is_obeyed() -> None:
    """No pickle, no remote control, no events, no results."""
    assert set(app.conf.accept_content) == {"json"}
    assert app.conf.task_serializer == "json"
    assert app.conf.worker_enable_remote_control is False
    assert app.conf.worker_send_task_events is False
    assert app.conf.result_backend is None
    assert app.conf.task_ignore_result is True
    assert (app.conf.timezone, app.conf.enable_utc) == ("UTC", True)


def test_a_message_is_delivered_again_only_after_every_hard_limit() -> None:
    """Otherwise a slow task would run twice."""
    limits = [task.time_limit or app.conf.task_time_limit for task in app.tasks.values()]
    assert app.conf.broker_transport_options["visibility_timeout"] > max(limits)


def test_everything_that_is_scheduled_exists() -> None:
    """And goes to the console's queue."""
    schedule = beat_schedule_collect()
    assert {"core.pulse", "jobs.work_reap", "fleet.hosts_flush"} <= schedule.keys()
    assert {entry["task"] for entry in schedule.values()} <= app.tasks.keys()
    assert app.conf.beat_schedule == schedule
    assert settings.CELERY_TASK_DEFAULT_QUEUE == "console"


def test_what_is_scheduled_often_expires_before_it_comes_again() -> None:
    """So that a worker which was away does not find hundreds of them."""
    often = {n: e for n, e in beat_schedule_collect().items() if float(e["schedule"]) <= 300}
    late = [n for n, e in often.items() if e.get("options", {}).get("expires", 1e9) > e["schedule"]]
    assert late == []
