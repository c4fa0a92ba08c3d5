"""OpenSSL as this host's own program shows it: version, providers, engines, capability mask."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from agents.drivers.linux.tree import Tree
from agents.executors.process import CommandNotStarted, run_command
from agents.parsers.linux.openssl_list import (
    OpensslProvider,
    ProvidedAlgorithm,
    parse_openssl_engines,
    parse_openssl_provided,
    parse_openssl_providers,
)
from agents.parsers.openssl import OpensslVersion, parse_cpusettings, parse_version
from agents.wire.inventory import Attribute, MechanismFacts, ProviderFacts, ProviderKind

T = TypeVar("T")

_TIMEOUT_SECONDS = 10.0
_LISTS: dict[str, list[str]] = {
    "-cipher-algorithms": ["encrypt", "decrypt"],
    "-digest-algorithms": ["digest"],
    "-mac-algorithms": ["sign", "verify"],
    "-kdf-algorithms": ["derive"],
    "-key-exchange-algorithms": ["derive"],
    "-signature-algorithms": ["sign", "verify"],
    "-asymcipher-algorithms": ["encrypt", "decrypt"],
    "-kem-algorithms": ["encapsulate", "decapsulate"],
    "-key-managers": ["generate_key_pair"],
}
_DIRECTORY = re.compile(r'^(ENGINESDIR|MODULESDIR): "(.*)"$', re.MULTILINE)


@dataclass(slots=True)
class OpensslFacts:
    """What was found."""

    providers: list[ProviderFacts] = field(default_factory=list)
    settings: dict[str, Attribute] = field(default_factory=dict)


def openssl_facts(tree: Tree) -> OpensslFacts:
    """Ask the `openssl` program. Without one, or in a recorded tree, there is only a word."""
    facts = OpensslFacts()
    if not tree.is_live:
        facts.settings["openssl.version"] = "not asked (recorded tree)"
        return facts
    text = _run(["version", "-a"])
    if text is None:
        facts.settings["openssl.version"] = "not installed"
        return facts
    version = tree.parse_text("openssl version -a", text, parse_version)
    active = _ask(tree, ["list", "-providers", "-verbose"], parse_openssl_providers) or []
    directories = dict(_DIRECTORY.findall(text))
    facts.settings |= _settings(tree, version)
    facts.providers += [_provider(p) for p in _with_mechanisms(tree, active)]
    names = {provider.identity for provider in active}
    installed = _files(directories.get("MODULESDIR", ""))
    facts.providers += [_inactive(n, p) for n, p in installed.items() if n not in names]
    facts.providers += _engines(tree, directories.get("ENGINESDIR", ""))
    facts.settings["fips.openssl"] = _fips(names, set(installed))
    facts.providers.sort(key=lambda provider: provider.key)
    return facts


def _settings(tree: Tree, version: OpensslVersion | None) -> dict[str, Attribute]:
    settings: dict[str, Attribute] = {}
    if version is not None:
        settings["openssl.version"] = f"{version.product} {version.version}"
        settings["openssl.library_version"] = version.library
    mask = _ask(tree, ["info", "-cpusettings"], parse_cpusettings)
    settings["openssl.cpu_settings"] = mask.text if mask else "not available"
    return settings


def _fips(active: set[str], installed: set[str]) -> str:
    if "fips" in active:
        return "provider active"
    return "provider installed, not active" if "fips" in installed else "not installed"


@dataclass(frozen=True, slots=True)
class _Active:
    provider: OpensslProvider
    operations: dict[str, list[str]]


def _with_mechanisms(tree: Tree, providers: list[OpensslProvider]) -> list[_Active]:
    """Add to each active provider what it offers: algorithm → operations."""
    active = [_Active(provider, {}) for provider in providers]
    by_name = {one.provider.identity: one for one in active}
    for option, operations in _LISTS.items() if active else ():
        found: list[ProvidedAlgorithm] = _ask(tree, ["list", option], parse_openssl_provided) or []
        for algorithm in found:
            owner = by_name.get(algorithm.provider)
            if owner is not None:
                words = owner.operations.setdefault(algorithm.name, [])
                words += [word for word in operations if word not in words]
    return active


def _provider(active: _Active) -> ProviderFacts:
    provider = active.provider
    return ProviderFacts(
        key=f"openssl:provider:{provider.identity}",
        kind=ProviderKind.OPENSSL_PROVIDER.value,
        name=provider.identity,
        state="ok" if provider.status == "active" else provider.status or "unknown",
        description=provider.name,
        version=provider.version,
        attributes={"build": provider.build} if provider.build else {},
        mechanisms=[
            MechanismFacts(name=name, operations=operations)
            for name, operations in sorted(active.operations.items())
        ],
    )


def _inactive(name: str, path: str) -> ProviderFacts:
    return ProviderFacts(
        key=f"openssl:provider:{name}",
        kind=ProviderKind.OPENSSL_PROVIDER.value,
        name=name,
        path=path,
        state="inactive",
        error="Installed, but not activated by the system's openssl.cnf.",
    )


def _engines(tree: Tree, directory: str) -> list[ProviderFacts]:
    loaded = _ask(tree, ["list", "-engines"], parse_openssl_engines) or []
    installed = _files(directory)
    return [
        ProviderFacts(
            key=f"openssl:engine:{name}",
            kind=ProviderKind.OPENSSL_ENGINE.value,
            name=name,
            path=installed.get(name, ""),
            state="ok" if name in loaded else "inactive",
            error="" if name in loaded else "Installed; loaded by the programs that ask for it.",
        )
        for name in sorted({*loaded, *installed})
    ]


def _files(directory: str) -> dict[str, str]:
    """Return the libraries of a directory by name; a link to another of them is left out."""
    if not directory:
        return {}
    try:
        paths = sorted(Path(directory).glob("*.so"))
    except OSError:
        return {}
    return {path.stem: str(path) for path in paths if not path.is_symlink()}


def _ask(tree: Tree, words: list[str], parser: Callable[[str], T]) -> T | None:
    text = _run(words)
    return None if text is None else tree.parse_text(f"openssl {' '.join(words)}", text, parser)


def _run(words: list[str]) -> str | None:
    """Return what `openssl …` prints, None where it fails: 1.1.1 knows no providers."""
    try:
        result = run_command(["openssl", *words], timeout_seconds=_TIMEOUT_SECONDS)
    except CommandNotStarted:
        return None
    return result.stdout if result.is_ok else None
