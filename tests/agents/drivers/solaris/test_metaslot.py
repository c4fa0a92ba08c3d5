"""Planning metaslot: on, off, and its options, with what cryptoadm's sources say of them."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.changes.base import ChangeKind, ChangeRefused, Seen
from agents.changes.plans import sealed
from agents.drivers.solaris.kinds.crypto_state import MetaslotState, metaslot_parts
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.kinds.metaslot import (
    MetaslotConfigure,
    MetaslotDisable,
    MetaslotEnable,
)
from agents.wire.changes import Plan
from tests.agents.drivers.solaris.providers import metaslot_after_step

ADM = "/usr/sbin/cryptoadm"
HSM = ("Vault", "Vendor HSM slot 2")
ON = MetaslotState(
    is_enabled=True,
    is_actual=True,
    is_migrating=True,
    token="Sun Software PKCS#11 softtoken",
    slot="Sun Crypto Softtoken",
    tokens=(("Sun Software PKCS#11 softtoken", "Sun Crypto Softtoken"), HSM),
)
OFF = replace(ON, is_enabled=False, is_actual=False)


def plan(kind: ChangeKind[MetaslotState], state: MetaslotState, **parameters: Any) -> Plan:
    return sealed(kind.plan(parameters, Seen(state, metaslot_parts(state))))


def configure(state: MetaslotState, **parameters: Any) -> Plan:
    return plan(MetaslotConfigure(), state, **parameters)


def commands(planned: Plan) -> list[str]:
    return [" ".join(step.argv[1:]) for phase in planned.phases for step in phase.steps]


def test_on_and_off_are_one_call_each_and_undo_each_other() -> None:
    on, off = plan(MetaslotEnable(), OFF), plan(MetaslotDisable(), ON)
    assert commands(on) == ["enable metaslot"]
    assert commands(off) == ["disable metaslot"]
    assert on.phases[0].steps[0].undo_argv == off.phases[0].steps[0].argv
    assert plan(MetaslotEnable(), ON).is_noop


def test_configured_but_not_offered_is_said() -> None:
    planned = plan(MetaslotEnable(), replace(ON, is_actual=False))
    assert "libpkcs11 does not offer it" in planned.warnings[0]


def test_an_option_of_a_metaslot_that_is_off_turns_it_on_first() -> None:
    planned = configure(OFF, auto_key_migrate=False)
    assert commands(planned) == ["enable metaslot", "disable metaslot auto-key-migrate"]
    assert planned.ends["metaslot.status"] == "enabled"


def test_a_token_alone_clears_the_slot_and_the_plan_says_so() -> None:
    planned = configure(ON, token="Vault")
    assert planned.phases[0].steps[0].argv == [ADM, "enable", "metaslot", "token=Vault"]
    assert planned.ends["metaslot.slot"] == ""
    assert "clears the slot" in planned.warnings[0]


def test_a_key_store_with_both_names_is_one_call_that_can_be_undone() -> None:
    step = configure(ON, token=HSM[0], slot=HSM[1]).phases[0].steps[0]
    assert step.argv[3:] == ["token=Vault", "slot=Vendor HSM slot 2"]
    assert step.undo_argv[3:] == [f"token={ON.token}", f"slot={ON.slot}"]


def test_a_token_that_is_not_there_is_refused_though_cryptoadm_would_store_it() -> None:
    with pytest.raises(ChangeRefused) as caught:
        configure(ON, token="Vault", slot="Sun Crypto Softtoken")
    assert caught.value.refusal.code == "metaslot.token_unknown"


def test_a_key_store_that_was_never_set_cannot_be_put_back() -> None:
    bare = replace(ON, token="", slot="")
    planned = configure(bare, token="Vault")
    assert planned.phases[0].steps[0].undo_argv == []
    assert planned.rollback is None
    assert planned.rollback_reason


def test_disabling_all_mechanisms_ends_with_metaslot_off() -> None:
    planned = configure(ON, disable_mechanisms=["*"])
    assert commands(planned) == ["disable metaslot mechanism=all"]
    assert planned.ends["metaslot.status"] == "disabled"


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"token": "a=b"},
        {"token": "x" * 33},
        {"token": "Vault", "default_keystore": True},
        {"auto_key_migrate": "no"},
        {"enable_mechanisms": ["RC4"]},
        {"status": "on"},
    ],
)
def test_options_that_would_be_misread_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(ChangeRefused) as caught:
        configure(ON, **parameters)
    assert caught.value.refusal.code == "parameters.invalid"


NAMES = st.lists(st.sampled_from(["CKM_RC4", "CKM_MD5", "CKM_DES_CBC"]), max_size=2, unique=True)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "auto_key_migrate": st.booleans(),
        "default_keystore": st.just(True),
        "enable_mechanisms": NAMES,
        "disable_mechanisms": st.one_of(NAMES, st.just(["*"])),
    },
)


@given(
    st.sampled_from([ON, OFF, replace(ON, token="Vault", slot="")]),
    st.builds(Policy, st.booleans(), NAMES.map(frozenset)),
    OPTIONS,
)
def test_after_all_steps_everything_is_as_promised_and_nothing_remains(
    start: MetaslotState, policy: Policy, options: dict[str, Any]
) -> None:
    both = set(options.get("enable_mechanisms", ())) & set(options.get("disable_mechanisms", ()))
    if not options or both:
        return
    state = replace(start, policy=policy)
    planned = configure(state, **options)
    for step in planned.phases[0].steps if planned.phases else []:
        state = metaslot_after_step(state, step)
        assert {part: metaslot_parts(state)[part] for part in step.after} == step.after
    assert {part: metaslot_parts(state)[part] for part in planned.ends} == planned.ends
    assert configure(state, **options).is_noop
