"""Whole inventories of recorded trees; the expected files were read line by line when made."""

import json
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.config import Config
from agents.drivers.base import Inventory, ScanContext
from agents.drivers.registry import choose_driver
from agents.wire.codec import facts_digest, from_plain, to_plain
from agents.wire.inventory import Facts, ProviderFacts, UnitFacts

EXPECTED = Path(__file__).resolve().parent / "expected"
NAMES = sorted(path.stem for path in EXPECTED.glob("*.json"))
Scan = Callable[[str], Inventory]


def unit(found: Inventory, key: str) -> UnitFacts:
    return next(unit for unit in found.facts.units if unit.key.split("/")[0] == key)


def provider(found: Inventory, name: str) -> ProviderFacts:
    return next(provider for provider in found.facts.providers if provider.name == name)


def multiarch(plain: Any) -> Any:
    """Relative module paths depend on the machine that the test runs on; nothing else does."""
    return json.loads(json.dumps(plain).replace(_multiarch(), "/usr/lib/MULTIARCH"))


def _multiarch() -> str:
    return f"/usr/lib/{platform.machine()}-linux-gnu"


@pytest.mark.parametrize("name", NAMES)
def test_a_tree_gives_the_expected_inventory(scanned: Scan, name: str) -> None:
    expected = json.loads((EXPECTED / f"{name}.json").read_text())
    assert multiarch(to_plain(scanned(name))) == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_tree_is_marked_as_recorded(scanned: Scan, name: str) -> None:
    host = scanned(name).facts.host
    assert host.is_simulated
    assert host.source == "recorded tree"
    assert host.blind_spots == [
        "This is a recorded tree: no commands were run, and no PKCS#11 library was loaded."
    ]


@pytest.mark.parametrize("name", NAMES)
def test_two_scans_give_one_digest_and_keys_are_unique(
    recorded: Callable[[str], Config], name: str
) -> None:
    config = recorded(name)
    found = [choose_driver(config).inventory(ScanContext.from_config(config)) for _ in range(2)]
    assert facts_digest(found[0].facts) == facts_digest(found[1].facts)
    for section in (found[0].facts.units, found[0].facts.domains, found[0].facts.providers):
        keys = [entry.key for entry in section]
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize("name", NAMES)
def test_facts_survive_the_wire(scanned: Scan, name: str) -> None:
    facts = scanned(name).facts
    assert from_plain(json.loads(json.dumps(to_plain(facts))), Facts) == facts


def test_counters_change_no_digest(recorded: Callable[[str], Config]) -> None:
    config = recorded("ibm_z")
    before = choose_driver(config).inventory(ScanContext.from_config(config))
    card = config.linux.root / "sys/devices/ap/card05"
    for counter in ("request_count", "requestq_count", "load"):
        (card / counter).write_text("99\n")
    after = choose_driver(config).inventory(ScanContext.from_config(config))
    assert facts_digest(before.facts) == facts_digest(after.facts)
    assert before.gauges != after.gauges


def test_qat_devices_and_their_functions(scanned: Scan) -> None:
    found = scanned("intel_qat")
    up, down = unit(found, "pci:0000:6b:00.0"), unit(found, "pci:0000:70:00.0")
    assert (up.state, down.state) == ("active", "offline")
    assert up.features == ["asym", "sym"]
    assert up.key.endswith("/00-11-22-33-44-55-66-77")
    held = unit(found, "pci:0000:6b:00.1")
    assert held.is_assignable
    assert (held.state, held.attributes["physical_function"]) == ("reserved", "0000:6b:00.0")


def test_functions_that_no_guest_can_have_say_why(scanned: Scan) -> None:
    found = scanned("intel_qat")
    without_iommu, denied = unit(found, "pci:0000:6b:00.2"), unit(found, "pci:0000:b1:01.0")
    assert not without_iommu.is_assignable
    assert "IOMMU" in without_iommu.reason
    assert not denied.is_assignable
    assert "disable_denylist" in denied.reason


