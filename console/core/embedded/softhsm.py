"""A SoftHSM token for a host that has no token at all, so that there is something to look at."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from console.core.embedded.layout import VarLayout, private_write, secret_ensure

LABEL = "keyrack-softhsm"
MODULES = (
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib/*/softhsm/libsofthsm2.so",
    "/usr/lib64/pkcs11/libsofthsm2.so",
)
"""Where Debian, Ubuntu and Fedora put it."""


@dataclass(frozen=True)
class SofthsmToken:
    """The token, and what the agent has to know to use it."""

    module: Path
    configuration: Path
    """For SOFTHSM2_CONF."""
    pin_file: Path
    label: str = LABEL


def softhsm_module() -> Path | None:
    """Return SoftHSM's PKCS#11 module, or None where it is not installed."""
    for pattern in MODULES:
        found = sorted(Path("/").glob(pattern.lstrip("/")))
        if found:
            return found[0]
    return None


def softhsm_existing(layout: VarLayout) -> SofthsmToken | None:
    """Return the token made by an earlier start, or None."""
    module = softhsm_module()
    if module is None or not (layout.softhsm / "complete").exists():
        return None
    return _token(layout, module)


def softhsm_make(layout: VarLayout) -> SofthsmToken | None:
    """Make the token with random PINs; return None where SoftHSM is not installed.

    Raises RuntimeError when softhsm2-util refuses. The PINs are typed to it at a pseudo-terminal:
    an argument would show in the list of processes.
    """
    module, program = softhsm_module(), shutil.which("softhsm2-util")
    if module is None or program is None:
        return None
    token = _token(layout, module)
    (layout.softhsm / "tokens").mkdir(mode=0o700, parents=True, exist_ok=True)
    private_write(
        token.configuration,
        f"directories.tokendir = {layout.softhsm / 'tokens'}\n"
        "objectstore.backend = file\nlog.level = ERROR\nslots.removable = false\n",
    )
    so_pin = secret_ensure(layout.softhsm / "so_pin", length=12)
    user_pin = secret_ensure(token.pin_file, length=12)
    _initialise(program, token, [so_pin, so_pin, user_pin, user_pin])
    private_write(layout.softhsm / "complete", f"{LABEL}\n")
    return token


def _initialise(program: str, token: SofthsmToken, answers: list[str]) -> None:
    """Run softhsm2-util, which asks for the PINs at a terminal only."""
    keyboard, terminal = os.openpty()
    try:
        os.write(keyboard, "".join(f"{answer}\n" for answer in answers).encode())
        result = subprocess.run(
            [program, "--init-token", "--free", "--label", token.label],
            stdin=terminal,
            capture_output=True,
            timeout=60,
            start_new_session=True,
            env={"LC_ALL": "C", "SOFTHSM2_CONF": str(token.configuration), "PATH": os.defpath},
            check=False,
        )
    finally:
        os.close(terminal)
        os.close(keyboard)
    if result.returncode != 0:
        output = (result.stdout + result.stderr).decode(errors="replace")
        raise RuntimeError(f"softhsm2-util could not make a token: {output.strip()}")


def _token(layout: VarLayout, module: Path) -> SofthsmToken:
    return SofthsmToken(module, layout.softhsm / "softhsm2.conf", layout.softhsm / "pin")
