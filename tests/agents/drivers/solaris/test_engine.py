"""The Solaris kinds through the real engine on simulated hosts: phases, reboots, read-back."""

from pathlib import Path
from typing import Any

import pytest

from agents.cli import main
from tests.agents.support.orders import Agent

SOFTTOKEN = "/usr/lib/security/$ISA/pkcs11_softtoken.so"
MOVE = {"counts": {"primary": 1, "ldg1": 2}, "vcpus": {"ldg1": 16}}


class Simulated(Agent):
    """An agent of a simulated T5120."""

    def __init__(self, directory: Path, edition: str) -> None:
        super().__init__(directory, driver="solaris", top=f'simulate = "{edition}"\n')

    def simulate(self, *words: str) -> None:
        assert main(["simulate", "--config", str(self.config), *words]) == 0

    def counts(self) -> dict[str, Any]:
        """Return the units of each domain, as a plan that asks for nothing new sees them."""
        state = self.plan("unit.assign", {"counts": {"primary": 1, "ldg1": 2}})
        return {part: n for part, n in state["parts"].items() if part.startswith("unit.count")}


def state_of(finished: dict[str, Any]) -> str:
    assert finished["result"], finished
    return str(finished["result"]["state"])


@pytest.mark.parametrize("edition", ["t5120-ldoms11", "t5120-ldoms12"])
def test_a_unit_moves_through_its_phases_and_reboots(tmp_path: Path, edition: str) -> None:
    agent = Simulated(tmp_path, edition)
    plan = agent.plan("unit.assign", MOVE)
    for number, phase in enumerate(plan["phases"]):
        ended = state_of(agent.apply(plan, number))
        assert ended == ("waiting_reboot" if phase["waits_for"] else "succeeded")
        for domain in phase["waits_for"]:
            refused = agent.order("change.plan", kind="unit.assign", parameters=MOVE)
            assert refused["result"]["refusal"]["code"] == "reconf.pending"
            agent.simulate("reboot", domain)
    assert agent.plan("unit.assign", MOVE)["is_noop"]
    assert agent.counts() == {"unit.count/ldg1": 2, "unit.count/primary": 1}


def test_on_a_later_manager_it_is_one_phase_and_is_rolled_back(tmp_path: Path) -> None:
    agent = Simulated(tmp_path, "t5120")
    plan = agent.plan("unit.assign", MOVE)
    assert state_of(agent.apply(plan)) == "succeeded"
    back = agent.plan("unit.assign", plan["rollback"]["parameters"])
    assert state_of(agent.apply(back)) == "succeeded"
    assert agent.plan("unit.assign", plan["rollback"]["parameters"])["is_noop"]


def test_a_guest_that_cannot_take_it_ends_rolled_back_and_offline_helps(tmp_path: Path) -> None:
    agent = Simulated(tmp_path, "t5120")
    counts = {"counts": {"ldg2": 0, "ldg3": 1}}
    assert state_of(agent.change("unit.assign", counts)) == "rolled_back"
    assert state_of(agent.change("unit.assign", {**counts, "offline": ["ldg3"]})) == "succeeded"


def test_a_pending_reconfiguration_is_dropped(tmp_path: Path) -> None:
    agent = Simulated(tmp_path, "t5120-ldoms12")
    assert state_of(agent.change("unit.assign", {"counts": {"primary": 0}})) == "waiting_reboot"
    assert state_of(agent.change("reconf.cancel", {"domain": "primary"})) == "succeeded"
    assert agent.plan("unit.assign", {"counts": {"primary": 2}})["is_noop"]


FORCED = {"force": True, "force_reason": "tested"}
CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("metaslot.disable", {}),
    ("metaslot.configure", {"auto_key_migrate": False, "disable_mechanisms": ["CKM_RC4"]}),
    ("mechanism.policy", {"provider": "aes", "disable": ["CKM_AES_ECB"]}),
    ("mechanism.policy", {"provider": SOFTTOKEN, "disable": ["CKM_AES_KEY_GEN"], **FORCED}),
    ("mechanism.policy", {"provider": "n2rng/0", "random": "disable"}),
    ("provider.install", {"provider": "/opt/acme/lib/libacmepkcs11.so"}),
    ("provider.uninstall", {"provider": "des", **FORCED}),
    ("provider.unload", {"provider": "blowfish", **FORCED}),
    ("spconfig.save", {"name": "tested"}),
    ("driver.configure", {"driver": "n2cp", "settings": {"n2cp-sync-threads": 3}}),
]


@pytest.mark.parametrize(("kind", "parameters"), CHANGES)
def test_each_kind_succeeds_once_and_is_a_noop_then(
    tmp_path: Path, kind: str, parameters: dict[str, Any]
) -> None:
    agent = Simulated(tmp_path, "t5120")
    assert state_of(agent.change(kind, parameters)) == "succeeded"
    plan = agent.plan(kind, parameters)
    assert plan["is_noop"]
    assert plan["is_simulated"]
