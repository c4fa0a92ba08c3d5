"""kssladm: the proxy's start and stop method, private to SMF; by hand it only shows its usage."""

from agents.drivers.simulator.call import Call

EXIT_CONFIGURATION = 96


def run(call: Call) -> int:
    """Return SMF's exit code for a wrong configuration, or that the device is not there."""
    if call.arguments[:1] not in (["create"], ["delete"]) or len(call.arguments) < 2:
        call.complain(
            "Usage:", "kssladm create -f pkcs11 [-d softtoken_directory] -T <token_label>"
        )
        return EXIT_CONFIGURATION
    call.complain("Cannot open /dev/kssl: Permission denied")
    return 1