def test_a_denied_function_is_assignable_once_the_denylist_is_off(
    recorded: Callable[[str], Config],
) -> None:
    config = recorded("intel_qat")
    switch = config.linux.root / "sys/module/vfio_pci/parameters/disable_denylist"
    switch.parent.mkdir(parents=True)
    switch.write_text("Y\n")
    found = choose_driver(config).inventory(ScanContext.from_config(config))
    assert unit(found, "pci:0000:b1:01.0").is_assignable


def test_queues_of_a_guest_belong_to_its_mediated_device(scanned: Scan) -> None:
    found = scanned("ibm_z")
    used = unit(found, "ap:05.0047")
    assert (used.state, used.is_assignable) == ("in use", True)
    domain = next(domain for domain in found.facts.domains if domain.key == used.domain_key)
    assert (domain.kind, domain.state) == ("vfio_ap_mdev", "in use")
    assert unit(found, "ap:05.0055").domain_key is None
    assert [finding.code for finding in found.facts.findings] == ["domain.queues_filtered"]


def test_a_queue_of_the_host_says_what_keeps_it(scanned: Scan) -> None:
    queue = unit(scanned("ibm_z"), "ap:05.0004")
    assert not queue.is_assignable
    assert "apmask and aqmask" in queue.reason
    assert queue.attributes["master_keys"] == [
        "AES NEW: empty 0x0000000000000000",
        "AES CUR: valid 0x1a2b3c4d5e6f7081",
        "APKA CUR: valid 0x8170f6e5d4c3b2a1",
    ]


def test_states_of_cards_and_no_question_to_a_sick_one(scanned: Scan) -> None:
    found = scanned("ibm_z")
    states = {key: unit(found, key).state for key in ("ap:05", "ap:07", "ap:0a", "ap:0b")}
    assert states == {
        "ap:05": "active",
        "ap:07": "faulty",
        "ap:0a": "deconfigured",
        "ap:0b": "present",
    }
    assert "serial" not in unit(found, "ap:07").attributes


def test_absent_fips_differs_from_fips_switched_off(scanned: Scan) -> None:
    words = {name: scanned(name).facts.settings["fips.kernel"] for name in NAMES}
    assert words == {
        "arm_server": "not available",
        "ibm_z": "disabled",
        "intel_qat": "enabled",
        "kvm_guest": "not available",
    }


def test_kernel_tls_is_loaded_loadable_or_not_there(scanned: Scan) -> None:
    words = {name: scanned(name).facts.settings["ktls"] for name in NAMES}
    assert words["intel_qat"] == "loaded"
    assert words["ibm_z"] == "not loaded"
    assert words["kvm_guest"] == "not available"


def test_counters_of_kernel_tls_are_gauges(scanned: Scan) -> None:
    gauges = {gauge.name: gauge.value for gauge in scanned("intel_qat").gauges}
    assert gauges["ktls.tx_sw"] == 41.0
    assert gauges["ktls.tx_rekey_ok"] == 1.0


def test_kernel_drivers_are_told_by_where_they_compute(scanned: Scan) -> None:
    intel, z = scanned("intel_qat"), scanned("ibm_z")
    assert provider(intel, "qat_aes_cbc").kind == "kernel_hardware"
    assert provider(intel, "cbc-aes-aesni").kind == "kernel_software"
    assert provider(intel, "cbc-aes-aesni").attributes["acceleration"] == "cpu_instructions"
    assert provider(z, "cbc-aes-s390").kind == "kernel_hardware"
    assert provider(scanned("kvm_guest"), "virtio_crypto_aes_cbc").kind == "kernel_hardware"


def test_the_driver_that_the_kernel_would_choose_is_marked(scanned: Scan) -> None:
    found = scanned("intel_qat")
    preferred = {p.name for p in found.facts.providers if p.attributes.get("is_preferred")}
    assert preferred == {"cbc-aes-aesni", "qat-rsa", "sha256-ni", "hmac(sha256-ni)"}


def test_a_link_out_of_the_tree_is_not_followed(scanned: Scan) -> None:
    found = scanned("kvm_guest")
    assert not any(provider.kind == "pkcs11_library" for provider in found.facts.providers)
