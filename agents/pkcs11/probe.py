"""The child that looks at one PKCS#11 module: `agents.pkcs11.probe MODULE RESULT BINDING EXTENT`.

It appends JSON records to the file RESULT as it goes and announces each call beforehand, so that a
crash or a hang leaves everything read until then and the call's name. It never logs in. Whatever
the module prints goes to the ordinary standard output and cannot reach the result.
"""

import json
import os
import resource
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

from agents.pkcs11.binding import (
    SESSION_STATES_PUBLIC,
    AbsurdCount,
    Binding,
    CkError,
    LoadError,
    TokenInfo,
    UseInstead,
    make_binding,
)
from agents.pkcs11.flags import TOKEN_INITIALIZED
from agents.pkcs11.names import object_class_name

T = TypeVar("T")

MAX_CERTIFICATES = 500
"""Certificates read from one token; further ones are counted only."""
_MEMORY_LIMIT_BYTES = 16 << 30
_HIGH_DESCRIPTOR = 200

_CKF_TOKEN_PRESENT = 0x1
_CKA_CLASS = 0x0
_CKA_LABEL = 0x3
_CKA_VALUE = 0x11
_CKA_CERTIFICATE_TYPE = 0x80
_CKA_ID = 0x102
_CKO_CERTIFICATE = 1
_CKC_X_509 = 0


class ResultFile:
    """Appends records. The descriptor is a high one, so that a stray write to 1 … 3 misses it."""

    def __init__(self, path: str) -> None:
        self._path = path
        low = self._open()
        os.dup2(low, _HIGH_DESCRIPTOR, inheritable=False)
        os.close(low)

    def write(self, **record: Any) -> None:
        """Append one record; opened again should the module have closed our descriptor."""
        line = (json.dumps(record, separators=(",", ":")) + "\n").encode()
        try:
            os.write(_HIGH_DESCRIPTOR, line)
        except OSError:
            descriptor = self._open()
            os.write(descriptor, line)
            os.close(descriptor)

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


