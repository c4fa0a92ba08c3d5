"""One call of a stand-in program: its words, what it writes where, and the machine it works on."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.drivers.simulator.variants import variant
from agents.drivers.simulator.world import World


@dataclass(slots=True)
class Call:
    """A running stand-in. `written` keeps the order of stdout and stderr."""

    world: World
    program: str
    arguments: list[str]
    written: list[tuple[str, str]] = field(default_factory=list)
    is_half: bool = False
    """A fault asks the program to stop half-way through its work."""

    def say(self, *lines: str) -> None:
        """Write lines to stdout."""
        self.written += [("stdout", f"{line}\n") for line in lines]

    def complain(self, *lines: str) -> None:
        """Write lines to stderr."""
        self.written += [("stderr", f"{line}\n") for line in lines]

    def variant(self, name: str) -> str:
        """Return how a format that is not verified is to look."""
        return variant(self.world, name)

    def notice(self, lines: Sequence[str]) -> None:
        """Write a notice of ldm's to the stream that the variant `ldm.notices` names."""
        write = self.say if self.variant("ldm.notices") == "stdout" else self.complain
        write(*lines)


def take_flags(words: list[str], known: str) -> tuple[set[str], list[str]]:
    """Return (flags, operands) as getopt does: flags end at the first operand or at `--`.

    `known` holds the letters. Raises ValueError with the first letter that is not among them.
    """
    flags: set[str] = set()
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word = rest.pop(0)
        if word == "--":
            break
        for letter in word[1:]:
            if letter not in known:
                raise ValueError(letter)
            flags.add(letter)
    return flags, rest
