"""Entry of a scan child for tests: a small host with the digest that its facts give."""

import sys
from pathlib import Path

from agents.drivers.base import Inventory
from agents.executors.scan import write_inventory
from agents.wire.inventory import Facts, Gauge, HostFacts

if __name__ == "__main__":
    facts = Facts(host=HostFacts(hostname="small", platform="linux"))
    found = Inventory(facts=facts, gauges=[Gauge(name="g", subject_key="", value=1.0)])
    write_inventory(found, Path(sys.argv[1]), taken_at="2026-01-02T03:04:05+00:00", seconds=0.1)
