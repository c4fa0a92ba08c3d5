"""`metaslot.configure`: what metaslot puts in front, and what it may do."""

from console.changes.kinds.base import SOLARIS, CatalogueKind
from console.changes.kinds.parameters import mechanisms

METASLOT_CONFIGURE = CatalogueKind(
    name="metaslot.configure",
    title="Configure metaslot",
    sentence="Its token, slot, automatic key migration and mechanisms; this also turns it on.",
    platforms=(SOLARIS,),
    properties={
        "token": {
            "title": "Token",
            "description": "Label of the token that keeps the keys; at most 32 bytes.",
            "type": "string",
            "minLength": 1,
            "maxLength": 32,
        },
        "slot": {
            "title": "Slot",
            "description": "Description of that token's slot; at most 64 bytes.",
            "type": "string",
            "minLength": 1,
            "maxLength": 64,
        },
        "default_keystore": {
            "title": "Default key store",
            "description": "Forget token and slot: the softtoken keeps the keys.",
            "type": "boolean",
            "default": False,
        },
        "auto_key_migrate": {
            "title": "Automatic key migration",
            "description": "Whether keys move to a token that can do what is asked.",
            "type": "boolean",
        },
        "enable_mechanisms": mechanisms("Enable mechanisms"),
        "disable_mechanisms": mechanisms("Disable mechanisms"),
    },
    any_of=(
        "token",
        "slot",
        "default_keystore",
        "auto_key_migrate",
        "enable_mechanisms",
        "disable_mechanisms",
    ),
)
