"""What agents call about work: claim, lease, reports."""

from django.http import HttpRequest

from agents.wire.messages import (
    ClaimReply,
    ClaimRequest,
    LeaseReply,
    LeaseRequest,
    ReportsReply,
    ReportsRequest,
)
from agents.wire.names import Lane
from console.agentapi.authentication import agent_host
from console.agentapi.body import REPORTS
from console.agentapi.reports import reports_store
from console.agentapi.views_base import agent_view, read_message
from console.core.errors import InvalidInput
from console.fleet.doorbell import doorbell_answered
from console.fleet.work import work_claim, work_renew

MAX_REPORTS = 500
_MAX_SEQ = 2**63 - 1
_MAX_NONCE = 64


@agent_view
def claim(request: HttpRequest) -> ClaimReply:
    """Hand out the oldest due order of a lane, or none."""
    host = agent_host(request)
    message = read_message(request, ClaimRequest)
    lane = _lane(message.lane)
    _check_nonce(message.nonce)
    doorbell_answered(host.pk, lane)
    return ClaimReply(order=work_claim(host=host, lane=lane, nonce=message.nonce))


def _lane(text: str) -> Lane:
    try:
        return Lane(text)
    except ValueError:
        known = ", ".join(lane.value for lane in Lane)
        raise _invalid(f"lane: {text!r:.40} is none of {known}") from None


def _check_nonce(nonce: str) -> None:
    if not 16 <= len(nonce) <= _MAX_NONCE or not nonce.isascii() or not nonce.isprintable():
        raise _invalid(f"nonce: expected 16 to {_MAX_NONCE} printable ASCII characters")


def _invalid(problem: str) -> InvalidInput:
    return InvalidInput("wire.invalid", f"{problem}.", extra={"problems": [problem]})


@agent_view
def lease(request: HttpRequest) -> LeaseReply:
    """Renew the lease of an order; say whether to go on."""
    host = agent_host(request)
    message = read_message(request, LeaseRequest)
    return work_renew(host=host, work_id=message.work_id, nonce=message.nonce)


@agent_view
def reports(request: HttpRequest) -> ReportsReply:
    """Store what the agent reports, and acknowledge it."""
    host = agent_host(request)
    message = read_message(request, ReportsRequest, REPORTS)
    if len(message.reports) > MAX_REPORTS:
        raise _invalid(f"reports: at most {MAX_REPORTS} at once")
    if any(not 0 < report.seq <= _MAX_SEQ for report in message.reports):
        raise _invalid(f"reports: seq must be 1 to {_MAX_SEQ}")
    return reports_store(host=host, reports=message.reports)
