"""TLS with a pinned public key: whoever holds that key is the console."""

import base64
import binascii
import hashlib
import hmac
import socket
import ssl
from typing import Any

PIN_PREFIX = "sha256//"

_SEQUENCE = 0x30
_EXPLICIT_VERSION = 0xA0


class ConsoleKeyMismatch(Exception):
    """The other end of a TLS connection does not hold the pinned key. Nothing was sent to it."""

    def __init__(self, expected: str, shown: str) -> None:
        super().__init__(
            f"the server shows the key {shown}, but {expected} is pinned: this is another server, "
            "or the console's key was changed. If it was changed on purpose, enrol again with the "
            "pin from the console's page 'Enrol host'"
        )
        self.expected = expected
        self.shown = shown


class MalformedCertificate(ValueError):
    """The bytes are not an X.509 certificate."""


def public_key_info(certificate: bytes) -> bytes:
    """Return the SubjectPublicKeyInfo of a DER certificate, as it stands (RFC 5280 section 4.1).

    Raises MalformedCertificate.
    """
    content, _ = _element(certificate, 0, _SEQUENCE)
    tbs, _ = _element(certificate, content[0], _SEQUENCE)
    # 1. TBSCertificate: [0] version (optional), then serial, signature, issuer, validity, subject.
    position = tbs[0]
    if certificate[position : position + 1] == bytes([_EXPLICIT_VERSION]):
        _, position = _element(certificate, position)
    for _field in ("serial", "signature", "issuer", "validity", "subject"):
        _, position = _element(certificate, position)
    # 2. The next element is the key.
    _, end = _element(certificate, position, _SEQUENCE)
    return certificate[position:end]


def pin_of(certificate: bytes) -> str:
    """Return a DER certificate's pin, `sha256//<base64>`. Raises MalformedCertificate."""
    digest = hashlib.sha256(public_key_info(certificate)).digest()
    return PIN_PREFIX + base64.b64encode(digest).decode("ascii")


class PinnedContext(ssl.SSLContext):
    """A client context that trusts one public key and nothing else.

    Neither issuer, name nor expiry of the certificate matter; the key is compared right after the
    handshake, before a byte of the request is sent, on every connection.
    """

    pin: str

    def __new__(cls, pin: str) -> "PinnedContext":
        """Make a TLS 1.2+ client context. `pin`: `sha256//<base64>`, else ValueError."""
        try:
            base64.b64decode(pin.removeprefix(PIN_PREFIX), validate=True)
        except binascii.Error as error:
            raise ValueError("a pin is sha256// and base64") from error
        context = super().__new__(cls, ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.pin = pin
        return context

    def wrap_socket(self, sock: socket.socket, *args: Any, **kwargs: Any) -> ssl.SSLSocket:
        """Shake hands and compare keys. Raises ConsoleKeyMismatch after closing the connection."""
        wrapped = super().wrap_socket(sock, *args, **kwargs)
        certificate = wrapped.getpeercert(binary_form=True)
        try:
            shown = pin_of(certificate or b"")
        except MalformedCertificate:
            shown = "(none)"
        if not hmac.compare_digest(shown, self.pin):
            wrapped.close()
            raise ConsoleKeyMismatch(self.pin, shown)
        return wrapped


def _element(data: bytes, start: int, tag: int | None = None) -> tuple[tuple[int, int], int]:
    """Return (content start, content end) and the position behind a DER element (X.690, 8.1)."""
    if start + 2 > len(data) or (tag is not None and data[start] != tag):
        raise MalformedCertificate(f"no DER element {tag} at byte {start}")
    length = data[start + 1]
    position = start + 2
    if length & 0x80:
        count = length & 0x7F
        length = int.from_bytes(data[position : position + count], "big")
        position += count
    end = position + length
    if end > len(data):
        raise MalformedCertificate(f"the element at byte {start} is longer than the certificate")
    return (position, end), end
