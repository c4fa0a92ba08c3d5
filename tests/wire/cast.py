"""One message of each kind with every field filled: the cast of the wire's tests."""

from typing import Any

from agents.wire import changes as c
from agents.wire import inventory as i
from agents.wire import messages as m
from agents.wire import work as w

_AT = "2026-03-04T05:06:07.089+00:00"
_ID = "0195e3a2-7b1c-7def-8a90-1b2c3d4e5f60"
_NONCE = "5f0c2a9d7e6b4c31a8d2f9e0b7c6a514"


def facts() -> i.Facts:
    """Return facts with one of everything."""
    certificate = i.CertificateFacts(
        sha256="ab" * 32, label="orders", object_id="01", subject="CN=orders.example",
        issuer="CN=Example CA", serial="1f", names=["orders.example"], not_before=_AT,
        not_after=_AT, key_type="rsa", key_bits=3072, error="",
    )  # fmt: skip
    token = i.TokenFacts(
        key="softhsm2/9f3b/orders", label="orders", serial="9f3b", model="SoftHSM v2",
        manufacturer="SoftHSM project", flags=["RNG", "LOGIN_REQUIRED"], is_initialised=True,
        user_pin_state="final_try", so_pin_state="ok", min_pin_length=4, max_pin_length=255,
        max_sessions=-1, max_rw_sessions=None, total_public_memory_bytes=None,
        total_private_memory_bytes=4096, hardware_version="2.6", firmware_version="2.6",
        public_objects={"certificate": 1}, has_pin_source=True, certificates=[certificate],
    )  # fmt: skip
    slot = i.SlotFacts(
        key="softhsm2/slot0", slot_id=1804289383, description="SoftHSM slot", manufacturer="x",
        is_hardware=False, is_removable=True, hardware_version="2.6", firmware_version="2.6",
        token=token, error="",
    )  # fmt: skip
    mechanism = i.MechanismFacts(
        name="CKM_AES_CBC", number=0x1082, slot_key="softhsm2/slot0", min_key_size=16,
        max_key_size=32, key_size_unit="bytes", operations=["encrypt", "decrypt"],
        is_hardware=True, is_offered=True, is_allowed=False, is_verified=None,
        attributes={"aliases": ["AES"]},
    )  # fmt: skip
    provider = i.ProviderFacts(
        key="softhsm2", kind="pkcs11_library", name="softhsm2", path="/usr/lib/libsofthsm2.so",
        state="failed", error="slot 3 could not be read", manufacturer="SoftHSM project",
        description="Implementation of PKCS11", version="2.6", cryptoki_version="2.40",
        is_thread_safe=True, attributes={"priority": 300}, slots=[slot], mechanisms=[mechanism],
    )  # fmt: skip
    return i.Facts(
        host=i.HostFacts(
            hostname="shelf-3", platform="linux", os_name="Debian GNU/Linux", os_version="12",
            kernel="6.1.0", architecture="x86_64", cpu_model="Example CPU", cpu_count=8,
            memory_bytes=34359738368, is_virtual=True, is_simulated=True, source="recorded tree",
            runs_as="keyrack", blind_spots=["The TPM needs root."],
        ),
        units=[
            i.UnitFacts(
                key="cpu/aes", kind="cpu_instructions", name="AES instructions",
                is_assignable=False, state="active", domain_key="guest-1",
                features=["aes", "vaes"], reason="Part of the processor.",
                attributes={"count": 2, "share": 0.5, "ok": True, "none": None, "list": ["a"]},
            )
        ],
        domains=[
            i.DomainFacts(
                key="guest-1", name="guest-1", kind="libvirt", state="running",
                attributes={"vcpus": 4},
            )
        ],
        providers=[provider],
        findings=[
            i.FindingFacts(
                code="slot.unreadable", severity="warning", subject_kind="provider",
                subject_key="softhsm2", message="Slot 3 answered CKR_DEVICE_ERROR.",
                remedy="Look at the device.", evidence={"slot": 3},
            )
        ],
        workloads=[
            i.WorkloadFacts(
                name="openssl.speed", is_eligible=False, reason="There is no openssl program.",
                choices={"ciphers": ["aes-128-cbc"]},
            )
        ],
        settings={"fips.kernel": False, "openssl.version": "3.0.17"},
        changes=[
            i.ChangeKindFacts(
                name="unit.assign", is_accepted=False, reason="agent.allow does not list it."
            )
        ],
        parts={"unit.count/primary": 2, "mechanism.policy/aes": ["CKM_AES_CTR"]},
    )  # fmt: skip


def order() -> w.WorkOrder:
    """Return an order with every field filled."""
    return w.WorkOrder(
        work_id=_ID, kind="job.run", lane="work", nonce=_NONCE,
        parameters={"workload": "openssl.speed", "parameters": {"seconds": 3, "sizes": [1024]}},
        lease_seconds=90, deadline_seconds=1200,
    )  # fmt: skip


def sample() -> w.SampleData:
    """Return a sample with every field filled."""
    return w.SampleData(
        variant="accelerated", cell="aes-128-cbc/8192/encrypt", round=3, position=7,
        metric="throughput", unit="B/s", value=1.25e9, operations=152587, bytes=1249992704,
        wall_seconds=1.0002, user_seconds=0.998, system_seconds=0.001,
        host_cpu=w.CpuSplit(user=0.5, system=0.01, idle=0.47, iowait=0.01, steal=0.01),
        started_at=_AT, notes=["steal above 1 %"],
    )  # fmt: skip


