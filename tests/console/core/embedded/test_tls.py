"""Off loopback the console gets a certificate; agents pin its key."""

import socket
import subprocess
from pathlib import Path

import pytest

from console.core.embedded.layout import VarLayout
from console.core.embedded.options import options_read
from console.core.embedded.tls import certificate_ensure
from console.core.tls import is_loopback_address, key_pin


@pytest.fixture
def layout(tmp_path: Path) -> VarLayout:
    layout = VarLayout(tmp_path / "var")
    layout.prepare()
    return layout


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
def test_loopback_is_recognised(address: str) -> None:
    assert is_loopback_address(address)


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.7", "console.example"])
def test_anything_else_is_not_loopback(address: str) -> None:
    assert not is_loopback_address(address)


def test_the_certificate_is_kept_because_agents_pin_its_key(layout: VarLayout) -> None:
    certificate, key = certificate_ensure(layout, "192.0.2.7")
    before = certificate.read_bytes(), key.read_bytes()
    certificate_ensure(layout, "192.0.2.7")
    assert (certificate.read_bytes(), key.read_bytes()) == before


def test_the_certificate_names_the_address(layout: VarLayout) -> None:
    certificate, _ = certificate_ensure(layout, "192.0.2.7")
    argv = ["openssl", "x509", "-in", str(certificate), "-noout", "-ext", "subjectAltName"]
    shown = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    assert "IP Address:192.0.2.7" in shown
    assert "DNS:localhost" in shown


def test_the_pin_is_the_hash_of_the_public_key(layout: VarLayout) -> None:
    certificate, _ = certificate_ensure(layout, "192.0.2.7")
    pipeline = (
        f"openssl x509 -in {certificate} -pubkey -noout | openssl pkey -pubin -outform der"
        " | openssl dgst -sha256 -binary | openssl base64"
    )
    expected = subprocess.run(pipeline, shell=True, capture_output=True, text=True, check=True)
    assert key_pin(certificate.read_text()) == f"sha256//{expected.stdout.strip()}"


def test_off_loopback_the_console_serves_https(
    layout: VarLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYRACK_BIND", "0.0.0.0")
    monkeypatch.setenv("KEYRACK_PORT", "8444")
    options = options_read(layout)
    assert options.local_url == "https://127.0.0.1:8444"
    assert options.environment()["KEYRACK_TLS_CERT"] == str(layout.tls / "console.crt")


def test_a_console_that_listens_everywhere_is_called_by_the_machines_name(
    layout: VarLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYRACK_BIND", "0.0.0.0")
    monkeypatch.setenv("KEYRACK_PORT", "8444")
    monkeypatch.delenv("KEYRACK_PUBLIC_URL", raising=False)
    monkeypatch.setattr(socket, "getfqdn", lambda: "console.example")
    assert options_read(layout).url == "https://console.example:8444"
    assert options_read(layout).environment()["KEYRACK_PUBLIC_URL"].endswith("example:8444")


def test_a_public_address_that_was_given_wins(
    layout: VarLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYRACK_BIND", "0.0.0.0")
    monkeypatch.setenv("KEYRACK_PUBLIC_URL", "https://keyrack.example/")
    monkeypatch.delenv("KEYRACK_ALLOWED_HOSTS", raising=False)
    assert options_read(layout).url == "https://keyrack.example"
    assert "KEYRACK_ALLOWED_HOSTS" not in options_read(layout).environment()


def test_on_loopback_it_serves_plain_http(
    layout: VarLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYRACK_BIND", "127.0.0.1")
    monkeypatch.setenv("KEYRACK_PORT", "8444")
    assert options_read(layout).local_url == "http://127.0.0.1:8444"
