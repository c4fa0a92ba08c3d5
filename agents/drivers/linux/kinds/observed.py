"""What the Linux kinds set, as a scan sees it: parts, and which mechanisms are allowed."""

from collections.abc import Sequence
from dataclasses import replace

from agents.changes.base import ChangeRefused
from agents.config import Pkcs11Config
from agents.drivers.linux.kinds import softhsm
from agents.drivers.linux.p11kit import registered_modules
from agents.drivers.linux.tree import Tree
from agents.drivers.solaris import parts
from agents.wire.inventory import Attribute, MechanismFacts, ProviderFacts


def module_parts(tree: Tree) -> dict[str, Attribute]:
    """Return `provider.enabled/<module>` for all modules that p11-kit registers."""
    return {
        parts.provider_enabled(module.name): bool(module.path or module.attributes.get("remote"))
        for module in registered_modules(tree)
    }


def softhsm_observed(
    tree: Tree, pkcs11: Pkcs11Config, providers: Sequence[ProviderFacts]
) -> tuple[list[ProviderFacts], dict[str, Attribute]]:
    """Return the providers with SoftHSM's policy in its mechanisms, and the parts of the policy.

    What the policy hides is listed too: not offered, not allowed. Nothing changes where SoftHSM is
    missing or did not answer.
    """
    found = list(providers)
    library = softhsm.library_path(tree, pkcs11)
    text = tree.read(softhsm.conf_path(tree, pkcs11.environment))
    at = next((i for i, one in enumerate(found) if library and one.path == library), None)
    if at is None or text is None or not found[at].mechanisms:
        return found, {}
    offered = {mechanism.name for mechanism in found[at].mechanisms}
    hidden = _hidden(tree, pkcs11, library, offered) if softhsm.is_restricted(text) else []
    shown = [replace(mechanism, is_allowed=True) for mechanism in found[at].mechanisms]
    ordered = sorted([*shown, *hidden], key=lambda one: (one.number or 0, one.name, one.slot_key))
    found[at] = replace(found[at], mechanisms=ordered)
    known = frozenset(mechanism.name for mechanism in ordered)
    configured = sorted(known - softhsm.allowed_mechanisms(text, known))
    return found, {
        parts.mechanism_policy(softhsm.PROVIDER): sorted(known - offered),
        parts.mechanism_configured(softhsm.PROVIDER): list(configured),
    }


def _hidden(
    tree: Tree, pkcs11: Pkcs11Config, library: str, offered: set[str]
) -> list[MechanismFacts]:
    try:
        known = softhsm.known_mechanisms(tree, pkcs11, library)
    except ChangeRefused:
        return []
    return [
        MechanismFacts(name=name, number=number, is_offered=False, is_allowed=False)
        for name, number in known.items()
        if name not in offered
    ]
