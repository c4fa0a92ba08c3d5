"""Planning `mechanism.policy`: one exact call at a time, and what needs a second person."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.changes.base import ChangeRefused, Seen
from agents.changes.plans import sealed
from agents.drivers.solaris.kinds.crypto_state import CryptoState, policy_parts
from agents.drivers.solaris.kinds.cryptofiles import Policy, configured_policy
from agents.drivers.solaris.kinds.mechanism_policy import MechanismPolicy
from agents.wire.changes import Plan
from tests.agents.drivers.solaris.providers import AES, KERNEL, SOFTTOKEN, after_step, host


def plan(state: CryptoState, provider: str, **parameters: Any) -> Plan:
    asked = {"provider": provider, **parameters}
    return sealed(MechanismPolicy().plan(asked, Seen(state, policy_parts(state, provider))))


def commands(planned: Plan) -> list[str]:
    return [" ".join(step.argv) for phase in planned.phases for step in phase.steps]


def refused(state: CryptoState, provider: str, **parameters: Any) -> str:
    with pytest.raises(ChangeRefused) as caught:
        plan(state, provider, **parameters)
    return caught.value.refusal.code


def applied(state: CryptoState, planned: Plan) -> CryptoState:
    for phase in planned.phases:
        for step in phase.steps:
            state = after_step(state, step)
    return state


def test_one_call_carries_one_list_and_is_read_back_in_both_places() -> None:
    planned = plan(host(), "aes", disable=["CKM_AES_ECB", "CKM_AES_CBC"])
    assert commands(planned) == [
        "/usr/sbin/cryptoadm disable provider=aes mechanism=CKM_AES_CBC,CKM_AES_ECB"
    ]
    assert planned.phases[0].steps[0].after == {
        "mechanism.policy/aes": ["CKM_AES_CBC", "CKM_AES_ECB"],
        "mechanism.configured/aes": ["CKM_AES_CBC", "CKM_AES_ECB"],
    }


def test_only_what_is_not_yet_so_is_set() -> None:
    state = applied(host(), plan(host(), "aes", disable=["CKM_AES_ECB"]))
    planned = plan(state, "aes", disable=["CKM_AES_ECB", "CKM_AES_CBC"])
    assert commands(planned)[0].endswith("mechanism=CKM_AES_CBC")


def test_a_name_that_the_provider_does_not_offer_is_refused_before_anything_runs() -> None:
    assert refused(host(), "aes", disable=["CKM_AES_ECB", "CKM_RC4"]) == "mechanism.unknown"
    assert refused(host(), "nosuch/9", disable=["CKM_RC4"]) == "provider.unknown"


def test_the_last_provider_of_a_mechanism_needs_force_and_a_second_person() -> None:
    assert refused(host(), "aes", disable=["CKM_AES_CTR"]) == "mechanism.last_provider"
    forced = plan(host(), "aes", disable=["CKM_AES_CTR"], force=True, force_reason="audit 12")
    assert "CKM_AES_CTR" in forced.needs_force
    assert "audit 12" in forced.needs_force
    assert forced.risk == "high"


def test_a_mechanism_that_another_provider_has_needs_no_force() -> None:
    assert plan(host(), "aes", disable=["CKM_AES_CBC"]).needs_force == ""


def test_a_provider_that_nothing_ever_asked_has_no_mechanism_in_use() -> None:
    state = host()
    idle = replace(state.providers["md4"], operations=0)
    state = replace(state, providers={**state.providers, "md4": idle})
    assert not plan(state, "md4", disable=["CKM_MD4"]).needs_force


def test_the_softtoken_is_not_disabled_without_force() -> None:
    assert refused(host(), SOFTTOKEN, disable=["*"]) == "mechanism.last_provider"
    assert refused(host(), "swrand", random="disable") == "mechanism.last_provider"


def test_all_of_a_kernel_provider_are_named_one_by_one_so_that_it_can_be_undone() -> None:
    step = plan(host(), "aes", disable=["*"], force=True, force_reason="x").phases[0].steps[0]
    assert step.argv[-1] == "mechanism=CKM_AES_CBC,CKM_AES_CTR,CKM_AES_ECB"


def test_random_is_a_call_of_its_own() -> None:
    planned = plan(host(), SOFTTOKEN, random="disable", force=True, force_reason="x")
    assert commands(planned) == [f"/usr/sbin/cryptoadm disable provider={SOFTTOKEN} random"]
    assert refused(host(), "aes", random="disable") == "mechanism.no_random"


def test_a_file_that_the_kernel_was_not_told_of_is_refused_with_the_way_out() -> None:
    state = replace(host(), configured=Policy(False, frozenset({"CKM_AES_ECB"})))
    assert refused(state, "aes", disable=["CKM_AES_ECB"]) == "mechanism.file_differs"


@pytest.mark.parametrize(
    "parameters",
    [
        {"disable": ["CKM_AES=ECB"]},
        {"disable": ["CKM_AES_ECB"], "enable": ["CKM_AES_ECB"]},
        {"random": "off"},
        {"disabled": []},
        {"disable": ["CKM_AES_ECB"], "force": True},
    ],
)
def test_parameters_that_cryptoadm_would_misread_are_refused(parameters: dict[str, Any]) -> None:
    assert refused(host(), "aes", **parameters) == "parameters.invalid"


def with_policy(name: str, policy: Policy) -> CryptoState:
    """Return the host with a policy; a kernel provider has no "all disabled"."""
    policy = Policy(policy.is_all_disabled and name == KERNEL, policy.exceptions)
    provider = replace(host().providers[name], policy=policy)
    return CryptoState(providers={**host().providers, name: provider}, configured=policy)


def enabled(state: CryptoState, name: str) -> set[str]:
    policy = state.known(name).policy or Policy()
    return {one for one in AES if not policy.is_disabled(one)}


NAMES = st.lists(st.sampled_from(sorted(AES)), max_size=3, unique=True)
ASKED = st.one_of(NAMES, st.just(["*"]))
POLICIES = st.builds(Policy, st.booleans(), NAMES.map(frozenset))
FORCE: dict[str, Any] = {"force": True, "force_reason": "test"}


@given(POLICIES, ASKED, ASKED, st.sampled_from([KERNEL, "aes"]))
def test_every_step_keeps_its_promise_and_the_last_one_leaves_a_noop(
    policy: Policy, enable: list[str], disable: list[str], name: str
) -> None:
    if set(enable) & set(disable):
        return
    state = with_policy(name, policy)
    planned = plan(state, name, enable=enable, disable=disable, **FORCE)
    for step in planned.phases[0].steps if planned.phases else []:
        assert {k: policy_parts(state, name)[k] for k in step.before} == step.before
        state = after_step(state, step)
        assert {k: policy_parts(state, name)[k] for k in step.after} == step.after
    assert {k: policy_parts(state, name)[k] for k in planned.ends} == planned.ends
    assert plan(state, name, enable=enable, disable=disable, **FORCE).is_noop


@given(POLICIES, ASKED, ASKED, st.sampled_from([KERNEL, "aes"]))
def test_the_rollback_restores_what_was_enabled(
    policy: Policy, enable: list[str], disable: list[str], name: str
) -> None:
    if set(enable) & set(disable):
        return
    before = with_policy(name, policy)
    planned = plan(before, name, enable=enable, disable=disable, **FORCE)
    after = applied(before, planned)
    if planned.rollback is not None:
        parameters = {**planned.rollback.parameters, **FORCE}
        after = applied(after, plan(after, parameters.pop("provider"), **parameters))
    assert enabled(after, name) == enabled(before, name)


@pytest.mark.parametrize(
    ("text", "provider", "expected"),
    [
        ("aes:supportedlist=CKM_AES_ECB;disabledlist=CKM_AES_ECB", "aes", {"CKM_AES_ECB"}),
        ("n2rng/0:disabledlist=random", "n2rng/0", set()),
        (f"{KERNEL}:disabledlist=0x00001081,0x00001082;NO_RANDOM", KERNEL, None),
        (f"# note\n{KERNEL}\n", KERNEL, set()),
        ("", "aes", set()),
    ],
)
def test_the_configuration_file_is_read_as_a_check(
    text: str, provider: str, expected: set[str] | None
) -> None:
    names = {"CKM_AES_ECB", "CKM_AES_CBC"} if expected is None else expected
    assert configured_policy(text, provider) == Policy(False, frozenset(names))