class Probe:
    """Reads one module through a binding."""

    def __init__(self, binding: Binding, result: ResultFile, *, has_certificates: bool) -> None:
        self._binding = binding
        self._result = result
        self._has_certificates = has_certificates
        self._slots_with_absurd_values: set[int] = set()

    def run(self, path: str) -> None:
        """Read everything. What the module refuses becomes a record and stops no other part."""
        # 1. Load and initialise; without that there is nothing to read.
        self._result.write(at="load")
        self._binding.load(path)
        try:
            is_thread_safe = self._step("C_Initialize", None, self._binding.initialize)
        except UseInstead as other:
            self._binding, is_thread_safe = other.binding, other.is_thread_safe
        self._result.write(initialized=True, is_thread_safe=is_thread_safe)
        # 2. The library itself.
        info = self._try("C_GetInfo", None, self._binding.info)
        if info is not None:
            self._result.write(
                library={
                    "manufacturer": info.manufacturer.hex(),
                    "description": info.description.hex(),
                    "version": info.library_version,
                    "cryptoki": info.cryptoki_version,
                }
            )
        # 3. Each slot by itself, and whether the list stayed the same meanwhile.
        slots = self._try("C_GetSlotList", None, self._binding.slots)
        if slots is not None:
            self._result.write(slots=slots)
            for slot in dict.fromkeys(slots):
                self._slot(slot)
            after = self._try("C_GetSlotList", None, self._binding.slots)
            self._result.write(slots_after=after)
        # 4. Leave. A crash from here on is still a crash of the module.
        self._try("C_Finalize", None, self._binding.finalize)

    def _slot(self, slot: int) -> None:
        info = self._try("C_GetSlotInfo", slot, lambda: self._binding.slot_info(slot))
        if info is None:
            return
        self._result.write(slot=slot, info=_plain(info))
        if not info.flags & _CKF_TOKEN_PRESENT:
            return
        token = self._try("C_GetTokenInfo", slot, lambda: self._binding.token_info(slot))
        if token is None:
            return
        self._result.write(slot=slot, token=_plain(token))
        self._mechanisms(slot)
        if token.flags & TOKEN_INITIALIZED:
            self._objects(slot, token)

    def _mechanisms(self, slot: int) -> None:
        numbers = self._try("C_GetMechanismList", slot, lambda: self._binding.mechanisms(slot))
        if numbers is None:
            return
        self._result.write(at="C_GetMechanismInfo", slot=slot)
        found: list[dict[str, Any]] = []
        try:
            found.extend(
                {"number": number} | self._mechanism(slot, number)
                for number in dict.fromkeys(numbers)
            )
        finally:
            self._result.write(slot=slot, mechanisms=found)

    def _mechanism(self, slot: int, number: int) -> dict[str, Any]:
        try:
            info = self._binding.mechanism_info(slot, number)
        except CkError as error:
            return {"rv": error.rv}
        return {"min": info.min_key_size, "max": info.max_key_size, "flags": info.flags}

    def _objects(self, slot: int, token: TokenInfo) -> None:
        session = self._try("C_OpenSession", slot, lambda: self._binding.open_session(slot))
        if session is None:
            return
        state = self._try("C_GetSessionInfo", slot, lambda: self._binding.session_state(session))
        if state in SESSION_STATES_PUBLIC:
            self._public_objects(slot, session)
        self._try("C_CloseSession", slot, lambda: self._binding.close_session(session))

    def _public_objects(self, slot: int, session: int) -> None:
        handles = self._try("C_FindObjects", slot, lambda: self._binding.find_objects(session))
        if handles is None:
            return
        counts: dict[str, int] = {}
        certificates = []
        self._result.write(at="C_GetAttributeValue", slot=slot)
        for handle in handles:
            kind = self._number(slot, session, handle, _CKA_CLASS)
            name = "unreadable" if kind is None else object_class_name(kind)
            counts[name] = counts.get(name, 0) + 1
            if kind == _CKO_CERTIFICATE:
                certificates.append(handle)
        self._result.write(slot=slot, objects=counts)
        if self._has_certificates and certificates:
            self._certificates(slot, session, certificates)

    def _certificates(self, slot: int, session: int, handles: list[int]) -> None:
        from agents.pkcs11.certificates import decode_certificate

        if len(handles) > MAX_CERTIFICATES:
            self._result.write(slot=slot, certificates_capped=len(handles))
        for handle in handles[:MAX_CERTIFICATES]:
            kind = self._number(slot, session, handle, _CKA_CERTIFICATE_TYPE)
            label = self._value(slot, session, handle, _CKA_LABEL) or b""
            object_id = self._value(slot, session, handle, _CKA_ID) or b""
            value = self._value(slot, session, handle, _CKA_VALUE) or b""
            if kind not in (None, _CKC_X_509):
                continue
            facts = decode_certificate(value, label=label, object_id=object_id)
            self._result.write(slot=slot, certificate=asdict(facts))

    def _number(self, slot: int, session: int, handle: int, kind: int) -> int | None:
        value = self._value(slot, session, handle, kind)
        return int.from_bytes(value, sys.byteorder) if value and len(value) <= 8 else None

    def _value(self, slot: int, session: int, handle: int, kind: int) -> bytes | None:
        try:
            return self._binding.attribute(session, handle, kind)
        except CkError:
            return None
        except AbsurdCount as error:
            if slot not in self._slots_with_absurd_values:
                self._slots_with_absurd_values.add(slot)
                self._absurd(error, slot)
            return None

    def _try(self, function: str, slot: int | None, call: Callable[[], T]) -> T | None:
        """Make one call; a refusal or an absurd claim becomes a record, and None."""
        try:
            return self._step(function, slot, call)
        except AbsurdCount as error:
            self._absurd(error, slot)
        except CkError as error:
            self._result.write(refused=function, rv=error.rv, slot=slot)
        return None

    def _absurd(self, error: AbsurdCount, slot: int | None) -> None:
        self._result.write(absurd=error.what, count=error.count, function=error.function, slot=slot)

    def _step(self, function: str, slot: int | None, call: Callable[[], T]) -> T:
        self._result.write(at=function, slot=slot)
        return call()


def _plain(info: Any) -> dict[str, Any]:
    """Text fields travel in hex: they are bytes that need not be UTF-8."""
    return {
        key: value.hex() if isinstance(value, bytes) else value
        for key, value in asdict(info).items()
    }


def main(arguments: list[str]) -> int:
    """Probe one module. Ends without running the module's exit handlers: they may crash too."""
    module, result_path, binding_name, extent = arguments
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > _MEMORY_LIMIT_BYTES:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT_BYTES, hard))
    result = ResultFile(result_path)
    binding = make_binding(binding_name)
    result.write(binding=binding.name)
    try:
        Probe(binding, result, has_certificates=extent == "certificates").run(module)
    except LoadError as error:
        result.write(load_error=str(error))
    except CkError as error:
        result.write(refused=error.function, rv=error.rv, slot=None)
    result.write(end=True)
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)
