"""openssl: version and engines only; nothing on a simulated host is ever measured."""

from agents.drivers.simulator.call import Call


def run(call: Call) -> int:
    """`openssl version`, `openssl engine`; return the exit code."""
    is_new = call.world.edition.release == "5.11"
    word = call.arguments[0] if call.arguments else ""
    if word == "version":
        call.say("OpenSSL 1.0.0j 10 May 2012" if is_new else "OpenSSL 0.9.7d 17 Mar 2004")
    elif word == "engine":
        call.say(*(["(t4) SPARC T4 engine support"] if not call.world.edition.has_units else []))
        call.say("(dynamic) Dynamic engine loading support", "(pkcs11) PKCS #11 engine support")
    else:
        call.complain(f"openssl:Error: '{word}' is an invalid command on a simulated host.")
        return 1
    return 0
