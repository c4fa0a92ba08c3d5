"""What a probe tells a person about a module: crashes, hangs, refusals and claims."""

import signal
from collections.abc import Mapping

from agents.pkcs11.modules import ModuleRegistration, ProbeOutcome
from agents.pkcs11.names import return_value_name
from agents.pkcs11.records import Record
from agents.wire.inventory import Attribute, FindingFacts, Severity

_LEFT = "Everything read before that is shown, and all other modules are unaffected."
_REPORT = (
    "Update the module or report this to its vendor. If nothing here uses it, take it out of "
    "p11-kit's registry or of [pkcs11] modules in the agent's configuration."
)
_CKR_TOKEN_NOT_PRESENT = 0xE0
_UNREADABLE_SLOT = frozenset({"C_GetSlotInfo", "C_GetTokenInfo", "C_GetMechanismList"})
_OBJECT_CALLS = frozenset({"C_OpenSession", "C_GetSessionInfo", "C_FindObjects"})


def outcome_findings(registration: ModuleRegistration, outcome: ProbeOutcome) -> list[FindingFacts]:
    """Return what the way a probe ended says about its module, the most serious first."""
    maker = _Maker(registration)
    found = []
    if ending := _ending(maker, outcome):
        found.append(ending)
    for record in outcome.records:
        if "load_error" in record:
            found.append(maker.load_failed(record["load_error"]))
        elif record.get("refused") == "C_Initialize":
            found.append(maker.initialize_failed(record))
    if outcome.wrote_stdout:
        found.append(maker.wrote_stdout())
    if outcome.is_damaged:
        found.append(maker.damaged())
    return found


def record_findings(
    registration: ModuleRegistration,
    records: list[Record],
    slot_keys: Mapping[int, str],
) -> list[FindingFacts]:
    """Return what single records say: refusals, absurd claims, a slot list that changed."""
    maker = _Maker(registration, slot_keys)
    found = []
    first: list[int] = []
    for record in records:
        if "slots" in record:
            first = record["slots"]
            if len(set(first)) != len(first):
                found.append(maker.listed_twice())
        elif record.get("slots_after") is not None:
            if set(first) != set(record["slots_after"]):
                found.append(maker.slot_list_changed())
        elif "absurd" in record:
            found.append(maker.absurd(record))
        elif "refused" in record:
            found += maker.refused(record)
        elif "certificates_capped" in record:
            found.append(maker.certificates_capped(record))
        elif "mechanisms" in record:
            found += maker.unreadable_mechanisms(record)
    return found


def _ending(maker: "_Maker", outcome: ProbeOutcome) -> FindingFacts | None:
    if outcome.is_complete:
        return None
    if not outcome.was_started:
        return maker.not_started()
    function, slot = outcome.last_step()
    place = function if slot is None else f"{function} of slot {slot}"
    if outcome.timed_out:
        return maker.timed_out(place, outcome.timeout_seconds)
    if outcome.signal_number is not None:
        return maker.crashed(place, outcome.signal_number)
    return maker.ended(place, outcome.exit_code)


