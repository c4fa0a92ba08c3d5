"""The configuration file: what it becomes, and what its errors say."""

from pathlib import Path

import pytest

from agents.config import AgentConfig, Config, ConfigError, load_config

PIN = "sha256//" + "A" * 43 + "="

FULL = f"""
state_dir = "/srv/keyrack"
[console]
url = "https://console.example/"
pin = "{PIN}"
[agent]
name = "web-7"
allow = ["inventory.scan"]
log_level = "debug"
[pkcs11]
modules = ["/usr/lib/libtoken.so"]
environment = {{ TOKEN_CONF = "/etc/token.conf" }}
[[pkcs11.pin]]
token = "orders"
source = "file:/etc/keyrack/orders.pin"
[linux]
root = "/srv/tree"
"""


def config_of(tmp_path: Path, text: str) -> Config:
    path = tmp_path / "agent.toml"
    path.write_text(text)
    return load_config(path)


def error_of(tmp_path: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        config_of(tmp_path, text)
    return str(caught.value)


def test_every_key_reaches_its_field(tmp_path: Path) -> None:
    config = config_of(tmp_path, FULL)
    assert config.console.url == "https://console.example"
    assert config.agent.allow == ("inventory.scan",)
    assert config.pkcs11.modules == ("/usr/lib/libtoken.so",)
    assert config.pkcs11.environment == {"TOKEN_CONF": "/etc/token.conf"}
    assert config.pkcs11.pins[0].source == "file:/etc/keyrack/orders.pin"
    assert (config.linux.root, config.state_dir) == (Path("/srv/tree"), Path("/srv/keyrack"))
    assert config.warnings == ()


def test_an_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    config = config_of(tmp_path, "")
    assert config.agent.allow == ("job.run", "inventory.scan")
    assert config.linux.root == Path("/")


def test_an_unknown_key_is_warned_of_with_the_likely_one(tmp_path: Path) -> None:
    config = config_of(tmp_path, "[agent]\nalow = []\n")
    assert len(config.warnings) == 1
    assert "agent.toml: agent.alow: nothing reads this key" in config.warnings[0]
    assert "did you mean agent.allow?" in config.warnings[0]


def test_an_unknown_key_in_a_nested_table_is_warned_of(tmp_path: Path) -> None:
    text = '[[pkcs11.pin]]\ntoken = "t"\nsource = "file:/p"\npin = "1234"\n'
    assert "pkcs11.pin[0].pin: nothing reads" in config_of(tmp_path, text).warnings[0]


def test_an_unknown_kind_of_work_is_warned_of(tmp_path: Path) -> None:
    config = config_of(tmp_path, '[agent]\nallow = ["job.fun"]\n')
    assert "agent.allow[0]: 'job.fun' is no kind of work" in config.warnings[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[agent]\nname = 7\n", ["agent.name", "must be a string", "int"]),
        ("[agent]\nallow = 'all'\n", ["agent.allow", "list of strings"]),
        ("[agent]\nallow = [1]\n", ["agent.allow[0]", "must be a string"]),
        ("[agent]\noutbox_max_bytes = true\n", ["agent.outbox_max_bytes", "whole number"]),
        ("[agent]\nlog_level = 'loud'\n", ["agent.log_level", "'loud'", "debug"]),
        ("[pkcs11]\nmodules = ['x.so']\n", ["pkcs11.modules[0]", "relative", "full path"]),
        ("[[pkcs11.pin]]\nsource = 'file:/x'\n", ["pkcs11.pin[0].token", "missing"]),
        ("[[pkcs11.pin]]\ntoken = 't'\nsource = '1234'\n", ["source", "file:/<full path>"]),
        ("[pkcs11]\nenvironment = {A = 1}\n", ["pkcs11.environment.A", "must be a string"]),
        ("pkcs11 = 3\n", ["pkcs11", "a table"]),
        ("state_dir = 'here'\n", ["state_dir", "relative"]),
        ("[console]\nurl = 'ftp://c'\n", ["console.url", "no http(s) address"]),
        ("[console]\nurl = 'http://c.example'\n", ["console.url", "plain http", "loopback"]),
        ("[console]\nurl = 'https://c.example'\n", ["console.pin", "missing", "sha256//"]),
        ("[console]\nurl = 'https://c'\npin = 'abc'\n", ["console.pin", "44 base64"]),
        ("[agent\n", ["is not TOML", "line 1"]),
    ],
)
def test_an_error_names_file_key_fault_and_remedy(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    message = error_of(tmp_path, text)
    assert message.startswith(str(tmp_path / "agent.toml"))
    for word in words:
        assert word in message


def test_a_pin_value_written_by_mistake_is_not_repeated(tmp_path: Path) -> None:
    text = "[[pkcs11.pin]]\ntoken = 't'\nsource = '87654321'\n"
    assert "87654321" not in error_of(tmp_path, text)


def test_a_missing_file_that_was_asked_for_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_config(tmp_path / "none.toml")


def test_plain_http_on_loopback_is_accepted(tmp_path: Path) -> None:
    assert config_of(tmp_path, "[console]\nurl = 'http://127.0.0.1:8000'\n").console.url


def test_work_behind_a_star_is_named_to_the_console() -> None:
    assert AgentConfig(allow=("*",)).allow_words() == ["*", "job.run", "inventory.scan"]
    assert AgentConfig(allow=("unit.*",)).allow_words() == ["unit.*"]
    assert AgentConfig(allow=("job.*", "job.run")).allow_words() == ["job.*", "job.run"]
