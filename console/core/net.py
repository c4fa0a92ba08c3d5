"""Where a request comes from, seen through the proxies that we were told to trust."""

import ipaddress

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the address of the caller, "" when unknown.

    With TRUSTED_PROXIES = n the n-th entry from the right of X-Forwarded-For counts: the one that
    the outermost proxy of ours wrote. What a client put there itself is never believed.
    """
    peer = str(request.META.get("REMOTE_ADDR", ""))
    trusted = settings.TRUSTED_PROXIES
    if trusted < 1:
        return peer
    hops = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    return hops[-trusted] if len(hops) >= trusted and hops[-trusted] else peer


def is_loopback(request: HttpRequest) -> bool:
    """Return whether the caller is on this machine (and no proxy that we do not know speaks)."""
    if settings.TRUSTED_PROXIES < 1 and "X-Forwarded-For" in request.headers:
        return False
    address = client_address(request)
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_loopback
