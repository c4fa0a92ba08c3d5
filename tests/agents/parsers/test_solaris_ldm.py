"""What ldm prints, as people paste it: sessions, folded and trimmed tables, odd sections."""

from pathlib import Path

import pytest

from agents.parsers.base import UnexpectedOutput
from agents.parsers.solaris.ldm import (
    parse_ldm_devices,
    parse_ldm_listing,
    parse_ldm_notices,
    parse_ldm_spconfigs,
    parse_ldm_version,
)
from agents.parsers.solaris.ldm_facts import LdmDomain, NoticeKind

CASES = Path(__file__).parent / "cases" / "solaris"
GIB = 1 << 30


def text_of(name: str) -> str:
    return (CASES / f"{name}.txt").read_bytes().decode()


def domains_of(name: str) -> dict[str, LdmDomain]:
    return {domain.name: domain for domain in parse_ldm_listing(text_of(name)).domains}


def test_a_session_gives_the_table_without_its_prompts() -> None:
    found = parse_ldm_listing(text_of("ldm_list_session"))
    assert [domain.name for domain in found.domains] == ["primary", "web-1", "spare", "ldg9"]
    assert [line.line_no for line in found.unread] == [2]
    primary, web, spare, unbound = found.domains
    assert (primary.console, primary.vcpu_count, primary.memory_bytes) == ("SP", 16, 8 * GIB)
    assert primary.uptime_seconds == 7 * 86400 + 19 * 3600 + 43 * 60
    assert (web.util, spare.state, spare.util) == (12.0, "bound", None)
    assert (unbound.console, unbound.vcpu_count, unbound.memory_bytes) == ("", 4, 2 * GIB)


def test_five_and_six_letters_of_flags_are_words() -> None:
    assert domains_of("ldm_list_session")["primary"].flags.words == (
        "normal",
        "control",
        "vio-service",
    )
    assert domains_of("ldm_list_folded")["primary"].flags.is_delayed


def test_carriage_returns_and_long_names_do_not_move_columns() -> None:
    found = domains_of("ldm_list_crlf")
    assert found["primary"].norm_util == 0.4
    assert found["guest-with-a-very-long-name"].uptime_seconds == 300


def test_a_row_that_was_folded_is_one_row() -> None:
    found = domains_of("ldm_list_folded")
    assert found["primary"].uptime_seconds == 22 * 3600 + 16 * 60
    assert (found["db-one"].util, found["db-one"].uptime_seconds) == (None, 540)


def test_the_text_of_bindings_gives_strands_cores_units_and_variables() -> None:
    primary, guest = parse_ldm_listing(text_of("ldm_bindings")).domains
    assert primary.cores[0].cpuset == primary.units[0].cpuset == tuple(range(8))
    assert [(v.vid, v.pid, v.core) for v in primary.vcpus][:2] == [(0, 0, 0), (1, 1, 0)]
    assert (primary.vcpus[3].util, primary.vcpus[3].strand_percent) == (None, 100.0)
    assert primary.softstate == "Solaris running"
    variables = next(s for s in primary.sections if s.name == "VARIABLES")
    assert variables.rows[2] == (("nvramrc", "devalias a /b\ndevalias c /d"),)
    assert (guest.units[0].unit, guest.units[0].bound) == (1, "ldg1")


def test_parseable_lines_that_a_terminal_folded_are_put_together() -> None:
    found = parse_ldm_listing(text_of("ldm_bindings_p_folded"))
    assert (found.version, found.unread) == ((1, 4), ())
    domain = found.domains[0]
    assert (domain.util, domain.uptime_seconds, len(domain.vcpus)) == (0.4, 4772570, 4)
    assert (domain.vcpus[2].util, domain.units[0].cpuset) == (None, (0, 1, 2, 3))
    variables = next(s for s in domain.sections if s.name == "VARIABLES")
    assert (variables.rows[2]) == (("nvramrc", "devalias mydisk /pci@0/x=1\ndevalias two |three"),)


