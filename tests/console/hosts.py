"""Hosts, their agents and facts for the console's tests, all made through the services."""

import gzip
import hashlib
import json
import uuid
from dataclasses import dataclass, replace
from typing import Any

from django.test import Client

from agents.wire.codec import encode, facts_digest, to_plain
from agents.wire.inventory import (
    CertificateFacts,
    DomainFacts,
    Facts,
    FindingFacts,
    Gauge,
    HostFacts,
    MechanismFacts,
    ProviderFacts,
    SlotFacts,
    TokenFacts,
    UnitFacts,
    WorkloadFacts,
)
from agents.wire.messages import EnrolRequest, HeartbeatRequest, SnapshotRequest
from console.accounts.actors import SYSTEM
from console.fleet.enrolment import Enrolment, enrolment_token_create, host_enrol
from console.fleet.models import Host
from console.inventory.ingest import snapshot_ingest

ALLOW = ["job.run", "inventory.scan"]


def machine(name: str) -> str:
    """Return the machine id of the machine called `name`."""
    return hashlib.sha256(name.encode()).hexdigest()


def enrol(name: str = "alpha", **labels: str) -> Enrolment:
    """Enrol the machine called `name` with a token of its own."""
    made = enrolment_token_create(name=f"for {name}", actor=SYSTEM, labels=labels)
    return host_enrol(request=enrol_request(made.secret, name))


def enrol_request(secret: str, name: str = "alpha") -> EnrolRequest:
    """Return what the machine called `name` sends to enrol."""
    return EnrolRequest(
        token=secret,
        machine_id=machine(name),
        hostname=name,
        platform="linux",
        agent_version="0.1.0",
    )


@dataclass
class Agent:
    """An agent as the console sees it: it posts wire messages with its credential."""

    credential: str

    def post(self, path: str, message: Any, **headers: str) -> Any:
        """Send `message` gzip-compressed, as agents do."""
        return self.post_bytes(path, gzip.compress(encode(message)), "gzip", **headers)

    def post_bytes(self, path: str, body: bytes, encoding: str = "identity", **extra: str) -> Any:
        """Send `body` as it is."""
        headers = {"Authorization": f"Bearer {self.credential}", "Content-Encoding": encoding}
        return Client().generic(
            "POST", path, body, content_type="application/json", headers=headers, **extra
        )

    def beat(self, **fields: Any) -> Any:
        """Send a heartbeat and return the reply's body."""
        response = self.post("/agent/v1/heartbeat/", heartbeat(**fields))
        assert response.status_code == 200, response.content
        return response.json()


def heartbeat(**fields: Any) -> HeartbeatRequest:
    """Return a heartbeat with nothing new in it."""
    values = {"snapshot_digest": "", "agent_version": "0.1.0", "allow": ALLOW} | fields
    return HeartbeatRequest(**values)


def heartbeat_with_gauge(name: str, subject_key: str, value: float) -> bytes:
    """Return the body of a heartbeat that carries one gauge."""
    return encode(heartbeat(gauges=[Gauge(name=name, subject_key=subject_key, value=value)]))


def host_with(facts: Facts, name: str = "alpha", **labels: str) -> Host:
    """Return the host called `name`, enrolled, with `facts` ingested."""
    host = Host.objects.filter(name=name).first() or enrol(name, **labels).host
    ingest(host, facts)
    return Host.objects.get(pk=host.pk)


def ingest(host: Host, facts: Facts) -> bool:
    """Ingest `facts` of `host` as the snapshot view does."""
    request = snapshot_request(facts)
    return snapshot_ingest(host_id=host.pk, request=request, canonical=canonical(facts))


def snapshot_request(facts: Facts) -> SnapshotRequest:
    """Return what an agent sends with `facts`."""
    taken_at = "2026-03-01T10:00:00+00:00"
    return SnapshotRequest(taken_at=taken_at, digest=facts_digest(facts), facts=facts)


def canonical(facts: Facts) -> bytes:
    """Return the canonical JSON of `facts`."""
    return json.dumps(to_plain(facts), sort_keys=True, separators=(",", ":")).encode()


def some_facts(**changes: Any) -> Facts:
    """Return facts with one thing of each kind; `changes` replace whole parts."""
    facts = Facts(
        host=HostFacts(hostname="alpha", platform="linux", os_name="Debian", cpu_count=4),
        units=[
            UnitFacts(key="cpu", kind="cpu_instructions", name="CPU", features=["aes", "sha_ni"]),
            UnitFacts(
                key="0000:0c:00.1", kind="qat_vf", name="VF 1", is_assignable=True, domain_key="web"
            ),
        ],
        domains=[DomainFacts(key="web", name="web", kind="libvirt", state="running")],
        providers=[library()],
        findings=[finding()],
        workloads=[WorkloadFacts(name="openssl.speed", is_eligible=True)],
        settings={"fips.kernel": False, "openssl.version": "3.0.22"},
    )
    return replace(facts, **changes)


def library(key: str = "libexample.so", **changes: Any) -> ProviderFacts:
    """Return a PKCS#11 library with one slot, one token, one certificate and two mechanisms."""
    provider = ProviderFacts(
        key=key,
        kind="pkcs11_library",
        name=key,
        slots=[SlotFacts(key="slot-0", slot_id=7, token=token())],
        mechanisms=[
            MechanismFacts(name="CKM_AES_GCM", number=0x1087, operations=["encrypt", "decrypt"]),
            MechanismFacts(name="0x80000001", number=0x80000001, operations=["sign"]),
        ],
    )
    return replace(provider, **changes)


def token(**changes: Any) -> TokenFacts:
    """Return an initialised token with one certificate."""
    facts = TokenFacts(
        key="example/0042/signing",
        label="signing",
        serial="0042",
        flags=["RNG", "LOGIN_REQUIRED"],
        certificates=[certificate()],
    )
    return replace(facts, **changes)


def certificate(**changes: Any) -> CertificateFacts:
    """Return a certificate that is good until 2030."""
    facts = CertificateFacts(
        sha256=hashlib.sha256(b"certificate").hexdigest(),
        label="tls",
        subject="CN=shop.example.org",
        names=["shop.example.org"],
        not_before="2026-01-01T00:00:00+00:00",
        not_after="2030-01-01T00:00:00+00:00",
        key_bits=2048,
    )
    return replace(facts, **changes)


def finding(**changes: Any) -> FindingFacts:
    """Return a finding about the library."""
    facts = FindingFacts(
        code="slot.unreadable",
        severity="warning",
        subject_kind="provider",
        subject_key="libexample.so",
        message="Slot 9 answered CKR_DEVICE_ERROR.",
    )
    return replace(facts, **changes)


def many_mechanisms(providers: int = 12, each: int = 50, **changes: Any) -> Facts:
    """Return facts of many providers with `each` mechanisms."""
    return Facts(
        host=HostFacts(hostname="alpha", platform="linux"),
        providers=[
            ProviderFacts(
                key=f"provider-{number}",
                kind="pkcs11_library",
                name=f"provider {number}",
                mechanisms=[
                    MechanismFacts(name=f"CKM_TEST_{index:03}", number=index, **changes)
                    for index in range(each)
                ],
            )
            for number in range(providers)
        ],
    )


def random_name() -> str:
    """Return a name that no other host of the test has."""
    return f"host-{uuid.uuid4().hex[:12]}"
