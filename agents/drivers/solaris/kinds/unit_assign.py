"""`unit.assign`: how many crypto units (and virtual CPUs) each logical domain has."""

from collections.abc import Mapping
from typing import Any, ClassVar

from agents.changes.base import ChangeKind, Reader, Seen
from agents.drivers.solaris.kinds import ldm_read
from agents.drivers.solaris.kinds.ldm_state import LdmState, unit_parts
from agents.drivers.solaris.kinds.unit_plan import KIND, plan_units
from agents.wire.changes import Plan


class UnitAssign(ChangeKind[LdmState]):
    """Sets the number of units per domain. ldm counts units and picks them itself."""

    name: ClassVar[str] = KIND

    def applies(self, reader: Reader) -> str:
        return ldm_read.why_not(reader)

    def read(self, reader: Reader, parameters: Mapping[str, Any]) -> Seen[LdmState]:
        state = ldm_read.read_units(reader)
        return Seen(state, unit_parts(state))

    def plan(self, parameters: Mapping[str, Any], seen: Seen[LdmState]) -> Plan:
        return plan_units(parameters, seen)
