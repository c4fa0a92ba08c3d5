"""The kinds of change of the catalogue: one explicit tuple, in the order of the dashboard."""

from console.changes.kinds.base import CatalogueKind
from console.changes.kinds.driver_configure import DRIVER_CONFIGURE
from console.changes.kinds.mechanism_policy import MECHANISM_POLICY
from console.changes.kinds.metaslot_configure import METASLOT_CONFIGURE
from console.changes.kinds.metaslot_disable import METASLOT_DISABLE
from console.changes.kinds.metaslot_enable import METASLOT_ENABLE
from console.changes.kinds.provider_disable import PROVIDER_DISABLE
from console.changes.kinds.provider_enable import PROVIDER_ENABLE
from console.changes.kinds.provider_install import PROVIDER_INSTALL
from console.changes.kinds.provider_uninstall import PROVIDER_UNINSTALL
from console.changes.kinds.provider_unload import PROVIDER_UNLOAD
from console.changes.kinds.reconf_cancel import RECONF_CANCEL
from console.changes.kinds.spconfig_save import SPCONFIG_SAVE
from console.changes.kinds.unit_assign import UNIT_ASSIGN
from console.core.errors import NotFound

KINDS: tuple[CatalogueKind, ...] = (
    UNIT_ASSIGN,
    METASLOT_ENABLE,
    METASLOT_DISABLE,
    METASLOT_CONFIGURE,
    MECHANISM_POLICY,
    PROVIDER_INSTALL,
    PROVIDER_UNINSTALL,
    PROVIDER_UNLOAD,
    PROVIDER_ENABLE,
    PROVIDER_DISABLE,
    SPCONFIG_SAVE,
    RECONF_CANCEL,
    DRIVER_CONFIGURE,
)
_BY_NAME = {kind.name: kind for kind in KINDS}


def kind_get(name: str) -> CatalogueKind:
    """Return the kind of that name. Raise NotFound `change_kind.not_found`."""
    if name not in _BY_NAME:
        known = ", ".join(_BY_NAME)
        text = f"There is no change of the kind {name!r:.80}; there are: {known}."
        raise NotFound("change_kind.not_found", text)
    return _BY_NAME[name]


def kind_title(name: str) -> str:
    """Return a kind's title; its name where it is unknown."""
    kind = _BY_NAME.get(name)
    return kind.title if kind else name