def test_unknown_sections_and_keys_are_kept_and_a_wrong_number_is_named() -> None:
    found = parse_ldm_listing(text_of("ldm_p_odd"))
    primary, guest = found.domains
    assert primary.sections[0].name == "CPU_MODEL"
    assert primary.sections[0].rows == ((("row", "1|more"),),)
    assert [line.line for line in found.unread] == ["|vid=one|pid=9"]
    assert [(u.unit, u.cpuset) for u in primary.units] == [(None, (8, 9)), (3, (16, 17, 18, 19))]
    assert primary.flags.is_delayed
    assert (guest.vcpu_count, guest.memory_bytes, guest.unit_count) == (4, None, None)


def test_devices_tell_free_units_by_an_empty_bound_and_by_dashes() -> None:
    found = parse_ldm_devices(text_of("ldm_devices"))
    assert [unit.bound for unit in found.units] == ["primary", "", "", "ldg one"]


def test_tables_without_their_indentation_are_read() -> None:
    found = parse_ldm_devices(text_of("ldm_trimmed"))
    assert [(unit.unit, unit.bound) for unit in found.units] == [(0, "primary"), (1, "")]
    assert [core.free_percent for core in found.cores] == [0.0, 100.0]
    assert [(vcpu.pid, vcpu.power_managed) for vcpu in found.vcpus] == [(0, "no"), (1, "---")]
    assert [(m.size_bytes, m.bound) for m in found.memory] == [
        (512 << 10, "_sys_"),
        (1536 << 20, ""),
    ]
    assert found.unread == ()


def test_constraints_are_what_was_asked_for() -> None:
    found = domains_of("ldm_constraints")
    assert (found["ldg7"].vcpu_count, found["ldg7"].unit_count) == (12, 1)
    assert (found["ldg7"].memory_bytes, found["ldg8"].unit_count) == (2560 << 20, None)
    disk = found["ldg7"].sections[0]
    assert dict(disk.rows[0]) == {"NAME": "root disk", "VOLUME": "vol 7@vds0"}


def test_constraints_in_cut_xml_are_read() -> None:
    domain = parse_ldm_listing(text_of("ldm_constraints.xml")).domains[0]
    assert (domain.name, domain.vcpu_count, domain.unit_count) == ("a&b", 16, 2)
    assert (domain.memory_bytes, domain.sections[0].name) == (GIB, "disk")


def test_rows_without_their_domain_belong_to_one_without_a_name() -> None:
    found = parse_ldm_listing("|cid=0|cpuset=0,1\n|cid=1|cpuset=2,3\n")
    assert [core.cpuset for core in found.domains[0].cores] == [(0, 1), (2, 3)]


def test_a_cpuset_that_goes_on_in_the_next_lines_is_one() -> None:
    text = "MAU\n    ID      CPUSET          BOUND\n    5       (40, 41,\n  42,\n  43)      ldg2\n"
    unit = parse_ldm_devices(text).units[0]
    assert (unit.cpuset, unit.bound) == ((40, 41, 42, 43), "ldg2")


def test_a_notice_in_a_listing_is_a_notice_and_no_unread_line() -> None:
    text = (
        "NAME STATE FLAGS CONS VCPU MEMORY UTIL UPTIME\n"
        "primary active -ndcv- SP 8 4G 0.1% 2h 16m\n\n"
        "-----\nNotice: LDom primary is in the process of a\ndelayed reconfiguration.\n-----\n"
    )
    found = parse_ldm_listing(text)
    assert [(n.kind, n.domain) for n in found.notices] == [(NoticeKind.DELAYED_PENDING, "primary")]
    assert found.unread == ()


@pytest.mark.parametrize(
    ("text", "kind", "domain"),
    [
        (
            "Initiating delayed reconfigure operation on LDom ldgA.  All\nLDoms wait until the\n"
            "LDom reboots, at which time it takes effect.",
            NoticeKind.DELAYED_BEGUN,
            "ldgA",
        ),
        (
            "Initiating a delayed reconfiguration operation on the primary domain.",
            NoticeKind.DELAYED_BEGUN,
            "primary",
        ),
        (
            "Delayed reconfiguration of LDom g2 is not permitted",
            NoticeKind.DELAYED_REFUSED,
            "g2",
        ),
        ("Authorization failed", NoticeKind.NOT_AUTHORISED, ""),
        (
            "Failed to connect to logical domain manager: Connection refused",
            NoticeKind.NO_MANAGER,
            "",
        ),
        ("Something nobody has seen", NoticeKind.OTHER, ""),
    ],
)
def test_notices_are_told_by_their_fixed_words(text: str, kind: NoticeKind, domain: str) -> None:
    (notice,) = parse_ldm_notices(text).notices
    assert (notice.kind, notice.domain) == (kind, domain)
    assert notice.text == " ".join(text.split())


