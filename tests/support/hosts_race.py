"""What the processes of the races about hosts do."""

from dataclasses import replace

from agents.wire.inventory import Facts, UnitFacts
from console.accounts.actors import SYSTEM
from console.core.errors import NotAuthenticated
from console.fleet.enrolment import enrolment_token_create, host_enrol
from console.fleet.models import EnrolmentToken, Host
from console.inventory.models import CryptoUnit, Mechanism, Snapshot
from tests.console.hosts import enrol, enrol_request, ingest, many_mechanisms, random_name

ROUNDS = 6


def host_make() -> str:
    """Enrol a host; return its id."""
    return str(enrol(random_name()).host.pk)


def facts_ingest(host_id: str) -> int:
    """Ingest two kinds of facts in turn; return how often they were news."""
    host = Host.objects.get(pk=host_id)
    return sum(ingest(host, facts_of(number % 2)) for number in range(ROUNDS))


def facts_of(number: int) -> Facts:
    """Return facts with `number` and one units and ten more mechanisms for each."""
    unit = UnitFacts(key="u", kind="tpm", name="TPM")
    units = [replace(unit, key=f"u{index}") for index in range(number + 1)]
    return replace(many_mechanisms(providers=1, each=10 * (number + 1)), units=units)


def state_of(host_id: str) -> list[int]:
    """Return the units and mechanisms that are there, and the number of snapshots."""
    return [
        CryptoUnit.objects.filter(host=host_id, gone_at=None).count(),
        Mechanism.objects.filter(host=host_id, gone_at=None).count(),
        Snapshot.objects.filter(host=host_id).count(),
    ]


def token_make(uses: int) -> str:
    """Make an enrolment token; return its secret."""
    return enrolment_token_create(name="race", actor=SYSTEM, max_uses=uses).secret


def token_use(secret: str) -> int:
    """Enrol machines until the token refuses; return how many it let in."""
    for number in range(10):
        try:
            host_enrol(request=enrol_request(secret, random_name()))
        except NotAuthenticated:
            return number
    return 10


def token_uses() -> list[int]:
    """Return the use counts of all tokens of the race."""
    return list(EnrolmentToken.objects.filter(name="race").values_list("use_count", flat=True))
