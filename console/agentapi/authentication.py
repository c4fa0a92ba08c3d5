"""Who calls: the agent's credential, looked up in the database or (heartbeats) in this process."""

import ipaddress
import time
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest

from console.core.credentials import credential_digest
from console.core.errors import KeyrackError, NotAuthenticated, PermissionDenied
from console.fleet.enrolment import CREDENTIAL_PREFIX
from console.fleet.enums import DISMISSED
from console.fleet.models import AgentCredential, Host
from console.fleet.pulse import credentials_generation

CACHE_SECONDS = 60.0
_CACHE_LIMIT = 20_000
_MAX_LENGTH = 200


@dataclass(frozen=True, slots=True)
class AgentIdentity:
    """The host whose agent calls, as known since `generation` of the credentials."""

    host_id: UUID
    generation: str
    expires: float


_known: dict[str, AgentIdentity] = {}


def require_safe_transport(request: HttpRequest) -> None:
    """Raise PermissionDenied `transport.insecure` for plain HTTP that did not stay on loopback."""
    if request.is_secure() or is_local(request):
        return
    raise PermissionDenied(
        "transport.insecure", "Plain HTTP is accepted on loopback only; use the https address."
    )


def is_local(request: HttpRequest) -> bool:
    """Return whether the request, and whatever it was forwarded for, comes from this machine."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    addresses = [part.strip() for part in forwarded.split(",") if part.strip()]
    return all(_is_loopback(text) for text in [*addresses, request.META.get("REMOTE_ADDR", "")])


def _is_loopback(address: str) -> bool:
    """Whether `address` is an IP address of the loopback interface; a name never is."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return bool((mapped or parsed).is_loopback)


def agent_host(request: HttpRequest) -> Host:
    """Return the calling agent's host, fresh from the database (one query).

    Raises NotAuthenticated `agent.unauthenticated`, PermissionDenied `agent.revoked` or
    `agent.retired`.
    """
    return _lookup(_digest(request))


def agent_identity(request: HttpRequest) -> AgentIdentity:
    """Return the calling agent's identity, from this process's memory where it is fresh.

    The caller compares `generation` with Redis' and calls `agent_identity_forget` when it differs.
    Raises as agent_host does.
    """
    digest = _digest(request)
    known = _known.get(digest)
    if known is not None and known.expires > time.monotonic():
        return known
    # Before the database is read: a credential revoked in between then counts as changed.
    generation = credentials_generation()
    host = _lookup(digest)
    identity = AgentIdentity(host.pk, generation or "", time.monotonic() + CACHE_SECONDS)
    if generation is not None:
        if len(_known) >= _CACHE_LIMIT:
            _known.clear()
        _known[digest] = identity
    return identity


def agent_identity_forget(request: HttpRequest) -> None:
    """Drop what this process remembers of the calling agent."""
    _known.pop(_digest(request), None)


def _digest(request: HttpRequest) -> str:
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    text = text.strip()
    is_ours = text.startswith(CREDENTIAL_PREFIX) and len(text) <= _MAX_LENGTH
    if scheme.lower() != "bearer" or not is_ours:
        raise _unauthenticated()
    return credential_digest(text)


def _lookup(digest: str) -> Host:
    credential = AgentCredential.objects.select_related("host").filter(digest=digest).first()
    if credential is None:
        raise _unauthenticated()
    host = credential.host
    if host.state in DISMISSED:
        raise _dismissed(host)
    if credential.revoked_at is not None:
        raise _unauthenticated()
    return host


def _unauthenticated() -> KeyrackError:
    return NotAuthenticated(
        "agent.unauthenticated",
        "This credential is not (or no longer) valid; run `keyrack-agent enrol` with a new token.",
    )


def _dismissed(host: Host) -> KeyrackError:
    message = f"{host.name} was {host.state} in the console; enrol it again to bring it back."
    return PermissionDenied(f"agent.{host.state}", message)
