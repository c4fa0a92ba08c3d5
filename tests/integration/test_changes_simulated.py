"""Changes from the request to the host and back: real console, broker and agent, simulated T5120.

One of primary's crypto units goes to a guest and comes back, in the phases that each version of
LDoms asks for.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from console.config.env import ROOT
from tests.support.stack import Stack

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]


class Changes:
    """A stack whose agent looks at a simulated host, and a second person who may approve."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        stack.manage("user_create", "ada", "--role", "approver")
        token = stack.manage("apitoken_create", "--user", "ada", "--name", "tests")
        own = stack.client.headers["Authorization"].removeprefix("Bearer ")
        self.tokens = {"TOKEN": own, "APPROVER_TOKEN": token}
        self.ada = httpx.Client(
            base_url=stack.url, timeout=10, headers={"Authorization": f"Bearer {token}"}
        )

    def ask(self, kind: str, parameters: Any) -> Any:
        """Ask for a change and wait for its plan."""
        body = {
            "host": self.stack.host()["id"],
            "kind": kind,
            "parameters": parameters,
            "reason": "For the test",
        }
        return self.wait(self.stack.post("/changes/", body)["id"], "planning", is_left=True)

    def wait(self, pk: str, state: str, *, is_left: bool = False) -> Any:
        """Wait until the change is in that state, or has left it."""
        return self.stack.wait_for(
            lambda: ((c := self.get(pk))["state"] == state) is not is_left and c,
            f"{self.get(pk)['state']} {self.get(pk)['message']}: not {state}",
            60,
        )

    def over(self, pk: str) -> Any:
        """Wait until nothing follows any more."""
        ends = ("succeeded", "failed", "rolled_back", "needs_attention", "stale")
        return self.stack.wait_for(
            lambda: (c := self.get(pk))["state"] in ends and c, "the change did not end", 60
        )

    def get(self, pk: str) -> Any:
        """The change as it now is."""
        return self.stack.get(f"/changes/{pk}/")

    def carry_out(self, change: Any) -> str:
        """Have ada approve where that is needed, and apply; return the id."""
        pk, body = change["id"], {"plan_digest": change["plan"]["digest"]}
        if change["state"] == "awaiting_approval":
            refused = self.stack.client.post(f"/api/v1/changes/{pk}/approve/", json=body)
            assert refused.status_code == 403, refused.text
            self.ada.post(f"/api/v1/changes/{pk}/approve/", json=body).raise_for_status()
        self.stack.post(f"/changes/{pk}/apply/", body)
        return str(pk)

    def rebooted_until_over(self, pk: str) -> list[str]:
        """Reboot what a change waits for, until it is over; return what was rebooted."""
        rebooted: list[str] = []
        states = ("waiting_reboot", "succeeded", "failed", "needs_attention", "rolled_back")
        while True:
            change = self.stack.wait_for(
                lambda: (c := self.get(pk))["state"] in states and c, "the change hangs", 60
            )
            if change["state"] != "waiting_reboot":
                return rebooted
            (domain,) = change["waiting"]["domains"]
            self.refused_while_it_waits()
            self.stack.agent_command("simulate", "reboot", domain)
            # The docs' script asks as well, and may have been first.
            self.stack.client.post(f"/api/v1/changes/{pk}/check/")
            self.wait(pk, "waiting_reboot", is_left=True)
            rebooted.append(domain)

    def by_script(self, *arguments: str) -> tuple[str, list[str], str]:
        """Run the docs' script, reboot what it waits for; return the change, and what it said."""
        known = {change["id"] for change in self.stack.get("/changes/")["results"]}
        script = subprocess.Popen(
            [ROOT / "docs/examples/move-a-unit.sh", *arguments],
            env=os.environ | {"KEYRACK": self.stack.url, **self.tokens},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            pk = self.stack.wait_for(lambda: self.newer_than(known), "the script asks for nothing")
            reboots = self.rebooted_until_over(pk)
            said, _ = script.communicate(timeout=30)
        finally:
            script.kill()
        assert script.returncode == 0, said
        return pk, reboots, said

    def newer_than(self, known: set[str]) -> str:
        """The change that has been asked for since; empty while there is none."""
        found = {change["id"] for change in self.stack.get("/changes/")["results"]} - known
        return str(found.pop()) if found else ""

    def refused_while_it_waits(self) -> None:
        """Other domains cannot be changed while a delayed reconfiguration stands."""
        other = self.ask("unit.assign", {"counts": {"ldg2": 0}})
        assert other["result"]["refusal"]["code"] == "reconf.pending"

    def owners(self) -> dict[str, str]:
        """Which domain has each unit, and each domain's CPUs, as the console shows them."""
        host = self.stack.host()["id"]
        units = self.stack.get("/units/", host=host)["results"]
        domains = self.stack.get("/domains/", host=host)["results"]
        cpus = {domain["name"]: str(domain["attributes"]["vcpu"]) for domain in domains}
        owned = {u["key"]: u["domain"]["name"] if u["domain"] else "" for u in units}
        return owned | cpus

    def owners_once(self, fits: Callable[[dict[str, str]], bool]) -> dict[str, str]:
        """Wait until the inventory that follows a change shows it."""
        return dict(
            self.stack.wait_for(
                lambda: fits(found := self.owners()) and found, f"units stay {self.owners()}", 30
            )
        )

    def parts(self) -> dict[str, Any]:
        """What a fresh look at the host shows."""
        plan = self.ask("unit.assign", {"counts": {"primary": 0}})["plan"]
        return dict(plan["parts"])


def simulated(folder: Path, edition: str) -> Iterator[Changes]:
    """A stack with an agent on a simulated host of that edition."""
    settings = f'simulate = "{edition}"\n[agent]\nallow = ["*"]\n'
    stack = Stack(folder, settings)
    try:
        stack.begin()
        yield Changes(stack)
    finally:
        stack.end()


@pytest.fixture(scope="module")
def dynamic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Changes]:
    """A current ldm: units move at once."""
    yield from simulated(tmp_path_factory.mktemp("dynamic"), "t5120")


