"""Programs that only tell: counters that move, CPUs, instruction sets, names."""

import time
from collections.abc import Callable

from tests.support.simulated import Simulated


def statistic(machine: Simulated, name: str) -> int:
    """Return one counter of n2cp."""
    rows = dict(row.split("\t") for row in machine.lines("kstat -p -m n2cp"))
    return int(rows[f"n2cp:0:n2cp0:{name}"])


def test_counters_move_with_the_clock(t5120: Simulated) -> None:
    before = statistic(t5120, "aes")
    time.sleep(0.2)
    assert statistic(t5120, "aes") > before


def test_the_load_tells_what_moves_and_counters_go_on_from_where_they_are(
    t5120: Simulated,
) -> None:
    aes = "kstat -p -n aes_provider_stats -s kcf_ops_total"
    before = statistic(t5120, "cwq0submit")
    t5120.load("idle")
    still, software = statistic(t5120, "cwq0submit"), t5120.out(aes)
    assert before <= still <= before + 60
    t5120.load("software")
    time.sleep(1.2)
    assert statistic(t5120, "cwq0submit") <= still + 1
    assert t5120.out(aes) != software
    t5120.load("overload")
    time.sleep(0.1)
    assert statistic(t5120, "cwq0submit") > still


def test_a_unit_that_is_taken_away_takes_its_counters(t5120: Simulated) -> None:
    assert "mau1submit" in t5120.out("kstat -p -m ncp")
    t5120.out("ldm set-crypto 1 primary")
    assert "mau1submit" not in t5120.out("kstat -p -m ncp")
    t5120.out("ldm set-crypto 0 primary")
    assert t5120.run("kstat -p -m ncp").returncode == 1
    assert t5120.run("kstat -p -m n2rng").returncode == 0


def test_the_default_layout_is_two_heads_and_rows_behind_a_tab(t5120: Simulated) -> None:
    lines = t5120.lines("kstat -m ncp")
    assert lines[0] == "module: ncp                             instance: 0     "
    assert lines[1] == "name:   ncp0                            class:    misc"
    assert lines[2].startswith("\tcrtime                          ")


def test_statistics_may_hold_blanks(t5120: Simulated) -> None:
    line = "kstat -p -n framework_stats -s 'max threads in pool'"
    assert t5120.out(line) == "kcf:0:framework_stats:max threads in pool\t1024\n"


def test_kstats_can_be_switched_off_and_named_otherwise(t5120: Simulated) -> None:
    t5120.turn("kstat.n2cp_jobs", "jobs")
    assert statistic(t5120, "aesjobs") > 0
    t5120.turn("kstat.n2cp_name", "n2cp")
    assert t5120.lines("kstat -p -m n2cp")[0].startswith("n2cp:0:n2cp:aesjobs\t")
    t5120.turn("kstat.nostats", "yes")
    assert t5120.run("kstat -p -m n2cp").returncode == 1
    t5120.turn("kstat.no_match", "0")
    assert t5120.run("kstat -p -m n2cp").returncode == 0


def test_psrinfo_shows_the_control_domains_cpus(t5120: Simulated) -> None:
    assert t5120.lines("psrinfo -pv") == [
        "The physical processor has 16 virtual processors (0-15)",
        "  UltraSPARC-T2 (chipid 0, clock 1165 MHz)",
    ]
    t5120.turn("psrinfo.cores", "yes")
    assert t5120.lines("psrinfo -pv") == [
        "The physical processor has 2 cores and 16 virtual processors (0-15)",
        "  The core has 8 virtual processors (0-7)",
        "  The core has 8 virtual processors (8-15)",
        "    UltraSPARC-T2 (chipid 0, clock 1165 MHz)",
    ]


def test_isainfo_folds_the_words_of_a_t4(simulated: Callable[[str], Simulated]) -> None:
    lines = simulated("t4-1").lines("isainfo -v")
    assert lines[0] == "64-bit sparcv9 applications"
    assert lines[1].startswith("\tcrc32c cbcond pause mont mpmul sha512 ")
    assert lines[1].endswith(" ")
    assert not lines[2].endswith(" ")


def test_pktool_cuts_labels_at_thirty_signs(t5120: Simulated) -> None:
    lines = t5120.lines("pktool tokens")
    head = "Token Label                     Manuf ID         Serial No        PIN State "
    assert lines[0] == head
    assert [line[:30].rstrip() for line in lines[1:]] == [
        "Sun Metaslot",
        "Sun Software PKCS#11 softtoken",
    ]


def test_names_and_releases(simulated: Callable[[str], Simulated]) -> None:
    machine = simulated("t5120-ldoms11")
    assert machine.out("uname -sr") == "SunOS 5.10\n"
    assert machine.out("uname -i") == "SUNW,SPARC-Enterprise-T5120\n"
    assert machine.out("zonename") == "global\n"
    assert "Memory size: 8192 Megabytes" in machine.lines("prtconf")
    assert "(t4) SPARC T4 engine support" in simulated("t4-1").lines("openssl engine")


def test_openssl_never_measures(t5120: Simulated) -> None:
    assert t5120.run("openssl speed aes-128-cbc").returncode == 1
