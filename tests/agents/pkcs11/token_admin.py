"""Changes tokens for the tests, in a process of its own: `token_admin.py MODULE`, JSON on stdin.

Keyrack's probe only looks, so what it looks at is made here. PINs come by stdin, never by argv.
"""

import json
import sys
from typing import Any

import PyKCS11
from PyKCS11 import PyKCS11Error

TOKEN_INITIALIZED = 0x400


def slot_of(lib: Any, label: str | None) -> int:
    """Return the slot of the token with that label; None: of the first uninitialised token."""
    for slot in lib.getSlotList(tokenPresent=True):
        info = lib.getTokenInfo(slot)
        if label is None and not info.flags & TOKEN_INITIALIZED:
            return int(slot)
        if label is not None and info.label.strip(" \0") == label:
            return int(slot)
    raise LookupError(f"no slot with token {label!r}")


def initialise(lib: Any, step: dict[str, Any]) -> None:
    """Make a token with label and PINs. `default_so_pin`: what a fresh openCryptoki token has."""
    first_pin = step.get("default_so_pin", step["so_pin"])
    lib.initToken(slot_of(lib, step.get("replaces")), first_pin, step["label"].ljust(32))
    session = open_session(lib, step)
    session.login(first_pin, PyKCS11.CKU_SO)
    if first_pin != step["so_pin"]:
        session.setPin(first_pin, step["so_pin"])
    session.initPin(step.get("first_pin", step["pin"]))
    session.logout()
    session.closeSession()


def change_pin(lib: Any, step: dict[str, Any]) -> None:
    """Change the user's PIN, which openCryptoki demands after C_InitPIN."""
    session = open_session(lib, step)
    session.login(step["first_pin"])
    session.setPin(step["first_pin"], step["pin"])
    session.logout()
    session.closeSession()


def reset_pin(lib: Any, step: dict[str, Any]) -> None:
    """Let the security officer set a new user PIN, which unlocks it."""
    session = open_session(lib, step)
    session.login(step["so_pin"], PyKCS11.CKU_SO)
    session.initPin(step["pin"])
    session.logout()
    session.closeSession()


def add_certificate(lib: Any, step: dict[str, Any]) -> None:
    """Store a certificate that shows without login, and a data object that does not."""
    session = open_session(lib, step)
    session.login(step["pin"])
    session.createObject(
        [
            (PyKCS11.CKA_CLASS, PyKCS11.CKO_CERTIFICATE),
            (PyKCS11.CKA_CERTIFICATE_TYPE, PyKCS11.CKC_X_509),
            (PyKCS11.CKA_TOKEN, True),
            (PyKCS11.CKA_PRIVATE, False),
            (PyKCS11.CKA_LABEL, step["name"]),
            (PyKCS11.CKA_ID, bytes.fromhex(step["id"])),
            (PyKCS11.CKA_SUBJECT, bytes.fromhex(step.get("subject", "3000"))),
            (PyKCS11.CKA_VALUE, bytes.fromhex(step["der"])),
        ]
    )
    session.createObject(
        [
            (PyKCS11.CKA_CLASS, PyKCS11.CKO_DATA),
            (PyKCS11.CKA_TOKEN, True),
            (PyKCS11.CKA_PRIVATE, True),
            (PyKCS11.CKA_LABEL, "kept private"),
            (PyKCS11.CKA_VALUE, b"not for everybody"),
        ]
    )
    session.logout()
    session.closeSession()


def login(lib: Any, step: dict[str, Any]) -> None:
    """Try a PIN once."""
    session = open_session(lib, step)
    try:
        session.login(step["pin"])
        session.logout()
    finally:
        session.closeSession()


def open_session(lib: Any, step: dict[str, Any]) -> Any:
    """Open a read-write session with the step's token."""
    return lib.openSession(slot_of(lib, step["label"]), PyKCS11.CKF_RW_SESSION)


STEPS = {
    "initialise": initialise,
    "change_pin": change_pin,
    "reset_pin": reset_pin,
    "add_certificate": add_certificate,
    "login": login,
}


def perform(module: str, steps: list[dict[str, Any]]) -> list[str]:
    """Perform the steps; return `ok` or the return value's name for each."""
    lib = PyKCS11.PyKCS11Lib()
    lib.load(module)
    answers = []
    for step in steps:
        try:
            STEPS[step["do"]](lib, step)
            answers.append("ok")
        except PyKCS11Error as error:
            answers.append(str(error).split(" ", 1)[0])
    return answers


if __name__ == "__main__":
    json.dump(perform(sys.argv[1], json.load(sys.stdin)), sys.stdout)
