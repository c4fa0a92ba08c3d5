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
OTHER_INVENTORIES_SECONDS = 20.0
MEASUREMENT_SECONDS = 300.0
MEASUREMENT_NAME = "First measurement"
MEASUREMENT = {
    "workload": "openssl.speed",
    "name": MEASUREMENT_NAME,
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
    poll(lambda: any(_inventories(client)), seconds=INVENTORY_SECONDS, every_seconds=0.5)
    poll(lambda: all(_inventories(client)), seconds=OTHER_INVENTORIES_SECONDS, every_seconds=0.5)
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
    # Nothing is measured on simulated hosts: their figures would be this machine's.
    active = [host for host in hosts if host["state"] == "active" and not host["is_simulated"]]
    if active:
        _measure(client, active[0])


def _inventories(client: ConsoleClient) -> list[bool]:
    """Return for every host whether it was looked at yet."""
    return [bool(host["first_inventory_at"]) for host in client.every("/api/v1/hosts/")]


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
    wanted = {"search": MEASUREMENT_NAME, "host": host["id"], "state": "finished"}
    for job in client.every("/api/v1/jobs/", **wanted):
        run = client.get(f"/api/v1/jobs/{job['id']}/")["runs"][0]
        if run["state"] == "succeeded":
            _say(f"With and without acceleration, as measured here on {run['finished_at'][:10]}:")
            _show_verdicts(client.get(f"/api/v1/runs/{run['id']}/"))
            return
    reply = client.post("/api/v1/jobs/", {**MEASUREMENT, "hosts": [host["id"]]})
    if reply.is_error:
        _say(f"Nothing measured: {reply.json().get('message', reply.text)}")
        return
    job = reply.json()
    _say(f"With and without acceleration, measured now: about {job['expected_seconds']:.0f} s …")
    run_id = job["runs"][0]["id"]
    if not poll(
        lambda: client.get(f"/api/v1/runs/{run_id}/")["state"] in FINAL,
        seconds=MEASUREMENT_SECONDS,
        every_seconds=1.0,
    ):
        _say("  It takes longer than expected; the dashboard's page Jobs shows how it goes.")
        return
    _show_verdicts(client.get(f"/api/v1/runs/{run_id}/"))


def _show_verdicts(run: dict[str, Any]) -> None:
    for comparison in run["comparisons"]:
        _say(f"  {comparison['sentence']}")
    proof = run["result"].get("mask_sentence")
    if proof:
        _say(f"  {proof}")
    if run["state"] != "succeeded":
        _say(f"  The run ended {run['state']}: {run['message']}")


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
