"""Reads what agents send: bounded, with or without gzip, and nothing that unpacks without end."""

import zlib

from django.http import HttpRequest

from console.core.errors import InvalidInput, TooLarge

KIB = 1024
MIB = 1024 * KIB

SMALL = 256 * KIB
"""Limit of a heartbeat, a claim, a lease, an enrolment."""

REPORTS = 2 * MIB
"""Limit of a batch of reports (agents send at most 1 MiB of them)."""

SNAPSHOT = 16 * MIB
"""Limit of a snapshot once unpacked."""


def read_body(request: HttpRequest, limit: int) -> bytes:
    """Return the request's body, unpacked, of at most `limit` bytes.

    Raises TooLarge `wire.too_large` (packed or unpacked) and InvalidInput `wire.invalid` for an
    encoding other than gzip or for what is no gzip stream. Never unpacks more than `limit` bytes.
    """
    if _announced(request) > limit:
        raise _too_large(limit)
    body = request.read(limit + 1)
    if len(body) > limit:
        raise _too_large(limit)
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding == "identity":
        return body
    if encoding != "gzip":
        raise InvalidInput("wire.invalid", f"Content-Encoding {encoding!r} is not understood.")
    return _unpack(body, limit)


def _announced(request: HttpRequest) -> int:
    try:
        return int(request.headers.get("Content-Length") or 0)
    except ValueError:
        return 0


def _unpack(body: bytes, limit: int) -> bytes:
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        plain = unpacker.decompress(body, limit + 1)
    except zlib.error:
        raise InvalidInput("wire.invalid", "The body is not a gzip stream.") from None
    if len(plain) > limit:
        raise _too_large(limit)
    if not unpacker.eof or unpacker.unused_data:
        raise InvalidInput("wire.invalid", "The body is not exactly one gzip stream.")
    return plain


def _too_large(limit: int) -> TooLarge:
    return TooLarge(
        "wire.too_large", f"At most {limit} bytes are accepted here.", extra={"limit_bytes": limit}
    )
