"""The parameters of `openssl.speed`: names, defaults, bounds, and errors that name the path."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from agents.workloads.base import InvalidParameters
from agents.workloads.openssl_speed.masks import MASK_NAMES

NAME = "openssl.speed"

MIN_PAIRS = 5
MAX_PAIRS = 200
MAX_ALGORITHMS = 32
MAX_SIZES = 8
SIZE_BYTES = (16, 1 << 20)
MAX_SECONDS = 60
MAX_PROCESSES = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedParameters:
    """What to measure. JSON of the same names; every one may be left out."""

    algorithms: tuple[str, ...] = ("aes-128-cbc", "sha256")
    """Names as in the host's choices, 1 to 32: ciphers and digests, `rsa2048`, `ecdsap256` …"""
    sizes_bytes: tuple[int, ...] = (8192,)
    """Input sizes for ciphers and digests, 16 B to 1 MiB, 1 to 8 of them."""
    seconds: int = 1
    """How long each timed loop runs, 1 to 60 (whole seconds: the program takes no others)."""
    pairs: int = MIN_PAIRS
    """Pairs of one accelerated and one software run per cell, 5 to 200."""
    processes: int = 1
    """Processes at once (`-multi`), 1 to 1024; the host refuses more than four per CPU."""
    masks: tuple[str, ...] = ()
    """What *software* does without: `aes`, `sha`, `vector`. Empty: `aes` and `sha`, if there."""
    control: bool = True
    """Whether a negative control is measured too: an algorithm that the masks cannot touch."""

    def as_json(self) -> dict[str, Any]:
        """Return the parameters as they would be sent."""
        return {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in asdict(self).items()
        }


def parse_parameters(parameters: Mapping[str, Any]) -> SpeedParameters:
    """Build SpeedParameters. Raises InvalidParameters with one line per problem."""
    known = ", ".join(_READERS)
    problems = [f"{key}: unknown; known are {known}" for key in parameters if key not in _READERS]
    values: dict[str, Any] = {}
    for key, read in _READERS.items():
        if key in parameters:
            values[key] = read(key, parameters[key], problems)
    if problems:
        raise InvalidParameters(NAME, problems)
    return SpeedParameters(**values)


def _algorithms(path: str, value: Any, problems: list[str]) -> tuple[str, ...]:
    return _texts(path, value, problems, least=1, most=MAX_ALGORITHMS)


def _masks(path: str, value: Any, problems: list[str]) -> tuple[str, ...]:
    names = _texts(path, value, problems, least=0, most=len(MASK_NAMES))
    for index, name in enumerate(names):
        if name not in MASK_NAMES:
            problems.append(f"{path}[{index}]: {name!r} is none of {', '.join(MASK_NAMES)}")
    return names


def _texts(path: str, value: Any, problems: list[str], *, least: int, most: int) -> tuple[str, ...]:
    items = _items(path, value, problems, least=least, most=most)
    for index, item in enumerate(items):
        if not isinstance(item, str) or not _is_name(item):
            problems.append(f"{path}[{index}]: expected a lower-case name, got {item!r:.60}")
    return tuple(item for item in items if isinstance(item, str))


def _is_name(text: str) -> bool:
    """A name goes into argv: no leading dash, so that it can never be read as an option."""
    allowed = "abcdefghijklmnopqrstuvwxyz0123456789-"
    return 0 < len(text) <= 40 and text[0] != "-" and all(letter in allowed for letter in text)


def _sizes(path: str, value: Any, problems: list[str]) -> tuple[int, ...]:
    items = _items(path, value, problems, least=1, most=MAX_SIZES)
    return tuple(
        _integer(f"{path}[{index}]", item, problems, *SIZE_BYTES)
        for index, item in enumerate(items)
    )


def _items(path: str, value: Any, problems: list[str], *, least: int, most: int) -> list[Any]:
    if not isinstance(value, list | tuple):
        problems.append(f"{path}: expected a list, got {type(value).__name__}")
        return []
    if not least <= len(value) <= most:
        problems.append(f"{path}: expected {least} to {most} entries, got {len(value)}")
    seen: list[Any] = []
    for index, item in enumerate(value[:most]):
        if item in seen:
            problems.append(f"{path}[{index}]: {item!r:.60} stands there twice")
        seen.append(item)
    return seen


def _integer(path: str, value: Any, problems: list[str], least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        problems.append(f"{path}: expected a whole number, got {value!r:.60}")
        return least
    if not least <= value <= most:
        problems.append(f"{path}: expected {least} to {most}, got {value}")
    return value


def _bounded(least: int, most: int) -> Callable[[str, Any, list[str]], int]:
    def read(path: str, value: Any, problems: list[str]) -> int:
        return _integer(path, value, problems, least, most)

    return read


def _flag(path: str, value: Any, problems: list[str]) -> bool:
    if not isinstance(value, bool):
        problems.append(f"{path}: expected true or false, got {value!r:.60}")
    return bool(value)


_READERS: Mapping[str, Callable[[str, Any, list[str]], Any]] = {
    "algorithms": _algorithms,
    "sizes_bytes": _sizes,
    "seconds": _bounded(1, MAX_SECONDS),
    "pairs": _bounded(MIN_PAIRS, MAX_PAIRS),
    "processes": _bounded(1, MAX_PROCESSES),
    "masks": _masks,
    "control": _flag,
}
