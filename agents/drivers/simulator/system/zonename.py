"""zonename: all programs run in the global zone of the control domain."""

from agents.drivers.simulator.call import Call


def run(call: Call) -> int:
    """`zonename`; return the exit code."""
    call.say("global")
    return 0
