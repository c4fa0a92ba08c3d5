"""`provider.unload`: unload a kernel software provider."""

from console.changes.kinds.base import SOLARIS, CatalogueKind
from console.changes.kinds.parameters import FORCE, PROVIDER

PROVIDER_UNLOAD = CatalogueKind(
    name="provider.unload",
    title="Unload provider",
    sentence="Unload a kernel software provider.",
    platforms=(SOLARIS,),
    properties={"provider": PROVIDER, **FORCE},
    required=("provider",),
)
