"""What `make run` shows when all is up: hosts, units, tokens, and what acceleration is worth here.

`python -m console.core.embedded.introduction`; talks to the console through its public API alone.
"""

import sys
from typing import Any

import httpx

from console.config import env
from console.core.embedded.client import ConsoleClient, poll
from console.core.embedded.layout import VarLayout
from console.core.embedded.options import options_read

INVENTORY_SECONDS = 90.0
MEASUREMENT = {
    "workload": "openssl.speed",
    "name": "First measurement",
    "parameters": {
        "algorithms": ["aes-128-cbc", "sha256"],
        "sizes_bytes": [8192],
        "pairs": 5,
        "seconds": 1,
        "control": False,
    },
}
FINAL = {"succeeded", "failed", "errored", "cancelled", "lost", "expired"}


def main() -> int:
    """Print the tables; return the exit code."""
    options = options_read(VarLayout(env.var_dir()))
    with ConsoleClient(options) as client:
        if not client.log_in():
            _say("User admin has a password of its own by now: no tables here, see the dashboard.")
            return 0
        try:
            _introduce(client)
        except httpx.HTTPError as error:
            _say(f"The console did not answer as expected: {error}")
            return 1
        finally:
            client.log_out()
    return 0


def _introduce(client: ConsoleClient) -> None:
    poll(lambda: _has_inventory(client), seconds=INVENTORY_SECONDS, every_seconds=0.5)
    hosts = list(client.every("/api/v1/hosts/"))
    _say(_table("Hosts", ("name", "state", "platform", "processor"), map(_host_row, hosts)))
    units = client.every("/api/v1/units/")
    _say(_table("Crypto units", ("host", "kind", "name", "features"), map(_unit_row, units)))
    tokens = client.every("/api/v1/tokens/")
    _say(
        _table(
            "Tokens", ("host", "provider", "label", "serial", "user PIN"), map(_token_row, tokens)
        )
    )
    active = [host for host in hosts if host["state"] == "active"]
    if active:
        _measure(client, active[0])


def _has_inventory(client: ConsoleClient) -> bool:
    hosts = client.every("/api/v1/hosts/")
    return any(host["first_inventory_at"] for host in hosts)


def _host_row(host: dict[str, Any]) -> tuple[str, ...]:
    state = f"{host['state']}, simulated" if host["is_simulated"] else host["state"]
    return host["name"], state, f"{host['os_name']} {host['os_version']}", host["cpu_model"]


def _unit_row(unit: dict[str, Any]) -> tuple[str, ...]:
    return unit["host"]["name"], unit["kind"], unit["name"], " ".join(unit["features"])


def _token_row(token: dict[str, Any]) -> tuple[str, ...]:
    place = (token["host"]["name"], token["provider"]["name"])
    return *place, token["label"] or "(no label)", token["serial"], token["user_pin_state"]


def _measure(client: ConsoleClient, host: dict[str, Any]) -> None:
    """Measure with and without acceleration, or show what an earlier start measured."""
    earlier = client.get("/api/v1/jobs/", name=str(MEASUREMENT["name"]), ordering="-created_at")
    for job in earlier["results"]:
        for run in client.get(f"/api/v1/jobs/{job['id']}/")["runs"]:
            if run["state"] == "succeeded" and run["host"]["id"] == host["id"]:
                _say(f"With and without acceleration (measured {run['finished_at']}):")
                _show_verdicts(client, run["id"], set())
                return
    reply = client.post("/api/v1/jobs/", {**MEASUREMENT, "hosts": [host["id"]]})
    if reply.is_error:
        _say(f"Nothing measured here: {reply.json().get('message', reply.text)}")
        return
    _say("With and without acceleration (OpenSSL, 8 KiB, five rounds; takes half a minute):")
    run_id = reply.json()["runs"][0]["id"]
    shown: set[str] = set()
    poll(lambda: _follow(client, run_id, shown), seconds=300, every_seconds=1.0)


def _follow(client: ConsoleClient, run_id: str, shown: set[str]) -> bool:
    run = _show_verdicts(client, run_id, shown)
    if run["state"] in FINAL and run["state"] != "succeeded":
        _say(f"  {run['state']}: {run['message']}")
    return run["state"] in FINAL


def _show_verdicts(client: ConsoleClient, run_id: str, shown: set[str]) -> dict[str, Any]:
    run = client.get(f"/api/v1/runs/{run_id}/")
    for comparison in run["comparisons"]:
        if run["state"] in FINAL and comparison["cell"] not in shown:
            shown.add(comparison["cell"])
            _say(f"  {comparison['sentence']}")
    if run["state"] == "succeeded" and run["result"].get("mask_sentence"):
        _say(f"  {run['result']['mask_sentence']}")
    return run


def _table(title: str, heads: tuple[str, ...], rows: Any, width: int = 44) -> str:
    """Return rows as aligned text under `title`; long cells are cut."""
    cells = [heads, *[tuple(_cut(cell, width) for cell in row) for row in rows]]
    if len(cells) == 1:
        return f"{title}: none\n"
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in cells]
    return "\n".join([title, *(f"  {line.rstrip()}" for line in lines)]) + "\n"


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - this program's whole purpose


if __name__ == "__main__":
    sys.exit(main())
