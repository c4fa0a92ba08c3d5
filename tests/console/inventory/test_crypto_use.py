"""Is the hardware really used? Answered from counters that hosts really sent."""

import time
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agents.wire.codec import encode
from agents.wire.inventory import COUNTERS_READ_AT, Facts, Gauge, HostFacts, UnitFacts
from console.core.redis import redis_client
from console.fleet.gauges import gauges_roll
from console.fleet.models import Host
from console.fleet.pulse import pulse_beat
from tests.console.base import ConsoleTestCase, DetailTests
from tests.console.hosts import heartbeat, host_with, random_name
from tests.console.inventory.test_matrix import sparc

Counts = dict[tuple[str, str], float]
AES, N2CP, CWQ0 = ("kernel.ops", "aes"), ("kernel.ops", "n2cp/0"), ("cwq.ops", "n2cp/0:cwq0")
MAU0 = ("mau.ops", "ncp/0:mau0")
STILL: Counts = {AES: 10.0, CWQ0: 10.0, MAU0: 10.0, N2CP: 10.0}


def tell(host: Host, counts: Counts, seconds_ago: float = 0.0) -> None:
    """The host's agent reads these counters and sends them."""
    at = time.time() - seconds_ago
    gauges = [Gauge(name=name, subject_key=key, value=v) for (name, key), v in counts.items()]
    gauges.append(Gauge(name=COUNTERS_READ_AT, subject_key="host", value=at))
    pulse_beat(str(host.pk), encode(heartbeat(gauges=gauges)), at, has_gauges=True)


def linux(*kinds: str) -> Facts:
    """A Linux host with one unit of each of these kinds."""
    units = [UnitFacts(key=kind, kind=kind, name=kind) for kind in kinds]
    return Facts(host=HostFacts(hostname="linux", platform="linux"), units=units)