def test_nothing_to_do_and_what_the_host_refuses_are_said(dynamic: Changes) -> None:
    same = dynamic.ask("unit.assign", {"counts": {"primary": 2}})
    assert same["state"] == "succeeded"
    refused = dynamic.ask("unit.assign", {"counts": {"ldg1": 7}})
    assert (refused["state"], bool(refused["result"]["refusal"]["message"])) == ("failed", True)


@pytest.mark.parametrize("fault", ["error", "nothing", "unauthorised", "lie"])
def test_what_goes_wrong_is_told_as_the_host_is(dynamic: Changes, fault: str) -> None:
    change = dynamic.ask("unit.assign", {"counts": {"primary": 1}})
    dynamic.stack.agent_command("simulate", "fault", "add", fault, "ldm", "set-crypto")
    ended = dynamic.over(dynamic.carry_out(change))
    dynamic.stack.agent_command("simulate", "fault", "clear")
    count = dynamic.parts()["unit.count/primary"]
    assert (ended["state"], count) in (("failed", 2), ("succeeded", 1), ("rolled_back", 2)), ended
    if count == 1:
        dynamic.over(dynamic.carry_out(dynamic.ask("unit.assign", {"counts": {"primary": 2}})))


def test_a_second_admin_makes_the_plan_stale(dynamic: Changes) -> None:
    change = dynamic.ask("unit.assign", {"counts": {"primary": 1}})
    dynamic.stack.agent_command("simulate", "second-admin", "ldm set-crypto 0 primary")
    stale = dynamic.wait(dynamic.carry_out(change), "stale")
    parts = {entry["part"] for entry in stale["stale_difference"]}
    assert "unit.count/primary" in parts
    dynamic.stack.agent_command("simulate", "reset")


MOVE = {"counts": {"primary": 1, "ldg1": 2}, "vcpus": {"primary": 8, "ldg1": 16}}
"""A unit serves only a domain with strands of its core: the CPUs move along with it."""


def test_a_unit_moves_to_a_guest_at_once_and_comes_back(dynamic: Changes) -> None:
    assert dynamic.stack.host()["is_simulated"]
    before = dynamic.owners()
    change = dynamic.ask("unit.assign", MOVE)
    pk = dynamic.carry_out(change)
    assert dynamic.rebooted_until_over(pk) == []
    assert dynamic.get(pk)["state"] == "succeeded", dynamic.get(pk)["message"]
    had = list(before.values()).count("ldg1")
    moved = dynamic.owners_once(lambda found: list(found.values()).count("ldg1") == had + 1)
    assert (moved["primary"], moved["ldg1"]) == ("8", "16")
    back = dynamic.stack.post(f"/changes/{pk}/rollback/", {"reason": "Enough"})
    back = dynamic.wait(back["id"], "planning", is_left=True)
    dynamic.rebooted_until_over(dynamic.carry_out(back))
    assert dynamic.get(back["id"])["state"] == "succeeded", dynamic.get(back["id"])["message"]
    assert dynamic.owners_once(lambda found: found == before) == before


@pytest.fixture
def ldoms11(tmp_path: Path) -> Iterator[Changes]:
    """LDoms 1.1: every change of units waits for a reboot."""
    yield from simulated(tmp_path, "t5120-ldoms11")


def test_the_script_of_the_docs_moves_a_unit_through_the_reboots_of_ldoms_11(
    ldoms11: Changes,
) -> None:
    before = ldoms11.owners()
    pk, reboots, said = ldoms11.by_script("alpha", "primary", "ldg1")
    assert reboots == ["primary", "ldg1"]
    assert "$ /opt/SUNWldm/bin/ldm set-mau 1 primary" in said
    assert said.endswith(f"succeeded: {ldoms11.get(pk)['message']}\n")
    ldoms11.owners_once(lambda found: (found["primary"], found["ldg1"]) == ("8", "16"))
    ldoms11.by_script("--roll-back", pk)
    assert ldoms11.owners_once(lambda found: found == before) == before
