"""`provider.disable`: hide a PKCS#11 module from p11-kit."""

from console.changes.kinds.base import LINUX, CatalogueKind
from console.changes.kinds.parameters import MODULE

PROVIDER_DISABLE = CatalogueKind(
    name="provider.disable",
    title="Disable module",
    sentence="Hide a PKCS#11 module from p11-kit.",
    platforms=(LINUX,),
    properties={"module": MODULE},
    required=("module",),
)
