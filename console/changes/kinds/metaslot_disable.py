"""`metaslot.disable`: turn metaslot off."""

from console.changes.kinds.base import SOLARIS, CatalogueKind

METASLOT_DISABLE = CatalogueKind(
    name="metaslot.disable",
    title="Disable metaslot",
    sentence="Applications see the real slots again.",
    platforms=(SOLARIS,),
    properties={},
)