def test_stored_configurations_have_marks() -> None:
    found = parse_ldm_spconfigs(
        "factory-default\nbase [current]\nnew one\nnext-one [next poweron]\n"
    )
    assert (found.current, found.next_poweron) == ("base", "next-one")
    assert [line.line for line in found.unread] == ["new one"]


def test_the_configuration_of_the_next_poweron_is_the_current_without_a_mark() -> None:
    assert parse_ldm_spconfigs("factory-default [current]\n").next_poweron == "factory-default"


def test_the_version_is_the_managers() -> None:
    found = parse_ldm_version("Logical Domains Manager (v 3.6.2.0.4)\n  Hypervisor v. 1.20.\n")
    assert (found.manager, found.text, found.parts) == (
        (3, 6),
        "3.6.2.0.4",
        (("Hypervisor", "1.20"),),
    )


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "Authorization failed\n", "ldm: command not found\n", "User-level providers:"],
)
def test_what_is_no_listing_is_unexpected(text: str) -> None:
    with pytest.raises(UnexpectedOutput):
        parse_ldm_listing(text)


def test_messages_among_parseable_records_are_notices_and_no_part_of_a_value() -> None:
    found = parse_ldm_listing(text_of("ldm_p_notices"))
    primary = found.domains[0]
    assert (primary.uptime_seconds, len(primary.vcpus)) == (901, 2)
    assert primary.units[0].cpuset == tuple(range(8))
    assert [(notice.kind, notice.domain) for notice in found.notices] == [
        (NoticeKind.DELAYED_PENDING, "primary"),
        (NoticeKind.FAILED, ""),
    ]


def test_a_number_of_a_domain_that_is_none_is_named() -> None:
    found = parse_ldm_listing(text_of("ldm_p_notices"))
    assert [line.line_no for line in found.unread] == [15]
    assert found.domains[1].vcpu_count is None


def test_tables_without_their_last_columns_keep_what_the_others_mean() -> None:
    found = domains_of("ldm_list_odd")
    assert (found["primary"].console, found["db"].console) == ("SP", "5002")
    assert (found["db"].vcpu_count, found["db"].uptime_seconds) == (None, None)


def test_a_share_alone_on_a_line_is_no_prompt() -> None:
    web = domains_of("ldm_list_odd")["web"]
    assert (web.util, web.uptime_seconds) == (0.1, 2 * 3600 + 16 * 60)


def test_columns_in_another_order_are_read_by_their_header() -> None:
    moved = domains_of("ldm_list_odd")["moved"]
    assert (moved.console, moved.vcpu_count, moved.memory_bytes) == ("5005", 12, 6 * GIB)
    assert (moved.util, moved.uptime_seconds) == (0.4, 26 * 3600)


def test_a_time_without_its_unit_is_not_taken_for_one() -> None:
    found = parse_ldm_listing(text_of("ldm_list_odd"))
    assert [line.line_no for line in found.unread] == [8]


def test_a_strand_that_a_terminal_cut_in_two_is_one_or_unread() -> None:
    found = parse_ldm_listing(text_of("ldm_cpuset_folded"))
    assert [unit.cpuset for unit in found.domains[0].units] == [tuple(range(200, 216))]
    assert [line.line_no for line in found.unread] == [7]


def test_an_empty_share_is_told_by_where_the_other_stands() -> None:
    vcpus = domains_of("ldm_cpuset_folded")["web"].vcpus
    shares = [(vcpu.util, vcpu.strand_percent) for vcpu in vcpus]
    assert shares == [(None, 100.0), (0.3, 100.0), (None, None)]


def test_properties_in_xml_keep_their_keys() -> None:
    pair = '<gprop:GenericProperty key="{}">{}</gprop:GenericProperty>'
    item = f"<Item>{pair.format('failure-policy', 'ignore')}{pair.format('master', 'db')}</Item>"
    domain = parse_ldm_listing(f"<Content id='web'>{item}</Content>").domains[0]
    assert dict(domain.sections[0].fields) == {"failure-policy": "ignore", "master": "db"}
