"""`unit.assign`: which logical domain has how many crypto units."""

from console.changes.kinds.base import SOLARIS, CatalogueKind
from console.changes.kinds.parameters import counts, domain

UNIT_ASSIGN = CatalogueKind(
    name="unit.assign",
    title="Assign crypto units",
    act="assign units",
    sentence="Which logical domain has how many crypto units.",
    platforms=(SOLARIS,),
    properties={
        "counts": counts("Units per domain", "Domains that are not named keep theirs.", 0),
        "units": {
            "title": "Units by address",
            "description": "Which domain has which unit; an empty text frees the unit.",
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {"type": "string", "maxLength": 128},
        },
        "vcpus": counts("Virtual CPUs per domain", "Where CPUs go along with units.", 1),
        "offline": {
            "title": "Domains to stop for it",
            "description": "Where a domain cannot be changed while it runs.",
            "type": "array",
            "items": domain("Domain"),
            "default": [],
        },
        "force": {"title": "Force", "type": "boolean", "default": False},
    },
    any_of=("counts", "units", "vcpus"),
)
