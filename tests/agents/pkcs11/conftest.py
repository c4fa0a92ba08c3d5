"""Modules compiled from C, private SoftHSM tokens, and both bindings, for the PKCS#11 tests."""

import importlib.util
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agents.pkcs11.modules import ModuleRegistration, ProbeOutcome, probe_module
from agents.pkcs11.report import ModuleReport, module_report
from agents.wire.inventory import CertificateFacts, MechanismFacts, SlotFacts, TokenFacts

HERE = Path(__file__).resolve().parent
SOFTHSM = (
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
    "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
    "/usr/lib64/pkcs11/libsofthsm2.so",
)
BINDINGS = ("pykcs11", "ctypes")
HAS_PYKCS11 = importlib.util.find_spec("PyKCS11") is not None


@dataclass(frozen=True)
class Look:
    """What a probe of one module gave."""

    registration: ModuleRegistration
    outcome: ProbeOutcome
    report: ModuleReport

    @property
    def codes(self) -> list[str]:
        return [finding.code for finding in self.report.findings]

    @property
    def slots(self) -> dict[int, SlotFacts]:
        return {slot.slot_id: slot for slot in self.report.provider.slots}

    def token(self, label: str) -> TokenFacts:
        tokens = [slot.token for slot in self.report.provider.slots if slot.token]
        return next(token for token in tokens if token.label == label)

    def mechanism(self, name: str, slot_key: str = "") -> MechanismFacts:
        found = self.report.provider.mechanisms
        return next(m for m in found if m.name == name and m.slot_key == slot_key)


Looker = Callable[..., Look]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Compile a module of the folder `modules` once and return its path."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    directory = tmp_path_factory.mktemp("modules")

    def build(name: str) -> str:
        target = directory / f"{name}.so"
        if not target.exists():
            source = HERE / "modules" / f"{name}.c"
            command = [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
            subprocess.run([*command, "-o", str(target), str(source)], check=True, timeout=60)
        return str(target)

    return build


@pytest.fixture(params=BINDINGS)
def binding(request: pytest.FixtureRequest) -> str:
    """Both bindings in turn; what one gives the other must give too."""
    if request.param == "pykcs11" and not HAS_PYKCS11:
        pytest.skip("needs PyKCS11, which has no wheel for this platform")
    return str(request.param)


@pytest.fixture
def look_at(compiled: Callable[[str], str]) -> Looker:
    """Probe a module (by the name of its source, or by full path) and turn it into facts."""

    def look(module: str, *, binding: str = "auto", timeout: float = 20, **options: Any) -> Look:
        path = module if module.startswith("/") else compiled(module)
        registration = ModuleRegistration(name=Path(path).stem, path=path, **options)
        outcome = probe_module(registration, timeout_seconds=timeout, binding=binding)
        return Look(registration, outcome, module_report(registration, outcome))

    return look


@dataclass(frozen=True)
class TokenStore:
    """Tokens made once for all tests; each test works on a copy."""

    module: str
    directory: Path
    pin: str
    so_pin: str


@dataclass(frozen=True)
class Tokens:
    """SoftHSM with a configuration of its own and two tokens: `alpha` and `beta`."""

    module: str
    pin: str
    so_pin: str
    look: Looker

    def administer(self, *steps: dict[str, Any]) -> list[str]:
        return administer(self.module, *steps)


def administer(module: str, *steps: dict[str, Any], **environment: str) -> list[str]:
    """Change tokens in a process of its own; `ok` or a return value's name for each step."""
    result = subprocess.run(
        [sys.executable, str(HERE / "token_admin.py"), module],
        input=json.dumps(steps),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, **environment},
    )
    return list(json.loads(result.stdout))


@pytest.fixture(scope="session")
def token_store(tmp_path_factory: pytest.TempPathFactory, certificate_der: bytes) -> TokenStore:
    """Make the two tokens once. `alpha` holds a certificate in the open and a private object."""
    module = next((path for path in SOFTHSM if Path(path).exists()), None)
    if module is None or not HAS_PYKCS11:
        pytest.skip("needs SoftHSM and, to make tokens, PyKCS11")
    directory = tmp_path_factory.mktemp("softhsm")
    store = TokenStore(module, directory, secrets.token_hex(4), secrets.token_hex(4))
    pins = {"pin": store.pin, "so_pin": store.so_pin}
    certificate = {"name": "web", "id": "01ff", "der": certificate_der.hex(), "pin": store.pin}
    answers = administer(
        module,
        {"do": "initialise", "label": "alpha", **pins},
        {"do": "initialise", "label": "beta", **pins},
        {"do": "add_certificate", "label": "alpha", **certificate},
        SOFTHSM2_CONF=str(configure(directory)),
    )
    assert answers == ["ok", "ok", "ok"]
    return store


def configure(directory: Path) -> Path:
    """Write a SoftHSM configuration whose tokens lie beside it; return its path."""
    (directory / "tokens").mkdir(exist_ok=True)
    conf = directory / "softhsm2.conf"
    conf.write_text(f"directories.tokendir = {directory / 'tokens'}\nobjectstore.backend = file\n")
    return conf


@pytest.fixture
def softhsm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, look_at: Looker, token_store: TokenStore
) -> Tokens:
    """Give a test its own copy of the two tokens."""
    shutil.copytree(token_store.directory / "tokens", tmp_path / "tokens")
    monkeypatch.setenv("SOFTHSM2_CONF", str(configure(tmp_path)))
    return Tokens(token_store.module, token_store.pin, token_store.so_pin, look_at)


@pytest.fixture(scope="session")
def certificate_der(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A self-signed P-256 certificate with awkward names, made by openssl."""
    directory = tmp_path_factory.mktemp("certificate")
    target = directory / "certificate.der"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-keyout", str(directory / "key.pem"), "-days", "30"),
            *("-subj", "/C=DE/O=Example, Ltd./OU=Tests+UID=7/CN=www.example.org"),
            *("-addext", "subjectAltName=DNS:www.example.org,DNS:example.org,IP:192.0.2.7"),
            *("-outform", "DER", "-out", str(target)),
        ],
        check=True,
        capture_output=True,
        timeout=60,
    )
    return target.read_bytes()


@pytest.fixture
def only_certificate() -> Callable[[TokenFacts], CertificateFacts]:
    """Return the one certificate of a token."""

    def only(token: TokenFacts) -> CertificateFacts:
        assert len(token.certificates) == 1
        return token.certificates[0]

    return only


@pytest.fixture
def deadline() -> float:
    """A scan's deadline well ahead."""
    return time.monotonic() + 60
