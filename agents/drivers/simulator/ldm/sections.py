"""The sections of a domain's long listings, in the order in which ldm prints them."""

from collections.abc import Iterable

from agents.drivers.simulator.call import Call
from agents.drivers.simulator.ldm import figures, rows
from agents.drivers.simulator.world import Domain

_BY_FORMAT = {
    "core": ("CORE",),
    "cpu": ("VCPU",),
    "crypto": ("MAU",),
    "memory": ("MEMORY",),
    "disk": ("VDISK", "VDS"),
    "network": ("MAC", "VSW", "NETWORK"),
    "console": ("VCC", "VCONS"),
    "physio": ("IO",),
    "domain": ("MAC", "HOSTID", "UUID"),
}


def blank(call: Call) -> str:
    """Return the line between sections."""
    return " " if call.variant("ldm.blank") == "blank" else ""


def joined(call: Call, sections: Iterable[list[str]]) -> list[str]:
    """Return sections with a blank line between each two."""
    lines: list[str] = []
    for section in sections:
        lines += [blank(call), *section] if lines else section
    return lines


def text(call: Call, domain: Domain, wanted: list[str] | None = None) -> list[list[str]]:
    """Return the sections of a domain in text; `wanted`: only those of these formats."""
    found = {
        "UUID": _uuid(call, domain),
        "MAC": ["MAC", f"    {domain.mac}"],
        "HOSTID": ["HOSTID", f"    {domain.hostid}"],
        "CONTROL": _control(call),
        "CORE": _cores(call, domain),
        "VCPU": rows.vcpus(call, domain) if domain.is_bound else [],
        "MAU": rows.maus(call, domain),
        "MEMORY": _memory(call, domain),
        "VARIABLES": ["VARIABLES", f"    auto-boot?={'true' if domain.is_control else 'false'}"],
        "IO": _io(call, domain),
        **_services(domain),
    }
    return [lines for name, lines in found.items() if lines and _is_wanted(name, wanted)]


def _is_wanted(name: str, wanted: list[str] | None) -> bool:
    return wanted is None or any(name in _BY_FORMAT.get(word, ()) for word in wanted)


def _uuid(call: Call, domain: Domain) -> list[str]:
    return ["UUID", f"    {domain.uuid}"] if call.world.edition.ldm >= (2, 0) else []


def _control(call: Call) -> list[str]:
    if call.world.edition.ldm < (2, 0):
        return []
    lines = ["CONTROL", "    failure-policy=ignore"]
    if call.world.edition.ldm >= (3, 0):
        lines += ["    extended-mapin-space=off", "    cpu-arch=native", "    rc-add-policy="]
    return lines


def _cores(call: Call, domain: Domain) -> list[str]:
    found = rows.cores(call, domain)
    lines = [f"    {core:<6} {figures.cpuset(strands)}" for core, strands in found.items()]
    return ["CORE", "    CID    CPUSET", *lines] if lines else []


def _memory(call: Call, domain: Domain) -> list[str]:
    if not domain.is_bound:
        return []
    ra, pa = rows.real_address(call, domain)
    row = f"    {ra:<#16x} {pa:<#16x} {figures.size(domain.memory)}"
    return ["MEMORY", "    RA               PA               SIZE            ".rstrip(), row]


def _io(call: Call, domain: Domain) -> list[str]:
    if not domain.is_control:
        return []
    lines = [f"    {device:<16} {alias:<16}".rstrip() for device, alias in call.world.edition.buses]
    return ["IO", "    DEVICE           PSEUDONYM        OPTIONS", *lines]


def _services(domain: Domain) -> dict[str, list[str]]:
    if domain.is_control:
        return {
            "VCC": ["VCC", "    NAME             PORT-RANGE", "    primary-vcc0     5000-5100"],
            "VSW": [
                "VSW",
                "    NAME             MAC               NET-DEV   DEVICE     MODE",
                f"    primary-vsw0     {domain.mac} e1000g0   switch@0   prog,promisc",
            ],
            "VDS": [
                "VDS",
                "    NAME             VOLUME         OPTIONS          DEVICE",
                "    primary-vds0     vol-ldg1                        /dev/zvol/dsk/rpool/ldg1",
            ],
            "VCONS": ["VCONS", "    NAME             SERVICE", "    SP"],
        }
    disk = f"    vdisk0           vol-{domain.name}@primary-vds0"
    return {
        "NETWORK": [
            "NETWORK",
            "    NAME             SERVICE                     DEVICE     MAC",
            f"    vnet0            primary-vsw0@primary        network@0  {domain.mac}",
        ],
        "VDISK": ["DISK", "    NAME             VOLUME", disk],
        "VCONS": [
            "VCONS",
            "    NAME             SERVICE                     PORT",
            f"    {domain.name:<16} primary-vcc0@primary        {domain.cons}".rstrip(),
        ],
    }


