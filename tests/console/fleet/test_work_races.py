"""Claims, renewals, cancels and reaping that race: real processes, on SQLite and PostgreSQL."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from console.config.env import ROOT
from tests.support.postgres import postgres_database_new

PROCESSES = 4


class Course:
    """A migrated database on which processes race."""

    def __init__(self, database_url: str, folder: Path) -> None:
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "console.config.settings.test",
            "KEYRACK_DATABASE_URL": database_url,
            "KEYRACK_VAR": str(folder),
            "KEYRACK_LOG_LEVEL": "ERROR",
        }
        argv = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(argv, cwd=ROOT, env=self.environment, check=True, timeout=100)

        argv = [sys.executable, "-m", "tests.support.racer"]
        self.racers = [self._start(argv) for _ in range(PROCESSES)]

    def _start(self, argv: list[str]) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        return subprocess.Popen(
            argv, cwd=ROOT, env=self.environment, text=True, stdin=pipe, stdout=pipe
        )

    def race(self, *acts: list[str]) -> list[Any]:
        """Give a process each of `acts`, all at once; return their results in order."""
        running = self.racers[: len(acts)]
        for racer, act in zip(running, acts, strict=True):
            assert racer.stdin is not None
            racer.stdin.write(json.dumps(act) + "\n")
            racer.stdin.flush()
        return [json.loads(racer.stdout.readline()) for racer in running if racer.stdout]

    def do(self, *act: str) -> Any:
        """Do one thing alone."""
        return self.race(list(act))[0]

    def end(self) -> None:
        """End the processes."""
        for racer in self.racers:
            racer.communicate(timeout=20)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def course(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Course]:
    """One database of each kind for all races."""
    folder = tmp_path_factory.mktemp("race")
    with ExitStack() as stack:
        url = f"sqlite:///{folder}/race.sqlite3"
        if request.param == "postgres":
            server = request.getfixturevalue("postgres_server")
            url = stack.enter_context(postgres_database_new(server))
        course = Course(url, folder)
        stack.callback(course.end)
        host = course.do("make", "0", "1")["host"]
        course.race(*[["states", host]] * PROCESSES)  # All are warm before the first race.
        yield course


def test_each_order_is_handed_out_exactly_once(course: Course) -> None:
    host = course.do("make", "0", "40")["host"]
    got = course.race(*[["claim", host, "quick"]] * PROCESSES)
    ids = [work_id for part in got for work_id in part]
    assert len(ids) == len(set(ids)) == 40
    assert set(course.do("states", host)["states"].values()) == {"claimed"}


def test_the_work_lane_never_hands_out_two_at_once(course: Course) -> None:
    host = course.do("make", "6", "0")["host"]
    got = course.race(*[["claim", host, "work"]] * PROCESSES)
    assert sum(len(part) for part in got) == 1
    states = sorted(course.do("states", host)["states"].values())
    assert states == ["claimed", *["queued"] * 5]


def test_one_nonce_gets_one_order_however_often_it_asks(course: Course) -> None:
    host = course.do("make", "0", "5")["host"]
    got = course.race(*[["claim", host, "quick", "a" * 32]] * PROCESSES)
    assert len({tuple(part) for part in got}) == 1
    assert sorted(course.do("states", host)["states"].values()) == ["claimed", *["queued"] * 4]


def test_an_order_is_either_cancelled_or_handed_out_and_asked_to_stop(course: Course) -> None:
    host = course.do("make", "0", "40")["host"]
    claims = [["claim", host, "quick"]] * (PROCESSES - 1)
    *got, cancelled = course.race(*claims, ["cancel", host])
    handed_out = {work_id for part in got for work_id in part}
    after = course.do("states", host)
    gone = {work_id for work_id, state in after["states"].items() if state == "cancelled"}
    assert (len(gone), gone & handed_out) == (cancelled, set())
    assert handed_out | gone == set(after["states"]) == set(after["asked"])


def test_a_renewal_that_races_the_reaper_keeps_the_order_and_the_lane(course: Course) -> None:
    host = course.do("make", "1", "0")["host"]
    course.do("expire_lease", host)
    *_, is_held = course.race(["reap"], ["reap"], ["renew", host])
    after = course.do("states", host)
    assert is_held is True
    assert (list(after["states"].values()), after["is_closed"]) == (["claimed"], False)
