"""IBM Z crypto cards and queues on the AP bus, and vfio_ap's mediated devices. Reads sysfs only.

Names and formats: drivers/s390/crypto of the kernel, Documentation/arch/s390/vfio-ap.rst.
"""

import re
from dataclasses import dataclass, field

from agents.drivers.linux.tree import Tree
from agents.parsers.linux.ap import (
    parse_ap_domains,
    parse_ap_mask,
    parse_ap_matrix,
    parse_ap_mkvps,
)
from agents.wire.inventory import (
    Attribute,
    DomainFacts,
    FindingFacts,
    Gauge,
    Severity,
    UnitFacts,
    UnitKind,
)

_BUS = "/sys/bus/ap"
_CARDS = "/sys/devices/ap"
_MATRIX = "/sys/devices/vfio_ap/matrix"
_CARD = re.compile(r"^card([0-9a-f]{2})$")
_QUEUE = re.compile(r"^([0-9a-f]{2})\.([0-9a-f]{4})$")
_UUID = re.compile(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")

_FUNCTIONS = {
    0x80000000: "apsc",
    0x40000000: "rsa_4k_me",
    0x20000000: "rsa_4k_crt",
    0x10000000: "cca",
    0x08000000: "accelerator",
    0x04000000: "ep11",
    0x02000000: "apxa",
    0x01000000: "stateless_filter",
    0x00800000: "full",
    0x00400000: "restricted",
}
"""Bits of `ap_functions`, in lszcrypt's order (S M C D A X N H F R)."""
_MODES = {"A": "Accelerator", "C": "CCA-Coproc", "P": "EP11-Coproc"}
_HARDWARE = {10: "CEX4", 11: "CEX5", 12: "CEX6", 13: "CEX7", 14: "CEX8"}


@dataclass(slots=True)
class ApBus:
    """What the bus holds."""

    units: list[UnitFacts] = field(default_factory=list)
    domains: list[DomainFacts] = field(default_factory=list)
    findings: list[FindingFacts] = field(default_factory=list)
    settings: dict[str, Attribute] = field(default_factory=dict)


def ap_bus(tree: Tree) -> ApBus:
    """Return cards, queues and mediated devices; empty where there is no AP bus."""
    bus = ApBus()
    if not tree.is_dir(_BUS):
        return bus
    bus.settings = _settings(tree)
    owners = _mdevs(tree, bus)
    for card in tree.names(_CARDS):
        if match := _CARD.match(card):
            bus.units.append(_card(tree, card, match[1]))
            bus.units += [
                _queue(tree, card, queue, owners)
                for queue in tree.names(f"{_CARDS}/{card}")
                if _QUEUE.match(queue)
            ]
    return bus


def ap_gauges(tree: Tree) -> list[Gauge]:
    """Return request counts since boot (or reset) and pending requests of cards and queues."""
    gauges = []
    for card in tree.names(_CARDS):
        match = _CARD.match(card)
        if not match:
            continue
        gauges += _counts(tree, f"{_CARDS}/{card}", f"ap:{match[1]}")
        for queue in tree.names(f"{_CARDS}/{card}"):
            if _QUEUE.match(queue):
                gauges += _counts(tree, f"{_CARDS}/{card}/{queue}", f"ap:{queue}")
    return gauges


def _counts(tree: Tree, base: str, key: str) -> list[Gauge]:
    requests = tree.read_int(f"{base}/request_count")
    waiting = [tree.read_int(f"{base}/{n}") for n in ("requestq_count", "pendingq_count")]
    gauges = []
    if requests is not None:
        gauges.append(Gauge(name="ap.requests", subject_key=key, value=float(requests)))
    if None not in waiting:
        pending = float(sum(number or 0 for number in waiting))
        gauges.append(Gauge(name="ap.pending", subject_key=key, value=pending))
    return gauges


def _settings(tree: Tree) -> dict[str, Attribute]:
    names = {
        "ap.default_domain": "ap_domain",
        "ap.max_domain": "ap_max_domain_id",
        "ap.max_adapter": "ap_max_adapter_id",
        "ap.apmask": "apmask",
        "ap.aqmask": "aqmask",
    }
    found = {key: tree.read_word(f"{_BUS}/{name}") for key, name in names.items()}
    return {key: value for key, value in found.items() if value is not None}


def _card(tree: Tree, card: str, number: str) -> UnitFacts:
    base = f"{_CARDS}/{card}"
    kind = tree.read_word(f"{base}/type")
    hardware = tree.read_int(f"{base}/raw_hwtype") or tree.read_int(f"{base}/hwtype") or 0
    functions = tree.read_int(f"{base}/ap_functions") or 0
    state, reason = _state(tree, base, has_driver=kind is not None)
    attributes: dict[str, Attribute] = {
        "type": kind,
        "mode": _MODES.get((kind or "")[-1:], _mode_of(functions)),
        "hardware": _HARDWARE.get(hardware, f"type {hardware}"),
        "queue_depth": tree.read_int(f"{base}/depth"),
        "max_message_bytes": tree.read_int(f"{base}/max_msg_size"),
        "driver": tree.link_name(f"{base}/driver") or "none",
    }
    if state == "active":
        # Each of these sends a request to the card, which a sick one may never answer.
        attributes |= {
            "serial": tree.read_word(f"{base}/serialnr") or None,
            "firmware_version": tree.read_word(f"{base}/FW_version") or None,
            "api_ordinal": tree.read_int(f"{base}/API_ordinalnr"),
            "operation_modes": (tree.read_word(f"{base}/op_modes") or "").split() or None,
        }
    return UnitFacts(
        key=f"ap:{number}",
        kind=UnitKind.AP_CARD.value,
        name=f"{kind or attributes['hardware']} {card}",
        state=state,
        features=[word for bit, word in _FUNCTIONS.items() if functions & bit],
        reason=reason or "Its queues are assigned (card and domain together), not the card.",
        attributes={key: value for key, value in attributes.items() if value is not None},
    )


def _mode_of(functions: int) -> str:
    for bit, letter in ((0x04000000, "P"), (0x10000000, "C"), (0x08000000, "A")):
        if functions & bit:
            return _MODES[letter]
    return "Unknown"


def _state(tree: Tree, base: str, *, has_driver: bool) -> tuple[str, str]:
    """Return state and reason. `online` reads 0 for a deconfigured device, so that comes first."""
    if tree.read_int(f"{base}/config") == 0:
        return "deconfigured", "It is deconfigured in this partition (support element, chzcrypt)."
    if tree.read_int(f"{base}/chkstop") == 1:
        return "faulty", "It is checkstopped: the hardware reported an error."
    if not has_driver:
        return "present", "No zcrypt driver is bound to it."
    if tree.read_int(f"{base}/online") == 0:
        return "offline", "It is set offline (chzcrypt -e brings it back)."
    return "active", ""


def _queue(tree: Tree, card: str, queue: str, owners: dict[str, str]) -> UnitFacts:
    base = f"{_CARDS}/{card}/{queue}"
    driver = tree.link_name(f"{base}/driver") or "none"
    status = tree.read_word(f"{base}/status")
    functions = tree.read_int(f"{base}/ap_functions") or 0
    attributes: dict[str, Attribute] = {"driver": driver, "card": card[4:], "domain": queue[3:]}
    if status is not None:
        # Bound to vfio_ap: `unassigned`, `assigned` or `in use`, the kernel's own words.
        state, reason, is_assignable = status, "", True
    else:
        state, reason = _state(tree, base, has_driver=driver != "none")
        is_assignable = False
        reason = reason or _reserved(tree, queue)
        keys = tree.parse(f"{base}/mkvps", parse_ap_mkvps) if state == "active" else None
        if keys:
            attributes["master_keys"] = [
                " ".join((f"{key.register}:", key.state, key.pattern)).strip() for key in keys
            ]
    return UnitFacts(
        key=f"ap:{queue}",
        kind=UnitKind.AP_QUEUE.value,
        name=queue,
        is_assignable=is_assignable,
        state=state,
        domain_key=owners.get(queue),
        features=[word for bit, word in _FUNCTIONS.items() if functions & bit],
        reason=reason,
        attributes=attributes,
    )


def _reserved(tree: Tree, queue: str) -> str:
    """A queue stays with the host only while both its bits are set (ap_bus.c)."""
    adapters = tree.parse(f"{_BUS}/apmask", parse_ap_mask)
    domains = tree.parse(f"{_BUS}/aqmask", parse_ap_mask)
    if adapters is None or domains is None:
        return "It serves this host."
    if int(queue[:2], 16) in adapters and int(queue[3:], 16) in domains:
        return "It serves this host: its bits in apmask and aqmask are both set."
    return "The masks leave it to guests, but no vfio_ap driver is bound to it."


def _mdevs(tree: Tree, bus: ApBus) -> dict[str, str]:
    """Add the mediated devices as domains; return which queue belongs to which of them."""
    owners: dict[str, str] = {}
    for uuid in tree.names(_MATRIX):
        if not _UUID.match(uuid):
            continue
        key = f"vfio_ap:{uuid}"
        assigned = _matrix(tree, f"{_MATRIX}/{uuid}/matrix")
        in_guest = _matrix(tree, f"{_MATRIX}/{uuid}/guest_matrix")
        owners |= {queue: key for queue in assigned if _QUEUE.match(queue)}
        is_used = any(_status(tree, queue) == "in use" for queue in assigned)
        controls = tree.parse(f"{_MATRIX}/{uuid}/control_domains", parse_ap_domains) or []
        bus.domains.append(
            DomainFacts(
                key=key,
                name=uuid,
                kind="vfio_ap_mdev",
                state="in use" if is_used else "idle",
                attributes={
                    "matrix": assigned,
                    "guest_matrix": in_guest,
                    "control_domains": [f"{domain:04x}" for domain in controls],
                },
            )
        )
        if is_used and set(in_guest) != set(assigned):
            bus.findings.append(_filtered(key, uuid, sorted(set(assigned) - set(in_guest))))
    return owners


def _status(tree: Tree, queue: str) -> str | None:
    return tree.read_word(f"{_CARDS}/card{queue[:2]}/{queue}/status")


def _matrix(tree: Tree, path: str) -> list[str]:
    """Return lines as `05.0047`, `05.` (no domain yet) or `.0047` (no adapter yet)."""
    return [
        ("" if entry.adapter is None else f"{entry.adapter:02x}")
        + "."
        + ("" if entry.domain is None else f"{entry.domain:04x}")
        for entry in tree.parse(path, parse_ap_matrix) or []
    ]


def _filtered(key: str, uuid: str, missing: list[str]) -> FindingFacts:
    return FindingFacts(
        code="domain.queues_filtered",
        severity=Severity.WARNING.value,
        subject_kind="domain",
        subject_key=key,
        message=(
            f"The guest of mediated device {uuid} does not get all queues assigned to it: "
            f"{', '.join(missing) or 'its matrix differs'}."
        ),
        remedy=(
            "One queue of an adapter that is not bound to vfio_ap keeps the whole adapter from the "
            "guest: free all its queues in apmask and aqmask."
        ),
        evidence={"queues": missing},
    )
