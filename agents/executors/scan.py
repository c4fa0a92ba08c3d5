"""Entry of the scan child: one inventory, written to files that the daemon sends on unread.

`python -m agents.executors.scan <directory> [--config FILE]` writes `snapshot.json.gz` (a finished
SnapshotRequest), `gauges.json`, and last `scan.json`, which says that the others are whole.
"""

import argparse
import gzip
import json
import logging
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from agents.changes.planning import kind_facts
from agents.config import Config, ConfigError, load_config
from agents.drivers.base import Inventory, ScanContext
from agents.drivers.registry import NoDriver, choose_driver
from agents.executors.job import NOT_MEASURED
from agents.files import ensure_private_dir, write_durably
from agents.log import configure_logging, log_event
from agents.wire import codec
from agents.wire.inventory import WorkloadFacts
from agents.wire.messages import SnapshotRequest
from agents.workloads.base import Workload, WorkloadHost
from agents.workloads.registry import WORKLOADS

SNAPSHOT_FILE = "snapshot.json.gz"
GAUGES_FILE = "gauges.json"
SUMMARY_FILE = "scan.json"
WORKLOAD_STATE = "workloads"
EXIT_REFUSED = 2

_log = logging.getLogger(__name__)


def take_inventory(config: Config) -> Inventory:
    """Look at this host once: what its driver finds, and what could be run and changed here.

    Raises NoDriver where nothing fits this machine.
    """
    driver = choose_driver(config)
    found = driver.inventory(ScanContext.from_config(config))
    with _workload_state(config.state_dir) as state_dir:
        host = WorkloadHost(facts=found.facts.host, state_dir=state_dir)
        workloads = [_check(workload, host) for workload in WORKLOADS]
    changes = kind_facts(driver, config.agent)
    return replace(found, facts=replace(found.facts, workloads=workloads, changes=changes))


def write_inventory(found: Inventory, directory: Path, *, taken_at: str, seconds: float) -> None:
    """Write what the daemon needs; `scan.json` comes last."""
    digest = codec.facts_digest(found.facts)
    request = SnapshotRequest(
        taken_at=taken_at, digest=digest, facts=found.facts, duration_seconds=seconds
    )
    body = gzip.compress(codec.encode(request), 6, mtime=0)
    summary = {"digest": digest, "taken_at": taken_at, "duration_seconds": seconds}
    gauges = json.dumps(codec.to_plain(found.gauges)).encode()
    write_durably(directory / SNAPSHOT_FILE, body, is_durable=False)
    write_durably(directory / GAUGES_FILE, gauges, is_durable=False)
    write_durably(directory / SUMMARY_FILE, json.dumps(summary).encode(), is_durable=False)


def main(arguments: list[str] | None = None) -> int:
    """Run one scan; exit code 0, or 2 with a sentence on stderr."""
    parser = argparse.ArgumentParser(prog="agents.executors.scan")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--config", type=Path)
    chosen = parser.parse_args(arguments)
    started = time.monotonic()
    taken_at = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        config = load_config(chosen.config)
        configure_logging(config.agent.log_level)
        found = take_inventory(config)
    except (ConfigError, NoDriver) as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_REFUSED
    seconds = round(time.monotonic() - started, 3)
    write_inventory(found, chosen.directory, taken_at=taken_at, seconds=seconds)
    return 0


@contextmanager
def _workload_state(state_dir: Path) -> Iterator[Path]:
    """Give the directory where workloads remember things; a passing one where we may not write."""
    path = state_dir / WORKLOAD_STATE
    try:
        ensure_private_dir(path)
    except OSError:
        with tempfile.TemporaryDirectory(prefix="keyrack-") as passing:
            yield Path(passing)
    else:
        yield path


def _check(workload: Workload, host: WorkloadHost) -> WorkloadFacts:
    if host.facts.is_simulated:
        return WorkloadFacts(name=workload.name, is_eligible=False, reason=NOT_MEASURED)
    try:
        return workload.check(host)
    except Exception as error:  # one workload's defect must not cost the inventory
        name = type(error).__name__
        log_event(_log, "workload.check_failed", logging.ERROR, workload=workload.name, error=error)
        reason = (
            f"The check of {workload.name} failed with a defect of Keyrack's ({name}: {error})."
        )
        return WorkloadFacts(name=workload.name, is_eligible=False, reason=reason)


if __name__ == "__main__":
    sys.exit(main())
