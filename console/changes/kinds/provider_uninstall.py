"""`provider.uninstall`: make the framework forget a provider."""

from console.changes.kinds.base import SOLARIS, CatalogueKind
from console.changes.kinds.parameters import FORCE, PROVIDER

PROVIDER_UNINSTALL = CatalogueKind(
    name="provider.uninstall",
    title="Uninstall provider",
    sentence="Make the framework forget a provider.",
    platforms=(SOLARIS,),
    properties={"provider": PROVIDER, **FORCE},
    required=("provider",),
)
