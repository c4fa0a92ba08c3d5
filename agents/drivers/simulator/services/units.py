"""SMF's instances: what there is from the start, their states, and how a start method ends."""

import time
from typing import Any

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.editions import Edition

PROXY = "svc:/network/ssl/proxy"
SOCKET_FILTER = "svc:/network/socket-filter:kssl"
CRYPTO = "svc:/system/cryptosvc:default"
LDMD = "svc:/ldoms/ldmd:default"
DRD = "svc:/platform/sun4v/drd:default"
TRANSIENT = frozenset({"online", "maintenance", "disabled", "offline"})


def has_kssl(edition: Edition) -> bool:
    """Return whether the kernel SSL proxy is there: Solaris 10 and 11 up to 11.3."""
    return edition.release == "5.10" or edition.solaris < "11.4"


def first_services(edition: Edition) -> dict[str, dict[str, Any]]:
    """Return the instances that a machine is delivered with."""
    boot = time.time() - 22 * 3600
    found = {
        CRYPTO: {"state": "online", "since": boot},
        LDMD: {"state": "online", "since": boot},
        DRD: {"state": "online", "since": boot},
        "svc:/network/ssh:default": {"state": "online", "since": boot},
    }
    if has_kssl(edition):
        found[f"{PROXY}:default"] = {"state": "disabled", "since": boot, "is_template": True}
        found[SOCKET_FILTER] = {"state": "disabled", "since": boot}
    return found


def instances(call: Call) -> dict[str, dict[str, Any]]:
    """Return name → instance of all that can be seen, under the names that this machine has."""
    renamed = {LDMD: call.variant("smf.ldmd")}
    return {
        renamed.get(name, name): service
        for name, service in call.world.services.items()
        if not service.get("is_template")
    }


def matching(call: Call, pattern: str) -> list[str]:
    """Return the instances that a word names: an FMRI, the end of one, or a service of several."""
    word = pattern.removeprefix("svc:/").removeprefix("svc:")
    found = []
    for name in instances(call):
        short = name.removeprefix("svc:/")
        service, _, instance = short.partition(":")
        is_end = short.endswith(f"/{word}") or service.endswith(f"/{word}")
        if word in (short, service, instance) or is_end:
            found.append(name)
    return found


def stime(service: dict[str, Any]) -> str:
    """Return `12:01:33` for today, else `Sep_27`."""
    moment = time.localtime(service["since"])
    if time.time() - service["since"] < 24 * 3600:
        return time.strftime("%H:%M:%S", moment)
    return f"{time.strftime('%b', moment)}_{moment.tm_mday:02d}"


def set_state(call: Call, name: str, state: str) -> None:
    """Put an instance into a state, from now on."""
    real = LDMD if name == call.variant("smf.ldmd") else name
    call.world.services[real] |= {"state": state, "since": time.time()}
