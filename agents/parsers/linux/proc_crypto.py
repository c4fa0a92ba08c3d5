"""`/proc/crypto` (crypto/proc.c): what the kernel's crypto API has instantiated."""

from dataclasses import dataclass, field

from agents.parsers.base import UnexpectedOutput


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelAlgorithm:
    """One record. `refcnt` is left out, because it counts users and is no property.

    Sizes are bytes; `other` holds every further line of its type (blocksize, ivsize, geniv …).
    """

    name: str
    driver: str
    kind: str = ""
    """The line `type`: skcipher, aead, shash, rng …; `larval` is an algorithm still being made."""
    module: str = ""
    priority: int = 0
    selftest: str = ""
    is_internal: bool = False
    is_async: bool | None = None
    is_fips: bool | None = None
    """Whether FIPS mode allows it; kernels before 6.x do not say."""
    min_key_bytes: int | None = None
    max_key_bytes: int | None = None
    other: dict[str, str] = field(default_factory=dict)


def parse_proc_crypto(text: str) -> list[KernelAlgorithm]:
    """Return the records in the file's order.

    Unknown keys and types are kept. Raises UnexpectedOutput for a line that is no `key : value` and
    at the end of a record without name or driver.
    """
    algorithms: list[KernelAlgorithm] = []
    record: dict[str, str] = {}
    lines = text.split("\n")
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            key, colon, value = line.partition(":")
            if not colon:
                raise UnexpectedOutput(number, line)
            record[key.strip()] = value.strip()
        elif record:
            if not record.get("name") or not record.get("driver"):
                raise UnexpectedOutput(number - 1, lines[number - 2])
            algorithms.append(_algorithm(record))
            record = {}
    return algorithms


def _algorithm(record: dict[str, str]) -> KernelAlgorithm:
    rest = dict(record)
    rest.pop("refcnt", None)
    return KernelAlgorithm(
        name=rest.pop("name"),
        driver=rest.pop("driver"),
        kind=rest.pop("type", ""),
        module=rest.pop("module", ""),
        priority=_number(rest.pop("priority", "")) or 0,
        selftest=rest.pop("selftest", ""),
        is_internal=rest.pop("internal", "no") == "yes",
        is_async=_yes_no(rest.pop("async", "")),
        is_fips=_yes_no(rest.pop("fips", "")),
        min_key_bytes=_number(rest.pop("min keysize", "")),
        max_key_bytes=_number(rest.pop("max keysize", "")),
        other=rest,
    )


def _number(text: str) -> int | None:
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 12:
        return None
    return int(text)


def _yes_no(text: str) -> bool | None:
    return {"yes": True, "no": False}.get(text)
