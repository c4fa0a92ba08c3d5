"""From a probe's records to facts, gauges and findings about one module."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agents.config import PinReference
from agents.pkcs11 import flags
from agents.pkcs11.findings import outcome_findings, record_findings
from agents.pkcs11.identity import Keys, slot_key, token_key
from agents.pkcs11.mechanisms import SlotMechanisms, mechanism_facts
from agents.pkcs11.modules import ModuleRegistration, ProbeOutcome
from agents.pkcs11.names import return_value_name
from agents.pkcs11.records import Record
from agents.pkcs11.text import clean_text
from agents.wire.codec import from_plain
from agents.wire.inventory import (
    CertificateFacts,
    FindingFacts,
    Gauge,
    ProviderFacts,
    ProviderKind,
    Severity,
    SlotFacts,
    TokenFacts,
)

_CKR_TOKEN_NOT_PRESENT = 0xE0
_SLOT_CALLS = ("C_GetSlotInfo", "C_GetTokenInfo", "C_GetMechanismList")
_HW_SLOT = 0x4
_REMOVABLE = 0x2


@dataclass(slots=True)
class ModuleReport:
    """What is known of one module after its probe."""

    provider: ProviderFacts
    gauges: list[Gauge] = field(default_factory=list)
    findings: list[FindingFacts] = field(default_factory=list)


@dataclass(slots=True)
class _Slot:
    """The records of one slot."""

    slot_id: int
    info: Record = field(default_factory=dict)
    token: Record | None = None
    mechanisms: list[Record] | None = None
    objects: dict[str, int] = field(default_factory=dict)
    certificates: list[CertificateFacts] = field(default_factory=list)
    error: str = ""
    key: str = ""


def module_report(
    registration: ModuleRegistration,
    outcome: ProbeOutcome | None,
    pins: Sequence[PinReference] = (),
) -> ModuleReport:
    """Turn what a probe left behind into facts. `outcome` None: the module was not to be loaded."""
    provider = ProviderFacts(
        key=registration.key,
        kind=ProviderKind.PKCS11_LIBRARY.value,
        name=registration.name,
        path=registration.path,
        attributes=dict(registration.attributes),
    )
    if outcome is None:
        return ModuleReport(replace(provider, state="inactive", error=registration.reason))
    slots = _collect(outcome.records)
    findings = outcome_findings(registration, outcome)
    error = next((finding.message for finding in findings), "")
    provider = replace(provider, **_library(outcome.records))
    if not _is_readable(outcome):
        provider = replace(provider, state="failed", error=error)
    report = ModuleReport(provider, findings=findings)
    _add_slots(report, registration, slots, pins)
    report.findings += record_findings(
        registration, outcome.records, {slot.slot_id: slot.key for slot in slots}
    )
    return report


def _is_readable(outcome: ProbeOutcome) -> bool:
    """Whether all was read; a module that fails only when it is left (C_Finalize) still counts."""
    is_initialized = any(record.get("initialized") is True for record in outcome.records)
    was_left = outcome.last_step() == ("C_Finalize", None)
    return is_initialized and (outcome.is_complete or was_left)


def _collect(records: list[Record]) -> list[_Slot]:
    """Sort records by slot. Of slots that were not listed nothing is believed."""
    slots: dict[int | None, _Slot] = {}
    for record in records:
        for number in record.get("slots", ()):
            slots.setdefault(number, _Slot(number))
        slot = slots.get(record.get("slot"))
        if slot is not None:
            _take(slot, record)
    return list(slots.values())


def _take(slot: _Slot, record: Record) -> None:
    match record:
        case {"info": info}:
            slot.info = info
        case {"token": token}:
            slot.token = token
        case {"mechanisms": mechanisms}:
            slot.mechanisms = mechanisms
        case {"objects": objects}:
            slot.objects = dict(sorted(objects.items()))
        case {"certificate": certificate}:
            slot.certificates.append(from_plain(certificate, CertificateFacts))
        case {"refused": function, "rv": rv} if function in _SLOT_CALLS:
            if not (function == "C_GetTokenInfo" and rv == _CKR_TOKEN_NOT_PRESENT):
                slot.error = slot.error or f"{function} answered {return_value_name(rv)}."
        case {"absurd": what, "count": count, "function": function}:
            slot.error = slot.error or f"{function} claims {count} {what}."


def _library(records: list[Record]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for record in records:
        if record.get("initialized") is True:
            fields["is_thread_safe"] = bool(record.get("is_thread_safe"))
        if library := record.get("library"):
            fields |= {
                "manufacturer": _text(library, "manufacturer"),
                "description": _text(library, "description"),
                "version": _version(library.get("version")),
                "cryptoki_version": _version(library.get("cryptoki")),
            }
    return fields


def _add_slots(
    report: ModuleReport,
    registration: ModuleRegistration,
    slots: list[_Slot],
    pins: Sequence[PinReference],
) -> None:
    keys = Keys()
    facts = []
    for slot in sorted(slots, key=lambda one: one.slot_id):
        wanted, is_identified = _wanted_key(registration.path, slot)
        slot.key = keys.take(wanted)
        if slot.key != wanted and is_identified:
            report.findings.append(_duplicate(registration, wanted, slot))
        facts.append(_slot_facts(slot, pins))
        report.gauges += _gauges(slot)
    report.provider = replace(
        report.provider,
        slots=sorted(facts, key=lambda one: one.key),
        mechanisms=mechanism_facts(
            [
                SlotMechanisms(key=slot.key, entries=slot.mechanisms)
                for slot in slots
                if slot.mechanisms is not None
            ]
        ),
    )


def _wanted_key(path: str, slot: _Slot) -> tuple[str, bool]:
    if slot.token is not None:
        serial, label = _text(slot.token, "serial"), _text(slot.token, "label")
        if serial or label:
            return token_key(path, serial, label), True
    return slot_key(path, _text(slot.info, "description"), slot.slot_id), False


def _slot_facts(slot: _Slot, pins: Sequence[PinReference]) -> SlotFacts:
    bits = _number(slot.info, "flags")
    return SlotFacts(
        key=slot.key,
        slot_id=_signed(slot.slot_id),
        description=_text(slot.info, "description"),
        manufacturer=_text(slot.info, "manufacturer"),
        is_hardware=bool(bits & _HW_SLOT),
        is_removable=bool(bits & _REMOVABLE),
        hardware_version=_version(slot.info.get("hardware_version")),
        firmware_version=_version(slot.info.get("firmware_version")),
        token=None if slot.token is None else _token_facts(slot, slot.token, pins),
        error=slot.error,
    )


def _token_facts(slot: _Slot, token: Record, pins: Sequence[PinReference]) -> TokenFacts:
    bits = _number(token, "flags")
    label, serial = _text(token, "label"), _text(token, "serial")
    return TokenFacts(
        key=slot.key,
        label=label,
        serial=serial,
        model=_text(token, "model"),
        manufacturer=_text(token, "manufacturer"),
        flags=flags.token_flags(bits),
        is_initialised=bool(bits & flags.TOKEN_INITIALIZED),
        user_pin_state=flags.user_pin_state(bits),
        so_pin_state=flags.so_pin_state(bits),
        min_pin_length=flags.figure(_number(token, "min_pin_length")),
        max_pin_length=flags.figure(_number(token, "max_pin_length")),
        max_sessions=flags.session_limit(_number(token, "max_sessions")),
        max_rw_sessions=flags.session_limit(_number(token, "max_rw_sessions")),
        total_public_memory_bytes=flags.figure(_number(token, "total_public_memory")),
        total_private_memory_bytes=flags.figure(_number(token, "total_private_memory")),
        hardware_version=_version(token.get("hardware_version")),
        firmware_version=_version(token.get("firmware_version")),
        public_objects=slot.objects,
        has_pin_source=any(_fits(pin, label, serial) for pin in pins),
        certificates=sorted(
            slot.certificates, key=lambda one: (one.sha256, one.label, one.object_id)
        ),
    )


def _fits(pin: PinReference, label: str, serial: str) -> bool:
    return pin.token in ("", label) and pin.serial in ("", serial)


_TOKEN_GAUGES = {
    "token.sessions": "sessions",
    "token.rw_sessions": "rw_sessions",
    "token.free_public_memory_bytes": "free_public_memory",
    "token.free_private_memory_bytes": "free_private_memory",
}


def _gauges(slot: _Slot) -> list[Gauge]:
    """A figure that the token says is unavailable gives no gauge: it is not 0."""
    found = []
    for name, field_name in _TOKEN_GAUGES.items() if slot.token is not None else ():
        value = flags.figure(_number(slot.token or {}, field_name))
        if value is not None:
            found.append(Gauge(name=name, subject_key=slot.key, value=float(value)))
    return found


def _duplicate(registration: ModuleRegistration, wanted: str, slot: _Slot) -> FindingFacts:
    token = slot.token or {}
    label, serial = _text(token, "label"), _text(token, "serial")
    return FindingFacts(
        code="token.duplicate_identity",
        severity=Severity.WARNING.value,
        subject_kind="token",
        subject_key=slot.key,
        message=(
            f"{registration.name} shows more than one token with label {label!r} and serial "
            f"{serial!r}. They are told apart by the order of their slots, which may change."
        ),
        remedy="Give the tokens different labels, or ask the vendor why their serials are alike.",
        evidence={"same_as": wanted},
    )


def _signed(number: int) -> int:
    """CK_SLOT_ID is unsigned; a number beyond 63 bits is shown as its signed twin."""
    return number - (1 << 64) if number >= 1 << 63 else number


def _text(record: Record, name: str) -> str:
    try:
        return clean_text(bytes.fromhex(str(record.get(name, ""))))
    except ValueError:
        return ""


def _number(record: Record, name: str) -> int:
    value = record.get(name)
    return value if isinstance(value, int) else 0


def _version(value: Any) -> str:
    return f"{value[0]}.{value[1]}" if isinstance(value, list) and len(value) == 2 else ""
