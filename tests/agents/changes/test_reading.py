"""What planning may run: nothing that could change the host."""

from pathlib import Path

import pytest

from agents.changes.reading import NotAReadingCommand, Reading, only_reads
from agents.changes.tools import Tools


@pytest.mark.parametrize(
    "command",
    [
        "/opt/SUNWldm/bin/ldm list-bindings -p",
        "/usr/sbin/ldm list -l -p",
        "/usr/sbin/ldm ls-spconfig",
        "/opt/SUNWldm/bin/ldm -V",
        "/usr/sbin/cryptoadm list -p",
        "/usr/sbin/cryptoadm --help",
        "/usr/bin/kstat -p -m n2cp",
        "/usr/sbin/psrinfo -pv",
    ],
)
def test_what_only_reads_may_be_run(command: str) -> None:
    assert only_reads(command.split())


@pytest.mark.parametrize(
    "command",
    [
        "/opt/SUNWldm/bin/ldm set-mau 1 ldg1",
        "/opt/SUNWldm/bin/ldm",
        "/opt/SUNWldm/bin/ldm listen",
        "/usr/sbin/cryptoadm disable metaslot",
        "/usr/sbin/cryptoadm refresh",
        "/usr/sbin/svcadm restart cryptosvc",
        "/usr/sbin/reboot",
        "/bin/sh -c list",
    ],
)
def test_anything_else_is_refused_and_not_run(tmp_path: Path, command: str) -> None:
    with pytest.raises(NotAReadingCommand, match="not known to only read"):
        Reading(Tools(stand_ins=tmp_path)).run(command.split())


def test_a_reader_has_no_way_to_write() -> None:
    public = {name for name in dir(Reading) if not name.startswith("_")}
    assert public == {"run", "read_text"}


def test_files_hang_off_the_root(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/small.conf").write_text("x\n")
    reader = Reading(Tools(root=tmp_path))
    assert reader.read_text("/etc/small.conf") == "x\n"
    assert reader.read_text("/etc/none.conf") is None
    with pytest.raises(ValueError, match="absolute path without"):
        reader.read_text("/etc/../../x")
