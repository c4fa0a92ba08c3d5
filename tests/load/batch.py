"""A batch over 1,000 hosts through the API: how long its requests take, how many queries it needs.

`python -m tests.load.batch hosts | plans` is what runs in a child with the console's settings.
"""

import json
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import httpx

from console.config.env import ROOT
from tests.load.report import Row
from tests.load.server import BenchConsole, serving

HOSTS = 1_000
MOST_SECONDS = 2.0
_KIND = "metaslot.enable"


@dataclass(kw_only=True)
class Timed:
    """A client that notes how long each of its requests took."""

    client: httpx.Client
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def send(self, name: str, method: str, url: str, body: Any = None) -> Any:
        """Send, note the time under `name`, and return the reply's body."""
        started = time.perf_counter()
        reply = self.client.request(method, f"/api/v1/{url}", json=body)
        self.seconds.setdefault(name, []).append(time.perf_counter() - started)
        if reply.is_error:
            raise RuntimeError(f"{url} answered {reply.status_code}: {reply.text[:300]}")
        return reply.json()

    def all_of(self, name: str, batch: str) -> int:
        """Do it to the whole batch, in as many requests as that takes; return to how many."""
        done, place = 0, {"after": 0}
        while True:
            reply = self.send(name, "POST", f"change-batches/{batch}/{name}/", place)
            done, place = done + reply["done"], {"after": reply["last"]}
            if reply["left"] == 0:
                return done


def measure(console: BenchConsole) -> list[Row]:
    """Create, look at, approve, apply and cancel one batch; each by the person who may."""
    counted = _child(console, "hosts")
    console.manage("user_create", "second", "--role", "approver")
    second = console.manage("apitoken_create", "--user", "second", "--name", "bench")
    with serving(console, "wsgi") as server:
        first, other = (_timed(server.url, token) for token in (console.token, second))
        body = {"kind": _KIND, "hosts": counted["hosts"], "reason": "bench"}
        batch = first.send("create", "POST", "change-batches/", body)["id"]
        _child(console, "plans")
        first.send("batch", "GET", f"change-batches/{batch}/")
        first.send("list", "GET", f"changes/?batch={batch}&page_size=1000")
        done = [other.all_of("approve", batch), first.all_of("apply", batch)]
        done.append(first.all_of("cancel", batch))
    if done != [HOSTS] * 3:
        raise RuntimeError(f"not all of the batch was approved, applied, cancelled: {done}")
    return _rows({**first.seconds, **other.seconds}, counted["queries"])


def _timed(url: str, token: str) -> Timed:
    headers = {"Authorization": f"Bearer {token}"}
    return Timed(client=httpx.Client(base_url=url, headers=headers, timeout=60))


def _rows(seconds: dict[str, list[float]], queries: list[int]) -> list[Row]:
    longest = max(max(each) for each in seconds.values())
    each = ", ".join(
        f"{name} {max(some):.2f}" + (f" ({len(some)} requests)" if len(some) > 1 else "")
        for name, some in seconds.items()
    )
    few, many = queries
    return [
        Row(
            name=f"longest request about a batch of {HOSTS} hosts",
            measured=f"{longest:.2f} s",
            promise=f"≤ {MOST_SECONDS:.0f} s",
            is_met=longest <= MOST_SECONDS,
            how=f"one worker, SQLite; the longest of each, in seconds: {each}",
        ),
        Row(
            name="queries to make a batch",
            measured=f"{many} for {HOSTS} hosts, {few} for 10",
            promise="a constant number",
            is_met=many == few,
            how="the service, SQLite",
        ),
    ]


def _child(console: BenchConsole, what: str) -> dict[str, Any]:
    output = subprocess.run(
        [sys.executable, "-m", "tests.load.batch", what],
        cwd=ROOT,
        env=console.environment,
        check=True,
        text=True,
        stdout=subprocess.PIPE,
        timeout=300,
    ).stdout
    result: dict[str, Any] = json.loads(output.splitlines()[-1])
    return result


def _hosts() -> dict[str, Any]:
    """Runs in the child: hosts that take the kind; how many queries a batch of them needs."""
    from django.utils import timezone

    from console.fleet.models import Host

    kinds = [{"name": _KIND, "is_accepted": True, "reason": ""}]
    made = Host.objects.bulk_create(
        Host(
            name=f"bench-{number:04}",
            machine_id=f"bench-{number:04}",
            state="offline",
            enrolled_at=timezone.now(),
            change_kinds=kinds,
        )
        for number in range(HOSTS)
    )
    ids = [host.pk for host in made]
    return {"hosts": [str(pk) for pk in ids], "queries": [_queries(ids[:10]), _queries(ids)]}


def _queries(ids: list[Any]) -> int:
    from django.db import connection, transaction
    from django.test.utils import CaptureQueriesContext

    from console.accounts.actors import SYSTEM
    from console.changes.batches import batch_create

    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        batch_create(actor=SYSTEM, host_ids=ids, kind=_KIND, parameters={}, reason="bench")
        transaction.set_rollback(True)
    return len(queries)


def _plans() -> dict[str, Any]:
    """Runs in the child: all that is being planned gets a plan, as if its agent had sent it."""
    from agents.wire.codec import to_plain
    from console.changes.following import plan_take
    from console.changes.models import Change
    from console.changes.plans import plan_store
    from tests.console.changes.cast import a_plan

    for change in Change.objects.filter(state="planning").select_related("host"):
        plan_take(change, plan_store(change, to_plain(a_plan(change, risk="medium"))))
    return {}


if __name__ == "__main__":
    import django

    django.setup()
    sys.stdout.write(json.dumps({"hosts": _hosts, "plans": _plans}[sys.argv[1]]()) + "\n")
