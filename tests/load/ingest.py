"""Queries and written rows of a large snapshot's ingest, counted inside the console."""

import json
import subprocess
import sys
from typing import Any

from agents.wire import codec
from agents.wire.inventory import Facts
from agents.wire.messages import SnapshotRequest
from agents.wire.names import PATH_SNAPSHOT
from console.config.env import ROOT
from tests.load.facts import MECHANISMS, PROVIDERS, large_facts
from tests.load.report import Row
from tests.load.server import BenchConsole, enrolled_host, serving

MOST_QUERIES = 20


def measure(console: BenchConsole) -> list[Row]:
    """Let a child with the console's settings ingest, and read what it counted."""
    with serving(console, "wsgi") as server:
        credential = enrolled_host(console, server).credential
    output = subprocess.run(
        [sys.executable, "-m", "tests.load.ingest"],
        cwd=ROOT,
        env=console.environment,
        input=credential,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        timeout=300,
    ).stdout
    counted: dict[str, Any] = json.loads(output.splitlines()[-1])
    most = max(counted["large"], counted["changed"], counted["small"])
    size = f"{PROVIDERS} providers, {MECHANISMS} mechanisms"
    is_constant = counted["large"] == counted["small_to_large"]
    return [
        Row(
            name=f"queries to ingest {size}",
            measured=f"{counted['large']} when all is new, {counted['changed']} when one mechanism "
            f"and one token changed, {counted['same']} when nothing did; {counted['small']} for "
            "1 provider",
            promise=f"≤ {MOST_QUERIES}, whatever the size",
            is_met=most <= MOST_QUERIES and is_constant,
            how="the whole request by Django's test client, SQLite",
        ),
        Row(
            name="inventory rows written when one mechanism and one token changed",
            measured=str(counted["rows_written"]),
            promise="2",
            is_met=counted["rows_written"] == 2,
            how="rows with a new updated_at",
        ),
    ]


def _count(credential: str) -> dict[str, Any]:
    """Runs in the child: Django is set up there, and only there."""
    from django.utils import timezone

    small = Facts(host=large_facts().host, providers=large_facts().providers[:1])
    counted = {
        "small": _ingest(credential, small),
        "small_to_large": _ingest(credential, large_facts()),
        "same": _ingest(credential, large_facts()),
    }
    before = timezone.now()
    counted["changed"] = _ingest(credential, large_facts(changed=True))
    counted["rows_written"] = _rows_since(before)
    _ingest(credential, small)
    counted["large"] = _ingest(credential, large_facts())
    return counted


def _ingest(credential: str, facts: Facts) -> int:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    request = SnapshotRequest(
        taken_at="2026-01-01T00:00:00+00:00", digest=codec.facts_digest(facts), facts=facts
    )
    with CaptureQueriesContext(connection) as queries:
        reply = Client(HTTP_HOST="127.0.0.1").post(
            PATH_SNAPSHOT,
            codec.encode(request),
            content_type="application/json",
            HTTP_AUTHORIZATION=f"Bearer {credential}",
        )
    if reply.status_code != 200:
        raise RuntimeError(f"ingest answered {reply.status_code}: {reply.content[:300]!r}")
    return len(queries)


def _rows_since(moment: Any) -> int:
    from console.inventory.models import ROW_MODELS

    return sum(model.objects.filter(updated_at__gte=moment).count() for model in ROW_MODELS)


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write(json.dumps(_count(sys.stdin.read().strip())) + "\n")
