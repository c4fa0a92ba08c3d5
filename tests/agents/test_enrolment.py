"""Enrolment: the machine's id, the identity on disk, and who two agents on one machine are."""

import stat
from pathlib import Path

import pytest

from agents.config import AgentConfig, Config, ConfigError, ConsoleConfig
from agents.daemon import open_core
from agents.enrolment import (
    NotEnrolled,
    enrol,
    load_identity,
    machine_id,
)
from agents.files import ensure_private_dir
from agents.journal import Journal
from tests.agents.support.console_stub import ConsoleStub
from tests.agents.support.daemons import enrolled


def config_of(state_dir: Path, url: str = "") -> Config:
    return Config(
        console=ConsoleConfig(url=url), agent=AgentConfig(name="shelf-3"), state_dir=state_dir
    )


def test_the_machine_id_stays_the_same_for_one_state_directory(tmp_path: Path) -> None:
    assert machine_id(tmp_path / "a") == machine_id(tmp_path / "a")


def test_two_agents_on_one_machine_are_two_hosts(tmp_path: Path) -> None:
    assert machine_id(tmp_path / "a") != machine_id(tmp_path / "b")


def test_the_machines_own_id_does_not_leave_it(tmp_path: Path) -> None:
    own = Path("/etc/machine-id")
    word = own.read_text().strip() if own.exists() else "none here"
    assert word not in machine_id(tmp_path)


def test_enrolment_sends_name_and_token_and_keeps_the_identity(
    tmp_path: Path, stub: ConsoleStub
) -> None:
    config = config_of(tmp_path / "state", stub.url)
    identity, is_known = enrol(config, token="kre_once-only", url="", pin="", name="")
    assert stub.requests[0][1]["token"] == "kre_once-only"
    assert (identity.host_name, is_known) == ("shelf-3", False)
    assert load_identity(tmp_path / "state") == identity


def test_identity_and_instance_are_private(tmp_path: Path, stub: ConsoleStub) -> None:
    state_dir = tmp_path / "state"
    enrol(config_of(state_dir, stub.url), token="kre_once-only", url="", pin="", name="")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in state_dir.iterdir()}
    assert modes == {"identity.json": 0o600, "instance": 0o600}
    assert stat.S_IMODE(state_dir.stat().st_mode) == 0o700


def test_a_directory_made_on_the_way_is_private_too(tmp_path: Path) -> None:
    ensure_private_dir(tmp_path / "state" / "workloads")
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("url", "words"),
    [("", "console.url: is missing"), ("http://console.example", "loopback only")],
)
def test_an_address_that_cannot_be_used_is_refused_before_anything_is_sent(
    tmp_path: Path, url: str, words: str
) -> None:
    with pytest.raises(ConfigError, match=words):
        enrol(config_of(tmp_path), token="kre_once-only", url=url, pin="", name="")


@pytest.mark.parametrize("damage", [b"", b"{}", b"[1]", b"\xff"])
def test_a_damaged_identity_says_what_to_do(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "identity.json").write_bytes(damage)
    with pytest.raises(NotEnrolled, match=r"damaged.*enrolment token"):
        load_identity(tmp_path)


def test_a_missing_identity_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotEnrolled, match=r"not enrolled.*run the command that it shows"):
        load_identity(tmp_path)


def test_becoming_another_host_drops_the_old_ones_journal(
    tmp_path: Path, stub: ConsoleStub
) -> None:
    config = Config(state_dir=tmp_path / "state")
    first = open_core(config, enrolled(config.state_dir, stub.url, host_id="h1"))
    first.journal.new_nonce("work")
    open_core(config, enrolled(config.state_dir, stub.url, host_id="h2"))
    assert Journal(config.state_dir / "journal.jsonl").entries() == []


def test_enrolling_again_as_the_same_host_keeps_the_journal(
    tmp_path: Path, stub: ConsoleStub
) -> None:
    config = Config(state_dir=tmp_path / "state")
    nonce = open_core(config, enrolled(config.state_dir, stub.url)).journal.new_nonce("work")
    again = open_core(config, enrolled(config.state_dir, stub.url))
    assert [entry.nonce for entry in again.journal.entries()] == [nonce]
