"""prtconf: platform and memory."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.editions import MIB


def run(call: Call) -> int:
    """`prtconf [-b]`; return the exit code."""
    edition, domain = call.world.edition, call.world.control
    if "-b" in call.arguments:
        call.say(f"name:  {edition.platform}", f"banner-name:  {edition.title.split(',')[0]}")
        call.say("compatible: 'sun4v'")
        return 0
    call.say("System Configuration:  Sun Microsystems  sun4v")
    call.say(
        f"Memory size: {domain.memory // MIB} Megabytes", "System Peripherals (Software Nodes):"
    )
    call.say("", edition.platform)
    return 0
