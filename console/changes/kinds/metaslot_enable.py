"""`metaslot.enable`: turn metaslot on."""

from console.changes.kinds.base import SOLARIS, CatalogueKind

METASLOT_ENABLE = CatalogueKind(
    name="metaslot.enable",
    title="Enable metaslot",
    sentence="One virtual slot in front of all tokens is offered.",
    platforms=(SOLARIS,),
    properties={},
)
