"""The kernel SSL proxy's start method: whether a key loads, and what its log says."""

import time
from typing import Any

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.cryptoadm.metaslot import is_offered
from agents.drivers.simulator.hostfiles import SOFTTOKEN_LABEL
from agents.drivers.simulator.world import write_atomically

LOGS = "var/svc/log"


def loads(call: Call, service: dict[str, Any]) -> bool:
    """Run the start method of an instance: return whether its key was loaded; write its log."""
    fault = _fault(call, service["options"])
    said = fault or "1 certificates read successfully\nSuccessfully loaded cert and key"
    moment = time.strftime("%b %e %H:%M:%S")
    code = "1" if fault else "0"
    lines = [
        f'[ {moment} Executing start method ("{service["command"]}"). ]',
        said,
        f'[ {moment} Method "start" exited with status {code}. ]',
    ]
    folder = call.world.root / LOGS
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / f"network-ssl-proxy:{service['instance']}.log"
    older = file.read_text("utf-8") if file.exists() else ""
    write_atomically(file, older + "\n".join(lines) + "\n", 0o644)
    return not fault


def _fault(call: Call, options: dict[str, str]) -> str:
    """Return what kssladm says where the key cannot be loaded; empty where it can."""
    if options["f"] != "pkcs11":
        file = call.world.root / options["i"].lstrip("/")
        return "" if file.exists() else f"Unable to read cert and/or key from {options['i']}"
    password = options.get("p", "")
    if password and not (call.world.root / password.lstrip("/")).exists():
        return "Unable to open password file for reading"
    if options["T"] not in (SOFTTOKEN_LABEL, "Sun Metaslot"):
        return "Cannot login to the token. error = CKR_TOKEN_NOT_PRESENT"
    is_old = call.world.edition.release == "5.10" and call.variant("kssl.boots_fail") == "s10"
    if is_old and options["T"] == SOFTTOKEN_LABEL and is_offered(call):
        return "Error loading cert and key: 0x5"
    return ""
