"""JSON ⇄ dataclasses. Unknown fields are ignored; what does not fit names its path."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any, TypeVar, get_origin

from cattrs import BaseValidationError, Converter, transform_error
from cattrs.cols import list_structure_factory
from cattrs.strategies import configure_union_passthrough

from agents.wire import WIRE_MAJOR, WIRE_VERSION
from agents.wire.inventory import Facts

T = TypeVar("T")


class WireError(ValueError):
    """A message does not fit the contract. `problems` are lines like `units[3].kind: …`."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class UnsupportedWire(WireError):
    """The other side speaks a major version we no longer (or do not yet) understand."""

    def __init__(self, wire: str) -> None:
        super().__init__(
            [
                f"wire: {wire!r} is not understood here, which speaks {WIRE_VERSION}; "
                "upgrade the older side"
            ]
        )
        self.wire = wire


_MAJOR = re.compile("[0-9]{1,4}")


def _scalar(value: Any, wanted: type[Any]) -> Any:
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        raise ValueError(f"expected {wanted.__name__}, got {type(value).__name__}")
    return value


def _converter() -> Converter:
    converter = Converter(forbid_extra_keys=False)
    for scalar in (str, int, float, bool):
        converter.register_structure_hook(scalar, _scalar)
    converter.register_structure_hook_factory(_is_list, _list_factory)
    configure_union_passthrough(str | int | float | bool | None, converter)
    converter.register_structure_hook(
        str | int | float | bool | None | list[str], lambda value, _: _attribute(value)
    )
    return converter


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is list


def _list_factory(kind: Any, converter: Converter) -> Callable[[Any, Any], Any]:
    """Structure lists from lists alone: a text or an object is iterable too, and no list."""
    structure = list_structure_factory(kind, converter)

    def structure_list(value: Any, wanted: Any) -> Any:
        if not isinstance(value, list):
            raise ValueError(f"expected list, got {type(value).__name__}")
        return structure(value, wanted)

    return structure_list


def _attribute(value: Any) -> Any:
    if isinstance(value, list):
        if not all(isinstance(item, str) for item in value):
            raise ValueError("expected a list of str")
        return value
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise ValueError(f"expected a scalar or a list of str, got {type(value).__name__}")


_CONVERTER = _converter()


def to_plain(message: Any) -> Any:
    """Turn a wire dataclass into dicts, lists and scalars."""
    return _CONVERTER.unstructure(message)


def from_plain(data: Any, kind: type[T]) -> T:
    """Build `kind` from decoded JSON. Raises WireError naming each path that does not fit."""
    try:
        return _CONVERTER.structure(data, kind)
    except BaseValidationError as error:
        raise WireError([_problem(line) for line in transform_error(error)]) from error
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise WireError([f"{kind.__name__}: {error}"]) from error


def _problem(line: str) -> str:
    text, _, path = line.rpartition(" @ ")
    return f"{path.removeprefix('$.') or '$'}: {text}"


def encode(message: Any) -> bytes:
    """Encode a wire dataclass as compact JSON.

    Text that is no Unicode (a file's name, as Python reads it) passes, as json.loads takes it.
    """
    text = json.dumps(to_plain(message), separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def decode(body: bytes, kind: type[T]) -> T:
    """Decode JSON into `kind`, checking `wire` first.

    Raises UnsupportedWire for a major version other than ours or the one before it, and WireError
    for anything else that does not fit.
    """
    try:
        data = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise WireError([f"$: not JSON: {error}"]) from error
    if not isinstance(data, dict):
        raise WireError([f"$: expected an object, got {type(data).__name__}"])
    check_wire(data.get("wire"))
    return from_plain(data, kind)


def check_wire(wire: object) -> None:
    """Raise UnsupportedWire unless `wire` is `major.minor` of this or the previous major."""
    major = str(wire).partition(".")[0]
    if not _MAJOR.fullmatch(major) or int(major) not in (WIRE_MAJOR, WIRE_MAJOR - 1):
        raise UnsupportedWire(str(wire)[:40])


def facts_digest(facts: Facts) -> str:
    """Return the sha256 of the facts' canonical JSON (sorted keys): equal facts, equal digest."""
    canonical = json.dumps(
        to_plain(facts), sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )
    return hashlib.sha256(canonical.encode()).hexdigest()
