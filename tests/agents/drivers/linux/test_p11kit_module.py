"""`provider.enable` and `provider.disable` through p11-kit's own files, below a root."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.changes.base import ChangeRefused
from agents.changes.plans import sealed
from agents.changes.tools import Tools
from agents.config import LinuxConfig
from agents.drivers.linux.driver import LinuxDriver
from agents.drivers.linux.kinds.p11kit_module import (
    ProviderDisable,
    ProviderEnable,
    disabled_text,
    enabled_text,
)
from agents.drivers.linux.tree import Tree
from agents.wire.changes import Plan

PART = "provider.enabled/softhsm2"
MODULE = {"module": "softhsm2"}


class Host:
    """A root with one module of a package, planned and applied as the engine would."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.file = root / "etc/pkcs11/modules/softhsm2.module"
        package = root / "usr/share/p11-kit/modules"
        package.mkdir(parents=True)
        (package / "softhsm2.module").write_text("module: /usr/lib/softhsm/libsofthsm2.so\n")
        self.kinds = {k.name: k for k in (ProviderEnable(Tree(root)), ProviderDisable(Tree(root)))}

    def plan(self, kind: str, parameters: dict[str, Any] = MODULE) -> Plan:
        seen = self.kinds[kind].read(Tools(root=self.root), parameters)
        return sealed(self.kinds[kind].plan(parameters, seen))

    def apply(self, plan: Plan) -> None:
        edit = plan.phases[0].steps[0].edit
        assert edit is not None
        where = Tools(root=self.root).file(edit.path)
        assert edit.before == (where.read_text() if where.exists() else None)
        where.parent.mkdir(parents=True, exist_ok=True)
        where.unlink(missing_ok=True)
        if edit.after is not None:
            where.write_text(edit.after)

    def is_enabled(self) -> Any:
        return self.kinds["provider.enable"].read(Tools(root=self.root), MODULE).parts[PART]


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def test_disabling_is_read_back_and_planned_once(host: Host) -> None:
    host.apply(host.plan("provider.disable"))
    assert host.is_enabled() is False
    assert host.plan("provider.disable").is_noop


def test_enabling_again_leaves_no_file_behind(host: Host) -> None:
    host.apply(host.plan("provider.disable"))
    host.apply(host.plan("provider.enable"))
    assert host.is_enabled() is True
    assert not host.file.exists()


def test_the_admins_own_lines_outlive_both(host: Host) -> None:
    own = "# ours\nmodule: /opt/softhsm/libsofthsm2.so\npriority: 3\n"
    host.file.parent.mkdir(parents=True)
    host.file.write_text(own)
    host.apply(host.plan("provider.disable"))
    assert host.is_enabled() is False
    host.apply(host.plan("provider.enable"))
    assert host.file.read_text() == own


@given(st.lists(st.sampled_from(["# a", "module: /x.so", "priority: 3", ""]), max_size=5))
def test_whatever_stood_there_stands_there_again(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    assert enabled_text(disabled_text(text)) == (text or None)


def test_a_link_is_followed_inside_the_root_and_never_out_of_it(host: Host) -> None:
    host.file.parent.mkdir(parents=True)
    host.file.symlink_to("../../../../../../outside.module")
    edit = host.plan("provider.disable").phases[0].steps[0].edit
    assert edit is not None
    assert edit.path == "/outside.module"


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a\nb", "-x", "", ".hidden", 7])
def test_a_module_name_never_leads_out_of_the_directory(host: Host, name: Any) -> None:
    with pytest.raises(ChangeRefused) as caught:
        host.plan("provider.disable", {"module": name})
    assert caught.value.refusal.code == "parameters.invalid"


def test_an_unknown_module_and_a_broken_file_are_refused(host: Host) -> None:
    with pytest.raises(ChangeRefused) as caught:
        host.plan("provider.disable", {"module": "nosuch"})
    assert caught.value.refusal.code == "provider.unknown"
    host.file.parent.mkdir(parents=True)
    host.file.write_text("no colon here\n")
    with pytest.raises(ChangeRefused) as caught:
        host.plan("provider.disable")
    assert caught.value.refusal.code == "provider.file_unknown"


def test_the_driver_names_its_three_kinds() -> None:
    names = {kind.name for kind in LinuxDriver(LinuxConfig()).change_kinds()}
    assert names == {"mechanism.policy", "provider.enable", "provider.disable"}


@pytest.mark.skipif(shutil.which("p11-kit") is None, reason="p11-kit is not installed here")
def test_p11_kit_itself_reads_the_file_as_disabled(tmp_path: Path) -> None:
    """Its user directory stands in for /etc, which a test must not touch."""
    modules = tmp_path / ".config/pkcs11/modules"
    modules.mkdir(parents=True)
    for name, text in (("on", "module: /lib/on.so\n"), ("off", disabled_text("module: /x.so\n"))):
        (modules / f"{name}.module").write_text(text)
    assert "module:\n" in (modules / "off.module").read_text()
    result = subprocess.run(
        ["p11-kit", "list-modules"],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "off" not in result.stdout
