"""Missing system packages are installed by root on Debian; everybody else is told the command."""

import os
import shutil
import stat
from pathlib import Path

import pytest

from tools.setup import system_packages
from tools.setup.running import SetupError
from tools.setup.system_packages import Package, packages_ensure

THERE = Package("coreutils", program="ls")
MISSING = Package("redis-server", program="no-such-redis-server")
ALSO_MISSING = Package("libx-dev", files=("/usr/include/no-such-*.h",))


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH, with an apt-get that writes down what it is asked."""
    script = (
        "#!/bin/sh\n"
        f'echo "$DEBIAN_FRONTEND $*" >>{tmp_path}/asked\n'
        f"test -x {tmp_path}/policy-rc.d && echo guarded >>{tmp_path}/asked\n"
        f"case $1 in install) touch {tmp_path}/no-such-redis-server;"
        f" chmod +x {tmp_path}/no-such-redis-server;; esac\n"
    )
    (tmp_path / "apt-get").write_text(script)
    (tmp_path / "apt-get").chmod(0o755)
    for name in ("sh", "touch", "chmod", "test", "ls"):
        (tmp_path / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(system_packages, "POLICY", tmp_path / "policy-rc.d")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return tmp_path


def test_nothing_is_asked_of_apt_when_all_is_there(commands: Path) -> None:
    packages_ensure([THERE])
    assert not (commands / "asked").exists()


def test_root_gets_exactly_what_is_missing(commands: Path) -> None:
    packages_ensure([THERE, MISSING])
    asked = (commands / "asked").read_text()
    assert "noninteractive install -y -qq --no-install-recommends redis-server\n" in asked


def test_services_are_kept_from_starting_and_the_guard_goes_away(commands: Path) -> None:
    packages_ensure([MISSING])
    assert "guarded" in (commands / "asked").read_text()
    assert not (commands / "policy-rc.d").exists()


def test_a_guard_of_the_admins_own_stays(commands: Path) -> None:
    (commands / "policy-rc.d").write_text("#!/bin/sh\nexit 0\n")
    (commands / "policy-rc.d").chmod(0o700)
    packages_ensure([MISSING])
    assert stat.S_IMODE((commands / "policy-rc.d").stat().st_mode) == 0o700


def test_others_than_root_are_told_the_one_command(
    commands: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SetupError, match=r"sudo apt-get .* redis-server libx-dev"):
        packages_ensure([MISSING, ALSO_MISSING])
    assert not (commands / "asked").exists()


def test_without_apt_the_packages_are_named(commands: Path) -> None:
    (commands / "apt-get").unlink()
    with pytest.raises(SetupError, match=r"no apt-get.*redis-server"):
        packages_ensure([MISSING])


def test_a_package_that_brings_not_what_it_should_is_an_error(commands: Path) -> None:
    with pytest.raises(SetupError, match="libx-dev"):
        packages_ensure([ALSO_MISSING])
