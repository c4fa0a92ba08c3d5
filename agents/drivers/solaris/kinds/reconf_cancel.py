"""`reconf.cancel`: drop a domain's delayed reconfiguration and all that waits in it."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, ChangeRefused, Reader, Seen
from agents.drivers.solaris import parts, validation
from agents.drivers.solaris.kinds import ldm_read
from agents.drivers.solaris.kinds.ldm_state import LdmState, cancel_reconf_argv, unit_parts
from agents.wire.changes import (
    ChangeRequest,
    Consequence,
    ConsequenceKind,
    Phase,
    Plan,
    Risk,
    StepPlan,
)

_NO_WAY_BACK = "What waited in the reconfiguration is dropped and has to be asked for again."


class ReconfCancel(ChangeKind[LdmState]):
    """Ends a pending delayed reconfiguration without the reboot."""

    name: ClassVar[str] = "reconf.cancel"

    def applies(self, reader: Reader) -> str:
        return ldm_read.why_not(reader)

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[LdmState]:
        state = ldm_read.read_units(reader)
        return Seen(state, unit_parts(state))

    def plan(self, parameters: Mapping[str, Any], seen: Seen[LdmState]) -> Plan:
        validation.only_keys(parameters, ("domain",))
        name = validation.domain_name(parameters.get("domain"), "domain")
        domain = seen.state.domains.get(name)
        if domain is None:
            raise ChangeRefused("domain.unknown", f"There is no domain {name} here.", "", name)
        part = parts.domain_reconfiguration(name)
        step = StepPlan(
            title=f"Drop the delayed reconfiguration of {name}",
            argv=cancel_reconf_argv(seen.state.program, seen.state.version, name),
            undo_reason=_NO_WAY_BACK,
            before={part: parts.PENDING},
            after={part: parts.NONE},
        )
        dropped = Consequence(
            kind=ConsequenceKind.DELETE.value,
            subject=name,
            text=f"All changes of {name} that wait for its reboot are dropped.",
        )
        is_noop = not domain.is_pending
        return Plan(
            request=ChangeRequest(kind=self.name, parameters=dict(parameters)),
            sentence=f"Nothing to do: no delayed reconfiguration of {name} waits."
            if is_noop
            else f"Drop the delayed reconfiguration of {name}.",
            parts={part: seen.parts[part]},
            phases=[] if is_noop else [Phase(title=step.title, steps=[step])],
            ends={part: parts.NONE},
            consequences=[] if is_noop else [dropped],
            risk=Risk.MEDIUM.value,
            is_noop=is_noop,
            rollback_reason=_NO_WAY_BACK,
        )
