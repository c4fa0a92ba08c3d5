"""The registry of PKCS#11 modules by p11-kit's own rules."""

import os
from pathlib import Path

import pytest

from agents.drivers.linux.p11kit import all_modules, registered_modules
from agents.drivers.linux.tree import Tree
from agents.pkcs11.modules import ModuleRegistration


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for directory in ("usr/share/p11-kit/modules", "etc/pkcs11/modules", "usr/lib64/pkcs11"):
        (tmp_path / directory).mkdir(parents=True)
    return tmp_path


def package(root: Path, name: str, text: str) -> None:
    (root / "usr/share/p11-kit/modules" / name).write_text(text)


def system(root: Path, name: str, text: str) -> None:
    (root / "etc/pkcs11/modules" / name).write_text(text)


def only(root: Path) -> ModuleRegistration:
    [module] = registered_modules(Tree(root))
    return module


def test_a_system_file_overrides_a_package_field_by_field(root: Path) -> None:
    package(root, "a.module", "module: /usr/lib/a.so\npriority: 1\ncritical: no\n")
    system(root, "a.module", "priority: 7\n")
    module = only(root)
    assert (module.name, module.path) == ("a", "/usr/lib/a.so")
    assert module.attributes["priority"] == "7"
    assert module.attributes["critical"] == "no"


def test_an_empty_module_field_disables_it_for_everybody(root: Path) -> None:
    package(root, "a.module", "module: /usr/lib/a.so\n")
    system(root, "a.module", "module:\n")
    module = only(root)
    assert not module.is_probed
    assert module.reason == "Disabled: its field `module` is empty in /etc/pkcs11/modules/a.module."


def test_a_relative_path_lies_in_p11_kits_directory(root: Path) -> None:
    (root / "usr/lib64/pkcs11/a.so").touch()
    package(root, "a.module", "module: a.so\n")
    assert only(root).path == "/usr/lib64/pkcs11/a.so"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ("enable-in: firefox", "p11-kit offers it to firefox only"),
        ("enable-in: firefox\ndisable-in: other", "p11-kit offers it to firefox only"),
        ("disable-in: other, keyrack-agent", "withholds it from keyrack-agent"),
        ("remote: |ssh vault p11-kit remote x", "A remote module"),
        ("enable-in: firefox keyrack-agent", "recorded tree"),
        ("disable-in: not-keyrack-agent", "recorded tree"),
    ],
)
def test_who_may_load_it(root: Path, fields: str, reason: str) -> None:
    package(root, "a.module", f"module: /usr/lib/a.so\n{fields}\n")
    assert reason in only(root).reason


def test_a_broken_file_is_told_and_the_others_are_listed(root: Path) -> None:
    package(root, "a.module", "module: /usr/lib/a.so\n")
    system(root, "b.module", "[section]\n")
    tree = Tree(root)
    assert [module.name for module in registered_modules(tree)] == ["a"]
    assert [finding.code for finding in tree.findings] == ["p11kit.config_broken"]


def test_an_editors_backup_counts_as_it_does_for_p11_kit(root: Path) -> None:
    package(root, "a.module~", "module: /usr/lib/a.so\n")
    assert only(root).name == "a.module~"


def test_the_agents_own_list_wins_and_names_each_library_once(root: Path) -> None:
    package(root, "a.module", "module: /usr/lib/a.so\nenable-in: firefox\n")
    (root / "usr/lib").mkdir(exist_ok=True)
    (root / "usr/lib/a.so").touch()
    (root / "usr/lib/link.so").symlink_to("a.so")
    modules = all_modules(Tree(root), ("/usr/lib/link.so", "/opt/libhsm.so"), True)
    assert [(m.name, m.path, m.is_probed) for m in modules] == [
        ("a", "/usr/lib/a.so", True),
        ("hsm", "/opt/libhsm.so", True),
    ]


def test_a_library_registered_twice_is_listed_once(root: Path) -> None:
    package(root, "a.module", "module: /usr/lib/x.so\ndisable-in: keyrack-agent\n")
    package(root, "b.module", "module: /usr/lib/x.so\n")
    [module] = all_modules(Tree(root), (), True)
    assert module.path == "/usr/lib/x.so"


def test_without_p11_kit_only_the_configured_modules_count(root: Path) -> None:
    package(root, "a.module", "module: /usr/lib/a.so\n")
    assert [m.path for m in all_modules(Tree(root), ("/opt/x.so",), False)] == ["/opt/x.so"]


def user_modules(home: Path, monkeypatch: pytest.MonkeyPatch, *, uid: int) -> list[str]:
    (home / ".config/pkcs11/modules").mkdir(parents=True)
    (home / ".config/pkcs11/modules/mine.module").write_text("module: /opt/mine.so\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    return [module.name for module in registered_modules(Tree())]


def test_a_users_own_modules_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "mine" in user_modules(tmp_path, monkeypatch, uid=1000)


def test_roots_own_modules_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "mine" not in user_modules(tmp_path, monkeypatch, uid=0)


def test_a_user_can_want_only_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".config/pkcs11").mkdir(parents=True)
    (tmp_path / ".config/pkcs11/pkcs11.conf").write_text("user-config: only\n")
    (tmp_path / ".config/pkcs11/modules").mkdir()
    (tmp_path / ".config/pkcs11/modules/mine.module").write_text("module: /opt/mine.so\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert [module.name for module in registered_modules(Tree())] == ["mine"]
