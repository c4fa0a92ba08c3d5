"""The notices of a delayed reconfiguration, word for word as each version's guide has them."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.world import Domain

FRAME = "-" * 78

_INITIATING = {
    "1.2": (
        "Initiating delayed reconfigure operation on LDom {name}. All",
        "configuration changes for other LDoms are disabled until the",
        "LDom reboots, at which time the new configuration for LDom",
        "{name} will also take effect.",
    ),
    "3.x": (
        "Initiating a delayed reconfiguration operation on {name}.",
        "All configuration changes for other domains are disabled until {name}",
        "reboots, at which time the new configuration for {name} will also take",
        "effect.",
    ),
    "3.4": (
        "Initiating a delayed reconfiguration operation on the {name} domain.",
        "All configuration changes for other domains are disabled until the {name}",
        "domain reboots, at which time the new configuration for the {name} domain",
        "also takes effect.",
    ),
}
_IN_PROCESS = {
    "1.2": (
        FRAME,
        "Notice: LDom {name} is in the process of a delayed",
        "reconfiguration. Any changes made to this LDom will only take",
        "effect after it reboots.",
        FRAME,
    ),
    "3.x": (
        FRAME,
        "Notice: LDom {name} is in the process of a delayed reconfiguration.",
        "Any changes made to {name} will only take effect after it reboots.",
        FRAME,
    ),
    "3.4": (
        FRAME,
        "Notice: The {name} domain is in the process of a delayed reconfiguration.",
        "Any changes made to the {name} domain will only take effect after it reboots.",
        FRAME,
    ),
}
_CONFIGURATION_MODE = (
    FRAME,
    "Notice: the LDom Manager is running in configuration mode. Any ",
    "configuration changes made will only take effect after the machine",
    "configuration is downloaded to the system controller and the host",
    "is reset.",
    FRAME,
)


def initiating(call: Call, domain: Domain) -> None:
    """Say that this change starts a delayed reconfiguration."""
    call.notice(_worded(_INITIATING[call.variant("ldm.delayed")], domain))


def in_process(call: Call, domain: Domain) -> None:
    """Say that a delayed reconfiguration of the domain stands already."""
    call.notice(_worded(_IN_PROCESS[call.variant("ldm.delayed")], domain))


def configuration_mode(call: Call) -> None:
    """Say that the machine still runs as it was delivered: changes wait for a power cycle."""
    call.notice(_CONFIGURATION_MODE)


def _worded(lines: tuple[str, ...], domain: Domain) -> list[str]:
    return [line.format(name=domain.name) for line in lines]
