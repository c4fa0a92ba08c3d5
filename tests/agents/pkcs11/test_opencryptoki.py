"""openCryptoki's software token: the one packaged module here whose PINs really lock."""

import functools
import importlib.util
import json
import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.namespaces import unshare_mounts

IPC = ("unshare", "--ipc")
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
MODULES = (
    "/usr/lib/x86_64-linux-gnu/opencryptoki/libopencryptoki.so.0",
    "/usr/lib/aarch64-linux-gnu/opencryptoki/libopencryptoki.so.0",
    "/usr/lib/s390x-linux-gnu/opencryptoki/libopencryptoki.so.0",
)


@functools.cache
def lacking() -> str:
    """Return what this machine lacks for the story, empty for nothing."""
    if not any(map(os.path.exists, MODULES)) or not os.path.exists("/usr/sbin/pkcsslotd"):
        return "openCryptoki"
    if importlib.util.find_spec("PyKCS11") is None:
        return "PyKCS11"
    if unshare_mounts() is None:
        return "the right to make mount namespaces"
    return ""


@pytest.fixture(scope="module", params=["pykcs11", "ctypes"])
def story(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """Tell the story once for each binding."""
    if lacking():
        pytest.skip(f"needs {lacking()}")
    pins = {name: f"{secrets.randbelow(10**8):08}" for name in ("pin", "so_pin", "first_pin")}
    # Never one of the others: its first digit is no digit.
    pins["wrong"] = "x" + pins["pin"][1:]
    module = next(path for path in MODULES if os.path.exists(path))
    result = subprocess.run(
        [*(unshare_mounts() or ()), *IPC, sys.executable, str(HERE / "opencryptoki_scenario.py")],
        input=json.dumps({"module": module, "pins": pins, "binding": request.param}),
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert result.returncode == 0, result.stderr
    return list(json.loads(result.stdout))


def test_a_fresh_token_is_uninitialised_and_no_fault(story: list[dict[str, Any]]) -> None:
    fresh = story[0]
    assert fresh["user_pin"] == "not_initialised"
    assert fresh["codes"] == []


def test_wrong_pins_count_down_to_locked(story: list[dict[str, Any]]) -> None:
    made, first, second, third = story[1:5]
    assert made["answers"] == ["ok", "ok"]
    assert made["user_pin"] == "ok"
    assert [chapter["answers"] for chapter in (first, second, third)] == [["CKR_PIN_INCORRECT"]] * 3
    states = [chapter["user_pin"] for chapter in (first, second, third)]
    assert states == ["count_low", "final_try", "locked"]


def test_a_locked_token_refuses_the_right_pin_until_the_officer_unlocks_it(
    story: list[dict[str, Any]],
) -> None:
    refused, unlocked = story[5], story[6]
    assert refused["answers"] == ["CKR_PIN_LOCKED"]
    assert refused["user_pin"] == "locked"
    assert unlocked["answers"] == ["ok"]
    assert unlocked["user_pin"] in ("ok", "to_be_changed")


def test_its_huge_figures_are_unlimited_or_unavailable(story: list[dict[str, Any]]) -> None:
    made = story[1]
    assert made["max_sessions"] == -1
    assert made["memory"] is None
    assert made["gauges"] == ["token.sessions"]


def test_a_stopped_daemon_is_a_finding(story: list[dict[str, Any]]) -> None:
    stopped = story[-1]
    assert stopped["state"] == "failed"
    assert stopped["codes"] == ["module.initialize_failed"]
