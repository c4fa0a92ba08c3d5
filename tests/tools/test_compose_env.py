"""Secrets for docker compose are made once, and satisfy what the Compose file asks for."""

import re
import stat
from pathlib import Path

import pytest

from console.core.tls import key_pin
from tools import compose_env

COMPOSE = Path(__file__).parents[2] / "docker-compose.yml"


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compose_env, "ROOT", tmp_path)
    monkeypatch.setattr(compose_env, "ENV", tmp_path / ".env")
    monkeypatch.setattr(compose_env, "TLS", tmp_path / "deploy" / "tls")
    return tmp_path


def _made(folder: Path) -> dict[str, str]:
    lines = (folder / ".env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_everything_that_compose_requires_is_made(checkout: Path) -> None:
    assert compose_env.main(["console.example:8443"]) == 0
    required = set(re.findall(r"\$\{([A-Z_]+):\?", COMPOSE.read_text()))
    assert required
    assert required <= _made(checkout).keys()


def test_the_pin_is_that_of_the_certificate(checkout: Path) -> None:
    compose_env.main(["console.example"])
    certificate = (checkout / "deploy" / "tls" / "console.crt").read_text()
    assert _made(checkout)["KEYRACK_TLS_PIN"] == key_pin(certificate)


def test_secrets_once_made_are_kept_and_closed_to_others(checkout: Path) -> None:
    compose_env.main(["console.example"])
    before = _made(checkout)
    compose_env.main(["console.example"])
    assert _made(checkout) == before
    assert stat.S_IMODE((checkout / ".env").stat().st_mode) == 0o600


def test_without_an_address_nothing_is_made(checkout: Path) -> None:
    assert compose_env.main([]) == 2
    assert list(checkout.iterdir()) == []
