"""`driver.configure`: settings in a driver's .conf file."""

from console.changes.kinds.base import SOLARIS, CatalogueKind

DRIVER_CONFIGURE = CatalogueKind(
    name="driver.configure",
    title="Configure driver",
    sentence="Settings in a driver's .conf file.",
    platforms=(SOLARIS,),
    properties={
        "driver": {"title": "Driver", "type": "string", "enum": ["n2cp"]},
        "settings": {
            "title": "Settings",
            "description": "A number of threads, or null: without the setting.",
            "type": "object",
            "additionalProperties": False,
            "required": ["n2cp-sync-threads"],
            "properties": {
                "n2cp-sync-threads": {"type": ["integer", "null"], "minimum": 1},
            },
        },
    },
    required=("driver", "settings"),
)
