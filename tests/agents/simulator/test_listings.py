"""ldm's listings, byte for byte where a real one of that shape is known."""

from collections.abc import Callable

import pytest

from tests.support.simulated import Simulated


def test_ldoms_1_1_lists_bindings_as_it_did_in_2009(ldoms11: Simulated) -> None:
    lines = ldoms11.lines("ldm list-bindings primary")
    assert lines[0] == "NAME             STATE      FLAGS   CONS    VCPU  MEMORY   UTIL  UPTIME"
    assert lines[1].startswith("primary          active     -n-cv-  SP      16    8G       ")
    assert lines[1].endswith("%  22h 16m")
    assert lines[9:11] == ["VCPU", "    VID    PID    UTIL STRAND"]
    start = lines.index("MAU")
    assert lines[start : start + 8] == [
        "MAU",
        "    ID     CPUSET",
        "    0      (0, 1, 2, 3, 4, 5, 6, 7)",
        "    1      (8, 9, 10, 11, 12, 13, 14, 15)",
        "",
        "MEMORY",
        "    RA               PA               SIZE",
        "    0x8000000        0x8000000        8G",
    ]


def test_a_strands_load_stands_under_its_heading(ldoms11: Simulated) -> None:
    rows = ldoms11.lines("ldm list-bindings primary")[11:27]
    assert len(rows) == 16
    assert {row[18:].lstrip("0123456789.") for row in rows} == {"%   100%"}
    assert rows[10].startswith("    10     10     ")


def test_list_devices_of_1_x_has_no_unit_ids(ldoms11: Simulated) -> None:
    rows = ldoms11.lines("ldm list-devices -a mau")
    assert rows[1] == "    CPUSET                                  BOUND"
    assert rows[2] == "    (0, 1, 2, 3, 4, 5, 6, 7)                primary"
    assert rows[6] == "    (32, 33, 34, 35, 36, 37, 38, 39)"


def test_list_devices_of_2_0_and_later_has_unit_ids(t5120: Simulated) -> None:
    rows = t5120.lines("ldm ls-devices -a crypto")
    assert rows[1] == "    ID      CPUSET                                  BOUND"
    assert rows[3] == "    1       (8, 9, 10, 11, 12, 13, 14, 15)          primary"


def test_a_domain_that_does_not_run_has_neither_load_nor_uptime(t5120: Simulated) -> None:
    assert t5120.lines("ldm list ldg4")[1] == (
        "ldg4             inactive   ------          8     4G"
    )


def test_flags_are_words_in_the_long_parseable_list(ldoms11: Simulated) -> None:
    line = ldoms11.lines("ldm list -l -p primary")[1]
    assert "|flags=normal,control,vio-service|" in line
    assert line.endswith("|softstate=Solaris running")
    assert "|flags=-n-cv-|" in ldoms11.lines("ldm list -p primary")[1]


def test_the_parseable_version_is_the_editions(simulated: Callable[[str], Simulated]) -> None:
    versions = {"t5120-ldoms11": "1.0", "t5120-ldoms13": "1.4", "t5440": "1.6", "t5120": "1.11"}
    for edition, version in versions.items():
        assert simulated(edition).lines("ldm list -p")[0] == f"VERSION {version}"


def test_constraints_show_what_waits(ldoms11: Simulated) -> None:
    ldoms11.out("ldm set-mau 1 primary")
    lines = ldoms11.lines("ldm list-constraints primary")
    place = lines.index("MAU")
    assert lines[place : place + 3] == ["MAU", "    COUNT", "    1"]
    assert len(ldoms11.units()["primary"]) == 2


def test_a_section_of_units_is_missing_where_there_are_none(t5120: Simulated) -> None:
    assert "MAU" not in t5120.out("ldm list-bindings ldg3")
    assert t5120.lines("ldm list -o crypto -p ldg1")[1:] == [
        "DOMAIN|name=ldg1|",
        "MAU",
        "|id=2|cpuset=16,17,18,19,20,21,22,23",
    ]


@pytest.mark.parametrize(
    ("name", "value", "line", "expected"),
    [
        ("ldm.mau_keys", "cpuset", "list-devices -p mau", "MAU\n|cpuset=32,33,34,"),
        ("ldm.mau_keys", "id_strands", "list-bindings -p ldg1", "|id=2|strands=16,17,"),
        ("ldm.section", "crypto", "list-bindings ldg1", "CRYPTO\n    ID"),
        ("ldm.mau_ids", "no", "list-bindings ldg1", "MAU\n    CPUSET\n    (16, 17"),
        ("ldm.wrap", "yes", "list-bindings ldg1", "(16, 17, 18, 19,\n           20, 21, 22, 23)"),
        ("ldm.o_crypto", "full", "list -o crypto ldg1", "NAME             STATE"),
        ("ldm.blank", "blank", "list-bindings ldg1", "\n \nMAU\n"),
        ("ldm.bindings_flags", "words", "list-bindings -p primary", "|flags=normal,control,"),
        ("ldm.util", "percent", "list -p primary", "%|uptime="),
        ("ldm.util", "none", "list -p primary", "|util=|uptime="),
        ("ldm.norm", "no", "list primary", "UTIL  UPTIME\n"),
    ],
)
def test_a_doubtful_format_can_be_turned(
    t5120: Simulated, name: str, value: str, line: str, expected: str
) -> None:
    assert expected not in t5120.out(f"ldm {line}")
    t5120.turn(name, value)
    assert expected in t5120.out(f"ldm {line}")


def test_notices_go_to_the_stream_that_is_asked_for(ldoms11: Simulated) -> None:
    ldoms11.turn("ldm.notices", "stderr")
    done = ldoms11.run("ldm set-mau 1 primary")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("Initiating delayed reconfigure operation on LDom primary. All\n")


def test_an_unknown_domain_or_command_is_an_error(t5120: Simulated) -> None:
    assert t5120.run("ldm list nosuch").stderr == "LDom nosuch not found\n"
    assert t5120.run("ldm frobnicate").returncode == 1
    assert t5120.run("ldm set-crypto -1 primary").returncode == 1
    assert t5120.run("ldm").returncode == 1


def test_old_versions_do_not_know_new_words(ldoms11: Simulated) -> None:
    assert ldoms11.run("ldm set-crypto 1 primary").returncode == 1
    assert ldoms11.run("ldm start-reconf primary").returncode == 1
    assert ldoms11.run("ldm list-config").returncode == 0
