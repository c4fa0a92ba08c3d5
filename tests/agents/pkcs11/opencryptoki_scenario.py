"""openCryptoki's software token from fresh to locked and back, seen by the probe after every step.

Runs in mount and IPC namespaces of its own (`unshare --mount --ipc`), so that the daemon, its
configuration, its tokens and its shared memory touch nothing of the machine. Prints JSON.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from agents.pkcs11.modules import ModuleRegistration, probe_module
from agents.pkcs11.report import module_report

CONFIGURATION = """version opencryptoki-3.1
slot 3
{
stdll = libpkcs11_sw.so
}
"""
DEFAULT_SO_PIN = "87654321"
DAEMON = "/usr/sbin/pkcsslotd"
SOCKET = Path("/run/pkcsslotd.socket")


def prepare(directory: Path) -> None:
    """Hide the machine's own directories behind ours; the mounts end with the namespace."""
    for name in ("etc", "var"):
        (directory / name).mkdir()
    (directory / "etc" / "opencryptoki.conf").write_text(CONFIGURATION)
    subprocess.run(["cp", "-a", "/var/lib/opencryptoki/.", str(directory / "var")], check=True)
    for old in (directory / "var" / "swtok").glob("*"):
        if old.is_file():
            old.unlink()
    mounts = [
        ["--bind", str(directory / "etc"), "/etc/opencryptoki"],
        ["--bind", str(directory / "var"), "/var/lib/opencryptoki"],
        ["-t", "tmpfs", "tmpfs", "/run"],
        ["-t", "tmpfs", "tmpfs", "/var/log"],
    ]
    for mount in mounts:
        subprocess.run(["mount", *mount], check=True)
    for path in ("/run/lock/opencryptoki/swtok", "/var/log/opencryptoki"):
        Path(path).mkdir(parents=True)
        subprocess.run(["chgrp", "pkcs11", path], check=True)


def observe(module: str, binding: str) -> dict[str, Any]:
    """Probe once and return what matters of the token."""
    registration = ModuleRegistration(name="opencryptoki", path=module)
    outcome = probe_module(registration, timeout_seconds=20, binding=binding)
    report = module_report(registration, outcome)
    tokens = [slot.token for slot in report.provider.slots if slot.token]
    return {
        "state": report.provider.state,
        "codes": [finding.code for finding in report.findings],
        "user_pin": tokens[0].user_pin_state if tokens else "",
        "so_pin": tokens[0].so_pin_state if tokens else "",
        "label": tokens[0].label if tokens else "",
        "max_sessions": tokens[0].max_sessions if tokens else None,
        "memory": tokens[0].total_public_memory_bytes if tokens else None,
        "gauges": sorted(gauge.name for gauge in report.gauges),
    }


def story(module: str, pins: dict[str, str], binding: str) -> list[dict[str, Any]]:
    """Three wrong PINs lock the token, the right one no longer helps, the officer unlocks it."""
    token = {"label": "counted"}
    base = {**token, "so_pin": pins["so_pin"], "first_pin": pins["first_pin"]}
    wrong = {"do": "login", **token, "pin": pins["wrong"]}
    right = {"do": "login", **token, "pin": pins["pin"]}
    make = {"do": "initialise", **base, "pin": pins["pin"], "default_so_pin": DEFAULT_SO_PIN}
    change = {"do": "change_pin", **base, "pin": pins["pin"]}
    unlock = {"do": "reset_pin", **base, "pin": pins["pin"]}
    chapters = [[], [make, change], [wrong], [wrong], [wrong], [right], [unlock]]
    seen = []
    for steps in chapters:
        answers = administer(module, steps) if steps else []
        seen.append({"answers": answers, **observe(module, binding)})
    return seen


def administer(module: str, steps: list[dict[str, str]]) -> list[str]:
    """Change the token in a process of its own, so that no login is shared with the probe."""
    program = str(Path(__file__).resolve().parent / "token_admin.py")
    result = subprocess.run(
        [sys.executable, program, module],
        input=json.dumps(steps),
        check=True,
        capture_output=True,
        text=True,
    )
    return list(json.loads(result.stdout.splitlines()[-1]))


def main() -> None:
    """Start the daemon, tell the story, stop the daemon by its pid, look once more."""
    given = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as directory:
        prepare(Path(directory))
        daemon = subprocess.Popen([DAEMON, "-f"], stdout=sys.stderr)
        try:
            until = time.monotonic() + 10
            while not SOCKET.exists() and time.monotonic() < until:
                time.sleep(0.05)
            seen = story(given["module"], given["pins"], given["binding"])
        finally:
            daemon.terminate()
            daemon.wait(10)
        seen.append({"answers": [], **observe(given["module"], given["binding"])})
        for path in ("/etc/opencryptoki", "/var/lib/opencryptoki"):
            subprocess.run(["umount", path], check=True)
    json.dump(seen, sys.stdout)


if __name__ == "__main__":
    main()
