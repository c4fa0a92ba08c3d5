"""The matrix page of the largest hosts there could be, in a real browser: its longest frame.

What the browser does is in matrix.mjs; frames are those that the page itself sees.
"""

import json
import subprocess
from typing import Any

import httpx

from agents.wire.inventory import (
    ChangeKindFacts,
    DomainFacts,
    Facts,
    HostFacts,
    UnitFacts,
    UnitKind,
)
from console.config.env import ROOT
from tests.load.report import Row
from tests.load.server import BenchConsole, Server, enrolled_host, serving

UNITS, DOMAINS, STRANDS = 256, 64, 8
MOST_MS = 50.0
_MINUTES = 5


def measure(console: BenchConsole) -> list[Row]:
    """Scroll and edit the matrix of a host whose units are counted, and of one with addresses."""
    password = console.manage("user_create", "matrix", "--role", "operator").splitlines()[-1]
    with serving(console, "asgi") as server:
        hosts = {
            mode: _host(console, server, mode, facts)
            for mode, facts in (("counted", counted_facts()), ("addressed", addressed_facts()))
        }
        return [_row(mode, _browse(server, password, host)) for mode, host in hosts.items()]


def counted_facts() -> Facts:
    """Return a host as LDoms has it: each core has one unit and strands of two domains."""
    per_domain = UNITS // DOMAINS
    units = [
        UnitFacts(
            key=f"mau:{core * STRANDS}-{core * STRANDS + STRANDS - 1}",
            kind=UnitKind.MAU.value,
            name=f"Crypto unit of core {core}",
            is_assignable=True,
            domain_key=None if core % 2 else _name(core // per_domain),
            features=["MAU", "CWQ"],
            attributes={
                "core": str(core),
                "cpuset": [str(core * STRANDS + strand) for strand in range(STRANDS)],
                "can_serve": sorted({_name(core // per_domain), _name(_next(core // per_domain))}),
            },
        )
        for core in range(UNITS)
    ]
    return _facts("counted", "solaris", "ldom", units, {"max_units": 2 * per_domain})


def addressed_facts() -> Facts:
    """Return a host with virtual functions, each of which any guest could have."""
    units = [
        UnitFacts(
            key=f"vf:0000:{index // 32:02x}:{index % 32:02x}.0",
            kind=UnitKind.QAT_VF.value,
            name=f"0000:{index // 32:02x}:{index % 32:02x}.0",
            is_assignable=True,
            domain_key=None if index % 3 else _name(index % DOMAINS),
        )
        for index in range(UNITS)
    ]
    return _facts("addressed", "linux", "libvirt", units, {})


def _name(number: int) -> str:
    return "primary" if number == 0 else f"ldg{number}"


def _next(number: int) -> int:
    return (number + 1) % DOMAINS


def _facts(
    name: str, platform: str, kind: str, units: list[UnitFacts], more: dict[str, Any]
) -> Facts:
    attributes = {"vcpu": 8 * UNITS // DOMAINS, "reconfiguration": "none", **more}
    return Facts(
        host=HostFacts(hostname=f"bench-{name}", platform=platform, cpu_count=UNITS * STRANDS),
        units=units,
        domains=[
            DomainFacts(
                key=_name(number),
                name=_name(number),
                kind=kind,
                state="active",
                attributes={**attributes, "is_control": number == 0},
            )
            for number in range(DOMAINS)
        ],
        changes=[ChangeKindFacts(name="unit.assign", is_accepted=True)],
    )


def _host(console: BenchConsole, server: Server, mode: str, facts: Facts) -> str:
    """Enrol it as its agent would; return its id."""
    enrolled_host(console, server, facts)
    headers = {"Authorization": f"Bearer {console.token}"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=30) as client:
        found = client.get("/api/v1/hosts/", params={"search": f"bench-{mode}"})
        matrix = f"/api/v1/hosts/{found.raise_for_status().json()['results'][0]['id']}/matrix/"
        shown = client.get(matrix).raise_for_status().json()
    if (shown["mode"], len(shown["units"]), len(shown["domains"])) != (mode, UNITS, DOMAINS):
        raise RuntimeError(f"the console shows another matrix of bench-{mode} than was sent")
    return str(shown["host"]["id"])


def _browse(server: Server, password: str, host: str) -> dict[str, Any]:
    """Let Chromium use the page; return what matrix.mjs found."""
    wanted = {"url": server.url, "user": "matrix", "password": password, "host": host}
    output = subprocess.run(
        [ROOT / ".tools/bin/node", ROOT / "tests/load/matrix.mjs"],
        input=json.dumps(wanted),
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        timeout=60 * _MINUTES,
    ).stdout
    found: dict[str, Any] = json.loads(output)
    return found


def _row(mode: str, found: dict[str, Any]) -> Row:
    """A frame is late also when the machine is busy with others: only the page's own work tells."""
    longest, work = max(found["longest_ms"].values()), max(found["work_ms"].values())
    each = ", ".join(
        f"{name} {ms:.0f} (work {found['work_ms'][name]:.0f})"
        for name, ms in found["longest_ms"].items()
    )
    return Row(
        name=f"longest frame of the matrix page, {UNITS} units × {DOMAINS} domains, {mode}",
        measured=f"{longest:.0f} ms of {found['frames']} frames; "
        f"the page's own work between two frames at most {work:.0f} ms",
        promise=f"≤ {MOST_MS:.0f} ms",
        is_met=round(longest) <= MOST_MS or (False if work > MOST_MS else None),
        how=f"headless Chromium, 1440 × 900; the longest while, in ms: {each}; "
        f"cells drawn at once: {found['cells']}",
    )
