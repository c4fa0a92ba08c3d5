"""System packages: what is missing, and how it gets here without a service being left running."""

import os
import platform
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.setup.running import SetupError, run, say

POLICY = Path("/usr/sbin/policy-rc.d")


@dataclass(frozen=True)
class Package:
    """A Debian package, known to be there by a program or by one of some files."""

    name: str
    program: str = ""
    files: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    """systemd units that its installation would start and enable."""

    def is_present(self) -> bool:
        """Return whether the package's program or one of its files is on this machine."""
        if self.program:
            search = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"
            return shutil.which(self.program, path=search) is not None
        return any(next(Path("/").glob(file.lstrip("/")), None) is not None for file in self.files)


FOR_RUNNING = (
    Package("redis-server", program="redis-server", services=("redis-server.service",)),
    Package("softhsm2", program="softhsm2-util"),
    Package("openssl", program="openssl"),
    Package("p11-kit", program="p11-kit"),
)

FOR_TESTS = (
    Package("openssh-server", program="sshd", services=("ssh.service",)),
    Package("nginx", program="nginx", services=("nginx.service",)),
    Package("curl", program="curl"),
    Package("jq", program="jq"),
    Package("gcc", program="gcc"),
    Package("libc6-dev", files=("/usr/include/stdio.h",)),
    Package("chromium", program="chromium"),
    Package(
        "postgresql", files=("/usr/lib/postgresql/*/bin/initdb",), services=("postgresql.service",)
    ),
    Package("opencryptoki", program="pkcsslotd", services=("pkcsslotd.service",)),
)


def packages_ensure(wanted: Iterable[Package]) -> None:
    """Install the packages of `wanted` that are missing.

    Raises SetupError with the one command to run where this may not be done here: not root, or no
    Debian and no Ubuntu.
    """
    missing = [package for package in wanted if not package.is_present()]
    if not missing:
        return
    names = " ".join(package.name for package in missing)
    if shutil.which("apt-get") is None:
        raise SetupError(
            f"no apt-get on this {platform.system()}: install what Debian calls {names}, "
            "then try again"
        )
    if os.geteuid() != 0:
        raise SetupError(
            "system packages are missing; please run\n"
            f"    sudo apt-get update && sudo apt-get install -y --no-install-recommends {names}"
        )
    say(f"installing system packages: {names}")
    with _no_service_starts():
        run(["apt-get", "update", "-qq"])
        argv = ["apt-get", "install", "-y", "-qq", "--no-install-recommends"]
        run([*argv, *names.split()], DEBIAN_FRONTEND="noninteractive")
    _disable_services([unit for package in missing for unit in package.services])
    absent = [package.name for package in missing if not package.is_present()]
    if absent:
        raise SetupError(f"installed, and yet not found: {' '.join(absent)}")


@contextmanager
def _no_service_starts() -> Iterator[None]:
    """Keep package scripts from starting services (Debian Policy §9.3.3.1, policy-rc.d)."""
    if POLICY.exists():
        yield
        return
    POLICY.write_text("#!/bin/sh\nexit 101\n")
    POLICY.chmod(0o755)
    try:
        yield
    finally:
        POLICY.unlink()


def _disable_services(units: list[str]) -> None:
    """Keep just-installed services from starting with the next boot, where systemd runs."""
    if not units or not Path("/run/systemd/system").is_dir():
        return
    say(f"not left running, not started at boot: {' '.join(units)}")
    for unit in units:
        subprocess.run(["systemctl", "disable", "--now", "--quiet", unit], check=False)
