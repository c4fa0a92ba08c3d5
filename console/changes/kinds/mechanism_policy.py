"""`mechanism.policy`: what a provider may be used for."""

from console.changes.kinds.base import LINUX, SOLARIS, CatalogueKind
from console.changes.kinds.parameters import FORCE, PROVIDER, mechanisms

MECHANISM_POLICY = CatalogueKind(
    name="mechanism.policy",
    title="Mechanism policy",
    act="set mechanism policies",
    sentence="Which mechanisms of a provider applications may use, and whether its random numbers.",
    platforms=(
        LINUX,
        SOLARIS,
    ),
    properties={
        "provider": PROVIDER,
        "enable": mechanisms("Enable"),
        "disable": mechanisms("Disable"),
        "random": {
            "title": "Random numbers",
            "description": "Solaris only: whether its random numbers are used.",
            "type": "string",
            "enum": ["enable", "disable"],
        },
        **FORCE,
    },
    required=("provider",),
    any_of=("enable", "disable", "random"),
)
