"""The probe's records, checked on reading: a module shares the child that writes them."""

import json
from collections.abc import Callable
from typing import Any

from agents.wire.codec import WireError, from_plain
from agents.wire.inventory import CertificateFacts

Record = dict[str, Any]


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 65


def _is_optional_int(value: Any) -> bool:
    return value is None or _is_int(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_int, value))


def _is_version(value: Any) -> bool:
    return _is_numbers(value) and len(value) == 2


def _is_structure(value: Any) -> bool:
    """A CK_…_INFO: texts in hex, numbers, versions."""
    return isinstance(value, dict) and all(
        _is_text(item) or _is_int(item) or _is_version(item) for item in value.values()
    )


def _is_counts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_int, value.values()))


def _is_mechanisms(value: Any) -> bool:
    return isinstance(value, list) and all(_is_counts(m) and "number" in m for m in value)


def _is_certificate(value: Any) -> bool:
    try:
        from_plain(value, CertificateFacts)
    except WireError:
        return False
    return True


_FIELDS: dict[str, Callable[[Any], bool]] = {
    "absurd": _is_text,
    "at": _is_text,
    "binding": _is_text,
    "certificate": _is_certificate,
    "certificates_capped": _is_int,
    "count": _is_int,
    "end": _is_flag,
    "function": _is_text,
    "info": _is_structure,
    "initialized": _is_flag,
    "is_thread_safe": _is_flag,
    "library": _is_structure,
    "load_error": _is_text,
    "mechanisms": _is_mechanisms,
    "objects": _is_counts,
    "refused": _is_text,
    "rv": _is_int,
    "slot": _is_optional_int,
    "slots": _is_numbers,
    "slots_after": lambda value: value is None or _is_numbers(value),
    "token": _is_structure,
}
_TOGETHER = {"refused": {"rv"}, "absurd": {"count", "function"}}


def read_records(data: bytes) -> tuple[list[Record], bool]:
    """Return the records, and whether some line is none; the last may be cut off by an end."""
    records = []
    is_damaged = False
    for line in data.split(b"\n")[:-1]:
        record = _record(line)
        if record is None:
            is_damaged = True
        else:
            records.append(record)
    return records, is_damaged


def _record(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or not record:
        return None
    if not all(name in _FIELDS and _FIELDS[name](value) for name, value in record.items()):
        return None
    if not all(others <= record.keys() for name, others in _TOGETHER.items() if name in record):
        return None
    return record
