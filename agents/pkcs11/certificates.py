"""X.509 certificates as facts. Decoded in the probe's child: the bytes come from a token."""

import hashlib
import re
from datetime import UTC, datetime
from typing import Any

from asn1crypto import x509
from asn1crypto.core import Void

from agents.pkcs11.text import clean_text
from agents.wire.inventory import CertificateFacts

_SHORT_NAMES = {
    "2.5.4.3": "CN",
    "2.5.4.4": "SN",
    "2.5.4.5": "serialNumber",
    "2.5.4.6": "C",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.9": "STREET",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "2.5.4.12": "title",
    "2.5.4.42": "GN",
    "2.5.4.97": "organizationIdentifier",
    "0.9.2342.19200300.100.1.25": "DC",
    "0.9.2342.19200300.100.1.1": "UID",
    "1.2.840.113549.1.9.1": "emailAddress",
}
_SPECIAL = re.compile(r'([,+"\\<>;])')
_MAX_NAMES = 200


def decode_certificate(
    der: bytes, *, label: bytes = b"", object_id: bytes = b""
) -> CertificateFacts:
    """Return the facts of a DER certificate; what cannot be decoded gets `error` and only that.

    Times are ISO 8601 UTC, names in the order of RFC 4514 (most specific first), serial in hex.
    """
    base: dict[str, Any] = {
        "sha256": hashlib.sha256(der).hexdigest(),
        "label": clean_text(label),
        "object_id": object_id.hex(),
    }
    if not der:
        return CertificateFacts(**base, error="The object holds no certificate, only a reference.")
    try:
        return CertificateFacts(**base, **_fields(x509.Certificate.load(der, strict=True)))
    except Exception as error:
        # asn1crypto decodes lazily and raises whatever hostile bytes make it stumble over.
        reason = str(error).split("\n", 1)[0][:200]
        return CertificateFacts(**base, error=f"Not a certificate that can be decoded: {reason}")


def _fields(certificate: x509.Certificate) -> dict[str, Any]:
    validity = certificate["tbs_certificate"]["validity"]
    key_type, key_bits = _key(certificate)
    return {
        "subject": rfc4514_name(certificate.subject),
        "issuer": rfc4514_name(certificate.issuer),
        "serial": f"{certificate.serial_number:x}",
        "names": _alternative_names(certificate),
        "not_before": _time(validity["not_before"].native),
        "not_after": _time(validity["not_after"].native),
        "key_type": key_type,
        "key_bits": key_bits,
    }


def rfc4514_name(name: x509.Name) -> str:
    """Return a distinguished name as RFC 4514 writes it: last RDN first, specials escaped."""
    rdns = [
        "+".join(_attribute(pair["type"].dotted, pair["value"]) for pair in rdn)
        for rdn in name.chosen
    ]
    return ",".join(reversed(rdns))


def _attribute(dotted: str, value: Any) -> str:
    name = _SHORT_NAMES.get(dotted, dotted)
    native = value.native
    if not isinstance(native, str):
        return f"{name}=#{value.dump().hex()}"
    text = _SPECIAL.sub(r"\\\1", native).replace("\0", "\\00")
    if text.startswith((" ", "#")):
        text = "\\" + text
    if text.endswith(" ") and not text.endswith("\\ "):
        text = text[:-1] + "\\ "
    return f"{name}={text}"


def _alternative_names(certificate: x509.Certificate) -> list[str]:
    extension = certificate.subject_alt_name_value
    if extension is None:
        return []
    return [_general_name(name) for name in list(extension)[:_MAX_NAMES]]


def _general_name(name: x509.GeneralName) -> str:
    if name.name == "directory_name":
        return f"dirName:{rfc4514_name(name.chosen)}"
    native = name.native
    if isinstance(native, str) and name.name in (
        "dns_name",
        "ip_address",
        "rfc822_name",
        "uniform_resource_identifier",
    ):
        return native
    return f"{name.name}:{name.chosen.dump().hex()}"


def _key(certificate: x509.Certificate) -> tuple[str, int | None]:
    """Return algorithm and size in bits; an algorithm without a name here keeps its OID."""
    info = certificate.public_key
    algorithm = str(info["algorithm"]["algorithm"].native)
    if algorithm in ("rsa", "dsa", "ec", "rsassa_pss"):
        return algorithm, _bits(info)
    return algorithm, {"ed25519": 256, "x25519": 256, "ed448": 456, "x448": 448}.get(algorithm)


def _bits(info: Any) -> int | None:
    parameters = info["algorithm"]["parameters"]
    if info.algorithm == "ec" and isinstance(parameters, Void):
        return None
    return int(info.bit_size)


def _time(value: datetime) -> str:
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
