"""PKCS#11 through ctypes: structures and calls of PKCS#11 v2.40 on systems without packing."""

import ctypes
from collections.abc import Callable
from typing import Any, ClassVar

from agents.pkcs11.binding import (
    CKR_BUFFER_TOO_SMALL,
    MAX_ATTRIBUTE_BYTES,
    MAX_MECHANISMS,
    MAX_OBJECTS,
    MAX_SLOTS,
    AbsurdCount,
    Binding,
    CkError,
    LibraryInfo,
    LoadError,
    MechanismInfo,
    SlotInfo,
    TokenInfo,
)

_ULONG = ctypes.c_ulong
_CHARS = ctypes.c_ubyte
_UNAVAILABLE = _ULONG(-1).value
_PROTOTYPE = ctypes.CFUNCTYPE(_ULONG)
"""Every argument is given as a ctypes value, so no prototype is needed; None is a null pointer."""

_CKF_OS_LOCKING_OK = 0x2
_CKF_SERIAL_SESSION = 0x4
_LOCKING_REFUSALS = frozenset({0x7, 0x9, 0xA})
"""CKR_ARGUMENTS_BAD, CKR_NEED_TO_CREATE_THREADS and CKR_CANT_LOCK: try again without locks."""
_NO_VALUE = frozenset({0x11, 0x12})
"""CKR_ATTRIBUTE_SENSITIVE, CKR_ATTRIBUTE_TYPE_INVALID."""
_LIST_TRIES = 5
_FIND_AT_ONCE = 256

_FUNCTIONS = (
    "C_Initialize",
    "C_Finalize",
    "C_GetInfo",
    "C_GetFunctionList",
    "C_GetSlotList",
    "C_GetSlotInfo",
    "C_GetTokenInfo",
    "C_GetMechanismList",
    "C_GetMechanismInfo",
    "C_InitToken",
    "C_InitPIN",
    "C_SetPIN",
    "C_OpenSession",
    "C_CloseSession",
    "C_CloseAllSessions",
    "C_GetSessionInfo",
    "C_GetOperationState",
    "C_SetOperationState",
    "C_Login",
    "C_Logout",
    "C_CreateObject",
    "C_CopyObject",
    "C_DestroyObject",
    "C_GetObjectSize",
    "C_GetAttributeValue",
    "C_SetAttributeValue",
    "C_FindObjectsInit",
    "C_FindObjects",
    "C_FindObjectsFinal",
)
"""The head of CK_FUNCTION_LIST, in its order; the rest is never called here."""


class _Version(ctypes.Structure):
    _fields_ = (("major", _CHARS), ("minor", _CHARS))


class _FunctionList(ctypes.Structure):
    _fields_ = (("version", _Version), ("at", ctypes.c_void_p * len(_FUNCTIONS)))


class _InitializeArgs(ctypes.Structure):
    _fields_ = (
        ("mutexes", ctypes.c_void_p * 4),
        ("flags", _ULONG),
        ("reserved", ctypes.c_void_p),
    )


class _Info(ctypes.Structure):
    _fields_ = (
        ("cryptoki", _Version),
        ("manufacturer", _CHARS * 32),
        ("flags", _ULONG),
        ("description", _CHARS * 32),
        ("library", _Version),
    )


class _SlotInfo(ctypes.Structure):
    _fields_ = (
        ("description", _CHARS * 64),
        ("manufacturer", _CHARS * 32),
        ("flags", _ULONG),
        ("hardware", _Version),
        ("firmware", _Version),
    )


_TOKEN_FIGURES = (
    "max_sessions",
    "sessions",
    "max_rw_sessions",
    "rw_sessions",
    "max_pin_length",
    "min_pin_length",
    "total_public_memory",
    "free_public_memory",
    "total_private_memory",
    "free_private_memory",
)


class _TokenInfo(ctypes.Structure):
    _fields_ = (
        ("label", _CHARS * 32),
        ("manufacturer", _CHARS * 32),
        ("model", _CHARS * 16),
        ("serial", _CHARS * 16),
        ("flags", _ULONG),
        *((name, _ULONG) for name in _TOKEN_FIGURES),
        ("hardware", _Version),
        ("firmware", _Version),
        ("utc_time", _CHARS * 16),
    )


class _MechanismInfo(ctypes.Structure):
    _fields_ = (("min_key_size", _ULONG), ("max_key_size", _ULONG), ("flags", _ULONG))


