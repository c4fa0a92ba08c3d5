"""Reads of the audit, and the proof that nobody altered it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from console.accounts.actors import Actor
from console.accounts.policies import can
from console.audit.chain import GENESIS, digest_of
from console.audit.models import AuditEvent


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A row that does not follow from the one before it."""

    seq: int
    problem: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What reading the whole chain showed; `head` is `seq:digest` of the last row."""

    count: int
    head: str
    broken: tuple[BrokenLink, ...]


def audit_list(*, actor: Actor) -> QuerySet[AuditEvent]:
    """Return the events that `actor` may see."""
    rows = AuditEvent.objects.all()
    return rows if can(actor, "audit.read") else rows.none()


def audit_verify(*, limit: int = 20) -> Verification:
    """Read the chain from the first row and report up to `limit` rows that break it.

    Rows cut off at the end leave a chain that is whole: compare `head` with one noted earlier.
    """
    broken: list[BrokenLink] = []
    seq, digest = 0, GENESIS
    for event in AuditEvent.objects.order_by("seq").iterator(chunk_size=1000):
        broken += [BrokenLink(event.seq, p) for p in _problems(event, seq, digest)]
        seq, digest = event.seq, event.digest
        if len(broken) >= limit:
            break
    return Verification(count=seq, head=f"{seq}:{digest}", broken=tuple(broken))


def audit_has_head(head: str) -> bool:
    """Return whether the row `seq:digest`, noted earlier, still stands in the audit."""
    seq, _, digest = head.partition(":")
    return seq.isdecimal() and AuditEvent.objects.filter(seq=int(seq), digest=digest).exists()


def _problems(event: AuditEvent, previous_seq: int, previous_digest: str) -> Iterator[str]:
    if event.seq != previous_seq + 1:
        yield f"rows {previous_seq + 1} to {event.seq - 1} are missing"
    elif event.previous_digest != previous_digest:
        yield "it does not follow from the row before it"
    if event.digest != digest_of(event, event.previous_digest):
        yield "its content was altered"
