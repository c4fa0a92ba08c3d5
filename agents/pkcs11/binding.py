"""The few PKCS#11 calls that the probe makes, as one small interface, and its errors.

Two bindings stand behind it: over PyKCS11's low-level calls, and over ctypes where PyKCS11 cannot
be imported (no wheel for Arm or IBM Z). Everything is raw here: bytes and numbers as they came.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from agents.pkcs11.names import return_value_name

MAX_SLOTS = 4096
MAX_MECHANISMS = 8192
MAX_OBJECTS = 20000
MAX_ATTRIBUTE_BYTES = 1 << 20
"""What a module may claim; more is not believed and nothing is allocated for it."""

CKR_MECHANISM_INVALID = 0x70
CKR_BUFFER_TOO_SMALL = 0x150
SESSION_STATES_PUBLIC = frozenset({0, 2})
"""CKS_RO_PUBLIC_SESSION and CKS_RW_PUBLIC_SESSION: nobody is logged in."""


class LoadError(Exception):
    """The file is no PKCS#11 library that can be loaded here."""


class CkError(Exception):
    """A call returned something other than CKR_OK."""

    def __init__(self, function: str, rv: int) -> None:
        super().__init__(f"{function} answered {return_value_name(rv)}")
        self.function = function
        self.rv = rv


class AbsurdCount(Exception):
    """A module claims to have more of something than can be."""

    def __init__(self, function: str, what: str, count: int) -> None:
        super().__init__(f"{function} claims {count} {what}")
        self.function = function
        self.what = what
        self.count = count


class UseInstead(Exception):
    """The library is initialised, but only another binding can go on with it."""

    def __init__(self, binding: "Binding", is_thread_safe: bool) -> None:
        super().__init__(f"use the binding {binding.name}")
        self.binding = binding
        self.is_thread_safe = is_thread_safe


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryInfo:
    """CK_INFO."""

    cryptoki_version: tuple[int, int]
    manufacturer: bytes
    description: bytes
    library_version: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotInfo:
    """CK_SLOT_INFO."""

    description: bytes
    manufacturer: bytes
    flags: int
    hardware_version: tuple[int, int]
    firmware_version: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenInfo:
    """CK_TOKEN_INFO. Figures as the module gives them, CK_UNAVAILABLE_INFORMATION included."""

    label: bytes
    manufacturer: bytes
    model: bytes
    serial: bytes
    flags: int
    max_sessions: int
    sessions: int
    max_rw_sessions: int
    rw_sessions: int
    max_pin_length: int
    min_pin_length: int
    total_public_memory: int
    free_public_memory: int
    total_private_memory: int
    free_private_memory: int
    hardware_version: tuple[int, int]
    firmware_version: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismInfo:
    """CK_MECHANISM_INFO. The unit of the key sizes depends on the mechanism."""

    min_key_size: int
    max_key_size: int
    flags: int


class Binding(ABC):
    """One loaded PKCS#11 library. Not for use from several threads, and never after a fork.

    Every method but `load` raises CkError for an answer that is not CKR_OK.
    """

    name: ClassVar[str]

    @abstractmethod
    def load(self, path: str) -> None:
        """Load the library and get its function list. Raises LoadError saying why not."""

    @abstractmethod
    def initialize(self) -> bool:
        """Call C_Initialize asking for operating system locks; return whether the library agreed.

        A library that refuses is initialised without (v2.40, section 5.4): then it may be used
        from one thread only, and the answer is False. Raises UseInstead where this binding cannot
        take such a library over.
        """

    @abstractmethod
    def finalize(self) -> None:
        """Call C_Finalize."""

    @abstractmethod
    def info(self) -> LibraryInfo:
        """Call C_GetInfo."""

    @abstractmethod
    def slots(self) -> list[int]:
        """Return all slot numbers, also of empty slots. Raises AbsurdCount."""

    @abstractmethod
    def slot_info(self, slot: int) -> SlotInfo:
        """Call C_GetSlotInfo."""

    @abstractmethod
    def token_info(self, slot: int) -> TokenInfo:
        """Call C_GetTokenInfo."""

    @abstractmethod
    def mechanisms(self, slot: int) -> list[int]:
        """Return the raw numbers of C_GetMechanismList. Raises AbsurdCount."""

    @abstractmethod
    def mechanism_info(self, slot: int, number: int) -> MechanismInfo:
        """Call C_GetMechanismInfo; any number will do, a vendor's too."""

    @abstractmethod
    def open_session(self, slot: int) -> int:
        """Open a read-only session and return its handle."""

    @abstractmethod
    def close_session(self, session: int) -> None:
        """Call C_CloseSession."""

    @abstractmethod
    def session_state(self, session: int) -> int:
        """Return the CKS_… number of C_GetSessionInfo."""

    @abstractmethod
    def find_objects(self, session: int) -> list[int]:
        """Return the handles of all objects the session sees. Raises AbsurdCount."""

    @abstractmethod
    def attribute(self, session: int, handle: int, kind: int) -> bytes | None:
        """Return an attribute's bytes, None where the object lacks it or keeps it to itself.

        Raises AbsurdCount for a value that claims to be larger than a mebibyte.
        """


def make_binding(name: str = "auto") -> Binding:
    """Return a binding: `pykcs11`, `ctypes`, or `auto`: PyKCS11's where it can be imported."""
    from agents.pkcs11.ctypes_binding import CtypesBinding

    if name == "ctypes":
        return CtypesBinding()
    try:
        from agents.pkcs11.pykcs11_binding import Pykcs11Binding
    except ImportError:
        if name == "auto":
            return CtypesBinding()
        raise
    return Pykcs11Binding()
