"""Tokens: through the probe's child on a real host, as cryptoadm lists them on a simulated one."""

from pathlib import Path

import pytest

from agents.config import Pkcs11Config
from agents.drivers.base import ScanContext
from agents.drivers.solaris import tokens
from agents.drivers.solaris.look import Look
from agents.drivers.solaris.scan import Scan
from agents.drivers.solaris.tokens import library_path, probe_tokens
from agents.pkcs11.report import ModuleReport
from agents.wire.inventory import Facts, ProviderFacts
from tests.agents.drivers.solaris.test_driver import driver_of, facts_of

SOFTHSM = Path("/usr/lib/softhsm/libsofthsm2.so")


def facts_with(tmp_path: Path, state: str) -> Facts:
    """Facts of a host on which libpkcs11's probe ended so."""
    provider = ProviderFacts(
        key="pkcs11:x", kind="pkcs11_library", name="libpkcs11", path=library_path(), state=state
    )
    scan = Scan(Look(driver_of(tmp_path).tools()), None, is_simulated=False)
    return scan.run([ModuleReport(provider)])


def labels(facts: Facts) -> list[str]:
    slots = (slot for provider in facts.providers for slot in provider.slots)
    return sorted(slot.token.label for slot in slots if slot.token is not None)


def test_a_simulated_hosts_tokens_are_those_that_cryptoadm_lists(tmp_path: Path) -> None:
    facts = facts_of(tmp_path)
    assert facts.host.is_simulated
    assert "Sun Software PKCS#11 softtoken" in labels(facts)
    assert not [one for one in facts.providers if one.name == "libpkcs11"]


def test_token_flags_and_pin_states_are_those_of_the_probe(tmp_path: Path) -> None:
    providers = {one.name.rpartition("/")[2]: one for one in facts_of(tmp_path).providers}
    slot = providers["pkcs11_softtoken.so"].slots[0]
    assert slot.token is not None
    assert slot.token.user_pin_state == "to_be_changed"
    assert {"RNG", "LOGIN_REQUIRED", "TOKEN_INITIALIZED"} <= set(slot.token.flags)


def test_what_libpkcs11_shows_is_not_shown_twice(tmp_path: Path) -> None:
    assert labels(facts_with(tmp_path, "ok")) == []
    assert labels(facts_with(tmp_path, "failed")) != []


def test_a_library_that_is_not_there_is_a_failed_provider_and_hides_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tokens, "library_path", lambda: "/nowhere/libpkcs11.so")
    modules = (str(SOFTHSM),) if SOFTHSM.exists() else ()
    reports = probe_tokens(ScanContext(pkcs11=Pkcs11Config(modules=modules)))
    first, *others = [report.provider.state for report in reports]
    assert (first, others) == ("failed", ["ok"] * len(modules))
    assert reports[0].findings[0].code == "module.load_failed"