@pytest.mark.usefixtures("redis_url")
class HostCryptoUseApi(DetailTests, ConsoleTestCase):
    """GET /hosts/<id>/crypto-use/"""

    view_name = "host-crypto-use"
    verb = "inventory.read"

    def url_kwargs(self) -> dict[str, Any]:
        return {"pk": host_with(sparc(), random_name()).pk}

    def use(self, host: Host) -> Any:
        response = self.session(self.vera).get(f"/api/v1/hosts/{host.pk}/crypto-use/")
        assert response.status_code == 200, response.content
        return response.json()

    def after(self, moved: Counts, facts: Facts | None = None) -> Any:
        """The answer about a host whose counters moved by that much in 100 seconds."""
        host = host_with(facts or sparc(), random_name())
        start = STILL if facts is None else dict.fromkeys(moved, 0.0)
        tell(host, start, 100)
        tell(host, {key: value + moved.get(key, 0.0) for key, value in start.items()})
        return self.use(host)

    def test_yes_names_the_rate_the_owner_and_who_was_idle(self) -> None:
        found = self.after({CWQ0: 124_000.0, N2CP: 124_000.0})
        assert (found["answer"], found["why_unknown"]) == ("yes", "")
        words = "The crypto units of ldg0 did 1,240 operations per second in the 100 seconds to "
        assert found["sentence"].startswith(words), found["sentence"]
        assert (
            ", all by n2cp/0; ncp/0 was idle. These are figures of a simulated host."
            in (found["sentence"])
        )
        shares = {unit["key"]: unit["share"] for unit in found["units"]}
        assert shares == {"n2cp/0:cwq0": 1.0, "ncp/0:mau0": 0.0}

    def test_no_where_only_software_worked(self) -> None:
        found = self.after({AES: 500.0})
        assert (found["answer"], round(found["software_per_second"])) == ("no", 5)
        assert "did nothing" in found["sentence"]
        assert "(all by aes)" in found["sentence"]

    def test_partly_where_software_did_more(self) -> None:
        found = self.after({AES: 5_000.0, CWQ0: 200.0})
        assert found["answer"] == "partly"
        assert "most of the work is not accelerated" in found["sentence"]

    def test_idle_where_nothing_moved(self) -> None:
        found = self.after({})
        assert found["answer"] == "idle"
        assert "nothing was counted in software either" in found["sentence"]

    def test_random_numbers_are_no_use_of_the_units(self) -> None:
        facts = linux("cwq")
        moved = {("rng.ops", "n2rng/0"): 90.0, CWQ0: 0.0, ("kernel.ops", "swrand"): 90.0}
        found = self.after(moved, facts)
        assert found["answer"] == "idle"
        units = {unit["provider"]: unit["is_acceleration"] for unit in found["units"]}
        assert units == {"n2cp/0": True, "n2rng/0": False}

    def test_full_queues_and_algorithms_have_rates(self) -> None:
        full, aes = ("cwq.queue_full", "n2cp/0:cwq0"), ("algorithm.ops", "n2cp/0:aes")
        found = self.after({CWQ0: 100.0, full: 50.0, aes: 100.0}, linux("cwq"))
        assert round(found["units"][0]["queue_full_per_second"], 2) == 0.5
        assert found["algorithms"][0] | {"per_second": 1} == {
            "provider": "n2cp/0", "name": "aes", "ops": 100.0, "per_second": 1, "share": 1.0,
        }  # fmt: skip

    def test_what_is_wrong_with_units_is_a_warning(self) -> None:
        unit = "n2cp/0:cwq0"
        moved = {("cwq.queue_full", unit): 50.0, ("cwq.failures", unit): 100.0, CWQ0: 100.0}
        found = self.after(moved | {("cwq.online", unit): 0.0}, linux("cwq"))
        full, failed, offline = found["warnings"]
        assert full.startswith("Queues of n2cp/0 were full 0.5 times per second")
        assert (failed, offline) == (
            "n2cp/0 failed 1 times per second.",
            "Not online by their driver: cwq0.",
        )

    def test_kernel_counters_stand_in_where_the_driver_has_none(self) -> None:
        found = self.after({N2CP: 300.0}, linux("cwq"))
        assert (found["answer"], found["units"][0]["kind"]) == ("yes", "kernel_hardware")

    def test_adapter_cards_do_not_count_their_queues_again(self) -> None:
        moved = {("ap.requests", "ap:01"): 700.0, ("ap.requests", "ap:01.0005"): 700.0}
        found = self.after(moved, linux("ap_queue"))
        assert [unit["key"] for unit in found["units"]] == ["ap:01.0005"]
        assert "7 requests per second" in found["sentence"]

    def test_connections_of_ktls_are_counted_as_such(self) -> None:
        sent = {("ktls.tx_device", "host"): 100.0, ("ktls.tx_sw", "host"): 300.0}
        found = self.after(sent, linux("pci_accelerator"))
        assert (found["answer"], found["software"][0]["counts"]) == ("partly", "connections")

    def test_a_kernel_without_a_card_for_tls_has_no_counters_of_hardware(self) -> None:
        never = {("ktls.tx_device", "host"): 0.0, ("ktls.tx_sw", "host"): 300.0}
        found = self.after(never, linux("pci_accelerator"))
        assert found["why_unknown"] == "This host tells no counters of crypto hardware."

    def test_unknown_without_counters_says_so(self) -> None:
        found = self.use(host_with(linux("cpu_instructions"), "x"))
        assert found["answer"] == "unknown"
        assert found["sentence"] == found["why_unknown"]
        assert found["why_unknown"].startswith("This host tells no counters of crypto hardware.")
        assert "A job measures" in found["why_unknown"]

    def test_unknown_after_one_reading(self) -> None:
        host = host_with(sparc(), "sparc")
        tell(host, STILL)
        assert "second reading" in self.use(host)["why_unknown"]

    def test_unknown_where_the_counters_began_anew(self) -> None:
        host = host_with(sparc(), "sparc")
        tell(host, STILL, 100)
        tell(host, dict.fromkeys(STILL, 1.0))
        found = self.use(host)
        assert "began anew" in found["why_unknown"]
        assert found["units"][0]["per_second"] is None

    def test_unknown_where_nothing_was_read_for_long(self) -> None:
        host = host_with(sparc(), "sparc")
        tell(host, STILL, 7300)
        tell(host, STILL, 7200)
        assert "too long ago" in self.use(host)["why_unknown"]

    def test_the_series_answers_when_redis_forgot(self) -> None:
        host = host_with(sparc(), "sparc")
        Host.objects.update(state="active")
        for count, ago in ((10.0, 200.0), (10.0, 200.0), (1010.0, 100.0)):
            tell(host, STILL | {CWQ0: count}, ago)
            gauges_roll()
        redis_client().flushdb()
        found = self.use(host)
        assert (found["answer"], round(found["hardware_per_second"])) == ("yes", 10)

    def test_many_units_need_no_more_queries_than_few(self) -> None:
        host, client = host_with(sparc(), "sparc"), self.session(self.vera)
        for units in (1, 64):
            tell(host, {("cwq.ops", f"n2cp/0:cwq{n}"): 1.0 for n in range(units)})
            with CaptureQueriesContext(connection) as captured:
                client.get(f"/api/v1/hosts/{host.pk}/crypto-use/")
            assert len(captured) <= 8
