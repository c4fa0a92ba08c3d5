"""`openssl.speed`: ciphers, digests and signatures with and without the CPU's instructions."""

from collections.abc import Mapping, Sequence
from typing import Any

from console.jobs.workloads.base import (
    CatalogueWorkload,
    CellInfo,
    MetricInfo,
    VariantInfo,
)

MASKS = ("aes", "sha", "vector")
"""Named sets of CPU instructions that the software variant does without."""

_MASK_TITLES = {"aes": "AES", "sha": "SHA", "vector": "vector units"}
_UNTOUCHED = ("chacha20", "chacha20-poly1305", "md5")
"""Algorithms that use neither AES nor SHA instructions, and so can be negative controls."""

_SIGNATURES = ("rsa", "dsa", "ecdsa", "ed25519", "ed448")
_START_SECONDS = 0.1
_SETUP_SECONDS = 2.0

_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "algorithms": {
            "title": "Algorithms",
            "description": "Ciphers, digests and signatures, from what the host's OpenSSL has.",
            "type": "array",
            "items": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,39}$"},
            "minItems": 1,
            "maxItems": 32,
            "uniqueItems": True,
            "default": ["aes-128-cbc", "sha256"],
        },
        "sizes_bytes": {
            "title": "Input sizes",
            "description": "Bytes per call for ciphers and digests; signatures have none.",
            "type": "array",
            "items": {"type": "integer", "minimum": 16, "maximum": 1 << 20},
            "minItems": 1,
            "maxItems": 8,
            "uniqueItems": True,
            "default": [8192],
        },
        "seconds": {
            "title": "Seconds per measurement",
            "description": "Wall time of each timed loop.",
            "type": "integer",
            "minimum": 1,
            "maximum": 10,
            "default": 1,
        },
        "pairs": {
            "title": "Pairs",
            "description": "Pairs of one accelerated and one software measurement per cell.",
            "type": "integer",
            "minimum": 5,
            "maximum": 200,
            "default": 5,
        },
        "processes": {
            "title": "Processes",
            "description": "How many processes measure at once.",
            "type": "integer",
            "minimum": 1,
            "maximum": 1024,
            "default": 1,
        },
        "masks": {
            "title": "Switched off in the software variant",
            "description": "Sets of CPU instructions; empty: AES and SHA, if the CPU has them.",
            "type": "array",
            "items": {"type": "string", "enum": list(MASKS)},
            "maxItems": len(MASKS),
            "uniqueItems": True,
            "default": [],
        },
        "control": {
            "title": "Negative control",
            "description": "Also measure an algorithm that the masks cannot touch.",
            "type": "boolean",
            "default": True,
        },
    },
}


class OpensslSpeed(CatalogueWorkload):
    """The console's side of agents.workloads.openssl_speed."""

    name = "openssl.speed"
    title = "OpenSSL with and without CPU instructions"
    sentence = (
        "How much faster this host's own OpenSSL encrypts, hashes and signs with the CPU's crypto "
        "instructions than without them, and what that saves in CPU time."
    )
    load = "Keeps as many CPUs busy as there are processes, for the whole duration."
    schema = _SCHEMA
    variants = (
        VariantInfo("accelerated", "With the CPU's instructions", is_baseline=False),
        VariantInfo("software", "Software only", is_baseline=True),
    )
    metrics = (
        MetricInfo("throughput", "B/s", "Throughput"),
        MetricInfo("rate", "ops/s", "Operations per second"),
    )

    def refusal(self, parameters: Mapping[str, Any], choices: Mapping[str, list[str]]) -> str:
        """See CatalogueWorkload.refusal."""
        lacking = _lacking(parameters["algorithms"], choices, "algorithms")
        if lacking:
            return f"OpenSSL on this host cannot measure {lacking}."
        lacking = _lacking(parameters["masks"], choices, "masks")
        if lacking:
            return f"There is nothing to switch off on this host: {lacking}."
        if not parameters["masks"] and not {"aes", "sha"} & set(choices.get("masks", [])):
            return "Its CPU has neither AES nor SHA instructions that OpenSSL uses."
        return ""

    def expected_seconds(self, parameters: Mapping[str, Any]) -> float:
        """See CatalogueWorkload.expected_seconds."""
        sizes = len(parameters["sizes_bytes"])
        loops = sum(2 if is_signature(name) else sizes for name in parameters["algorithms"])
        loops += 1 if parameters["control"] else 0
        one_round = 2 * loops * (float(parameters["seconds"]) + _START_SECONDS)
        return round(_SETUP_SECONDS + int(parameters["pairs"]) * one_round, 1)

    def cell_info(
        self, cell: str, parameters: Mapping[str, Any], result: Mapping[str, Any]
    ) -> CellInfo:
        """See CatalogueWorkload.cell_info. What the agent says of a cell goes before its name."""
        algorithm, *middle = cell.split("/")
        operation = middle.pop() if middle else ""
        size = next(filter(None, map(_size_of, middle)), None)
        cells = result.get("cells")
        said = cells.get(cell, {}) if isinstance(cells, dict) else {}
        is_control = said.get("is_negative_control") if isinstance(said, dict) else None
        masks = _masks(parameters, result)
        if is_control is None:
            is_control = algorithm in _UNTOUCHED and "vector" not in masks
        return CellInfo(
            cell=cell,
            algorithm=algorithm,
            input_bytes=size,
            operation=operation,
            title=cell_title(algorithm, size, operation),
            without=_without(algorithm, masks),
            is_negative_control=bool(is_control),
        )


