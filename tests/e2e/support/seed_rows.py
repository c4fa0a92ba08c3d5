"""Fills a console with many hosts and mechanisms: `python -m tests.e2e.support.seed_rows N`.

The hosts are retired, so that nothing waits for their agents.
"""

import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402

from console.fleet.enums import HostState  # noqa: E402
from console.fleet.models import Host  # noqa: E402
from console.inventory.models import Mechanism, Provider  # noqa: E402

BATCH = 500


def hosts_seed(number: int) -> Host:
    """Make `number` simulated hosts, `seeded-00001` and on; return the first."""
    now = timezone.now()
    hosts = [
        Host(
            name=f"seeded-{index:05}",
            machine_id=f"seeded-{index:05}",
            state=HostState.RETIRED,
            platform="linux",
            is_simulated=True,
            source="seeded for a test",
            enrolled_at=now,
        )
        for index in range(1, number + 1)
    ]
    Host.objects.bulk_create(hosts, batch_size=BATCH)
    return hosts[0]


def mechanisms_seed(host: Host, number: int) -> None:
    """Give `host` a provider with `number` mechanisms."""
    now = timezone.now()
    provider = Provider.objects.create(
        host=host,
        key="seeded",
        facts_hash="seeded",
        kind="pkcs11_library",
        name="seeded",
        mechanism_count=number,
        first_seen_at=now,
    )
    Mechanism.objects.bulk_create(
        (
            Mechanism(
                host=host,
                provider=provider,
                key=f"seeded/{index}",
                facts_hash="seeded",
                name=f"CKM_SEEDED_{index:05}",
                number=0x8000_0000 + index,
                operations=["encrypt", "decrypt"],
                first_seen_at=now,
            )
            for index in range(1, number + 1)
        ),
        batch_size=BATCH,
    )


if __name__ == "__main__":
    wanted = int(sys.argv[1])
    mechanisms_seed(hosts_seed(wanted), wanted)
