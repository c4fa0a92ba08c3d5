"""A run outlives its agent, the broker and the console: real processes, killed in its middle.

Each time the run ends in its true state, no part of it is done twice and nothing of it is lost.
"""

import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.stack import LEASE_SECONDS, Stack

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]

PAIRS = 5
PARAMETERS = {"algorithms": ["sha256"], "pairs": PAIRS, "seconds": 1, "control": False}
CELL = "sha256/8192/digest"


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One stack for all; every test leaves it running."""
    stack = Stack(tmp_path_factory.mktemp("stack"))
    try:
        stack.begin()
        (answer,) = stack.get("/workloads/openssl.speed/eligibility/")["results"]
        if not answer["is_eligible"]:
            pytest.skip(f"this machine cannot run openssl.speed: {answer['reason']}")
        yield stack
    finally:
        stack.end()


def job_created(stack: Stack) -> str:
    """Create a job of ten measurements of a second; return the id of its run."""
    body = {"workload": "openssl.speed", "hosts": [stack.host()["id"]], "parameters": PARAMETERS}
    (run,) = stack.post("/jobs/", body)["runs"]
    return str(run["id"])


def job_in_its_middle(stack: Stack) -> str:
    """Create a job and wait until it has measured something."""
    run_id = job_created(stack)
    stack.wait_for(lambda: samples(stack, run_id), "nothing was measured")
    assert run(stack, run_id)["state"] == "running"
    return run_id


def run(stack: Stack, run_id: str) -> Any:
    return stack.get(f"/runs/{run_id}/")


def samples(stack: Stack, run_id: str) -> list[Any]:
    found: list[Any] = stack.get("/samples/", run=run_id, page_size=1000)["results"]
    return found


def wait_for_state(stack: Stack, run_id: str, state: str, seconds: float = 60) -> None:
    problem = f"the run did not become {state}"
    stack.wait_for(lambda: run(stack, run_id)["state"] == state, problem, seconds)


def is_whole(stack: Stack, run_id: str) -> None:
    """Check that the run succeeded, was carried out once, and that all of it has arrived."""
    wait_for_state(stack, run_id, "succeeded")
    done = stack.wait_for(
        lambda: run(stack, run_id)["comparisons"] and run(stack, run_id), "it was not compared"
    )
    found = samples(stack, run_id)
    assert Counter((s["variant"], s["round"]) for s in found) == Counter(
        (variant, number) for variant in ("accelerated", "software") for number in range(PAIRS)
    )
    # Measured one after the other by one process: it was started once, and never twice at a time.
    begun = [s["started_at"] for s in sorted(found, key=lambda s: s["position"])]
    assert begun == sorted(set(begun))
    assert stack.log("agent").count(f"job.started work={run_id}") == 1
    (comparison,) = done["comparisons"]
    assert (comparison["cell"], comparison["pairs"]) == (CELL, PAIRS)
    output = stack.get(f"/runs/{run_id}/output/")
    assert [chunk["chunk"] for chunk in output["chunks"]] == list(range(len(output["chunks"])))


def was_lost(stack: Stack, run_id: str) -> bool:
    return bool(stack.get("/audit/", verb="work.lose", object=run_id)["count"])


def test_an_agent_killed_and_back_at_once_adopts_the_run(stack: Stack) -> None:
    run_id = job_in_its_middle(stack)
    stack.stop("agent", hard=True)
    stack.start("agent")
    is_whole(stack, run_id)
    assert not was_lost(stack, run_id)


def test_an_agent_killed_and_away_for_long_still_tells_the_truth(stack: Stack) -> None:
    run_id = job_in_its_middle(stack)
    stack.stop("agent", hard=True)
    waiting = job_created(stack)
    wait_for_state(stack, run_id, "lost")
    assert run(stack, waiting)["state"] == "queued"
    stack.start("agent")
    is_whole(stack, run_id)
    is_whole(stack, waiting)
    assert was_lost(stack, run_id)


def test_redis_restarted_empty_disturbs_neither_this_run_nor_the_next(stack: Stack) -> None:
    run_id = job_in_its_middle(stack)
    stack.stop("redis", hard=True)
    time.sleep(1)
    stack.start("redis")
    is_whole(stack, run_id)
    assert not was_lost(stack, run_id)
    is_whole(stack, job_created(stack))


def test_a_job_created_without_redis_is_run_all_the_same(stack: Stack) -> None:
    stack.stop("redis", hard=True)
    try:
        is_whole(stack, job_created(stack))
    finally:
        stack.start("redis")


def test_a_console_stopped_for_longer_than_a_lease_loses_nothing(stack: Stack) -> None:
    run_id = job_in_its_middle(stack)
    stack.stop("beat", "worker", "web")
    time.sleep(3 * LEASE_SECONDS)
    stack.start("web", "worker", "beat")
    stack.wait_for(stack.is_serving, "the console did not come back")
    # Not asked here: whether it was called lost meanwhile. An agent's back-off of up to a minute
    # may outlast the short leases of this test.
    is_whole(stack, run_id)


def test_cancelling_ends_the_program_within_two_seconds(stack: Stack) -> None:
    run_id = job_in_its_middle(stack)
    stack.post(f"/runs/{run_id}/cancel/")
    wait_for_state(stack, run_id, "cancelled", 10)
    done = run(stack, run_id)
    assert _time(done["finished_at"]) - _time(done["cancel_requested_at"]) < timedelta(seconds=2)
    assert len(samples(stack, run_id)) < 2 * PAIRS


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
