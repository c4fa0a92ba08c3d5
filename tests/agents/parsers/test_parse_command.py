"""`keyrack-agent parse`: the command line as typed, the capture as pasted, the answer as JSON."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.cli import main
from agents.parsers.commands import UnknownCommand, command_line, parser_of

CASES = Path(__file__).parent / "cases" / "solaris"


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["parse", *arguments]) == 0
    return dict(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    ("typed", "parser"),
    [
        ("ldm ls", "ldm-listing"),
        ("pfexec /opt/SUNWldm/bin/ldm list-bindings -p primary | more", "ldm-listing"),
        ("ldm ls-constraints -x ldg1", "ldm-listing"),
        ("LC_ALL=C ldm ls-devices -a mau", "ldm-devices"),
        ("sudo ldm ls-config", "ldm-spconfig"),
        ("ldm -V", "ldm-version"),
        ("ldm set-mau 1 primary", "ldm-notices"),
        ("cryptoadm list -mv provider='/usr/lib/security/$ISA/pkcs11_softtoken.so'", "cryptoadm"),
        ("cryptoadm disable provider=aes mechanism=all", "cryptoadm-messages"),
        ("/usr/bin/kstat -p -m n2cp", "kstat"),
        ("cat /etc/crypto/pkcs11.conf", "framework-file"),
        ("/platform/sun4v/kernel/drv/n2cp.conf", "driver-file"),
        ("openssl engine -c -t", "openssl-engine"),
    ],
)
def test_a_command_line_finds_its_parser(typed: str, parser: str) -> None:
    assert parser_of(command_line(typed)).name == parser


def test_an_unknown_command_lists_those_that_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnknownCommand, match="ldm list"):
        parser_of(command_line("prtdiag -v"))
    assert main(["parse", "prtdiag -v", "/dev/null"]) == 2
    assert "prtdiag" in capsys.readouterr().err


def test_a_list_that_is_not_read_is_no_message() -> None:
    with pytest.raises(UnknownCommand, match="ldm list-io"):
        parser_of(command_line("ldm list-io -l"))


def test_a_command_line_goes_on_behind_a_backslash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "session"
    session.write_text(
        "primary# ldm ls\nNAME STATE FLAGS\nold active -n-cv-\n"
        "primary# ldm ls \\\n> -p\nVERSION 1.6\nDOMAIN|name=new|state=active\n"
    )
    found = answer(capsys, "ldm ls -p", str(session))
    assert [domain["name"] for domain in found["understood"]["domains"]] == ["new"]
    assert found["unread"] == []


def test_the_answer_names_what_was_not_understood(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "ldm list -l -p", str(CASES / "ldm_p_odd.txt"))
    assert found["unread"] == [{"line_no": 7, "line": "|vid=one|pid=9"}]
    primary = found["understood"]["domains"][0]
    assert (primary["name"], primary["sections"][0]["fields"]["ghz"]) == ("primary", "1.2")


def test_of_several_commands_in_a_session_the_one_asked_for_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "session"
    session.write_text(
        "# cryptoadm list -p provider=aes\naes: all mechanisms are enabled.\n"
        "# cryptoadm list -m provider=aes\naes: CKM_AES_ECB\n# ldm list\nnothing\n"
    )
    found = answer(capsys, "cryptoadm list -m provider=aes", str(session))
    (provider,) = found["understood"]["providers"]
    assert (provider["policy"], len(provider["mechanisms"])) == (None, 1)
    assert found["unread"] == []


def test_another_programs_output_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capture = tmp_path / "capture"
    capture.write_bytes("Autorisation refus\u00e9e\n".encode("latin-1"))
    assert main(["parse", "ldm list", str(capture)]) == 1
    said = capsys.readouterr().err
    assert "Autorisation refus\u00e9e" in said
    assert "report" in said


def test_a_file_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "ldm list", "/nonexistent/capture"]) == 2
    assert "/nonexistent/capture" in capsys.readouterr().err
