"""Parameters that several kinds of change have, as JSON Schema."""

from typing import Any

PROVIDER: dict[str, Any] = {
    "title": "Provider",
    "description": "As the host lists it: aes, ncp/0, a library's path, softhsm2.",
    "type": "string",
    "minLength": 1,
    "maxLength": 1000,
}
MODULE: dict[str, Any] = {
    "title": "Module",
    "description": "A PKCS#11 module's name as p11-kit lists it.",
    "type": "string",
    "minLength": 1,
    "maxLength": 200,
}
FORCE: dict[str, Any] = {
    "force": {
        "title": "Force",
        "description": "Do it although something in use would be left without; needs a reason.",
        "type": "boolean",
        "default": False,
    },
    "force_reason": {"title": "Reason for forcing", "type": "string", "maxLength": 2000},
}


def domain(title: str) -> dict[str, Any]:
    """Return the rule of a logical domain's name."""
    return {"title": title, "type": "string", "minLength": 1, "maxLength": 128}


def counts(title: str, description: str, minimum: int) -> dict[str, Any]:
    """Return the rule of a number for each of some domains; 4096 is more than any machine has."""
    return {
        "title": title,
        "description": description,
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {"type": "integer", "minimum": minimum, "maximum": 4096},
    }


def mechanisms(title: str) -> dict[str, Any]:
    """Return the rule of a list of mechanisms."""
    return {
        "title": title,
        "description": "CKM_… names; * alone means all.",
        "type": "array",
        "items": {"type": "string", "minLength": 1, "maxLength": 64},
        "maxItems": 1000,
        "default": [],
    }
