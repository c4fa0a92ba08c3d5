"""Log lines: events with fields, and secrets that never show."""

import logging

import pytest

from agents.log import EventFormatter, log_event, redact, register_secret

LOGGER = logging.getLogger("agents.tests.log")


def formatted(caplog: pytest.LogCaptureFixture, event: str, **fields: object) -> str:
    with caplog.at_level(logging.INFO, LOGGER.name):
        log_event(LOGGER, event, **fields)
    return EventFormatter().format(caplog.records[-1])


def test_an_event_is_one_line_with_its_fields(caplog: pytest.LogCaptureFixture) -> None:
    line = formatted(caplog, "job.claimed", work="w1", text='two words\n"next"')
    assert line.endswith('INFO job.claimed work=w1 text="two words\\n\\"next\\""')


def test_a_registered_secret_never_shows(caplog: pytest.LogCaptureFixture) -> None:
    register_secret("hunter2-hunter2")
    assert "hunter2" not in formatted(caplog, "agent.enrolled", note="got hunter2-hunter2 back")


@pytest.mark.parametrize(
    "text",
    [
        "credential kra_SECRETSECRET refused",
        "token kre_SECRETSECRET used",
        "broker redis://agent:SECRETSECRET@10.0.0.1:6379/0",
        "Authorization: Bearer SECRETSECRET",
        "pkcs11:token=t;pin-value=SECRETSECRET",
        "pin=SECRETSECRET",
        "password='SECRETSECRET'",
    ],
)
def test_what_looks_like_a_secret_never_shows(text: str) -> None:
    assert "SECRETSECRET" not in redact(text)


def test_ordinary_words_are_left_alone() -> None:
    text = "token label=orders serial=17 state=locked opinion=good"
    assert redact(text) == text


def test_a_secret_inside_an_exception_never_shows() -> None:
    try:
        raise ValueError("redis://u:SECRETSECRET@h failed")
    except ValueError as error:
        record = logging.LogRecord(
            "agents", logging.ERROR, "", 0, "x", None, (ValueError, error, None)
        )
    assert "SECRETSECRET" not in EventFormatter().format(record)
