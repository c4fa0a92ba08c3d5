"""`mechanism.policy` on a real SoftHSM: the file is edited, a child's own look is what counts."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.changes.base import ChangeRefused, Seen
from agents.changes.plans import sealed
from agents.changes.tools import Tools
from agents.config import Pkcs11Config
from agents.drivers.linux.kinds.softhsm import SoftHsmState, allowed_mechanisms, with_disabled
from agents.drivers.linux.kinds.softhsm_policy import SoftHsmPolicy, softhsm_parts
from agents.drivers.linux.tree import Tree
from agents.wire.changes import Plan

KNOWN = frozenset({"CKM_AES_CBC", "CKM_RSA_PKCS", "CKM_SHA256", "CKM_MD5"})
needs_softhsm = pytest.mark.skipif(
    shutil.which("softhsm2-util") is None, reason="SoftHSM is not installed here"
)
LIST = "mechanism.policy/softhsm2"
FILE = "mechanism.configured/softhsm2"


class Host:
    """A SoftHSM configuration of the test's own, planned and applied as the engine would."""

    def __init__(self, directory: Path, setting: str) -> None:
        self.conf = directory / "softhsm2.conf"
        self.conf.write_text(f"directories.tokendir = {directory}\nlog.level = ERROR\n{setting}")
        environment = {"SOFTHSM2_CONF": str(self.conf)}
        self.kind = SoftHsmPolicy(Tree(), Pkcs11Config(environment=environment))

    def see(self) -> Seen[SoftHsmState]:
        return self.kind.read(Tools(), {})

    def plan(self, **parameters: Any) -> Plan:
        return sealed(self.kind.plan({"provider": "softhsm2", **parameters}, self.see()))

    def apply(self, plan: Plan) -> None:
        edit = plan.phases[0].steps[0].edit
        assert edit is not None
        assert edit.before == self.conf.read_text()
        self.conf.write_text(edit.after or "")


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path, "slots.mechanisms = ALL\n")


def memory(text: str) -> Seen[SoftHsmState]:
    offered = allowed_mechanisms(text, KNOWN)
    state = SoftHsmState(path="/etc/softhsm2.conf", text=text, known=KNOWN, offered=offered)
    return Seen(state, softhsm_parts(state))


@needs_softhsm
def test_a_disabled_mechanism_is_no_longer_offered_by_the_library(host: Host) -> None:
    plan = host.plan(disable=["CKM_MD5"])
    host.apply(plan)
    assert host.see().parts == {LIST: ["CKM_MD5"], FILE: ["CKM_MD5"]} == plan.ends


@needs_softhsm
def test_after_applying_the_same_request_is_a_noop_and_its_rollback_restores(host: Host) -> None:
    plan = host.plan(disable=["CKM_MD5", "CKM_SHA_1"])
    host.apply(plan)
    assert host.plan(disable=["CKM_MD5", "CKM_SHA_1"]).is_noop
    assert plan.rollback is not None
    host.apply(sealed(host.kind.plan(plan.rollback.parameters, host.see())))
    assert host.see().parts == {LIST: [], FILE: []}


@needs_softhsm
def test_a_mechanism_that_softhsm_does_not_have_is_refused(host: Host) -> None:
    with pytest.raises(ChangeRefused) as caught:
        host.plan(disable=["CKM_KASUMI_F8"])
    assert caught.value.refusal.code == "mechanism.unknown"


@needs_softhsm
def test_a_name_that_the_file_forbids_and_the_library_offers_is_really_disabled(
    tmp_path: Path,
) -> None:
    """SoftHSM 2.6.1 overlooks the first name of such a list."""
    host = Host(tmp_path, "slots.mechanisms = -CKM_MD5\n")
    plan = host.plan(disable=["CKM_MD5"])
    if not plan.is_noop:
        host.apply(plan)
    assert "CKM_MD5" not in host.see().state.offered


@needs_softhsm
def test_an_allow_list_stays_an_allow_list(tmp_path: Path) -> None:
    host = Host(tmp_path, "slots.mechanisms = CKM_RSA_PKCS,CKM_SHA256 # ours\n")
    host.apply(host.plan(enable=["CKM_MD5"]))
    assert "slots.mechanisms = CKM_MD5,CKM_RSA_PKCS,CKM_SHA256\n" in host.conf.read_text()
    assert "CKM_MD5" in host.see().state.offered


def test_the_plan_says_that_running_programs_keep_the_old_list() -> None:
    kind = SoftHsmPolicy(Tree(), Pkcs11Config())
    plan = kind.plan({"provider": "softhsm2", "disable": ["CKM_MD5"]}, memory(""))
    assert [c.kind for c in plan.consequences] == ["restart_needed"]


def test_taking_away_everything_needs_force_and_a_reason() -> None:
    kind = SoftHsmPolicy(Tree(), Pkcs11Config())
    asked = {"provider": "softhsm2", "disable": ["*"]}
    with pytest.raises(ChangeRefused) as caught:
        kind.plan(asked, memory(""))
    assert caught.value.refusal.code == "mechanism.last_provider"
    forced = kind.plan({**asked, "force": True, "force_reason": "retired"}, memory(""))
    assert "retired" in forced.needs_force


@pytest.mark.parametrize(
    "parameters",
    [
        {"provider": "other"},
        {"provider": "softhsm2", "disable": ["CKM_MD5\nlog.level = DEBUG"]},
        {"provider": "softhsm2", "disable": ["CKM_MD5,CKM_RC4"]},
        {"provider": "softhsm2", "enable": ["CKM_MD5"], "disable": ["CKM_MD5"]},
        {"provider": "softhsm2", "misspelt": True},
    ],
)
def test_parameters_that_would_be_misread_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(ChangeRefused) as caught:
        SoftHsmPolicy(Tree(), Pkcs11Config()).plan(parameters, memory(""))
    assert caught.value.refusal.code == "parameters.invalid"


SETTINGS = st.sampled_from(
    ["", "slots.mechanisms = ALL\n", "slots.mechanisms=-CKM_MD5", "slots.mechanisms = CKM_SHA256\n"]
)


@given(SETTINGS, st.frozensets(st.sampled_from(sorted(KNOWN)), max_size=3))
def test_exactly_what_is_to_be_disabled_is_disabled(text: str, disabled: frozenset[str]) -> None:
    around = f"log.level = ERROR\n{text}"
    edited = with_disabled(around, KNOWN, disabled)
    assert KNOWN - allowed_mechanisms(edited, KNOWN) == disabled
    assert edited.startswith("log.level = ERROR\n")
