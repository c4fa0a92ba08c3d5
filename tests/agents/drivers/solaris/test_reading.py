"""What planners understand of recorded answers, and how an unreadable host is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from agents.changes.base import ChangeRefused
from agents.drivers.solaris.kinds import SOLARIS_KINDS, crypto_read
from agents.drivers.solaris.kinds.crypto_state import metaslot_parts, policy_parts
from agents.drivers.solaris.kinds.cryptofiles import Policy
from agents.drivers.solaris.kinds.ldm_read import read_spconfig, read_units, why_not
from agents.drivers.solaris.kinds.ldm_state import unit_parts
from tests.agents.drivers.solaris import recorded
from tests.agents.drivers.solaris.recorded import Recorded, said

LDM_3X = {
    "-V": "Logical Domains Manager (v 3.2.0.1)\n",
    "list-bindings -p": recorded.BINDINGS_3X,
    "list-devices -a -p": recorded.DEVICES_3X,
    "list-spconfig": recorded.SPCONFIGS,
}
LDM_12 = {
    "-V": recorded.VERSION_12,
    "list-bindings -p": recorded.BINDINGS_12,
    "list-devices -a -p": recorded.DEVICES_12,
}
CRYPTO = {
    "list -m": recorded.MECHANISMS,
    "list -p": recorded.POLICIES,
    "list -v metaslot": recorded.METASLOT,
    "list -p metaslot": "metaslot: all mechanisms are enabled, except CKM_RC4.\n",
    "-p -m kcf -s kcf_ops_total": recorded.KSTAT,
}
SOFTTOKEN = "/usr/lib/security/$ISA/pkcs11_softtoken.so"
FILES = {"/etc/crypto/kcf.conf": recorded.KCF}


def refused(read: Callable[[], Any]) -> str:
    with pytest.raises(ChangeRefused) as caught:
        read()
    assert caught.value.refusal.code == "host.unreadable"
    return caught.value.refusal.message


def test_domains_units_and_cores_of_a_3x_manager() -> None:
    state = read_units(Recorded(LDM_3X))
    assert state.version >= (3, 0)
    seen = unit_parts(state)
    assert seen["unit.owner/mau:32-39"] == "primary"
    assert seen["unit.owner/mau:40-47"] == ""
    assert [unit.core for unit in state.units] == [4, 5]
    assert state.free_strands == {41}
    assert state.domains["primary"].is_control
    assert state.domains["app"].strands == {40}
    assert (state.domains["idle"].state, state.domains["idle"].vcpu) == ("inactive", 4)


def test_ldoms_1_2_is_told_from_1_1_by_its_version_and_rows_may_have_no_ids() -> None:
    state = read_units(Recorded(LDM_12))
    assert state.version == (1, 2)
    assert state.pending() == "primary"
    assert [(unit.core, unit.owner) for unit in state.units] == [(0, "primary"), (1, "")]


def test_the_next_power_on_is_told_from_the_current_configuration() -> None:
    found = read_spconfig(Recorded(LDM_3X))
    assert (found.current, found.newest) == ("monday", "tuesday")
    assert found.names == ("factory-default", "monday", "tuesday")


def test_mechanisms_of_all_slots_count_and_vendor_numbers_stay() -> None:
    state = crypto_read.read_policies(Recorded(CRYPTO, FILES), "aes")
    names = {"CKM_RSA_PKCS", "0x80000007", "CKM_AES_GCM"}
    assert state.known("/opt/hsm/lib/$ISA/libhsm.so").mechanisms == names
    assert not state.known("md4").is_loaded
    assert not state.known("/usr/lib/security/$ISA/pkcs11_kernel.so").mechanisms


def test_solaris_10_folds_a_librarys_list() -> None:
    reader = Recorded({**CRYPTO, "list -m": recorded.MECHANISMS_S10}, FILES)
    found = crypto_read.read_policies(reader, "aes").known(SOFTTOKEN)
    assert found.mechanisms == {"CKM_DES_CBC", "CKM_DES_ECB", "CKM_AES_CBC"}


def test_every_wording_of_a_policy_is_understood() -> None:
    state = crypto_read.read_policies(Recorded(CRYPTO, FILES), "aes")
    hsm = state.known("/opt/hsm/lib/$ISA/libhsm.so")
    assert hsm.policy == Policy(True, frozenset({"CKM_RSA_PKCS"}))
    assert (hsm.random, state.known("swrand").random) == ("disabled", "enabled")
    policy = state.known("ncp/0").policy
    assert policy is not None
    assert policy.exceptions == {"CKM_DSA", "CKM_RC4"}


def test_a_policy_is_read_from_the_listing_and_from_the_file() -> None:
    state = crypto_read.read_policies(Recorded(CRYPTO, FILES), "aes")
    assert policy_parts(state, "aes") == {
        "mechanism.policy/aes": ["CKM_AES_ECB"],
        "mechanism.configured/aes": ["CKM_AES_ECB"],
        "mechanism.random/aes": "none",
    }
    assert state.known("ncp/0").operations == 0
    assert state.known("swrand").operations is None


def test_metaslot_is_read_as_configured_and_as_it_is() -> None:
    seen = metaslot_parts(crypto_read.read_metaslot(Recorded(CRYPTO), wants_tokens=False))
    assert seen["metaslot.status"] == "enabled"
    assert seen["metaslot.actual"] == "disabled"
    assert seen["metaslot.token"] == "Vault: east"
    assert seen["metaslot.auto_key_migrate"] == "disabled"
    assert seen["metaslot.mechanisms"] == ["-CKM_RC4"]


def test_a_failing_or_hanging_or_garbled_tool_is_refused_with_what_it_said() -> None:
    down = said("", code=1, stderr="Failed to connect to logical domain manager: refused")
    answers = (
        (down, "Failed to connect"),
        (said("", code=-15, timed_out=True), "did not answer"),
        ("\x00garbage\n", "no parser knows"),
        ("", "no parser knows"),
    )
    for answer, words in answers:
        reader = Recorded({**LDM_3X, "list-bindings -p": answer})
        assert words in refused(lambda reader=reader: read_units(reader))  # type: ignore[misc]


def test_one_library_that_does_not_load_hides_no_other() -> None:
    broken = f"{recorded.MECHANISMS}\n/opt/x.so: failed to retrieve the mechanism list.\n"
    reader = Recorded({**CRYPTO, "list -m": said(broken, code=1)}, FILES)
    state = crypto_read.read_policies(reader, "aes")
    assert state.known("/opt/x.so").mechanisms == frozenset()


def test_a_host_without_the_tools_says_so() -> None:
    assert "no control domain" in why_not(Recorded({}))
    assert all(kind.applies(Recorded({})) for kind in SOLARIS_KINDS)


def test_each_look_takes_at_most_three_commands() -> None:
    for kind in SOLARIS_KINDS:
        reader = Recorded(
            {**LDM_3X, **CRYPTO, "list": "kernel software providers:\n    aes\n"},
            {**FILES, **_N2CP},
        )
        kind.read(reader, {"provider": "aes"})
        assert len(reader.asked) <= 3


_N2CP = {"/platform/sun4v/kernel/drv/n2cp.conf": "n2cp-sync-threads=2;\n"}
