"""SoftHSM's configuration file and what the library really offers under it.

`slots.mechanisms` (softhsm2.conf(5)): `ALL`, a list that is allowed, or `-` and a list that is not.
Unknown names are ignored without a word; the library reads the file at C_Initialize only. SoftHSM
2.6.1 takes the `-` for a part of the first name, so that the first of a list that is not allowed
stays offered (tried): the first name is written twice.
"""

import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agents.changes.base import ChangeRefused, Reader
from agents.config import Pkcs11Config
from agents.drivers.linux.p11kit import registered_modules
from agents.drivers.linux.tree import Tree
from agents.pkcs11.modules import ModuleRegistration, probe_module
from agents.pkcs11.names import mechanism_name

PROVIDER = "softhsm2"
CONF_VARIABLE = "SOFTHSM2_CONF"
_DEFAULT_CONFS = ("/etc/softhsm/softhsm2.conf", "/etc/softhsm2.conf")
_LIBRARIES = (
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib64/pkcs11/libsofthsm2.so",
    "/usr/local/lib/softhsm/libsofthsm2.so",
)
_SETTING = re.compile(r"^[ \t]*slots\.mechanisms[ \t]*=(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftHsmState:
    """The file as it is, and the library's mechanisms with and without it."""

    path: str
    text: str
    known: frozenset[str]
    """All that the library can do."""
    offered: frozenset[str]
    """What it offers now, asked of its tokens in a child of its own."""


def conf_path(tree: Tree, environment: Mapping[str, str]) -> str:
    """Return the file that SoftHSM reads: the configured variable's, or the system's."""
    own = os.environ.get(CONF_VARIABLE, "") if tree.is_live else ""
    named = environment.get(CONF_VARIABLE) or own
    if named:
        return named
    return next((path for path in _DEFAULT_CONFS if tree.exists(path)), _DEFAULT_CONFS[0])


def library_path(tree: Tree, pkcs11: Pkcs11Config) -> str:
    """Return SoftHSM's library on this host, empty where there is none."""
    registered = [module.path for module in registered_modules(tree)]
    candidates = [*pkcs11.modules, *registered, *_LIBRARIES]
    return next((p for p in candidates if "libsofthsm2" in p and tree.exists(p)), "")


def allowed_mechanisms(text: str, known: frozenset[str]) -> frozenset[str]:
    """Return the mechanisms that a configuration allows, of those that the library knows."""
    value = _value(text)
    if value in ("", "ALL"):
        return known
    names = frozenset(word.strip() for word in value.removeprefix("-").split(","))
    return known - names if value.startswith("-") else known & names


def with_disabled(text: str, known: frozenset[str], disabled: frozenset[str]) -> str:
    """Return the configuration with exactly `disabled` forbidden; a list stays of its form."""
    value = _value(text)
    is_allow_list = value not in ("", "ALL") and not value.startswith("-")
    if is_allow_list:
        new = ",".join(sorted(known - disabled))
    else:
        names = sorted(disabled)
        new = f"-{','.join([names[0], *names])}" if names else "ALL"
    line = f"slots.mechanisms = {new}"
    if not _SETTING.search(text):
        return f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n"
    return _SETTING.sub(lambda _: line, text)


def read_softhsm(reader: Reader, tree: Tree, pkcs11: Pkcs11Config) -> SoftHsmState:
    """Read the file and ask the library, each time in a fresh child. Raises ChangeRefused.

    The path is that of the file itself: a link is followed (inside the tree), not replaced.
    """
    path = tree.resolve(conf_path(tree, pkcs11.environment))
    library = library_path(tree, pkcs11)
    text = reader.read_text(path)
    if not library:
        raise ChangeRefused("provider.unknown", "There is no SoftHSM library here.", "", PROVIDER)
    if text is None:
        fault = f"SoftHSM's configuration {path} cannot be read."
        raise ChangeRefused("provider.unknown", fault, "", PROVIDER)
    offered = _mechanisms(str(tree.locate(library)), str(tree.locate(path)), pkcs11)
    known = known_mechanisms(tree, pkcs11, library)
    return SoftHsmState(path=path, text=text, known=frozenset(known), offered=frozenset(offered))


def known_mechanisms(tree: Tree, pkcs11: Pkcs11Config, library: str) -> dict[str, int]:
    """Return all that the library can do: what it offers without a restriction, by name."""
    with tempfile.TemporaryDirectory(prefix="keyrack-softhsm-") as directory:
        open_conf = Path(directory) / "softhsm2.conf"
        open_conf.write_text(f"directories.tokendir = {directory}\nslots.mechanisms = ALL\n")
        return _mechanisms(str(tree.locate(library)), str(open_conf), pkcs11)


def _mechanisms(library: str, conf: str, pkcs11: Pkcs11Config) -> dict[str, int]:
    outcome = probe_module(
        ModuleRegistration(name=PROVIDER, path=library, has_certificates=False),
        timeout_seconds=pkcs11.module_timeout_seconds,
        environment={**pkcs11.environment, CONF_VARIABLE: conf},
    )
    if not outcome.is_complete:
        call, _ = outcome.last_step()
        raise ChangeRefused(
            "host.unreadable",
            f"SoftHSM did not answer to the end with {conf} (last call: {call}).",
            "Without a clean look at the token nothing is planned or changed.",
            PROVIDER,
        )
    entries = [entry for record in outcome.records for entry in record.get("mechanisms", ())]
    return {mechanism_name(entry["number"]): entry["number"] for entry in entries}


def is_restricted(text: str) -> bool:
    """Return whether a configuration restricts the mechanisms at all."""
    return _value(text) not in ("", "ALL")


def _value(text: str) -> str:
    found: list[str] = _SETTING.findall(text)
    return found[-1].partition("#")[0].strip() if found else ""