def reports() -> list[w.Report]:
    """Return one report of each kind."""
    common: dict[str, Any] = {"work_id": _ID, "nonce": _NONCE, "at": _AT}
    return [
        w.Report(seq=1, kind="started", **common),
        w.Report(seq=2, kind="output", chunk=0, step=1, stream="stderr", text="ünï\n", **common),
        w.Report(
            seq=3,
            kind="progress",
            progress={"done": 3, "total": 20, "remaining_seconds": 17.5, "doing": "x"},
            **common,
        ),
        w.Report(seq=4, kind="sample", sample=sample(), **common),
        w.Report(
            seq=5,
            kind="finished",
            outcome="succeeded",
            message="Measured.",
            result={"version": "3.0.17", "masks": {"software": "~0x2"}},
            **common,
        ),
    ]


def plan() -> c.Plan:
    """Return a plan with every field filled."""
    request = c.ChangeRequest(kind="unit.assign", parameters={"counts": {"ldg1": 1}})
    step = c.StepPlan(
        title="Give 1 crypto unit to ldg1 (0 → 1)", argv=["/opt/x/bin/ldm", "set-mau", "1", "ldg1"],
        edit=c.FileEdit(path="/etc/x.conf", before="a\n", after="b\n"),
        undo_argv=["/opt/x/bin/ldm", "set-mau", "0", "ldg1"], undo_reason="It has one.",
        before={"unit.count/ldg1": 0}, after={"unit.count/ldg1": 1}, timeout_seconds=90,
    )  # fmt: skip
    phase = c.Phase(
        title="Change ldg1", steps=[step], waits_for=["ldg1"], wait_text="Restart ldg1.",
        wait_commands=["/opt/x/bin/ldm stop-domain ldg1"], settles={"domain.state/ldg1": "active"},
        digest="12" * 32,
    )  # fmt: skip
    return c.Plan(
        request=request, sentence="Give 1 crypto unit to ldg1.", parts={"unit.count/ldg1": 0},
        phases=[phase], ends={"unit.count/ldg1": 1},
        consequences=[c.Consequence(kind="domain_restart", subject="ldg1", text="It stops.")],
        risk="medium", is_noop=True, warnings=["Not saved."], destroys=["ldg1"],
        needs_force="The last one.", rollback=request, rollback_reason="It can be.",
        is_simulated=True, digest="34" * 32,
    )  # fmt: skip


def results() -> dict[str, Any]:
    """Return what results of changes hold, by the name of its class; every field filled."""
    step = c.StepResult(
        phase=1, step=2, state="undone", exit_code=1, message="It said no.", started_at=_AT,
        ended_at=_AT, tool_seconds=1.5,
    )  # fmt: skip
    found = [
        plan(),
        c.Refusal(
            code="reconf.pending", message="primary waits.", remedy="Reboot it.", subject="primary"
        ),
        c.ApplyResult(
            state="needs_attention", phase=1, is_last=True, steps=[step], stands=["ldg1 has 1."],
            to_type=["ldm set-mau 0 ldg1"], parts={"unit.count/ldg1": 1},
            difference=[c.PartDifference(part="unit.count/ldg1", expected=0, found=1)],
            plan=plan(),
        ),
    ]  # fmt: skip
    return {type(result).__name__: result for result in found}


def messages() -> dict[str, Any]:
    """Return every message of docs/protocol.md by the name of its class."""
    digest = "cd" * 32
    found = [
        m.EnrolRequest(
            token="kre_example", machine_id="ef" * 32, hostname="shelf-3", platform="linux",
            agent_version="0.1.0", name="Shelf 3",
        ),
        m.EnrolReply(
            host_id=_ID, host_name="Shelf 3", credential="kra_example",
            broker_url="redis://host@broker.example:6379/0", is_reenrolment=True,
            heartbeat_seconds=20, scan_seconds=600,
        ),
        m.HeartbeatRequest(
            snapshot_digest=digest, agent_version="0.1.0", allow=["job.run"], boot_id=_ID,
            uptime_seconds=12.5, gauges=[i.Gauge(name="token.sessions", subject_key="t", value=2)],
            running=[_ID], broker_ok=False,
        ),
        m.HeartbeatReply(
            wants_snapshot=True, due={"work": 2, "quick": 1}, heartbeat_seconds=20,
            scan_seconds=600, acknowledged_seq=41,
        ),
        m.SnapshotRequest(taken_at=_AT, digest=digest, facts=facts(), duration_seconds=1.5),
        m.SnapshotReply(digest=digest, is_new=True),
        m.ClaimRequest(lane="work", nonce=_NONCE),
        m.ClaimReply(order=order()),
        m.LeaseRequest(work_id=_ID, nonce=_NONCE),
        m.LeaseReply(is_held=True, cancel_requested=True, lease_seconds=90),
        m.ReportsRequest(reports=reports()),
        m.ReportsReply(acknowledged_seq=5, cancel=[_ID]),
    ]  # fmt: skip
    return {type(message).__name__: message for message in found}
