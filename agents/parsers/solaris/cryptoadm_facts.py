"""What cryptoadm says, as facts."""

from dataclasses import dataclass

from agents.parsers.solaris.text import UnreadLine

OPERATIONS = (
    "hw",
    "encrypt",
    "decrypt",
    "digest",
    "sign",
    "sign_recover",
    "verify",
    "verify_recover",
    "generate_key",
    "generate_key_pair",
    "wrap",
    "unwrap",
    "derive",
    "ec",
)
"""The columns of `list -mv`, in their order (illumos cryptoadm). `hw`: done in hardware."""


@dataclass(frozen=True, slots=True)
class CryptoMechanism:
    """A mechanism. Key sizes in the unit of the mechanism; None: unavailable or not printed."""

    name: str
    min_key: int | None = None
    max_key: int | None = None
    operations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CryptoToken:
    """The token in a slot; `extra` holds what only some releases print."""

    label: str
    manufacturer: str = ""
    model: str = ""
    serial: str = ""
    flags: tuple[str, ...] = ()
    pin_min: int | None = None
    pin_max: int | None = None
    extra: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CryptoSlot:
    """A slot of a library. `list -m` without `-v` prints mechanisms only."""

    number: int | None = None
    description: str = ""
    manufacturer: str = ""
    flags: tuple[str, ...] = ()
    has_token: bool | None = None
    token: CryptoToken | None = None
    mechanisms: tuple[CryptoMechanism, ...] = ()
    extra: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CryptoPolicy:
    """`all mechanisms are enabled|disabled[, except …]`."""

    is_all_disabled: bool = False
    exceptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CryptoProvider:
    """A provider. What the form did not print is None.

    `kind` is user, kernel_software, kernel_hardware or metaslot. `problem` is what cryptoadm said
    instead of mechanisms (`no slots presented` is normal for pkcs11_kernel.so without hardware).
    """

    name: str
    kind: str
    is_loaded: bool = True
    policy: CryptoPolicy | None = None
    random: str | None = None
    mechanisms: tuple[CryptoMechanism, ...] | None = None
    slots: tuple[CryptoSlot, ...] = ()
    problem: str = ""
    line_no: int = 0


@dataclass(frozen=True, slots=True)
class CryptoMetaslot:
    """The metaslot: as configured, and as libpkcs11 really offers it (`-v`)."""

    is_enabled: bool | None = None
    is_actual: bool | None = None
    is_migrating: bool | None = None
    token: str = ""
    slot: str = ""
    details: CryptoSlot | None = None


@dataclass(frozen=True, slots=True)
class CryptoFips:
    """FIPS-140 mode of a driver; `name` is empty where the whole framework is meant."""

    name: str
    is_enabled: bool
    text: str


@dataclass(frozen=True, slots=True)
class CryptoListing:
    """Any `cryptoadm list …`. `messages` are cryptoadm's own, without its name."""

    providers: tuple[CryptoProvider, ...] = ()
    metaslot: CryptoMetaslot | None = None
    fips: tuple[CryptoFips, ...] = ()
    messages: tuple[str, ...] = ()
    unread: tuple[UnreadLine, ...] = ()


@dataclass(frozen=True, slots=True)
class CryptoMessages:
    """What cryptoadm printed while it changed something; `warnings` came with exit 0 as well."""

    messages: tuple[str, ...]
    warnings: tuple[str, ...]
    unread: tuple[UnreadLine, ...] = ()
