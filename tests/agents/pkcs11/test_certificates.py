"""Certificates: names in RFC 4514 order, times, keys, and bytes that are none."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pkcs11.certificates import decode_certificate


def make(directory: Path, subject: str, *key: str, extensions: tuple[str, ...] = ()) -> bytes:
    """Return a self-signed certificate."""
    target = directory / "made.der"
    command = ["openssl", "req", "-x509", "-nodes", "-days", "30", "-utf8", "-multivalue-rdn"]
    command += ["-newkey", *key, "-keyout", str(directory / "key.pem"), "-subj", subject]
    command += [word for extension in extensions for word in ("-addext", extension)]
    command += ["-outform", "DER", "-out", str(target)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return target.read_bytes()


def test_names_are_in_the_order_and_escapes_of_rfc_4514(tmp_path: Path) -> None:
    subject = '/DC=org/DC=example/O=A "quoted" <name>; and \\+ more/CN=#first, last '
    facts = decode_certificate(make(tmp_path, subject, "ed25519"))
    expected = r"CN=\#first\, last\ ,O=A \"quoted\" \<name\>\; and \+ more,DC=example,DC=org"
    assert facts.subject == expected
    assert facts.issuer == expected


@pytest.mark.parametrize(
    ("key", "kind", "bits"),
    [
        (("rsa:2048",), "rsa", 2048),
        (("ed25519",), "ed25519", 256),
        (("ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"), "ec", 384),
        (("rsa-pss", "-pkeyopt", "rsa_keygen_bits:2048"), "rsassa_pss", 2048),
    ],
)
def test_key_type_and_size(tmp_path: Path, key: tuple[str, ...], kind: str, bits: int) -> None:
    facts = decode_certificate(make(tmp_path, "/CN=x", *key))
    assert (facts.key_type, facts.key_bits, facts.error) == (kind, bits, "")


def test_all_kinds_of_alternative_names(tmp_path: Path) -> None:
    names = "DNS:a.example,email:who@example.org,URI:urn:x,IP:2001:db8::1,RID:1.2.3"
    facts = decode_certificate(
        make(tmp_path, "/CN=x", "ed25519", extensions=(f"subjectAltName={names}",))
    )
    assert facts.names[:4] == ["a.example", "who@example.org", "urn:x", "2001:db8::1"]
    assert facts.names[4].startswith("registered_id:")


def test_times_and_serial_agree_with_openssl(tmp_path: Path) -> None:
    der = make(tmp_path, "/CN=x", "ed25519")
    facts = decode_certificate(der)
    command = ["openssl", "x509", "-inform", "DER", "-noout", "-serial", "-enddate"]
    command += ["-dateopt", "iso_8601"]
    said = subprocess.run(command, input=der, capture_output=True, check=True).stdout.decode()
    serial = said.partition("serial=")[2].split()[0]
    assert int(facts.serial, 16) == int(serial, 16)
    assert f"notAfter={facts.not_after.replace('T', ' ')}" in said


def test_an_object_that_only_refers_to_a_certificate_says_so() -> None:
    facts = decode_certificate(b"", label=b"by reference")
    assert facts.label == "by reference"
    assert "only a reference" in facts.error


def test_trailing_bytes_are_not_a_certificate(certificate_der: bytes) -> None:
    assert decode_certificate(certificate_der + b"\0").error != ""


@given(st.binary(max_size=300))
def test_any_bytes_give_an_error_and_never_raise(der: bytes) -> None:
    facts = decode_certificate(der, label=der, object_id=der)
    assert facts.error
    assert facts.subject == ""


@given(st.data())
def test_a_damaged_certificate_never_raises(certificate_der: bytes, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(certificate_der) - 1))
    damaged = bytearray(certificate_der)
    damaged[position] = data.draw(st.integers(0, 255))
    facts = decode_certificate(bytes(damaged))
    assert facts.error or facts.serial
