"""The environment, read in one place."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from console.config import env

EMBEDDED = "console.config.settings.embedded"


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable of ours but the folder."""
    for name in [name for name in os.environ if name.startswith("KEYRACK_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("KEYRACK_VAR", str(tmp_path / "var"))


def test_a_secret_key_is_made_once_and_readable_by_its_owner_alone() -> None:
    """And only where that is allowed."""
    with pytest.raises(env.MissingSetting, match="KEYRACK_SECRET_KEY"):
        env.secret_key(create=False)
    made = env.secret_key(create=True)
    path = env.var_dir() / "secret_key"
    assert len(made) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [path.name for path in env.var_dir().iterdir()] == ["secret_key"]
    assert env.secret_key(create=True) == env.secret_key(create=False) == made


def test_the_private_redis_is_found_by_the_file_that_the_supervisor_writes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A variable goes before it."""
    assert env.redis_url() == "redis://127.0.0.1:6379/0"
    env.var_dir().mkdir()
    (env.var_dir() / "redis_url").write_text("redis://:x@127.0.0.1:7000/0\n")
    assert env.redis_url() == "redis://:x@127.0.0.1:7000/0"
    monkeypatch.setenv("KEYRACK_REDIS_URL", "redis://elsewhere/0")
    assert env.redis_url() == "redis://elsewhere/0"


def test_sqlite_is_the_default_with_immediate_transactions_and_wal() -> None:
    """So that writers wait instead of failing."""
    entry = env.database()
    assert entry["NAME"] == str(env.var_dir() / "keyrack.sqlite3")
    assert entry["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in entry["OPTIONS"]["init_command"]


def test_postgresql_comes_as_a_url(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quoted where needed; options after the question mark."""
    url = "postgresql://us%40er:p%2Fw@db.example:5433/key%20rack?sslmode=require"
    monkeypatch.setenv("KEYRACK_DATABASE_URL", url)
    entry = env.database()
    assert (entry["USER"], entry["PASSWORD"], entry["NAME"]) == ("us@er", "p/w", "key rack")
    assert (entry["HOST"], entry["PORT"]) == ("db.example", "5433")
    assert entry["OPTIONS"] == {"sslmode": "require"}


def test_another_database_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a sentence."""
    monkeypatch.setenv("KEYRACK_DATABASE_URL", "mysql://db/keyrack")
    with pytest.raises(ValueError, match="must begin with postgresql://"):
        env.database()


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"KEYRACK_PORT": "9000"}, "http://127.0.0.1:9000"),
        ({"KEYRACK_BIND": "::"}, "http://127.0.0.1:8000"),
        ({"KEYRACK_BIND": "2001:db8::1"}, "http://[2001:db8::1]:8000"),
        ({"KEYRACK_PUBLIC_URL": "https://keyrack.example/"}, "https://keyrack.example"),
    ],
)
def test_the_public_address(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str
) -> None:
    """As people type it, without a final slash."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert env.public_url() == expected


def test_only_names_of_this_console_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of somebody else's must not reach it under another name (DNS rebinding)."""
    monkeypatch.setenv("KEYRACK_PUBLIC_URL", "https://keyrack.example")
    monkeypatch.setenv("KEYRACK_ALLOWED_HOSTS", "other.example")
    hosts = env.allowed_hosts(env.public_url())
    assert {"localhost", "127.0.0.1", "keyrack.example", "other.example"} <= set(hosts)
    assert "*" not in hosts


def test_a_number_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which variable, and what it holds."""
    monkeypatch.setenv("KEYRACK_PORT", "eight")
    with pytest.raises(ValueError, match="KEYRACK_PORT must be a whole number, not 'eight'"):
        env.port()


@pytest.mark.parametrize("port", ["0", "-1", "65536"])
def test_a_port_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    """Before anything tries to listen there."""
    monkeypatch.setenv("KEYRACK_PORT", port)
    with pytest.raises(env.InvalidSetting, match="KEYRACK_PORT must be a TCP port"):
        env.port()


def test_a_folder_with_other_peoples_files_is_not_taken_over() -> None:
    """It would be closed to everybody else: think of KEYRACK_VAR=/tmp."""
    env.var_dir().mkdir()
    (env.var_dir() / "letters").mkdir()
    with pytest.raises(env.InvalidSetting, match=r"holds other things \(letters\)"):
        env.secret_key(create=True)


def test_a_folder_that_softhsm_could_not_be_told_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In its configuration a # begins a comment."""
    monkeypatch.setenv("KEYRACK_VAR", "/srv/rack #7")
    with pytest.raises(env.InvalidSetting, match="must not hold a #"):
        env.var_dir()


def test_a_folder_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the system's reason."""
    monkeypatch.setenv("KEYRACK_VAR", "/proc/keyrack")
    with pytest.raises(env.InvalidSetting, match="KEYRACK_VAR=/proc/keyrack cannot be used"):
        env.secret_key(create=True)


def test_the_command_line_says_what_is_wrong_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in a traceback."""
    argv = [sys.executable, str(env.ROOT / "manage.py"), "run_embedded", "--stop"]
    variables = {**os.environ, "KEYRACK_VAR": "/proc/keyrack", "DJANGO_SETTINGS_MODULE": EMBEDDED}
    result = subprocess.run(argv, env=variables, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("Keyrack: KEYRACK_VAR=/proc/keyrack cannot be used")
    assert len(result.stderr.splitlines()) == 1


def test_ctrl_c_ends_a_command_without_a_traceback(tmp_path: Path) -> None:
    """Wherever it is just then, also while modules are imported."""
    (tmp_path / "sitecustomize.py").write_text(
        "import console.config.env as env\n"
        "def interrupted(**_): raise KeyboardInterrupt\n"
        "env.secret_key = interrupted\n"
    )
    variables = {
        **os.environ,
        "PYTHONPATH": f"{tmp_path}{os.pathsep}{env.ROOT}",
        "DJANGO_SETTINGS_MODULE": EMBEDDED,
    }
    argv = [sys.executable, str(env.ROOT / "manage.py"), "run_embedded", "--stop"]
    result = subprocess.run(argv, env=variables, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (130, "")
