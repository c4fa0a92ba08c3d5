"""The kinds of change that a Linux host knows, one module each."""

from pathlib import Path
from typing import Any

from agents.changes.base import ChangeKind
from agents.config import Pkcs11Config
from agents.drivers.linux.kinds.p11kit_module import ProviderDisable, ProviderEnable
from agents.drivers.linux.kinds.softhsm_policy import SoftHsmPolicy
from agents.drivers.linux.tree import Tree


def linux_kinds(root: Path, pkcs11: Pkcs11Config) -> tuple[ChangeKind[Any], ...]:
    """Return the kinds, all working below `root` and nowhere else."""
    tree = Tree(root)
    return (SoftHsmPolicy(tree, pkcs11), ProviderEnable(tree), ProviderDisable(tree))
