"""Facts and gauges of one host. Facts are hashed and sent when they change; gauges never are."""

from dataclasses import dataclass, field
from enum import StrEnum

Attribute = str | int | float | bool | None | list[str]
"""Value of an `attributes` entry: further facts that only one kind of unit or provider has."""


class UnitKind(StrEnum):
    """Kinds of crypto unit. An unknown word from a newer agent is kept as it came."""

    MAU = "mau"
    CWQ = "cwq"
    CPU_INSTRUCTIONS = "cpu_instructions"
    HARDWARE_RNG = "hardware_rng"
    TPM = "tpm"
    QAT_DEVICE = "qat_device"
    QAT_VF = "qat_vf"
    AP_CARD = "ap_card"
    AP_QUEUE = "ap_queue"
    VIRTIO_CRYPTO = "virtio_crypto"
    PCI_ACCELERATOR = "pci_accelerator"


class ProviderKind(StrEnum):
    """Kinds of provider."""

    PKCS11_LIBRARY = "pkcs11_library"
    KERNEL_SOFTWARE = "kernel_software"
    KERNEL_HARDWARE = "kernel_hardware"
    OPENSSL_PROVIDER = "openssl_provider"
    OPENSSL_ENGINE = "openssl_engine"


class PinState(StrEnum):
    """State of a PIN as the token's flags tell it (PKCS#11 v2.40 table 6), worst first."""

    LOCKED = "locked"
    FINAL_TRY = "final_try"
    COUNT_LOW = "count_low"
    TO_BE_CHANGED = "to_be_changed"
    NOT_INITIALISED = "not_initialised"
    OK = "ok"


