"""PKCS#11 through PyKCS11's low-level calls, kept away from what its high-level ones get wrong.

Some things go through ctypes all the same: what a module claims (counts, lengths) first, because
PyKCS11 allocates whatever is claimed; C_Initialize, whose answer PyKCS11 keeps to itself; and the
structures with text, from which PyKCS11 drops bytes that are not UTF-8.
"""

from typing import Any, ClassVar

from PyKCS11 import LowLevel

from agents.pkcs11.binding import (
    CKR_BUFFER_TOO_SMALL,
    MAX_OBJECTS,
    AbsurdCount,
    Binding,
    CkError,
    LibraryInfo,
    MechanismInfo,
    SlotInfo,
    TokenInfo,
    UseInstead,
)
from agents.pkcs11.ctypes_binding import CtypesBinding

_CKF_SERIAL_SESSION = 0x4
_LIST_TRIES = 5
_FIND_AT_ONCE = 256
_MASK = (1 << 64) - 1


class Pykcs11Binding(Binding):
    """One instance per process: PyKCS11 and the module itself are both shared by the process."""

    name: ClassVar[str] = "pykcs11"

    def __init__(self) -> None:
        self._claims = CtypesBinding()
        self._lib: Any = LowLevel.CPKCS11Lib()
        self._path = ""

    def load(self, path: str) -> None:
        self._claims.load(path)
        self._path = path

    def initialize(self) -> bool:
        is_locking = self._claims.initialize()
        # Load calls C_Initialize itself, with locks, and accepts that it was called already. But a
        # library that cannot lock refuses once more, and PyKCS11 does not ask it without.
        if self._lib.Load(self._path):
            raise UseInstead(self._claims, is_locking)
        return is_locking

    def finalize(self) -> None:
        _check("C_Finalize", self._lib.C_Finalize())

    def info(self) -> LibraryInfo:
        return self._claims.info()

    def slots(self) -> list[int]:
        return self._list("C_GetSlotList", self._claims.slot_count, 0)

    def slot_info(self, slot: int) -> SlotInfo:
        return self._claims.slot_info(slot)

    def token_info(self, slot: int) -> TokenInfo:
        return self._claims.token_info(slot)

    def mechanisms(self, slot: int) -> list[int]:
        return self._list("C_GetMechanismList", lambda: self._claims.mechanism_count(slot), slot)

    def mechanism_info(self, slot: int, number: int) -> MechanismInfo:
        info = LowLevel.CK_MECHANISM_INFO()
        _check("C_GetMechanismInfo", self._lib.C_GetMechanismInfo(slot, number, info))
        return MechanismInfo(
            min_key_size=info.ulMinKeySize & _MASK,
            max_key_size=info.ulMaxKeySize & _MASK,
            flags=info.flags & _MASK,
        )

    def open_session(self, slot: int) -> int:
        handle = LowLevel.CK_SESSION_HANDLE()
        _check("C_OpenSession", self._lib.C_OpenSession(slot, _CKF_SERIAL_SESSION, handle))
        return int(handle.value())

    def close_session(self, session: int) -> None:
        _check("C_CloseSession", self._lib.C_CloseSession(_session(session)))

    def session_state(self, session: int) -> int:
        info = LowLevel.CK_SESSION_INFO()
        _check("C_GetSessionInfo", self._lib.C_GetSessionInfo(_session(session), info))
        return int(info.state)

    def find_objects(self, session: int) -> list[int]:
        handle = _session(session)
        everything = LowLevel.ckattrlist(0)
        _check("C_FindObjectsInit", self._lib.C_FindObjectsInit(handle, everything))
        handles: list[int] = []
        while len(handles) <= MAX_OBJECTS:
            found = LowLevel.ckulonglist(_FIND_AT_ONCE)
            _check("C_FindObjects", self._lib.C_FindObjects(handle, found))
            if not len(found):
                _check("C_FindObjectsFinal", self._lib.C_FindObjectsFinal(handle))
                return handles
            handles += [int(value) & _MASK for value in found]
        raise AbsurdCount("C_FindObjects", "objects or more", len(handles))

    def attribute(self, session: int, handle: int, kind: int) -> bytes | None:
        length = self._claims.attribute_length(session, handle, kind)
        if not length:
            return None if length is None else b""
        wanted = LowLevel.CK_ATTRIBUTE_SMART()
        wanted.SetType(kind)
        wanted.Reserve(length)
        template = LowLevel.ckattrlist(1)
        template[0] = wanted
        rv = self._lib.C_GetAttributeValue(_session(session), _object(handle), template)
        _check("C_GetAttributeValue", rv)
        return bytes(template[0].GetBin())

    def _list(self, function: str, claim: Any, slot: int) -> list[int]:
        """Low-level lists hold what the module said and nothing else; again where one grew."""
        rv = CKR_BUFFER_TOO_SMALL
        for _ in range(_LIST_TRIES):
            claim()
            values = LowLevel.ckulonglist()
            rv = getattr(self._lib, function)(slot, values)
            if rv != CKR_BUFFER_TOO_SMALL:
                _check(function, rv)
                return [int(value) & _MASK for value in values]
        raise CkError(function, rv)


def _check(function: str, rv: int) -> None:
    if rv:
        raise CkError(function, rv & _MASK)


def _session(number: int) -> Any:
    handle = LowLevel.CK_SESSION_HANDLE()
    handle.assign(number)
    return handle


def _object(number: int) -> Any:
    handle = LowLevel.CK_OBJECT_HANDLE()
    handle.assign(number)
    return handle
