"""svcadm: enable, disable, refresh, restart and clear; commands return before the state changes."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.services.proxy import loads
from agents.drivers.simulator.services.units import CRYPTO, PROXY, instances, matching, set_state

_VERBS = ("enable", "disable", "refresh", "restart", "clear")


def run(call: Call) -> int:
    """`svcadm <verb> [-rst] fmri …`; return the exit code."""
    verb, *rest = call.arguments or [""]
    names = [word for word in rest if not word.startswith("-")]
    if verb not in _VERBS or not names:
        call.complain("Usage: svcadm [-S <state>] [-v] [cmd [args ... ]]")
        return 2
    for word in names:
        found = matching(call, word)
        if not found:
            call.complain(f"svcadm: Pattern '{word}' doesn't match any instances")
            return 1
        for name in found:
            _change(call, verb, name)
    return 0


def _change(call: Call, verb: str, name: str) -> None:
    state = instances(call)[name]["state"]
    if verb == "refresh":
        if name == CRYPTO:
            from agents.drivers.simulator.cryptoadm.conffiles import read_kernel

            for provider, entry in read_kernel(call.world).items():
                call.world.kernel_policy[provider] = list(entry.listed)
        return
    if verb == "disable":
        set_state(call, name, "disabled")
    elif verb == "restart" and state == "disabled":
        return
    elif verb == "clear" and state != "maintenance":
        call.complain(f'svcadm: Instance "{name}" is not in a maintenance or degraded state.')
    else:
        is_fine = not name.startswith(PROXY) or loads(call, instances(call)[name])
        set_state(call, name, "online" if is_fine else "maintenance")
