"""The inventory of recorded answers: other forms, unread lines, and what it says it cannot see."""

from pathlib import Path

import pytest

from agents.changes.base import ChangeRefused
from agents.drivers.solaris import saved
from agents.drivers.solaris.counters import Stat, Totals, counter_gauges, kernel_provider, totals_of
from agents.drivers.solaris.findings import counter_findings, fips_findings, metaslot_findings
from agents.drivers.solaris.kinds.crypto_state import MetaslotState
from agents.drivers.solaris.kinds.ldm_read import read_units
from agents.drivers.solaris.kinds.ldm_state import unit_parts
from agents.drivers.solaris.ldm_look import LdmFound, look_through_ldm
from agents.drivers.solaris.look import Look
from agents.drivers.solaris.scan import Scan
from agents.wire.inventory import Facts, FindingFacts
from tests.agents.drivers.solaris import recorded
from tests.agents.drivers.solaris.recorded import Recorded, said

BINDINGS_TEXT = """NAME             STATE    FLAGS   CONS    VCPU  MEMORY   UTIL  UPTIME
primary          active   -n-cv   SP      2     1G       0.6%  3h 2m

VCPU
    VID    PID    UTIL STRAND
    0      8      0.9%   100%
    1      9      0.3%   100%

MAU
    CPUSET
    (8, 9, 10, 11)

NAME             STATE    FLAGS   CONS    VCPU  MEMORY   UTIL  UPTIME
guest            inactive -----           2     1G
"""
DEVICES_TEXT = """VCPU
    PID   %FREE
    8     0
    9     0
    12    100

MAU
    CPUSET                                  BOUND
    (8, 9, 10, 11)                          primary
    (12, 13, 14, 15)
"""
NO_P = said("", code=1, stderr="ldm: illegal option -- p\nusage: ldm list-bindings [ldom...]")
TEXT_ONLY = {
    "-V": "Logical Domain Manager (v 1.0.3)\n",
    "list-bindings -p": NO_P,
    "list-bindings": BINDINGS_TEXT,
    "list-devices -a -p": NO_P,
    "list-devices -a": DEVICES_TEXT,
    "list-config": "factory-default [current]\n",
}
LDM_3X = {
    "-V": "Logical Domains Manager (v 3.2.0.1)\n",
    "list-bindings -p": recorded.BINDINGS_3X,
    "list-devices -a -p": recorded.DEVICES_3X,
    "list-spconfig": recorded.SPCONFIGS,
}


def look(answers: dict[str, object]) -> Look:
    return Look(Recorded(answers))  # type: ignore[arg-type]


def found(answers: dict[str, object], state_dir: Path | None = None) -> tuple[Look, LdmFound]:
    one = look(answers)
    result = look_through_ldm(one, "alpha", state_dir)
    assert result is not None, one.findings
    return one, result


def test_an_ldm_without_p_is_read_as_text_by_planner_and_inventory() -> None:
    seen = unit_parts(read_units(Recorded(TEXT_ONLY)))
    assert (seen["unit.owner/mau:8-11"], seen["unit.owner/mau:12-15"]) == ("primary", "")
    _, ldm = found(TEXT_ONLY)
    assert ldm.version_text == "1.0.3"
    assert ldm.state.count("primary") == 1
    assert ldm.state.domains["guest"].vcpu == 2


@pytest.mark.parametrize("key", ["strands", "cpuset"])
def test_units_are_seen_under_each_name_of_their_strands(key: str) -> None:
    changed = {
        name: text.replace("|cpuset=", f"|{key}=") if "-p" in name else text
        for name, text in LDM_3X.items()
    }
    _, ldm = found(changed)
    assert [unit.owner for unit in ldm.state.units] == ["primary", ""]


def test_a_row_of_a_unit_that_is_not_understood_refuses_a_plan_and_is_a_blind_spot() -> None:
    broken = recorded.DEVICES_3X.replace("|id=1|cpuset=40,41,42,43,44,45,46,47", "|id=1|where=far")
    answers = {**LDM_3X, "list-devices -a -p": broken}
    with pytest.raises(ChangeRefused, match="where=far") as refused:
        read_units(Recorded(answers))
    assert "keyrack-agent parse 'ldm list-devices -a -p'" in refused.value.refusal.remedy
    one, ldm = found(answers)
    assert len(ldm.state.units) == 1
    assert any("where=far" in sentence for sentence in one.blind_spots)


def test_a_listing_that_was_cut_off_is_nothing_to_plan_with() -> None:
    cut = recorded.BINDINGS_3X.replace("|vid=1|pid=33|cid=4|util=---|strand=100\n", "")
    with pytest.raises(ChangeRefused, match="1 of 2 CPUs"):
        read_units(Recorded({**LDM_3X, "list-bindings -p": cut}))


