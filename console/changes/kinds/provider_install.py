"""`provider.install`: make a provider known to the framework."""

from console.changes.kinds.base import SOLARIS, CatalogueKind
from console.changes.kinds.parameters import PROVIDER, mechanisms

PROVIDER_INSTALL = CatalogueKind(
    name="provider.install",
    title="Install provider",
    sentence="Make a provider known to the framework.",
    platforms=(SOLARIS,),
    properties={
        "provider": PROVIDER,
        "mechanisms": mechanisms("Mechanisms that a kernel software provider offers"),
    },
    required=("provider",),
)
