"""What a domain consists of, section by section, in text and with -p; shared by all listings."""

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.ldm import figures
from agents.drivers.simulator.world import Domain

_WRAP_AT = 16


def heading(call: Call) -> str:
    """Return the header row of `ldm list`."""
    norm = "NORM  " if call.variant("ldm.norm") == "yes" else ""
    return f"NAME             STATE      FLAGS   CONS    VCPU  MEMORY   UTIL  {norm}UPTIME"


def summary(call: Call, domain: Domain) -> str:
    """Return a domain's row of `ldm list`. One that does not run has neither UTIL nor UPTIME."""
    cons = "SP" if domain.is_control else (domain.cons if domain.is_bound else "")
    row = f"{domain.name:<16} {domain.state:<10} {figures.flags(domain):<7} {cons:<7} "
    row += f"{domain.vcpu:<5} {figures.size(domain.memory):<8}"
    if not domain.is_active:
        return row.rstrip()
    load = f"{figures.load(domain):.1f}%"
    norm = f"{load:<5} " if call.variant("ldm.norm") == "yes" else ""
    return f"{row} {load:<5} {norm}{figures.uptime(domain)}"


def record(call: Call, domain: Domain, *, has_words: bool) -> str:
    """Return a domain's DOMAIN line with -p; `has_words`: flags in words, and the softstate."""
    flags = figures.flag_words(domain) if has_words else figures.flags(domain)
    cons = "SP" if domain.is_control else (domain.cons if domain.is_bound else "")
    fields = [f"name={domain.name}", f"state={domain.state}", f"flags={flags}", f"cons={cons}"]
    fields += [f"ncpu={domain.vcpu}", f"mem={domain.memory}"]
    if domain.is_active:
        fields += [f"util={_load(call, domain)}", f"uptime={figures.uptime_seconds(domain)}"]
        if call.variant("ldm.norm") == "yes":
            fields.append(f"norm_util={_load(call, domain)}")
    else:
        fields += ["util=", "uptime="]
    if has_words:
        fields.append(f"softstate={softstate(domain)}")
    return "|".join(["DOMAIN", *fields])


def softstate(domain: Domain) -> str:
    """Return what the guest says of itself."""
    return "Solaris running" if domain.is_active else ""


def section_name(call: Call) -> str:
    """Return the name of the section of crypto units."""
    return call.variant("ldm.section").upper()


def maus(call: Call, domain: Domain) -> list[str]:
    """Return the section of crypto units in text; none where the domain has none."""
    if not domain.maus:
        return []
    has_ids = call.variant("ldm.mau_ids") == "yes"
    lines = [section_name(call), "    ID     CPUSET" if has_ids else "    CPUSET"]
    for unit in sorted(domain.maus):
        lead = f"    {unit:<7}" if has_ids else "    "
        lines += wrapped(call, lead, call.world.edition.core_set(unit))
    return lines


def wrapped(call: Call, lead: str, strands: list[int], tail: str = "") -> list[str]:
    """Return a row with a CPUSET, in two lines where it is long and the variant wraps it."""
    text = figures.cpuset(strands)
    if call.variant("ldm.wrap") == "no" or len(text) <= _WRAP_AT:
        return [f"{lead}{text}{tail}".rstrip()]
    cut = text.rfind(" ", 0, len(text) // 2 + 2)
    rest = f"{' ' * len(lead)}{text[cut + 1 :]}"
    return [f"{lead}{text[:cut]}", f"{rest}{tail}".rstrip()]


def mau_record(call: Call, unit: int) -> str:
    """Return the keys of a unit with -p."""
    strands = ",".join(map(str, call.world.edition.core_set(unit)))
    keys = {
        "id_cpuset": f"|id={unit}|cpuset={strands}",
        "cpuset": f"|cpuset={strands}",
        "id_strands": f"|id={unit}|strands={strands}",
    }
    return keys[call.variant("ldm.mau_keys")]


def maus_parseable(call: Call, domain: Domain) -> list[str]:
    """Return the section of crypto units with -p."""
    rows = [mau_record(call, unit) for unit in sorted(domain.maus)]
    return [section_name(call), *rows] if rows else []


def vcpus(call: Call, domain: Domain) -> list[str]:
    """Return the VCPU section in text."""
    threads = call.world.edition.threads
    has_cores = call.world.edition.ldm >= (2, 0)
    norm = "NORM " if call.variant("ldm.norm") == "yes" else ""
    core = "CID    " if has_cores else ""
    lines = ["VCPU", f"    VID    PID    {core}UTIL {norm}STRAND"]
    for number, strand in enumerate(domain.strands):
        util = f"{figures.load(domain, strand):.1f}%"
        lead = f"    {number:<6} {strand:<6} "
        lead += f"{strand // threads:<6} " if has_cores else ""
        lines.append(f"{lead}{util:<4} {util + ' ' if norm else ''}  100%")
    return lines


def vcpus_parseable(call: Call, domain: Domain) -> list[str]:
    """Return the VCPU section with -p."""
    threads = call.world.edition.threads
    lines = ["VCPU"]
    for number, strand in enumerate(domain.strands):
        core = f"|cid={strand // threads}" if call.world.edition.ldm >= (2, 0) else ""
        util = _load(call, domain, strand)
        norm = f"|norm_util={util}" if call.variant("ldm.norm") == "yes" else ""
        lines.append(f"|vid={number}|pid={strand}{core}|util={util}{norm}|strand=100")
    return lines


def cores(call: Call, domain: Domain) -> dict[int, list[int]]:
    """Return the domain's strands by core; empty before 2.0, which knows no cores."""
    found: dict[int, list[int]] = {}
    if call.world.edition.ldm >= (2, 0):
        for strand in domain.strands:
            found.setdefault(strand // call.world.edition.threads, []).append(strand)
    return found


def real_address(call: Call, domain: Domain) -> tuple[int, int]:
    """Return (real, physical) address of a domain's memory: one stretch behind the other."""
    start = 0x8000000
    for other in call.world.domains.values():
        if other.name == domain.name:
            break
        start += other.memory if other.is_bound else 0
    return 0x8000000, start


def _load(call: Call, domain: Domain, strand: int | None = None) -> str:
    figure = f"{figures.load(domain, strand):.1f}"
    return {"plain": figure, "percent": f"{figure}%", "none": ""}[call.variant("ldm.util")]
