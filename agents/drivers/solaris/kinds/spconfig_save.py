"""`spconfig.save`: keep the domains' configuration on the service processor under a new name."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, ChangeRefused, Reader, Seen
from agents.drivers.solaris import parts, validation
from agents.drivers.solaris.kinds import ldm_read
from agents.drivers.solaris.kinds.ldm_read import SpconfigState, spconfig_command
from agents.wire.changes import ChangeRequest, Phase, Plan, StepPlan
from agents.wire.inventory import Attribute

_SAVE_SECONDS = 300
_STAYS = "A saved configuration is not taken back: remove it with `ldm remove-spconfig`."
_NOTHING = (
    "Nothing to do: {name} is saved and is what the next power-on loads. What was changed since "
    "then is not in it; take another name for that."
)


class SpconfigSave(ChangeKind[SpconfigState]):
    """Saves what ldm has in memory. A name that is there already is refused, never overwritten."""

    name: ClassVar[str] = "spconfig.save"

    def applies(self, reader: Reader) -> str:
        return ldm_read.why_not(reader)

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[SpconfigState]:
        state = ldm_read.read_spconfig(reader)
        seen: dict[str, Attribute] = {
            parts.SPCONFIG_NAMES: sorted(state.names),
            parts.SPCONFIG_CURRENT: state.current,
        }
        return Seen(state, seen)

    def plan(self, parameters: Mapping[str, Any], seen: Seen[SpconfigState]) -> Plan:
        validation.only_keys(parameters, ("name",))
        name = validation.spconfig_name(parameters.get("name"))
        state = seen.state
        is_noop = name in state.names and name == state.newest
        if name in state.names and not is_noop:
            raise ChangeRefused(
                "spconfig.exists",
                f"There is a configuration {name} already.",
                "Take another name; Keyrack overwrites none.",
                name,
            )
        before, after = sorted(state.names), sorted({*state.names, name})
        step = StepPlan(
            title=f"Save the configuration as {name}",
            argv=[state.program, spconfig_command(state.version, "add"), name],
            undo_argv=[state.program, spconfig_command(state.version, "remove"), name],
            before={parts.SPCONFIG_NAMES: list(before)},
            after={parts.SPCONFIG_NAMES: list(after)},
            timeout_seconds=_SAVE_SECONDS,
        )
        return Plan(
            request=ChangeRequest(kind=self.name, parameters=dict(parameters)),
            sentence=_NOTHING.format(name=name)
            if is_noop
            else f"Save the domains' configuration as {name}.",
            parts={parts.SPCONFIG_NAMES: seen.parts[parts.SPCONFIG_NAMES]},
            phases=[] if is_noop else [Phase(title=step.title, steps=[step])],
            ends={parts.SPCONFIG_NAMES: list(after)},
            is_noop=is_noop,
            warnings=[]
            if is_noop
            else [f"The next power cycle starts with {name}, whichever was to be loaded before."],
            rollback_reason=_STAYS,
        )
