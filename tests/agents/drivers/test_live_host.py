"""The Linux driver on the machine that runs the tests: as it is, and as an ordinary user."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agents.config import Config, LinuxConfig
from agents.drivers.base import ScanContext
from agents.drivers.linux.driver import LinuxDriver
from agents.drivers.registry import NoDriver, choose_driver
from agents.wire.codec import facts_digest
from tests.support.namespaces import unshare_mounts

ROOT = Path(__file__).resolve().parents[3]
SCAN = """
import json
from agents.config import Config
from agents.drivers.base import ScanContext
from agents.drivers.registry import choose_driver
from agents.wire.codec import to_plain
config = Config()
print(json.dumps(to_plain(choose_driver(config).facts(ScanContext.from_config(config)))))
"""


@pytest.fixture
def config() -> Config:
    return Config()


def test_this_host_is_seen_live_and_soon(config: Config) -> None:
    started = time.monotonic()
    found = choose_driver(config).inventory(ScanContext.from_config(config))
    assert time.monotonic() - started < 10
    host = found.facts.host
    assert (host.source, host.is_simulated) == ("live", False)
    assert host.hostname == os.uname().nodename
    assert host.architecture == os.uname().machine
    assert host.cpu_count >= 1
    assert host.memory_bytes > 1 << 26


def test_two_scans_of_this_host_give_one_digest(config: Config) -> None:
    driver = choose_driver(config)
    first, second = (driver.facts(ScanContext.from_config(config)) for _ in range(2))
    assert facts_digest(first) == facts_digest(second)


def test_openssl_tells_version_providers_and_mechanisms(config: Config) -> None:
    facts = choose_driver(config).facts(ScanContext.from_config(config))
    said = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True)
    assert str(facts.settings["openssl.version"]) in said.stdout
    default = next(p for p in facts.providers if p.key == "openssl:provider:default")
    assert default.state == "ok"
    operations = {m.name: m.operations for m in default.mechanisms}
    assert {"sign", "verify", "generate_key_pair"} <= set(operations["RSA"])


def test_gauges_of_this_host_cost_little(config: Config) -> None:
    driver = choose_driver(config)
    started = time.process_time()
    gauges = {gauge.name: gauge.value for gauge in driver.gauges()}
    assert time.process_time() - started < 0.2
    assert gauges["host.uptime_seconds"] > 0
    assert gauges["host.memory_available_bytes"] > 0


def test_the_agent_itself_loads_no_pkcs11_library(config: Config) -> None:
    choose_driver(config).facts(ScanContext.from_config(config))
    assert "PyKCS11" not in sys.modules


def test_a_root_without_proc_fits_no_driver(tmp_path: Path) -> None:
    config = Config(linux=LinuxConfig(root=tmp_path))
    assert not LinuxDriver.from_config(config).probe().applies
    with pytest.raises(NoDriver, match="no /proc/cpuinfo below"):
        choose_driver(config)


@pytest.fixture(scope="module")
def as_nobody() -> dict[str, Any]:
    """Scan this host as the user `nobody`, with the same interpreter and sources."""
    unshare = unshare_mounts()
    if unshare is None:
        pytest.skip("needs the right to make mount namespaces")
    helper = ROOT / "tests/support/ordinary_user.py"
    needed = [str(ROOT), sys.prefix, sys.base_prefix]
    result = subprocess.run(
        [*unshare, sys.executable, str(helper), *needed, "--", sys.executable, "-c", SCAN],
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONPATH": str(ROOT)},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return dict(json.loads(result.stdout))


def test_an_ordinary_user_is_told_what_does_not_show(as_nobody: dict[str, Any]) -> None:
    host = as_nobody["host"]
    assert host["runs_as"] == "nobody"
    assert host["blind_spots"][0].startswith("The agent runs as nobody, not as root")
    if Path("/var/lib/softhsm/tokens").exists():
        assert any("/var/lib/softhsm/tokens" in sentence for sentence in host["blind_spots"])


def test_an_ordinary_user_still_sees_most_of_it(as_nobody: dict[str, Any], config: Config) -> None:
    facts = choose_driver(config).facts(ScanContext.from_config(config))
    assert {u["key"] for u in as_nobody["units"]} >= {
        unit.key for unit in facts.units if unit.kind == "cpu_instructions"
    }
    kernel = {provider.key for provider in facts.providers if provider.key.startswith("kernel:")}
    assert {provider["key"] for provider in as_nobody["providers"]} >= kernel
