"""ksslcfg: makes and deletes instances of the kernel SSL proxy; keys load later, or do not."""

import time

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.services.proxy import loads
from agents.drivers.simulator.services.units import PROXY, SOCKET_FILTER, has_kssl

EXIT_USAGE, EXIT_ANY_EXISTS = 2, 3
USAGE = (
    "Usage:",
    "ksslcfg create -f pkcs11 [-d softtoken_directory] -T <token_label> -C <certificate_label> "
    "-x <proxy_port> [-h <ca_certchain_file>] [options] [<server_address>] <server_port>",
    "ksslcfg create -f pkcs12 -i <cert_and_key_pk12file> -x <proxy_port> [options] "
    "[<server_address>] <server_port>",
    "ksslcfg create -f pem -i <cert_and_key_pemfile> -x <proxy_port> [options] "
    "[<server_address>] <server_port>",
    "options are:",
    "\t[-c <ciphersuites>]",
    "\t[-p <password_file>]",
    "\t[-t <ssl_session_cache_timeout>]",
    "\t[-u <username>]",
    "\t[-z <ssl_session_cache_size>]",
    "\t[-v]",
    "ksslcfg delete [-v] [<server_address>] <server_port>",
    "ksslcfg -V",
    "ksslcfg -?",
)
_VALUES = "fdTCxhicptuz"
_ANY = "INADDR_ANY"


def run(call: Call) -> int:
    """Run one command line of ksslcfg; return its exit code."""
    if not has_kssl(call.world.edition):
        call.complain("ksslcfg: not found")
        return 127
    verb, *words = call.arguments or [""]
    if verb == "-V":
        call.say("Version 2.0")
        return 0
    if verb == "-?":
        return _usage(call, 0)
    if verb not in ("create", "delete"):
        if verb and not verb.startswith("-"):
            call.complain(f"Error: Unknown subcommand -- {verb}")
        return _usage(call, EXIT_USAGE)
    try:
        options, operands = _options(words)
    except ValueError:
        return _usage(call, EXIT_USAGE)
    if not 1 <= len(operands) <= 2:
        return _usage(call, EXIT_USAGE)
    if not _is_port(operands[-1]):
        call.complain(f"Error: Invalid port value -- {operands[-1]}")
        return 1
    return (_create if verb == "create" else _delete)(call, options, operands)


def _usage(call: Call, code: int) -> int:
    call.complain(*USAGE)
    return code


def _options(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return (options, operands) as getopt does. Raises ValueError."""
    options: dict[str, str] = {}
    rest = list(words)
    while rest and rest[0].startswith("-") and len(rest[0]) > 1:
        word = rest.pop(0)
        letter, glued = word[1], word[2:]
        if letter == "v":
            options["v"] = ""
        elif letter in _VALUES and (glued or rest):
            options[letter] = glued or rest.pop(0)
        else:
            raise ValueError(letter)
    return options, rest


def _is_port(text: str) -> bool:
    return text.isdigit() and 1 <= int(text) <= 65535


def _create(call: Call, options: dict[str, str], operands: list[str]) -> int:
    needed = {"pkcs11": "TC", "pkcs12": "i", "pem": "i"}.get(options.get("f", ""))
    if needed is None or "x" not in options or any(letter not in options for letter in needed):
        return _usage(call, EXIT_USAGE)
    if not _is_port(options["x"]):
        call.complain(f"Error: Invalid proxy port value {options['x']}")
        return EXIT_USAGE
    instance = _instance(operands)
    any_instance = f"kssl-{_ANY}-{operands[-1]}"
    if instance != any_instance and f"{PROXY}:{any_instance}" in call.world.services:
        call.complain(
            f"Error: INADDR_ANY instance exists. Can not create a new instance {instance}."
        )
        return EXIT_ANY_EXISTS
    name = f"{PROXY}:{instance}"
    if name in call.world.services:
        call.say(f"Note: reconfiguring the existing instance {instance}.")
    place = " ".join(operands)
    service = {
        "state": "offline",
        "since": time.time(),
        "instance": instance,
        "options": options,
        "command": f"/usr/lib/kssladm create {_flags(options)}{place}",
        "stop": f"/usr/lib/kssladm delete {place}",
        "user": options.get("u", "root"),
    }
    call.world.services[name] = service
    call.world.services[SOCKET_FILTER] |= {"state": "online", "since": time.time()}
    # It is enabled without waiting: exit 0 says nothing of the key, which loads (or not) now.
    service["state"] = "online" if loads(call, service) else "maintenance"
    return 0


def _flags(options: dict[str, str]) -> str:
    words = []
    for letter, value in options.items():
        if letter in "fdTChicptzx":
            words.append(f'-{letter} "{value}"' if letter in "TC" else f"-{letter} {value}")
    return "".join(f"{word} " for word in words)


def _delete(call: Call, _options: dict[str, str], operands: list[str]) -> int:
    """Delete an instance; one that is not there is silent success."""
    call.world.services.pop(f"{PROXY}:{_instance(operands)}", None)
    if not any(name.startswith(f"{PROXY}:kssl-") for name in call.world.services):
        call.world.services[SOCKET_FILTER] |= {"state": "disabled", "since": time.time()}
    return 0


def _instance(operands: list[str]) -> str:
    """Return `kssl-www-example-net-443`: dots become dashes, so it cannot be read back."""
    host = operands[0].replace(".", "-") if len(operands) == 2 else _ANY
    return f"kssl-{host}-{operands[-1]}"