def test_a_host_without_anything_is_a_list_of_sentences() -> None:
    scan = Scan(look({}), None, is_simulated=False)
    facts = scan.run()
    assert isinstance(facts, Facts)
    assert (facts.units, facts.domains, facts.providers, facts.findings) == ([], [], [], [])
    assert len(facts.host.blind_spots) >= 5
    assert all(sentence.endswith(".") for sentence in facts.host.blind_spots)


def test_what_ldm_refuses_is_said_with_its_own_words() -> None:
    refused = said("", code=1, stderr="Authorization failed")
    one = look({**LDM_3X, "list-bindings -p": refused})
    assert look_through_ldm(one, "alpha", None) is None
    assert any("Authorization failed" in finding.message for finding in one.findings)


def test_configuration_is_unsaved_once_domains_change_and_saved_with_a_new_name(
    tmp_path: Path,
) -> None:
    first, second = saved.looks_of([("a", 8, 1, 1)]), saved.looks_of([("a", 8, 1, 0)])
    assert saved.is_unsaved(tmp_path, ["one"], "m/one", first) is None
    assert saved.is_unsaved(tmp_path, ["one"], "m/one", second) is True
    assert saved.is_unsaved(tmp_path, ["one"], "m/one", first) is None
    assert saved.is_unsaved(tmp_path, ["one", "two"], "m/one", second) is False
    assert saved.is_unsaved(tmp_path, ["one", "two"], "m/one", first) is True
    assert saved.is_unsaved(None, ["one"], "m/one", first) is None


def stat(module: str, name: str, statistic: str, value: str) -> Stat:
    return Stat(module, 0, name, statistic, value)


def test_counters_become_gauges_of_units_algorithms_and_providers() -> None:
    stats = [
        stat("n2cp", "n2cp0", "cwq3submit", "12"),
        stat("n2cp", "n2cp0", "cwq3state", "offline"),
        stat("n2cp", "n2cp0", "aesjobs", "9"),
        stat("n2cp", "n2cp0", "crtime", "1.5"),
        stat("ncp", "ncp0", "mau0qfull", "3"),
        stat("kcf", "ncp_0_2_provider_stats", "kcf_ops_total", "7"),
        stat("kssl", "kssl_stats", "kssl_full_handshakes", "5"),
    ]
    gauges = {(gauge.name, gauge.subject_key): gauge.value for gauge in counter_gauges(stats)}
    assert gauges == {
        ("cwq.ops", "n2cp/0:cwq3"): 12.0,
        ("cwq.online", "n2cp/0:cwq3"): 0.0,
        ("algorithm.ops", "n2cp/0:aes"): 9.0,
        ("mau.queue_full", "ncp/0:mau0"): 3.0,
        ("kernel.ops", "ncp/0"): 7.0,
        ("kssl.full_handshakes", "host"): 5.0,
    }
    assert totals_of(counter_gauges(stats)).offline == ("n2cp/0:cwq3",)


def test_names_of_providers_survive_kstats_cut_at_thirty_signs() -> None:
    assert kernel_provider("aes_provider_stats") == "aes"
    assert kernel_provider("averylongprovider_provider_stat") == "averylongprovider"
    assert kernel_provider("framework_stats") == ""


def codes(findings: list[FindingFacts]) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in findings]


def test_counters_since_boot_tell_unused_and_overrun_units() -> None:
    never = Totals(hardware=0.0, software=9.0, has_units=True)
    less = Totals(hardware=5.0, software=9.0, has_units=True)
    full = Totals(hardware=100.0, queue_full=2.0, has_units=True, offline=("n2cp/0:cwq1",))
    assert codes(list(counter_findings(never))) == [("unit.unused", "warning")]
    assert codes(list(counter_findings(less))) == [("unit.unused", "notice")]
    assert codes(list(counter_findings(full))) == [
        ("unit.queue_full", "notice"),
        ("unit.offline", "warning"),
    ]
    assert not list(counter_findings(Totals(software=9.0)))


def test_modes_that_differ_and_a_metaslot_that_is_off_are_findings() -> None:
    assert codes(list(fips_findings({"ncp": True, "n2cp": False}))) == [("fips.differs", "warning")]
    assert not list(fips_findings({"ncp": True, "n2cp": True}))
    off = MetaslotState(is_enabled=False, is_actual=False, is_migrating=False)
    hidden = MetaslotState(is_enabled=True, is_actual=False, is_migrating=False)
    assert codes(list(metaslot_findings(off))) == [("metaslot.disabled", "notice")]
    assert codes(list(metaslot_findings(hidden))) == [("metaslot.not_offered", "warning")]
