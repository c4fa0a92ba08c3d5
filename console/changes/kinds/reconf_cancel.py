"""`reconf.cancel`: drop a delayed reconfiguration."""

from console.changes.kinds.base import SOLARIS, CatalogueKind
from console.changes.kinds.parameters import domain

RECONF_CANCEL = CatalogueKind(
    name="reconf.cancel",
    title="Cancel reconfiguration",
    sentence="Drop a delayed reconfiguration that waits.",
    platforms=(SOLARIS,),
    properties={"domain": domain("Domain")},
    required=("domain",),
)
