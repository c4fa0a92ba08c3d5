"""Whether the domains' configuration was saved since it changed: ldm itself does not tell.

ldm lists the names of saved configurations and no more. So the agent remembers what the domains
looked like when it first saw a new name, and compares.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from agents.files import write_durably

FILE = "solaris-spconfig.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """How the configuration stood when the set of saved names was last seen to change.

    `was_saved`: a name came then, so what the domains looked like was saved (or had changed again
    within one scan's time). False: the agent looked for the first time, and does not know.
    """

    names: list[str]
    current: str
    looks: str
    was_saved: bool


def looks_of(domains: list[tuple[str, int, int | None, int | None]]) -> str:
    """Return a digest of name, CPUs, memory and units asked for of all domains."""
    return hashlib.sha256(json.dumps(sorted(domains)).encode()).hexdigest()


def is_unsaved(state_dir: Path | None, names: list[str], current: str, looks: str) -> bool | None:
    """Return whether domains changed since the last save; None where nobody can tell.

    Remembers what it sees in `state_dir` (None: it has no memory and cannot tell).
    """
    if state_dir is None:
        return None
    before = _recall(state_dir / FILE)
    if before is None or (before.names, before.current) != (sorted(names), current):
        came = before is not None and bool(set(names) - set(before.names))
        before = Remembered(names=sorted(names), current=current, looks=looks, was_saved=came)
        _remember(state_dir / FILE, before)
    if before.looks != looks:
        return True
    return False if before.was_saved else None


def _recall(path: Path) -> Remembered | None:
    try:
        return Remembered(**json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _remember(path: Path, seen: Remembered) -> None:
    try:
        write_durably(path, json.dumps(asdict(seen)).encode(), is_durable=False)
    except OSError:
        # Without memory the answer is "not known", which is_unsaved says by itself.
        return
