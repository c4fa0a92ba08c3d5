"""Hosts as the console's tests need them, made by the services that make real ones."""

from dataclasses import dataclass, field
from typing import Any

from agents.wire.codec import facts_digest, to_plain
from agents.wire.inventory import Facts, HostFacts, WorkloadFacts
from agents.wire.messages import EnrolRequest, HeartbeatRequest, SnapshotRequest
from console.accounts.actors import SYSTEM
from console.fleet.enrolment import enrolment_token_create, host_enrol
from console.fleet.models import Host
from console.fleet.reachability import host_agent_changed
from console.inventory.ingest import snapshot_ingest

CHOICES = {"algorithms": ["aes-128-cbc", "sha256", "rsa2048"], "masks": ["aes", "sha"]}
SPEED = WorkloadFacts(name="openssl.speed", is_eligible=True, choices=CHOICES)


@dataclass(frozen=True)
class EnrolledHost:
    """A host and the credential that its agent holds."""

    row: Host
    credential: str = field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        """What its agent sends with each request."""
        return {"Authorization": f"Bearer {self.credential}"}

    def fresh(self) -> Host:
        """The row as it now is."""
        return Host.objects.get(pk=self.row.pk)


def host_enrolled(
    name: str,
    *,
    workloads: tuple[WorkloadFacts, ...] = (SPEED,),
    allow: tuple[str, ...] = ("job.run", "inventory.scan"),
    **facts: Any,
) -> EnrolledHost:
    """Enrol a host, take its first inventory and its first heartbeat: it is active."""
    token = enrolment_token_create(name=f"for {name}", actor=SYSTEM)
    request = EnrolRequest(
        token=token.secret,
        machine_id=f"machine-{name}",
        hostname=name,
        platform="linux",
        agent_version="1.0",
    )
    enrolment = host_enrol(request=request)
    host_scanned(enrolment.host, workloads=workloads, **facts)
    host = Host.objects.get(pk=enrolment.host.pk)
    beat = HeartbeatRequest(snapshot_digest="", agent_version="1.0", allow=list(allow))
    host_agent_changed(host=host, beat=beat)
    return EnrolledHost(Host.objects.get(pk=host.pk), enrolment.credential)


def host_scanned(
    host: Host, *, workloads: tuple[WorkloadFacts, ...] = (SPEED,), **facts: Any
) -> None:
    """Take an inventory of `host` in which it can run `workloads`."""
    about = HostFacts(hostname=host.name, platform="linux", **facts)
    whole = Facts(host=about, workloads=list(workloads))
    snapshot_ingest(
        host_id=host.pk,
        request=SnapshotRequest(taken_at="", digest=facts_digest(whole), facts=whole),
        canonical=str(to_plain(whole)).encode(),
    )