class _Maker:
    """Makes findings about one module and its slots."""

    def __init__(
        self, registration: ModuleRegistration, slot_keys: Mapping[int, str] | None = None
    ) -> None:
        self._name = f"The PKCS#11 module {registration.path}"
        self._key = registration.key
        self._slot_keys = slot_keys or {}

    def _make(
        self,
        code: str,
        severity: Severity,
        message: str,
        remedy: str = _REPORT,
        *,
        slot: int | None = None,
        **evidence: Attribute,
    ) -> FindingFacts:
        slot_key = None if slot is None else self._slot_keys.get(slot)
        return FindingFacts(
            code=code,
            severity=severity.value,
            subject_kind="slot" if slot_key else "provider",
            subject_key=slot_key or self._key,
            message=message,
            remedy=remedy,
            evidence=dict(evidence),
        )

    def crashed(self, place: str, number: int) -> FindingFacts:
        name = _signal_name(number)
        return self._make(
            "module.crashed",
            Severity.WARNING,
            f"{self._name} crashed with {name} in {place}. {_LEFT}",
            signal=name,
            step=place,
        )

    def timed_out(self, place: str, seconds: float) -> FindingFacts:
        return self._make(
            "module.timed_out",
            Severity.WARNING,
            f"{self._name} did not answer in {place} and was ended at its deadline. {_LEFT}",
            "Check whether its device or server can be reached; raise [pkcs11] "
            "module_timeout_seconds in the agent's configuration if it is only slow.",
            step=place,
        )

    def ended(self, place: str, code: int) -> FindingFacts:
        return self._make(
            "module.ended_probe",
            Severity.WARNING,
            f"{self._name} ended the process that was reading it (exit code {code}) in {place}. "
            + _LEFT,
            step=place,
            exit_code=code,
        )

    def not_started(self) -> FindingFacts:
        return self._make(
            "module.not_probed",
            Severity.WARNING,
            f"{self._name} was not read: the time for the whole scan had passed before its turn.",
            "Find the module that is slow, or raise [agent] scan_timeout_seconds.",
        )

    def load_failed(self, reason: str) -> FindingFacts:
        return self._make(
            "module.load_failed",
            Severity.WARNING,
            f"{self._name} cannot be loaded: {reason}",
            "Install the package that brings it, or remove it from what names it.",
        )

    def initialize_failed(self, record: Record) -> FindingFacts:
        answer = _answer(record)
        return self._make(
            "module.initialize_failed",
            Severity.WARNING,
            f"{self._name} cannot be initialised: C_Initialize answered {answer}.",
            "Check that its daemon or service runs, and that the agent's user may use it.",
            answer=answer,
        )

    def wrote_stdout(self) -> FindingFacts:
        return self._make(
            "module.wrote_stdout",
            Severity.NOTICE,
            f"{self._name} writes to standard output, which corrupts the output of any program "
            "that uses it in a pipe. The inventory is not affected.",
        )

    def damaged(self) -> FindingFacts:
        return self._make(
            "module.wrote_foreign_file",
            Severity.WARNING,
            f"{self._name} wrote into a file that it did not open. What it told may be cut short.",
        )

    def listed_twice(self) -> FindingFacts:
        return self._make(
            "module.slot_listed_twice",
            Severity.NOTICE,
            f"{self._name} lists a slot more than once. It is shown once.",
        )

    def slot_list_changed(self) -> FindingFacts:
        return self._make(
            "module.slot_list_changed",
            Severity.NOTICE,
            f"{self._name} changed its list of slots while it was read. The slots of the first "
            "list are shown.",
            "Scan again if a reader or token was just plugged in or out; otherwise report it to "
            "the module's vendor.",
        )

    def absurd(self, record: Record) -> FindingFacts:
        function, what, count = (str(record.get(k)) for k in ("function", "absurd", "count"))
        return self._make(
            "module.absurd_count",
            Severity.WARNING,
            f"{self._name} claims {count} {what} in {function}, which is not believed. "
            "That list was not read.",
            slot=record.get("slot"),
            function=function,
            count=count,
        )

    def refused(self, record: Record) -> list[FindingFacts]:
        function, rv = str(record["refused"]), record.get("rv")
        if function == "C_Initialize" or (
            function == "C_GetTokenInfo" and rv == _CKR_TOKEN_NOT_PRESENT
        ):
            return []
        slot, answer = record.get("slot"), _answer(record)
        if function in _UNREADABLE_SLOT:
            return [self._slot_unreadable(function, slot, answer)]
        if function in _OBJECT_CALLS:
            return [self._objects_unreadable(function, slot, answer)]
        return [
            self._make(
                "module.call_failed",
                Severity.NOTICE,
                f"{self._name} answered {answer} to {function}.",
                function=function,
                answer=answer,
            )
        ]

    def _slot_unreadable(self, function: str, slot: int | None, answer: str) -> FindingFacts:
        return self._make(
            "slot.unreadable",
            Severity.WARNING,
            f"{self._name} cannot read its slot {slot}: {function} answered {answer}. "
            "Its other slots are unaffected.",
            "Check the device behind that slot.",
            slot=slot,
            function=function,
            answer=answer,
        )

    def _objects_unreadable(self, function: str, slot: int | None, answer: str) -> FindingFacts:
        return self._make(
            "token.objects_unreadable",
            Severity.NOTICE,
            f"{self._name} does not show the public objects in slot {slot}: {function} answered "
            f"{answer}.",
            "Nothing, if the token shows objects after a login only.",
            slot=slot,
            function=function,
            answer=answer,
        )

    def certificates_capped(self, record: Record) -> FindingFacts:
        return self._make(
            "token.certificates_capped",
            Severity.NOTICE,
            f"{self._name} holds {record['certificates_capped']} certificates in slot "
            f"{record.get('slot')}; only the first 500 are listed.",
            "Nothing, if it is a store of certificates; the count of objects is complete.",
            slot=record.get("slot"),
        )

    def unreadable_mechanisms(self, record: Record) -> list[FindingFacts]:
        numbers = [entry["number"] for entry in record["mechanisms"] if "rv" in entry]
        if not numbers:
            return []
        words = [f"0x{number:08x}" for number in numbers]
        return [
            self._make(
                "mechanism.unreadable",
                Severity.NOTICE,
                f"{self._name} lists mechanisms in slot {record.get('slot')} about which "
                f"C_GetMechanismInfo says nothing: {', '.join(words[:10])}.",
                slot=record.get("slot"),
                numbers=words[:100],
            )
        ]


def _answer(record: Record) -> str:
    return return_value_name(record["rv"])


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
