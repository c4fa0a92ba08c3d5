"""The Linux kinds through the real engine: order in, events out, files and library as promised."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from agents.executors import change
from agents.executors.events import EVENTS_FILE, ORDER_FILE

needs_softhsm = pytest.mark.skipif(
    shutil.which("softhsm2-util") is None, reason="SoftHSM is not installed here"
)
MD5_OFF = {"provider": "softhsm2", "disable": ["CKM_MD5"]}


class Agent:
    """Carries out orders as the agent's child process does, in this process."""

    def __init__(self, directory: Path, settings: str) -> None:
        self.directory = directory
        self.config = directory / "agent.toml"
        self.config.write_text(f'[agent]\ndriver = "linux"\nallow = ["*"]\n{settings}')
        self._runs = 0

    def order(self, work: str, /, **parameters: Any) -> dict[str, Any]:
        self._runs += 1
        run = self.directory / f"run-{self._runs}"
        run.mkdir()
        order = {
            "kind": work,
            "nonce": f"nonce-{self._runs}",
            "deadline_seconds": 60,
            "config": str(self.config),
            "parameters": parameters,
        }
        (run / ORDER_FILE).write_text(json.dumps(order))
        assert change.main([str(run)]) == 0
        *_, last = (run / EVENTS_FILE).read_text().splitlines()
        finished: dict[str, Any] = json.loads(last)
        return finished

    def change(self, kind: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Plan, then apply the plan, as an approved change is."""
        plan = self.order("change.plan", kind=kind, parameters=parameters)["result"]["plan"]
        digests = [phase["digest"] for phase in plan["phases"]]
        approved = {"plan_digest": plan["digest"], "phase": 0, "phase_digests": digests}
        return self.order("change.apply", kind=kind, parameters=parameters, **approved)


@pytest.fixture
def softhsm(tmp_path: Path) -> Agent:
    conf = tmp_path / "softhsm2.conf"
    conf.write_text(f"directories.tokendir = {tmp_path}\nslots.mechanisms = ALL\n")
    return Agent(tmp_path, f'[pkcs11.environment]\nSOFTHSM2_CONF = "{conf}"\n')


@pytest.fixture
def p11kit(tmp_path: Path) -> Agent:
    root = tmp_path / "root"
    for path, text in (
        ("proc/cpuinfo", "processor\t: 0\n"),
        ("usr/share/p11-kit/modules/softhsm2.module", "module: /usr/lib/libsofthsm2.so\n"),
        ("etc/pkcs11/modules/other.module", "module: /opt/other.so\n"),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Agent(tmp_path, f'[linux]\nroot = "{root}"\n')


@needs_softhsm
def test_a_mechanism_of_the_real_softhsm_is_taken_away(softhsm: Agent) -> None:
    done = softhsm.change("mechanism.policy", MD5_OFF)
    assert done["outcome"] == "succeeded", done
    assert done["result"]["parts"]["mechanism.policy/softhsm2"] == ["CKM_MD5"]
    again = softhsm.order("change.plan", kind="mechanism.policy", parameters=MD5_OFF)
    assert again["result"]["plan"]["is_noop"]


@needs_softhsm
def test_a_plan_goes_stale_when_an_admin_edits_the_file(softhsm: Agent) -> None:
    plan = softhsm.order("change.plan", kind="mechanism.policy", parameters=MD5_OFF)
    conf = softhsm.directory / "softhsm2.conf"
    conf.write_text(
        f"directories.tokendir = {softhsm.directory}\nslots.mechanisms = CKM_MD5,CKM_SHA_1\n"
    )
    made = plan["result"]["plan"]
    digests = [phase["digest"] for phase in made["phases"]]
    approved = {"plan_digest": made["digest"], "phase": 0, "phase_digests": digests}
    done = softhsm.order("change.apply", kind="mechanism.policy", parameters=MD5_OFF, **approved)
    assert done["result"]["state"] == "stale"


def test_a_module_is_disabled_and_enabled_below_the_root(p11kit: Agent) -> None:
    file = p11kit.directory / "root/etc/pkcs11/modules/softhsm2.module"
    asked = {"module": "softhsm2"}
    assert p11kit.change("provider.disable", asked)["result"]["state"] == "succeeded"
    assert "module:\n" in file.read_text()
    assert p11kit.change("provider.enable", asked)["result"]["state"] == "succeeded"
    assert not file.exists()


def test_the_admins_file_of_another_module_is_left_alone(p11kit: Agent) -> None:
    other = p11kit.directory / "root/etc/pkcs11/modules/other.module"
    p11kit.change("provider.disable", {"module": "softhsm2"})
    assert other.read_text() == "module: /opt/other.so\n"
