"""`spconfig.save`: keep the domains' configuration over a power cycle."""

from console.changes.kinds.base import SOLARIS, CatalogueKind

SPCONFIG_SAVE = CatalogueKind(
    name="spconfig.save",
    title="Save configuration",
    sentence="Keep the domains' configuration on the service processor, over a power cycle.",
    platforms=(SOLARIS,),
    properties={
        "name": {
            "title": "Name",
            "description": "A new one: a configuration that is there is never overwritten.",
            "type": "string",
            "minLength": 1,
            "maxLength": 128,
        }
    },
    required=("name",),
)