def _size_of(part: str) -> int | None:
    is_number = part.isascii() and part.isdigit() and len(part) < 10
    return int(part) if is_number else None


def is_signature(algorithm: str) -> bool:
    """Return whether it signs and verifies instead of taking inputs of a size."""
    return algorithm.startswith(_SIGNATURES)


def cell_title(algorithm: str, size: int | None, operation: str) -> str:
    """Return `AES-128-CBC at 8 KiB`, `RSA-2048 sign`."""
    name = _algorithm_title(algorithm)
    if size is None:
        return f"{name} {operation}"
    return f"{name} at {size_title(size)}"


def _algorithm_title(algorithm: str) -> str:
    for prefix, title in (("rsa", "RSA-"), ("dsa", "DSA-"), ("ecdsap", "ECDSA P-")):
        rest = algorithm.removeprefix(prefix)
        if rest != algorithm and rest.isdigit():
            return f"{title}{rest}"
    return _TITLES.get(algorithm.split("-")[0], algorithm.split("-")[0].upper()) + "".join(
        f"-{_TITLES.get(part, part.upper())}" for part in algorithm.split("-")[1:]
    )


_TITLES = {
    "sha1": "SHA-1",
    "sha224": "SHA-224",
    "sha256": "SHA-256",
    "sha384": "SHA-384",
    "sha512": "SHA-512",
    "chacha20": "ChaCha20",
    "poly1305": "Poly1305",
    "ed25519": "Ed25519",
    "ed448": "Ed448",
    "camellia": "Camellia",
    "blake2b512": "BLAKE2b-512",
    "blake2s256": "BLAKE2s-256",
}


def size_title(size: int) -> str:
    """Return a size as people write it: `64 B`, `1400 B`, `8 KiB`, `1 MiB`."""
    if size >= 1 << 20 and size % (1 << 20) == 0:
        return f"{size >> 20} MiB"
    if size >= 1 << 10 and size % (1 << 10) == 0:
        return f"{size >> 10} KiB"
    return f"{size} B"


def _lacking(wanted: list[str], choices: Mapping[str, list[str]], kind: str) -> str:
    """Return what the host lacks, each with the host's own reason where it gave one."""
    have = choices.get(kind, [])
    reasons = dict(entry.partition(": ")[::2] for entry in choices.get(f"{kind}_unavailable", []))
    lacking = [name for name in wanted if name not in have]
    return ", ".join(f"{name} ({reasons[name]})" if name in reasons else name for name in lacking)


def _masks(parameters: Mapping[str, Any], result: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what was really switched off: the agent's word, else what was asked for."""
    used = result.get("parameters")
    masks = used.get("masks") if isinstance(used, dict) else None
    names = masks if isinstance(masks, list) and masks else parameters.get("masks") or MASKS[:2]
    return tuple(str(name) for name in names)


def _without(algorithm: str, masks: Sequence[str]) -> str:
    """Name those of the masks that concern the algorithm, in words: `AES`."""
    touching = [mask for mask in ("aes", "sha") if algorithm.startswith(mask)]
    concerned = [mask for mask in masks if mask in touching or mask == "vector"] or list(masks)
    return ", ".join(_MASK_TITLES.get(name, name) for name in concerned)
