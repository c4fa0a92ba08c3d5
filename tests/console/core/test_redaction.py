"""Secrets leave neither by the log nor by the audit."""

import json
import logging
from typing import Any

import pytest
import structlog

from console.config.log import configure_logging
from console.core.redaction import redact


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("token krk_abcdefghijk.", "token krk_[redacted]."),
        ("kre_abcdefgh-_0 and kra_abcdefgh", "kre_[redacted] and kra_[redacted]"),
        ("redis://user:geheim@127.0.0.1/0", "redis://user:[redacted]@127.0.0.1/0"),
        ("redis://:geheim@127.0.0.1/0", "redis://:[redacted]@127.0.0.1/0"),
        ("pkcs11:token=x?pin-value=1234&y", "pkcs11:token=x?pin-value=[redacted]&y"),
        ("Authorization: Bearer abcdefghijkl", "Authorization: Bearer [redacted]"),
        ("pin-source=file:/etc/pin", "pin-source=file:/etc/pin"),
        ("http://127.0.0.1:8000/x@y", "http://127.0.0.1:8000/x@y"),
    ],
)
def test_secrets_are_known_by_their_shape(text: str, safe: str) -> None:
    """Anywhere in a text; references stay."""
    assert redact(text) == safe


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "new_password",
        "secret",
        "SECRET_KEY",
        "pin",
        "so_pin",
        "Authorization",
        "cookie",
    ],
)
def test_secrets_are_known_by_their_name(name: str) -> None:
    """However deep."""
    assert redact({"a": [{name: "value"}]}) == {"a": [{name: "[redacted]"}]}


@pytest.mark.parametrize("name", ["pin_state", "user_pin_state", "token", "is_secret_free", "spin"])
def test_other_names_stay(name: str) -> None:
    """A state of a PIN is no PIN."""
    assert redact({name: "locked"}) == {name: "locked"}


@pytest.fixture
def _logging() -> Any:
    """Put logging back as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.mark.usefixtures("_logging")
def test_everything_that_is_logged_passes_the_filter(capsys: pytest.CaptureFixture[str]) -> None:
    """Our events, those of libraries, and tracebacks."""
    configure_logging(level="INFO", as_json=True)
    structlog.get_logger("ours").info("user.created", password="geheim1")
    logging.getLogger("theirs").warning("connecting to %s", "redis://:geheim2@h/0")
    try:
        raise ValueError("krk_geheim3geheim3")
    except ValueError:
        structlog.get_logger("ours").exception("job.failed")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in lines] == [
        "user.created",
        "connecting to redis://:[redacted]@h/0",
        "job.failed",
    ]
    assert "geheim" not in json.dumps(lines)
    assert "ValueError" in lines[2]["exception"]
