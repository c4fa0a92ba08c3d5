"""Snapshots over the wire: compressed, bounded, bound to their digest."""

import gzip
import hashlib
import json
import zlib
from dataclasses import replace
from typing import Any

import pytest

from agents.wire.codec import to_plain
from console.agentapi.body import SMALL, SNAPSHOT
from console.inventory.ingest import snapshot_facts
from console.inventory.models import Snapshot
from tests.console.hosts import Agent, enrol, many_mechanisms, snapshot_request, some_facts

pytestmark = pytest.mark.django_db

PATH = "/agent/v1/snapshot/"


@pytest.fixture
def agent() -> Agent:
    return Agent(enrol().credential)


def code_of(response: Any, status: int) -> str:
    assert response.status_code == status, response.content
    return str(response.json()["code"])


def test_a_snapshot_is_new_once(agent: Agent) -> None:
    request = snapshot_request(some_facts())
    assert agent.post(PATH, request).json() | {"wire": ""} == {
        "digest": request.digest,
        "is_new": True,
        "wire": "",
    }
    assert agent.post(PATH, request).json()["is_new"] is False


def test_it_is_stored_with_fields_that_only_newer_agents_know(agent: Agent) -> None:
    plain = to_plain(snapshot_request(some_facts()))
    plain["facts"]["host"]["mood"] = "good"
    text = json.dumps(plain["facts"], sort_keys=True, separators=(",", ":"))
    plain["digest"] = hashlib.sha256(text.encode()).hexdigest()
    assert agent.post_bytes(PATH, json.dumps(plain).encode()).status_code == 200
    assert snapshot_facts(Snapshot.objects.get())["host"]["mood"] == "good"


def test_facts_that_their_digest_does_not_fit_are_refused(agent: Agent) -> None:
    wrong = replace(snapshot_request(some_facts()), digest="0" * 64)
    response = agent.post(PATH, wrong)
    assert code_of(response, 400) == "wire.invalid"
    assert response.json()["extra"]["problems"][0].startswith("digest: ")
    assert not Snapshot.objects.exists()


def test_a_problem_names_its_path(agent: Agent) -> None:
    plain = to_plain(snapshot_request(some_facts()))
    plain["facts"]["units"][1]["features"] = "aes"
    response = agent.post_bytes(PATH, json.dumps(plain).encode())
    assert code_of(response, 400) == "wire.invalid"
    assert "facts.units[1].features" in response.json()["extra"]["problems"][0]


def test_a_bomb_is_not_unpacked(agent: Agent) -> None:
    bomb = gzip.compress(b" " * (SNAPSHOT + 1))
    assert len(bomb) < 100_000
    assert code_of(agent.post_bytes(PATH, bomb, "gzip"), 413) == "wire.too_large"


def test_a_body_above_the_limit_is_refused(agent: Agent) -> None:
    response = agent.post_bytes("/agent/v1/heartbeat/", b" " * (SMALL + 1))
    assert code_of(response, 413) == "wire.too_large"
    assert response.json()["extra"]["limit_bytes"] == SMALL


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (b"not gzip", "gzip"),
        (gzip.compress(b"{}", mtime=0)[:-4], "gzip"),
        (gzip.compress(b"{}", mtime=0) + b"more", "gzip"),
        (zlib.compress(b"{}"), "gzip"),
        (b"{}", "br"),
    ],
)
def test_what_is_not_exactly_one_gzip_stream_is_refused(
    agent: Agent, body: bytes, encoding: str
) -> None:
    assert code_of(agent.post_bytes(PATH, body, encoding), 400) == "wire.invalid"


def test_too_many_rows_are_too_large(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.inventory.ingest.MAX_ROWS", 100)
    response = agent.post(PATH, snapshot_request(many_mechanisms()))
    assert code_of(response, 413) == "wire.too_large"
