"""The kinds of change that a Solaris host knows, one module each."""

from typing import Any

from agents.changes.base import ChangeKind
from agents.drivers.solaris.kinds.driver_configure import DriverConfigure
from agents.drivers.solaris.kinds.mechanism_policy import MechanismPolicy
from agents.drivers.solaris.kinds.metaslot import (
    MetaslotConfigure,
    MetaslotDisable,
    MetaslotEnable,
)
from agents.drivers.solaris.kinds.provider import (
    ProviderInstall,
    ProviderUninstall,
    ProviderUnload,
)
from agents.drivers.solaris.kinds.reconf_cancel import ReconfCancel
from agents.drivers.solaris.kinds.spconfig_save import SpconfigSave
from agents.drivers.solaris.kinds.unit_assign import UnitAssign

SOLARIS_KINDS: tuple[ChangeKind[Any], ...] = (
    UnitAssign(),
    MetaslotEnable(),
    MetaslotDisable(),
    MetaslotConfigure(),
    MechanismPolicy(),
    ProviderInstall(),
    ProviderUninstall(),
    ProviderUnload(),
    SpconfigSave(),
    ReconfCancel(),
    DriverConfigure(),
)
"""What a Solaris driver's `change_kinds` returns."""