class _SessionInfo(ctypes.Structure):
    _fields_ = tuple((name, _ULONG) for name in ("slot", "state", "flags", "device_error"))


class _Attribute(ctypes.Structure):
    _fields_ = (("kind", _ULONG), ("value", ctypes.c_void_p), ("length", _ULONG))


class CtypesBinding(Binding):
    """The whole interface over ctypes. It frees the GIL during calls; nothing relies on that."""

    name: ClassVar[str] = "ctypes"

    def __init__(self) -> None:
        self._library: ctypes.CDLL | None = None
        self._functions: Any = None

    def load(self, path: str) -> None:
        try:
            self._library = ctypes.CDLL(path, mode=ctypes.DEFAULT_MODE)
            entry = self._library.C_GetFunctionList
        except (OSError, AttributeError, ValueError) as error:
            raise LoadError(_load_reason(path, error)) from error
        entry.restype = _ULONG
        functions = ctypes.POINTER(_FunctionList)()
        rv = entry(ctypes.byref(functions))
        if rv or ctypes.cast(functions, ctypes.c_void_p).value is None:
            raise LoadError(f"{path}: C_GetFunctionList gave no function list")
        self._functions = functions.contents

    def initialize(self) -> bool:
        arguments = _InitializeArgs(flags=_CKF_OS_LOCKING_OK)
        rv = self._answer("C_Initialize", ctypes.byref(arguments))
        if rv not in _LOCKING_REFUSALS:
            _check("C_Initialize", rv)
            return True
        self._call("C_Initialize", None)
        return False

    def finalize(self) -> None:
        self._call("C_Finalize", None)

    def info(self) -> LibraryInfo:
        info = _Info()
        self._call("C_GetInfo", ctypes.byref(info))
        return LibraryInfo(
            cryptoki_version=_pair(info.cryptoki),
            manufacturer=bytes(info.manufacturer),
            description=bytes(info.description),
            library_version=_pair(info.library),
        )

    def slots(self) -> list[int]:
        return self._list(
            "C_GetSlotList", MAX_SLOTS, "slots", lambda out, count: (ctypes.c_ubyte(0), out, count)
        )

    def slot_count(self) -> int:
        """Return how many slots the module claims. Raises AbsurdCount; allocates nothing."""
        return self._claim(
            "C_GetSlotList", MAX_SLOTS, "slots", lambda out, count: (ctypes.c_ubyte(0), out, count)
        )

    def slot_info(self, slot: int) -> SlotInfo:
        info = _SlotInfo()
        self._call("C_GetSlotInfo", _ULONG(slot), ctypes.byref(info))
        return SlotInfo(
            description=bytes(info.description),
            manufacturer=bytes(info.manufacturer),
            flags=info.flags,
            hardware_version=_pair(info.hardware),
            firmware_version=_pair(info.firmware),
        )

    def token_info(self, slot: int) -> TokenInfo:
        info = _TokenInfo()
        self._call("C_GetTokenInfo", _ULONG(slot), ctypes.byref(info))
        return TokenInfo(
            label=bytes(info.label),
            manufacturer=bytes(info.manufacturer),
            model=bytes(info.model),
            serial=bytes(info.serial),
            flags=info.flags,
            hardware_version=_pair(info.hardware),
            firmware_version=_pair(info.firmware),
            **{name: getattr(info, name) for name in _TOKEN_FIGURES},
        )

    def mechanisms(self, slot: int) -> list[int]:
        return self._list(
            "C_GetMechanismList",
            MAX_MECHANISMS,
            "mechanisms",
            lambda out, count: (_ULONG(slot), out, count),
        )

    def mechanism_count(self, slot: int) -> int:
        """Return how many mechanisms a slot claims. Raises AbsurdCount."""
        return self._claim(
            "C_GetMechanismList",
            MAX_MECHANISMS,
            "mechanisms",
            lambda out, count: (_ULONG(slot), out, count),
        )

    def mechanism_info(self, slot: int, number: int) -> MechanismInfo:
        info = _MechanismInfo()
        self._call("C_GetMechanismInfo", _ULONG(slot), _ULONG(number), ctypes.byref(info))
        return MechanismInfo(
            min_key_size=info.min_key_size, max_key_size=info.max_key_size, flags=info.flags
        )

    def open_session(self, slot: int) -> int:
        handle = _ULONG()
        self._call(
            "C_OpenSession",
            _ULONG(slot),
            _ULONG(_CKF_SERIAL_SESSION),
            None,
            None,
            ctypes.byref(handle),
        )
        return handle.value

    def close_session(self, session: int) -> None:
        self._call("C_CloseSession", _ULONG(session))

    def session_state(self, session: int) -> int:
        info = _SessionInfo()
        self._call("C_GetSessionInfo", _ULONG(session), ctypes.byref(info))
        return int(info.state)

    def find_objects(self, session: int) -> list[int]:
        self._call("C_FindObjectsInit", _ULONG(session), None, _ULONG(0))
        handles: list[int] = []
        room = (_ULONG * _FIND_AT_ONCE)()
        count = _ULONG()
        while len(handles) <= MAX_OBJECTS:
            self._call(
                "C_FindObjects", _ULONG(session), room, _ULONG(len(room)), ctypes.byref(count)
            )
            if count.value == 0:
                self._call("C_FindObjectsFinal", _ULONG(session))
                return handles
            if count.value > len(room):
                raise AbsurdCount("C_FindObjects", "objects", count.value)
            handles += room[: count.value]
        raise AbsurdCount("C_FindObjects", "objects or more", len(handles))

    def attribute(self, session: int, handle: int, kind: int) -> bytes | None:
        length = self.attribute_length(session, handle, kind)
        if length is None:
            return None
        buffer = ctypes.create_string_buffer(max(length, 1))
        attribute = _Attribute(kind=kind, value=ctypes.cast(buffer, ctypes.c_void_p), length=length)
        rv = self._attribute_call(session, handle, attribute)
        if rv in _NO_VALUE or attribute.length == _UNAVAILABLE:
            return None
        _check("C_GetAttributeValue", rv)
        return buffer.raw[: min(attribute.length, length)]

    def attribute_length(self, session: int, handle: int, kind: int) -> int | None:
        """Return the length that an attribute claims, None for no value. Raises AbsurdCount."""
        attribute = _Attribute(kind=kind)
        rv = self._attribute_call(session, handle, attribute)
        if rv in _NO_VALUE or attribute.length == _UNAVAILABLE:
            return None
        _check("C_GetAttributeValue", rv)
        if attribute.length > MAX_ATTRIBUTE_BYTES:
            raise AbsurdCount("C_GetAttributeValue", "bytes in one attribute", attribute.length)
        return int(attribute.length)

    def _attribute_call(self, session: int, handle: int, attribute: _Attribute) -> int:
        return self._answer(
            "C_GetAttributeValue",
            _ULONG(session),
            _ULONG(handle),
            ctypes.byref(attribute),
            _ULONG(1),
        )

    def _claim(self, function: str, most: int, what: str, arguments: Callable[..., Any]) -> int:
        count = _ULONG()
        self._call(function, *arguments(None, ctypes.byref(count)))
        if count.value > most:
            raise AbsurdCount(function, what, count.value)
        return count.value

    def _list(
        self, function: str, most: int, what: str, arguments: Callable[..., Any]
    ) -> list[int]:
        """Ask for the length, then for the list; again where it grew in between (section 5.2)."""
        for _ in range(_LIST_TRIES):
            room = self._claim(function, most, what, arguments)
            values = (_ULONG * max(room, 1))()
            count = _ULONG(room)
            rv = self._answer(function, *arguments(values, ctypes.byref(count)))
            if rv != CKR_BUFFER_TOO_SMALL:
                _check(function, rv)
                if count.value > most:
                    raise AbsurdCount(function, what, count.value)
                return list(values[: min(count.value, room)])
        raise CkError(function, CKR_BUFFER_TOO_SMALL)

    def _answer(self, function: str, *arguments: Any) -> int:
        address = self._functions.at[_FUNCTIONS.index(function)]
        if not address:
            raise CkError(function, 0x54)  # CKR_FUNCTION_NOT_SUPPORTED
        return int(_PROTOTYPE(address)(*arguments))

    def _call(self, function: str, *arguments: Any) -> None:
        _check(function, self._answer(function, *arguments))


def _check(function: str, rv: int) -> None:
    if rv:
        raise CkError(function, rv)


def _pair(version: Any) -> tuple[int, int]:
    return version.major, version.minor


def _load_reason(path: str, error: Exception) -> str:
    if isinstance(error, AttributeError):
        return f"{path}: has no C_GetFunctionList, so it is not a PKCS#11 library"
    text = str(error)
    return text if path in text else f"{path}: {text}"
