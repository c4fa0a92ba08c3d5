"""Planning providers in and out, and the settings of n2cp."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.changes.base import ChangeKind, ChangeRefused, Seen
from agents.changes.plans import sealed
from agents.drivers.solaris.kinds.crypto_state import CryptoState, installed_parts
from agents.drivers.solaris.kinds.driver_configure import DriverConfigure, sync_threads
from agents.drivers.solaris.kinds.provider import (
    ProviderInstall,
    ProviderUninstall,
    ProviderUnload,
)
from agents.wire.changes import Plan
from tests.agents.drivers.solaris.providers import SOFTTOKEN, after_step, host

NEW = "/opt/vendor/lib/$ISA/libvendor.so"
FORCED = {"force": True, "force_reason": "retired"}


def plan(kind: ChangeKind[CryptoState], provider: str, **parameters: Any) -> Plan:
    state = host()
    asked = {"provider": provider, **parameters}
    return sealed(kind.plan(asked, Seen(state, installed_parts(state, provider))))


def refused(kind: ChangeKind[CryptoState], provider: str, **parameters: Any) -> str:
    with pytest.raises(ChangeRefused) as caught:
        plan(kind, provider, **parameters)
    return caught.value.refusal.code


def argv(planned: Plan) -> list[str]:
    return planned.phases[0].steps[0].argv[1:]


def test_a_library_is_installed_by_its_path_and_isa_stays_literal() -> None:
    planned = plan(ProviderInstall(), NEW)
    assert argv(planned) == ["install", f"provider={NEW}"]
    assert planned.phases[0].steps[0].undo_argv[1:] == ["uninstall", f"provider={NEW}"]


def test_a_kernel_provider_is_installed_with_its_mechanisms() -> None:
    planned = plan(ProviderInstall(), "camellia", mechanisms=["CKM_CAMELLIA_CBC"])
    assert argv(planned) == ["install", "provider=camellia", "mechanism=CKM_CAMELLIA_CBC"]


@pytest.mark.parametrize(
    ("provider", "parameters", "code"),
    [
        ("camellia", {}, "parameters.invalid"),
        ("camellia", {"mechanisms": ["*"]}, "parameters.invalid"),
        (NEW, {"mechanisms": ["CKM_RC4"]}, "parameters.invalid"),
        ("/usr/lib/$ISA/libpkcs11.so", {}, "parameters.invalid"),
        ("dca/0", {}, "provider.is_hardware"),
    ],
)
def test_what_cryptoadm_would_refuse_is_refused_before(
    provider: str, parameters: dict[str, Any], code: str
) -> None:
    assert refused(ProviderInstall(), provider, **parameters) == code


def test_a_kernel_provider_can_be_put_back_with_what_it_had() -> None:
    planned = plan(ProviderUninstall(), "md4", **FORCED)
    assert planned.phases[0].steps[0].undo_argv[1:] == [
        "install",
        "provider=md4",
        "mechanism=CKM_MD4",
    ]
    assert planned.needs_force


def test_the_softtoken_stays_unless_two_people_want_it_gone() -> None:
    assert refused(ProviderUninstall(), SOFTTOKEN) == "mechanism.last_provider"
    assert refused(ProviderUninstall(), "ncp/0") == "provider.is_hardware"
    assert plan(ProviderUninstall(), "nosuch").is_noop


def test_unloading_has_no_way_back_and_says_so() -> None:
    planned = plan(ProviderUnload(), "md4", **FORCED)
    assert argv(planned) == ["unload", "provider=md4"]
    assert planned.rollback is None
    assert planned.rollback_reason
    assert refused(ProviderUnload(), SOFTTOKEN) == "provider.not_unloadable"


@pytest.mark.parametrize("kind", [ProviderUninstall(), ProviderUnload()])
def test_done_once_it_is_a_noop(kind: ChangeKind[CryptoState]) -> None:
    asked = {"provider": "md4", **FORCED}
    state = after_step(host(), plan(kind, "md4", **FORCED).phases[0].steps[0])
    assert kind.plan(asked, Seen(state, installed_parts(state, "md4"))).is_noop


def drive(text: str, value: Any) -> Plan:
    seen = Seen(text, {"driver.n2cp-sync-threads": sync_threads(text)})
    asked = {"driver": "n2cp", "settings": {"n2cp-sync-threads": value}}
    return sealed(DriverConfigure().plan(asked, seen))


@given(
    st.sampled_from(["", "name=n2cp;\n", "# n2cp-sync-threads=9;\n", "n2cp-sync-threads = 2;\n"]),
    st.one_of(st.none(), st.integers(1, 64)),
)
def test_the_setting_is_what_is_asked_for_and_the_rest_of_the_file_stays(
    text: str, value: int | None
) -> None:
    planned = drive(text, value)
    if planned.is_noop:
        assert sync_threads(text) == value
        return
    edit = planned.phases[0].steps[0].edit
    assert edit is not None
    assert edit.after is not None
    assert sync_threads(edit.after) == value
    assert [c.kind for c in planned.consequences] == ["unverified"]
    assert drive(edit.after, value).is_noop


@pytest.mark.parametrize(
    "text", ["n2cp-sync-threads=1;\nn2cp-sync-threads=2;\n", "a; n2cp-sync-threads=1"]
)
def test_a_file_of_an_unknown_form_is_left_alone(text: str) -> None:
    with pytest.raises(ChangeRefused) as caught:
        drive(text, 3)
    assert caught.value.refusal.code == "driver.file_unknown"


@pytest.mark.parametrize("value", [0, 65, True, "3"])
def test_only_sane_numbers_of_threads_are_taken(value: Any) -> None:
    with pytest.raises(ChangeRefused):
        drive("", value)
