"""`provider.enable`: offer a PKCS#11 module through p11-kit."""

from console.changes.kinds.base import LINUX, CatalogueKind
from console.changes.kinds.parameters import MODULE

PROVIDER_ENABLE = CatalogueKind(
    name="provider.enable",
    title="Enable module",
    sentence="Offer a PKCS#11 module through p11-kit.",
    platforms=(LINUX,),
    properties={"module": MODULE},
    required=("module",),
)
