"""pktool tokens: labels are cut at 30 signs."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.cryptoadm.metaslot import is_offered
from agents.drivers.simulator.cryptoadm.slots import MAKER
from agents.drivers.simulator.hostfiles import SOFTTOKEN_LABEL


def run(call: Call) -> int:
    """`pktool tokens`; return the exit code."""
    if call.arguments != ["tokens"]:
        call.complain(
            "Usage:", "   pktool -?\t(help and usage)", "   pktool subcommand [options...]"
        )
        return 0 if call.arguments == ["-?"] else 1
    call.say(_row("Token Label", "Manuf ID", "Serial No", "PIN State"))
    labels = (["Sun Metaslot"] if is_offered(call) else []) + [SOFTTOKEN_LABEL]
    call.say(*(_row(label, MAKER, "", "default") for label in labels))
    return 0


def _row(label: str, maker: str, serial: str, pin: str) -> str:
    return f"{label:<30.30}  {maker:<15.15}  {serial:<15.15}  {pin:<10.10}"
