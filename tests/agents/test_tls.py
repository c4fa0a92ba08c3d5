"""The pinned key against a real TLS server with a self-signed certificate made here."""

import base64
import hashlib
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.client import ConsoleClient, ConsoleUntrusted
from agents.tls import MalformedCertificate, pin_of, public_key_info
from agents.wire.messages import HeartbeatRequest

BODY = b'{"wire":"1.0"}'
REPLY = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


def make_certificate(folder: Path, algorithm: str) -> tuple[Path, Path]:
    key, certificate = folder / "key.pem", folder / "cert.pem"
    command = ["openssl", "req", "-x509", "-nodes", "-newkey", *algorithm.split(), "-days", "1"]
    subject = ["-subj", "/CN=another.example", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command, *subject], check=True, capture_output=True)
    return key, certificate


def pin_by_openssl(certificate: Path) -> str:
    pem = subprocess.run(
        ["openssl", "x509", "-in", str(certificate), "-pubkey", "-noout"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    der = base64.b64decode("".join(pem.splitlines()[1:-1]))
    return "sha256//" + base64.b64encode(hashlib.sha256(der).digest()).decode()


class Server:
    """Answers every request with an empty heartbeat reply, and keeps what it was sent."""

    def __init__(self, key: Path, certificate: Path) -> None:
        self.received: list[bytes] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                plain, _ = self._socket.accept()
            except OSError:
                return
            try:
                with self._context.wrap_socket(plain, server_side=True) as connection:
                    request = b""
                    while not request.endswith(b"}") and (data := connection.recv(65536)):
                        request += data
                    self.received.append(request)
                    connection.sendall(REPLY)
            except OSError:
                continue

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(*make_certificate(tmp_path, "ec -pkeyopt ec_paramgen_curve:P-256"))
    yield server
    server.close()


def ask(port: int, pin: str) -> None:
    client = ConsoleClient(f"https://127.0.0.1:{port}", pin=pin, credential="kra_x")
    client.heartbeat(HeartbeatRequest(snapshot_digest="", agent_version="1"))
    client.close()


@pytest.mark.parametrize(
    "algorithm", ["rsa:2048", "ec -pkeyopt ec_paramgen_curve:P-384", "ed25519"]
)
def test_a_pin_is_what_openssl_computes(tmp_path: Path, algorithm: str) -> None:
    _, certificate = make_certificate(tmp_path, algorithm)
    der = ssl.PEM_cert_to_DER_cert(certificate.read_text())
    assert pin_of(der) == pin_by_openssl(certificate)


@pytest.mark.parametrize("data", [b"", b"\x30", b"\x30\x82\xff\xff\x30", b"\x30\x03\x30\x01\x02"])
def test_rubbish_is_no_certificate(data: bytes) -> None:
    with pytest.raises(MalformedCertificate):
        public_key_info(data)


def test_the_pinned_key_is_accepted_whatever_the_certificate_says(
    server: Server, tmp_path: Path
) -> None:
    ask(server.port, pin_by_openssl(tmp_path / "cert.pem"))
    assert b"Bearer kra_x" in server.received[0]


def test_another_key_is_refused_before_the_credential_is_sent(server: Server) -> None:
    pin = "sha256//" + base64.b64encode(b"0" * 32).decode()
    with pytest.raises(ConsoleUntrusted, match="another server"):
        ask(server.port, pin)
    assert b"kra_x" not in b"".join(server.received)


def test_a_renewed_certificate_over_the_same_key_is_accepted(tmp_path: Path) -> None:
    key, certificate = make_certificate(tmp_path, "rsa:2048")
    pin = pin_by_openssl(certificate)
    renewed = tmp_path / "renewed.pem"
    command = ["openssl", "req", "-x509", "-key", str(key), "-subj", "/CN=new", "-out", renewed]
    subprocess.run(command, check=True, capture_output=True)
    server = Server(key, renewed)
    ask(server.port, pin)
    server.close()
    assert renewed.read_text() != certificate.read_text()
