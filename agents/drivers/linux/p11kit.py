"""Which PKCS#11 modules this host registers with p11-kit, by p11-kit's own rules (pkcs11.conf(5)).

System files override a package's field by field, a user's override both. Loads nothing.
"""

import os
import platform
from dataclasses import dataclass, field, replace

from agents.drivers.linux.tree import Tree
from agents.parsers.base import UnexpectedOutput
from agents.parsers.linux.p11kit import parse_p11_kit_config
from agents.pkcs11.modules import ModuleRegistration
from agents.wire.inventory import Attribute, FindingFacts, Severity

_PACKAGE_MODULES = "/usr/share/p11-kit/modules"
_SYSTEM_MODULES = "/etc/pkcs11/modules"
_SYSTEM_CONFIG = "/etc/pkcs11/pkcs11.conf"
_USER_CONFIG = ".config/pkcs11/pkcs11.conf"
_USER_MODULES = ".config/pkcs11/modules"
_LIBRARY_DIRECTORIES = ("/usr/lib64/pkcs11", "/usr/lib/pkcs11", "/usr/local/lib/pkcs11")
_SUFFIX = ".module"
PROGRAM = "keyrack-agent"
"""The program name that `enable-in` and `disable-in` are compared with."""


@dataclass(slots=True)
class _Entry:
    """One module of the registry: fields merged from its files, the strongest first."""

    fields: dict[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)


def registered_modules(tree: Tree) -> list[ModuleRegistration]:
    """Return the registry's modules, sorted by name, also those that are disabled or remote."""
    mode, home = _user_mode(tree)
    directories = [] if mode == "only" else [_SYSTEM_MODULES, _PACKAGE_MODULES]
    if mode != "none":
        directories.insert(0, f"{home}/{_USER_MODULES}")
    entries: dict[str, _Entry] = {}
    for directory in directories:
        for file_name in tree.names(directory):
            _merge(tree, entries, directory, file_name)
    return [_registration(tree, name, entry) for name, entry in sorted(entries.items())]


def all_modules(
    tree: Tree, configured: tuple[str, ...], use_p11_kit: bool
) -> list[ModuleRegistration]:
    """Return the registry's modules and those of the agent's configuration, each library once.

    A path named in the agent's configuration is always loaded, whatever p11-kit says of it.
    """
    modules: list[ModuleRegistration] = []
    places: dict[str, int] = {}
    for module in registered_modules(tree) if use_p11_kit else []:
        at = places.get(tree.resolve(module.path)) if module.path else None
        if at is None:
            places[tree.resolve(module.path)] = len(modules)
            modules.append(module)
        elif module.is_probed and not modules[at].is_probed:
            modules[at] = module
    for path in configured:
        at = places.setdefault(tree.resolve(path), len(modules))
        if at == len(modules):
            modules.append(_configured(path))
        elif not modules[at].is_probed:
            modules[at] = replace(modules[at], is_probed=True, reason="")
    return modules


def _configured(path: str) -> ModuleRegistration:
    name = path.rpartition("/")[2].partition(".so")[0].removeprefix("lib")
    return ModuleRegistration(name=name, path=path, attributes={"source": "agent configuration"})


def _user_mode(tree: Tree) -> tuple[str, str]:
    """Return `none`, `merge` or `only`, and the home directory.

    Root's own configuration is never used, nor any with P11_NO_USER_CONFIG (p11-kit 0.24).
    """
    home = os.environ.get("HOME", "")
    if not tree.is_live or os.geteuid() == 0 or not home or "P11_NO_USER_CONFIG" in os.environ:
        return "none", home
    mode = _mode(tree, _SYSTEM_CONFIG, "merge")
    return (mode if mode == "none" else _mode(tree, f"{home}/{_USER_CONFIG}", mode)), home


def _mode(tree: Tree, path: str, default: str) -> str:
    fields = tree.parse(path, parse_p11_kit_config) or {}
    word = {"override": "only"}.get(
        fields.get("user-config", ""), fields.get("user-config", default)
    )
    return word if word in ("none", "merge", "only") else default


def _merge(tree: Tree, entries: dict[str, _Entry], directory: str, file_name: str) -> None:
    path = f"{directory}/{file_name}"
    if tree.is_dir(path):
        return
    text = tree.read(path)
    if text is None:
        return
    try:
        fields = parse_p11_kit_config(text)
    except UnexpectedOutput as error:
        tree.findings.append(_broken(path, error))
        return
    entry = entries.setdefault(file_name.removesuffix(_SUFFIX), _Entry())
    entry.files.append(path)
    entry.fields = {**fields, **entry.fields}


def _broken(path: str, error: UnexpectedOutput) -> FindingFacts:
    return FindingFacts(
        code="p11kit.config_broken",
        severity=Severity.WARNING.value,
        subject_kind="host",
        subject_key="",
        message=(
            f"p11-kit cannot read {path}: {error}. Programs that get their PKCS#11 modules from "
            "p11-kit then see none at all, without a word; the other modules are listed here."
        ),
        remedy="Correct that line (`field: value`), or move the file out of the directory.",
        evidence={"file": path, "line_no": error.line_no},
    )


def _registration(tree: Tree, name: str, entry: _Entry) -> ModuleRegistration:
    fields = entry.fields
    attributes: dict[str, Attribute] = {"source": "p11-kit", "files": entry.files}
    for key in ("critical", "enable-in", "disable-in", "managed", "priority", "remote"):
        if key in fields:
            attributes[key.replace("-", "_")] = fields[key]
    is_trust = fields.get("trust-policy") == "yes"
    if is_trust:
        attributes["trust_policy"] = True
    path = "" if fields.get("remote") else _library(tree, fields.get("module", ""))
    reason = _why_not(tree, fields, path, entry.files)
    return ModuleRegistration(
        name=name,
        path=path,
        is_probed=not reason,
        reason=reason,
        has_certificates=not is_trust,
        attributes=attributes,
    )


def _why_not(tree: Tree, fields: dict[str, str], path: str, files: list[str]) -> str:
    if fields.get("remote"):
        return "A remote module: p11-kit runs a command to reach it, which the agent does not."
    if not path:
        return f"Disabled: its field `module` is empty in {files[0]}."
    enabled, disabled = fields.get("enable-in"), fields.get("disable-in")
    if enabled is not None and PROGRAM not in _words(enabled):
        return (
            f"p11-kit offers it to {enabled} only. Add {PROGRAM} to enable-in, or name its path "
            "in [pkcs11] modules, to have it read."
        )
    if enabled is None and PROGRAM in _words(disabled or ""):
        return f"p11-kit withholds it from {PROGRAM} (disable-in)."
    return "" if tree.is_live else "Not loaded: this is a recorded tree."


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def _library(tree: Tree, module: str) -> str:
    """Return the full path; a relative one lies in p11-kit's module directory."""
    if not module or module.startswith("/"):
        return module
    multiarch = f"/usr/lib/{platform.machine()}-linux-gnu/pkcs11"
    others = [f"/usr/lib/{name}/pkcs11" for name in tree.names("/usr/lib") if "linux" in name]
    candidates = [multiarch, *others, *_LIBRARY_DIRECTORIES]
    paths = [f"{directory}/{module}" for directory in candidates]
    return next((path for path in paths if tree.exists(path)), paths[0])