class Severity(StrEnum):
    """How much a finding matters, most urgent first."""

    CRITICAL = "critical"
    WARNING = "warning"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFacts:
    """What kind of machine this is.

    `blind_spots` names, in sentences, what the agent cannot see with the rights it runs with.
    """

    hostname: str
    platform: str
    """`linux`, `solaris` or `illumos`."""
    os_name: str = ""
    os_version: str = ""
    kernel: str = ""
    architecture: str = ""
    cpu_model: str = ""
    cpu_count: int = 0
    memory_bytes: int = 0
    is_virtual: bool | None = None
    is_simulated: bool = False
    """True where stand-in programs or a recorded tree, not this hardware, gave the facts."""
    source: str = "live"
    """`live`, `recorded tree` or `simulator`, shown wherever is_simulated shows."""
    runs_as: str = ""
    blind_spots: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitFacts:
    """One crypto unit. `key` identifies it on its host for good (PCI address + serial,
    card.domain).
    """

    key: str
    kind: str
    name: str
    is_assignable: bool = False
    state: str = "present"
    """`present`, `active`, `free`, `faulty`, `offline` or a word of the platform, kept raw."""
    domain_key: str | None = None
    features: list[str] = field(default_factory=list)
    """CPU instructions, AP functions, QAT services: the admin's words."""
    reason: str = ""
    """Why it is not assignable, or what is wrong with it; a sentence."""
    attributes: dict[str, Attribute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainFacts:
    """One logical domain: an LDom, a libvirt domain or a vfio-ap mediated device's guest."""

    key: str
    name: str
    kind: str
    state: str = ""
    attributes: dict[str, Attribute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismFacts:
    """A mechanism and its three separate facts: offered, allowed, verified.

    `number` is the raw CK_MECHANISM_TYPE (None for kernel and OpenSSL algorithms). Key sizes are as
    the provider gives them; the unit differs by mechanism (RSA bits, AES bytes), see
    `key_size_unit`.
    """

    name: str
    number: int | None = None
    slot_key: str = ""
    """Empty: alike on all slots of the provider. Otherwise the one slot that differs."""
    min_key_size: int | None = None
    max_key_size: int | None = None
    key_size_unit: str = ""
    """`bits`, `bytes` or empty where the standard does not say."""
    operations: list[str] = field(default_factory=list)
    """Flags in words: encrypt, decrypt, digest, sign, verify, generate, generate_key_pair, wrap …
    """
    is_hardware: bool = False
    is_offered: bool = True
    is_allowed: bool | None = None
    """None: no policy known on this platform."""
    is_verified: bool | None = None
    """None: never self-tested by Keyrack."""
    attributes: dict[str, Attribute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateFacts:
    """An X.509 certificate readable without login. Times are ISO 8601 UTC; names are
    subjectAltNames.
    """

    sha256: str
    label: str = ""
    object_id: str = ""
    subject: str = ""
    issuer: str = ""
    serial: str = ""
    names: list[str] = field(default_factory=list)
    not_before: str = ""
    not_after: str = ""
    key_type: str = ""
    key_bits: int | None = None
    error: str = ""
    """Why it could not be decoded; the other fields are then empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenFacts:
    """One PKCS#11 token, identified by (module, serial, label), never by slot number.

    `None` in a limit means the token says that the figure is unavailable, which is not zero;
    `unlimited` session limits (CK_EFFECTIVELY_INFINITE) are given as -1.
    """

    key: str
    label: str
    serial: str
    model: str = ""
    manufacturer: str = ""
    flags: list[str] = field(default_factory=list)
    """All flags set, spelled as in the standard without CKF_: RNG, LOGIN_REQUIRED …"""
    is_initialised: bool = True
    user_pin_state: str = PinState.OK.value
    so_pin_state: str = PinState.OK.value
    min_pin_length: int | None = None
    max_pin_length: int | None = None
    max_sessions: int | None = None
    max_rw_sessions: int | None = None
    total_public_memory_bytes: int | None = None
    total_private_memory_bytes: int | None = None
    hardware_version: str = ""
    firmware_version: str = ""
    public_objects: dict[str, int] = field(default_factory=dict)
    """Objects visible without login, by class: certificate, public_key, data …"""
    has_pin_source: bool = False
    """Whether the host's admin configured a pin-source; the PIN itself never leaves the host."""
    certificates: list[CertificateFacts] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotFacts:
    """One slot of a PKCS#11 library. `slot_id` is only today's number; `key` is stable."""

    key: str
    slot_id: int
    description: str = ""
    manufacturer: str = ""
    is_hardware: bool = False
    is_removable: bool = False
    hardware_version: str = ""
    firmware_version: str = ""
    token: TokenFacts | None = None
    error: str = ""
    """What the module answered where this slot could not be read; other slots are unaffected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFacts:
    """One provider: PKCS#11 library, kernel driver, OpenSSL provider or engine."""

    key: str
    kind: str
    name: str
    path: str = ""
    state: str = "ok"
    """`ok`, `failed` (see error), `inactive`, or a word of the platform."""
    error: str = ""
    manufacturer: str = ""
    description: str = ""
    version: str = ""
    cryptoki_version: str = ""
    is_thread_safe: bool | None = None
    """What C_Initialize(CKF_OS_LOCKING_OK) answered; None where it does not apply."""
    attributes: dict[str, Attribute] = field(default_factory=dict)
    """Kernel drivers: priority, type, selftest, internal, module …"""
    slots: list[SlotFacts] = field(default_factory=list)
    mechanisms: list[MechanismFacts] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingFacts:
    """Something the agent found that a person should know, about one subject."""

    code: str
    """Dotted, noun first: `module.crashed`, `module.timed_out`, `slot.unreadable` …"""
    severity: str
    subject_kind: str
    """`provider`, `token`, `unit`, `host` …"""
    subject_key: str
    message: str
    """What happened, to what."""
    remedy: str = ""
    """What to do next."""
    evidence: dict[str, Attribute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadFacts:
    """Whether this host can run a workload, and with what."""

    name: str
    is_eligible: bool
    reason: str = ""
    """Why not, where it is not eligible."""
    choices: dict[str, list[str]] = field(default_factory=dict)
    """What the host really has, by parameter: algorithms, masks …"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeKindFacts:
    """Whether this host takes a kind of change, and why not."""

    name: str
    is_accepted: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All facts of one host: what is hashed, and stored as a snapshot."""

    host: HostFacts
    units: list[UnitFacts] = field(default_factory=list)
    domains: list[DomainFacts] = field(default_factory=list)
    providers: list[ProviderFacts] = field(default_factory=list)
    findings: list[FindingFacts] = field(default_factory=list)
    workloads: list[WorkloadFacts] = field(default_factory=list)
    settings: dict[str, Attribute] = field(default_factory=dict)
    """Host-wide settings by dotted name: `fips.kernel`, `ktls`, `openssl.version` …"""
    changes: list[ChangeKindFacts] = field(default_factory=list)
    """Which kinds of change this host takes, by its driver and its own admin."""
    parts: dict[str, Attribute] = field(default_factory=dict)
    """What kinds of change set here, by part (see changes.Plan.parts): drift is seen in it."""


COUNTERS_READ_AT = "counters.read_at"
"""Gauge of the subject `host`: the epoch second at which the other counters were read; rates are
taken between two of them. Without it the console takes none.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """A momentary figure: never hashed, becomes a bounded series."""

    name: str
    """Dotted: `token.sessions`, `ktls.tx_sw`, `host.uptime_seconds` …"""
    subject_key: str
    value: float
