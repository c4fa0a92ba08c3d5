"""list-domain, list-bindings, list-constraints and -V."""

from agents.drivers.simulator.call import Call, take_flags
from agents.drivers.simulator.ldm import rows, sections
from agents.drivers.simulator.ldm.refusal import Refused, domain_get
from agents.drivers.simulator.world import Domain

_FORMATS = frozenset(
    {"console", "core", "cpu", "crypto", "disk", "domain", "memory", "network"}
) | {
    "physio",
    "resmgmt",
    "serial",
    "stats",
    "status",
}

_PROTOCOLS: dict[tuple[int, ...], str] = {(1, 1): "1.2", (1, 2): "1.3", (1, 3): "1.3"}


def list_domains(call: Call, words: list[str]) -> None:
    """`ldm list [-e] [-l] [-o format] [-p] [ldom …]`."""
    wanted, words = _format(words)
    flags, domains = _chosen(call, words, "elpS")
    if wanted:
        _list_format(call, domains, wanted, "p" in flags)
        return
    is_long = "l" in flags or "e" in flags
    if "p" in flags:
        call.say(f"VERSION {call.world.edition.ldm_protocol}")
        for domain in domains:
            call.say(rows.record(call, domain, has_words=is_long))
            if is_long:
                call.say(*sections.parseable(call, domain))
        return
    if not is_long:
        call.say(rows.heading(call), *(rows.summary(call, domain) for domain in domains))
        return
    _long(call, domains, has_softstate=True)


def list_bindings(call: Call, words: list[str]) -> None:
    """`ldm list-bindings [-e] [-p] [ldom …]`."""
    flags, domains = _chosen(call, words, "ep")
    if "p" not in flags:
        _long(call, domains, has_softstate=False)
        return
    has_words = call.variant("ldm.bindings_flags") == "words"
    call.say(f"VERSION {call.world.edition.ldm_protocol}")
    for domain in domains:
        call.say(rows.record(call, domain, has_words=has_words))
        call.say(*sections.parseable(call, domain))


def list_constraints(call: Call, words: list[str]) -> None:
    """`ldm list-constraints [-x] [-p] [ldom …]`: what is asked for, not what is bound."""
    flags, domains = _chosen(call, words, "epx")
    if "x" in flags:
        call.say(*sections.constraints_xml(domains))
        return
    if "p" in flags:
        call.say(f"VERSION {call.world.edition.ldm_protocol}")
        for domain in domains:
            call.say(*sections.constraints_parseable(domain))
        return
    for index, domain in enumerate(domains):
        if index:
            call.say(sections.blank(call))
        call.say(*sections.joined(call, sections.constraints(domain)))


def version(call: Call, _words: list[str]) -> None:
    """`ldm -V`."""
    edition = call.world.edition
    number = ".".join(map(str, edition.ldm))
    protocol = _PROTOCOLS.get(edition.ldm, "1.7")
    call.say(
        sections.blank(call),
        f"Logical Domain Manager (v {number})"
        if edition.ldm < (2, 0)
        else f"Logical Domains Manager (v {number})",
        f"   Hypervisor control protocol v {protocol}",
        "   Using Hypervisor MD v 0.1" if edition.ldm < (1, 3) else "   Using Hypervisor MD v 1.3",
        sections.blank(call),
        "System PROM:",
        "   Hypervisor  v. 1.7.3.    @(#)Hypervisor 1.7.3. 2009/06/10 08:12",
        "   OpenBoot    v. 4.30.3.   @(#)OBP 4.30.3. 2009/06/08 13:27",
    )


def _long(call: Call, domains: list[Domain], *, has_softstate: bool) -> None:
    for index, domain in enumerate(domains):
        if index:
            call.say("-" * 78)
        call.say(rows.heading(call), rows.summary(call, domain), sections.blank(call))
        if has_softstate and domain.is_active:
            call.say("SOFTSTATE", rows.softstate(domain), sections.blank(call))
        call.say(*sections.joined(call, sections.text(call, domain)))
        call.say(sections.blank(call))


def _list_format(call: Call, domains: list[Domain], wanted: list[str], is_parseable: bool) -> None:
    if is_parseable:
        call.say(f"VERSION {call.world.edition.ldm_protocol}")
        for domain in domains:
            call.say(f"DOMAIN|name={domain.name}|")
            call.say(*sections.parseable(call, domain, wanted))
        return
    for domain in domains:
        if call.variant("ldm.o_crypto") == "name":
            call.say("NAME", domain.name)
        else:
            call.say(rows.heading(call), rows.summary(call, domain))
        call.say(sections.blank(call))
        call.say(*sections.joined(call, sections.text(call, domain, wanted)))
        call.say(sections.blank(call))


def _format(words: list[str]) -> tuple[list[str], list[str]]:
    """Take `-o format[,format…]` out of the words. Raises Refused."""
    if "-o" not in words:
        return [], words
    place = words.index("-o")
    if place + 1 >= len(words):
        raise Refused("Option -o requires a format")
    wanted = words[place + 1].split(",")
    for name in wanted:
        if name not in _FORMATS:
            raise Refused(f"Invalid format {name}")
    return wanted, words[:place] + words[place + 2 :]


def _chosen(call: Call, words: list[str], known: str) -> tuple[set[str], list[Domain]]:
    try:
        flags, names = take_flags(words, known)
    except ValueError as error:
        raise Refused(f"Invalid option -{error}") from error
    if not names:
        return flags, list(call.world.domains.values())
    return flags, [domain_get(call, name) for name in names]
