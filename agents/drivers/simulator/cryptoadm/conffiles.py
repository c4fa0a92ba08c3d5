"""/etc/crypto/pkcs11.conf and kcf.conf below the simulated root: read, changed, written anew."""

from dataclasses import dataclass, field

from agents.drivers.simulator.cryptoadm.mechanisms import name_of, number_of
from agents.drivers.simulator.world import World, write_atomically

LIBRARIES = "/etc/crypto/pkcs11.conf"
KERNEL = "/etc/crypto/kcf.conf"
METASLOT = "metaslot"
RANDOM = "random"


@dataclass(slots=True)
class Entry:
    """One provider's line. `listed` are mechanism names; `mode` says what they are.

    `mode`: `disabledlist`, `enabledlist`, or empty where there is no list. `options` are the other
    fields in their order (metaslot_status, supportedlist …); `has_no_random`: NO_RANDOM stands.
    """

    name: str
    mode: str = ""
    listed: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    has_no_random: bool = False

    def disable(self, names: list[str]) -> None:
        """Disable mechanisms as cryptoadm does with a library."""
        if self.mode == "enabledlist":
            self.listed = [name for name in self.listed if name not in names]
            return
        self.mode = "disabledlist"
        self.listed += [name for name in names if name not in self.listed]

    def enable(self, names: list[str]) -> None:
        """Enable mechanisms as cryptoadm does with a library."""
        if self.mode == "enabledlist":
            self.listed += [name for name in names if name not in self.listed]
        elif self.mode == "disabledlist":
            self.listed = [name for name in self.listed if name not in names]
            self.mode = "disabledlist" if self.listed else ""

    def disable_all(self) -> None:
        """Disable every mechanism."""
        self.mode, self.listed = "enabledlist", []

    def enable_all(self) -> None:
        """Enable every mechanism."""
        self.mode, self.listed = "", []


def read_libraries(world: World) -> dict[str, Entry]:
    """Return the entries of pkcs11.conf, metaslot's among them, in their order."""
    return {entry.name: entry for entry in _entries(_text(world, LIBRARIES))}


def read_kernel(world: World) -> dict[str, Entry]:
    """Return the entries of kcf.conf in their order."""
    return {entry.name: entry for entry in _entries(_text(world, KERNEL))}


def write_libraries(world: World, entries: dict[str, Entry]) -> None:
    """Replace pkcs11.conf; comments at its head stay."""
    _write(world, LIBRARIES, [_library_line(entry) for entry in entries.values()])


def write_kernel(world: World, entries: dict[str, Entry]) -> None:
    """Replace kcf.conf; comments at its head stay."""
    _write(world, KERNEL, [_kernel_line(entry) for entry in entries.values()])


def _text(world: World, path: str) -> str:
    return (world.root / path.lstrip("/")).read_text("utf-8")


def _write(world: World, path: str, lines: list[str]) -> None:
    kept = [line for line in _text(world, path).splitlines() if line.startswith("#")]
    write_atomically(world.root / path.lstrip("/"), "\n".join([*kept, *lines]) + "\n", mode=0o644)


def _entries(text: str) -> list[Entry]:
    lines = [line.strip() for line in text.splitlines()]
    return [_entry(line) for line in lines if line and not line.startswith("#")]


def _entry(line: str) -> Entry:
    name, _, rest = line.partition(":")
    entry = Entry(name)
    for part in rest.split(";"):
        key, has_value, value = part.partition("=")
        if key == "NO_RANDOM":
            entry.has_no_random = True
        elif key in ("disabledlist", "enabledlist"):
            entry.mode = key
            entry.listed = [_named(word) for word in value.split(",") if word]
        elif has_value:
            entry.options[key] = value
    return entry


def _named(word: str) -> str:
    number = int(word, 16) if word.startswith("0x") else None
    return word if number is None else name_of(number)


def _library_line(entry: Entry) -> str:
    parts = [f"{key}={value}" for key, value in entry.options.items()]
    if entry.mode:
        numbers = [number_of(name) or 0 for name in entry.listed]
        parts.append(f"{entry.mode}={','.join(f'{number:#010x}' for number in numbers)}")
    if entry.has_no_random:
        parts.append("NO_RANDOM")
    return f"{entry.name}:{';'.join(parts)}" if parts else entry.name


def _kernel_line(entry: Entry) -> str:
    parts = [f"{key}={value}" for key, value in entry.options.items()]
    if entry.listed:
        parts.append(f"disabledlist={','.join(entry.listed)}")
    return f"{entry.name}:{';'.join(parts)}" if parts else entry.name