def parseable(call: Call, domain: Domain, wanted: list[str] | None = None) -> list[str]:
    """Return the sections of a domain with -p; `wanted`: only those of these formats."""
    found = {
        "UUID": [f"UUID|uuid={domain.uuid}"] if call.world.edition.ldm >= (2, 0) else [],
        "MAC": [f"MAC|mac-addr={domain.mac}"],
        "HOSTID": [f"HOSTID|hostid={domain.hostid}"],
        "CONTROL": ["CONTROL|failure-policy=ignore"] if _control(call) else [],
        "CORE": _cores_parseable(call, domain),
        "VCPU": rows.vcpus_parseable(call, domain) if domain.is_bound else [],
        "MAU": rows.maus_parseable(call, domain),
        "MEMORY": _memory_parseable(call, domain),
        "VARIABLES": ["VARIABLES", f"|auto-boot?={'true' if domain.is_control else 'false'}"],
        "IO": _io_parseable(call, domain),
        **_services_parseable(domain),
    }
    kept = [lines for name, lines in found.items() if _is_wanted(name, wanted)]
    return [line for lines in kept for line in lines]


def _cores_parseable(call: Call, domain: Domain) -> list[str]:
    found = rows.cores(call, domain)
    lines = [f"|cid={core}|cpuset={','.join(map(str, s))}" for core, s in found.items()]
    return ["CORE", *lines] if lines else []


def _memory_parseable(call: Call, domain: Domain) -> list[str]:
    if not domain.is_bound:
        return []
    ra, pa = rows.real_address(call, domain)
    return ["MEMORY", f"|ra={ra:#x}|pa={pa:#x}|size={domain.memory}"]


def _io_parseable(call: Call, domain: Domain) -> list[str]:
    if not domain.is_control:
        return []
    return ["IO", *(f"|dev={device}|alias={alias}" for device, alias in call.world.edition.buses)]


def _services_parseable(domain: Domain) -> dict[str, list[str]]:
    if domain.is_control:
        switch = f"mac-addr={domain.mac}|net-dev=e1000g0|dev=switch@0|mode=prog,promisc"
        return {
            "VCC": ["VCC|name=primary-vcc0|nclients=3|port-range=5000-5100"],
            "VSW": [f"VSW|name=primary-vsw0|nclients=3|{switch}"],
            "VDS": [
                "VDS|name=primary-vds0|nclients=3",
                "|vol=vol-ldg1|opts=|dev=/dev/zvol/dsk/rpool/ldg1|mpgroup=",
            ],
            "VCONS": ["VCONS|type=SP"],
        }
    port = f"|port={domain.cons}" if domain.is_bound else ""
    return {
        "NETWORK": [
            f"VNET|name=vnet0|dev=network@0|service=primary-vsw0@primary|mac-addr={domain.mac}"
        ],
        "VDISK": [
            f"VDISK|name=vdisk0|vol=vol-{domain.name}@primary-vds0|dev=disk@0|server=primary"
        ],
        "VCONS": [f"VCONS|group={domain.name}|service=primary-vcc0@primary{port}"],
    }


def constraints(domain: Domain) -> list[list[str]]:
    """Return what is asked for, in text."""
    wanted = domain.wants()
    found = [
        ["DOMAIN", domain.name],
        ["VCPU", "    COUNT", f"    {wanted['vcpu']}"],
    ]
    if wanted["units"]:
        found.append(["MAU", "    COUNT", f"    {wanted['units']}"])
    found.append(["MEMORY", "    SIZE", f"    {figures.size(wanted['memory'])}"])
    return found


def constraints_parseable(domain: Domain) -> list[str]:
    """Return what is asked for, with -p."""
    wanted = domain.wants()
    lines = [f"DOMAIN|name={domain.name}", f"VCPU|count={wanted['vcpu']}"]
    lines += [f"MAU|count={wanted['units']}"] if wanted["units"] else []
    return [*lines, f"MEMORY|size={wanted['memory']}"]


def constraints_xml(domains: Iterable[Domain]) -> list[str]:
    """Return what is asked for as XML: virtual systems with one item per resource."""
    lines = ['<?xml version="1.0"?>', '<LDM_interface version="1.2">']
    for domain in domains:
        wanted = domain.wants()
        lines += [
            '  <data version="3.0">',
            "    <Envelope>",
            "      <References/>",
            f'      <Content xsi:type="ovf:VirtualSystem_Type" id="{domain.name}">',
        ]
        for name, number in (("cpu", wanted["vcpu"]), ("mau", wanted["units"])):
            lines += [
                '        <Section xsi:type="ovf:VirtualHardwareSection_Type">',
                "          <Item>",
                f"            <rasd:OtherResourceType>{name}</rasd:OtherResourceType>",
                f"            <rasd:AllocationUnits>{number}</rasd:AllocationUnits>",
                "          </Item>",
                "        </Section>",
            ]
        lines += ["      </Content>", "    </Envelope>", "  </data>"]
    return [*lines, "</LDM_interface>"]
