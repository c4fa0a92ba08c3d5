"""The machines that can be simulated: chip, versions of ldm and Solaris, and the domains on them.

What a T5120 holds follows an administrator's published listing and docs/solaris-assumptions.md.
"""

from dataclasses import dataclass, field

GIB = 1 << 30
MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """A logical domain beside the control domain as the machine is delivered."""

    name: str
    state: str = "active"
    strands: tuple[int, ...] = ()
    vcpu: int = 0
    """Virtual CPUs of a domain without strands; others have as many as strands."""
    maus: tuple[int, ...] = ()
    wanted_maus: int | None = None
    """Units that its constraints ask for; None: as many as it has."""
    memory: int = 4 * GIB
    has_drd: bool = True
    """Whether its Solaris takes crypto units while it runs."""
    is_service: bool = False
    cons: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One machine. `mau_mode` says how units of a running domain change."""

    name: str
    title: str
    platform: str
    chip: str
    clock_mhz: int
    ldm: tuple[int, ...]
    ldm_protocol: str
    """What `ldm … -p` prints as VERSION."""
    solaris: str
    kernel: str
    """`uname -v`."""
    mau_mode: str
    """`dynamic`, `delayed` (all running domains) or `control` (control domain only, 1.2)."""
    chips: int = 1
    cores: int = 8
    """Per chip."""
    threads: int = 8
    """Per core."""
    has_units: bool = True
    primary_cores: tuple[int, ...] = (0, 1)
    primary_memory: int = 8 * GIB
    guests: tuple[Guest, ...] = field(default=())
    buses: tuple[tuple[str, str], ...] = (("pci@400", "pci"), ("niu@80", "niu"))

    @property
    def strands(self) -> int:
        """Strands of the whole machine."""
        return self.chips * self.cores * self.threads

    @property
    def release(self) -> str:
        """`uname -r`: 5.10 or 5.11."""
        return "5.11" if self.solaris.startswith("11") else "5.10"

    def core_set(self, core: int) -> list[int]:
        """Return the strands of one core."""
        return list(range(core * self.threads, (core + 1) * self.threads))

    def unit_ids(self) -> list[int]:
        """Return the crypto units: one per core where the chip has them."""
        return list(range(self.chips * self.cores)) if self.has_units else []


def _cores(*numbers: int) -> tuple[int, ...]:
    return tuple(strand for core in numbers for strand in range(core * 8, core * 8 + 8))


_T5120_GUESTS = (
    Guest(name="ldg1", strands=_cores(2), maus=(2,), cons="5000"),
    Guest(name="ldg2", strands=tuple(range(24, 28)), maus=(3,), memory=2 * GIB, cons="5001"),
    Guest(
        name="ldg3",
        strands=tuple(range(28, 32)),
        memory=2 * GIB,
        cons="5002",
        has_drd=False,
    ),
    Guest(name="ldg4", state="inactive", vcpu=8, wanted_maus=1, memory=4 * GIB),
)
_T5440_GUESTS = (
    Guest(name="web1", strands=_cores(4, 5), maus=(4, 5), memory=16 * GIB, cons="5000"),
    Guest(name="web2", strands=_cores(6, 7), maus=(6, 7), memory=16 * GIB, cons="5001"),
    Guest(
        name="alternate",
        strands=_cores(8, 9, 10, 11),
        maus=(8, 9),
        memory=16 * GIB,
        is_service=True,
        cons="5002",
    ),
    Guest(name="db1", strands=_cores(12, 13, 14, 15), maus=(12,), memory=64 * GIB, cons="5003"),
    Guest(name="db2", strands=_cores(16, 17), memory=32 * GIB, cons="5004", has_drd=False),
    Guest(name="app1", strands=_cores(18)[:4], maus=(18,), memory=8 * GIB, cons="5005"),
    Guest(name="app2", strands=_cores(18)[4:], memory=8 * GIB, cons="5006"),
    Guest(name="spare1", state="bound", strands=_cores(20), maus=(20,), cons="5007"),
    Guest(name="spare2", state="inactive", vcpu=16, wanted_maus=2),
)
_T4_GUESTS = (
    Guest(name="ldg1", strands=_cores(2, 3), memory=16 * GIB, cons="5000"),
    Guest(name="ldg2", strands=_cores(4), memory=8 * GIB, cons="5001"),
    Guest(name="ldg3", state="inactive", vcpu=8),
)


def _t5120(
    name: str, title: str, ldm: tuple[int, ...], protocol: str, solaris: str, kernel: str, mode: str
) -> Edition:
    return Edition(
        name=name,
        title=title,
        platform="SUNW,SPARC-Enterprise-T5120",
        chip="UltraSPARC-T2",
        clock_mhz=1165,
        ldm=ldm,
        ldm_protocol=protocol,
        solaris=solaris,
        kernel=kernel,
        mau_mode=mode,
        guests=_T5120_GUESTS,
    )


EDITIONS: dict[str, Edition] = {
    edition.name: edition
    for edition in (
        _t5120(
            "t5120",
            "SPARC Enterprise T5120, Oracle VM Server for SPARC 3.1, Solaris 10 1/13",
            (3, 1),
            "1.11",
            "10 1/13",
            "Generic_147147-26",
            "dynamic",
        ),
        _t5120(
            "t5120-ldoms11",
            "SPARC Enterprise T5120, Logical Domains 1.1, Solaris 10 5/09",
            (1, 1),
            "1.0",
            "10 5/09",
            "Generic_139555-08",
            "delayed",
        ),
        _t5120(
            "t5120-ldoms12",
            "SPARC Enterprise T5120, Logical Domains 1.2, Solaris 10 5/09",
            (1, 2),
            "1.0",
            "10 5/09",
            "Generic_139555-08",
            "control",
        ),
        _t5120(
            "t5120-ldoms13",
            "SPARC Enterprise T5120, Logical Domains 1.3, Solaris 10 10/09",
            (1, 3),
            "1.4",
            "10 10/09",
            "Generic_141444-09",
            "dynamic",
        ),
        Edition(
            name="t5440",
            title="SPARC Enterprise T5440, Oracle VM Server for SPARC 2.2, Solaris 10 8/11",
            platform="SUNW,T5440",
            chip="UltraSPARC-T2+",
            clock_mhz=1414,
            ldm=(2, 2),
            ldm_protocol="1.6",
            solaris="10 8/11",
            kernel="Generic_147440-01",
            mau_mode="dynamic",
            chips=4,
            primary_cores=(0, 1, 2, 3),
            primary_memory=16 * GIB,
            guests=_T5440_GUESTS,
            buses=(("pci@400", "pci_0"), ("pci@500", "pci_1"), ("pci@600", "pci_2")),
        ),
        Edition(
            name="t4-1",
            title="SPARC T4-1, Oracle VM Server for SPARC 3.1, Solaris 11.1",
            platform="ORCL,SPARC-T4-1",
            chip="SPARC-T4",
            clock_mhz=2848,
            ldm=(3, 1),
            ldm_protocol="1.11",
            solaris="11.1",
            kernel="11.1",
            mau_mode="dynamic",
            has_units=False,
            guests=_T4_GUESTS,
            buses=(("pci@400", "pci_0"), ("pci@500", "pci_1"), ("niu@480", "niu_0")),
        ),
    )
}


class UnknownEdition(ValueError):
    """There is no such edition; the text names those that there are."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no simulated {name!r}; there are {', '.join(EDITIONS)}.")


def edition_get(name: str) -> Edition:
    """Return an edition. Raises UnknownEdition."""
    try:
        return EDITIONS[name]
    except KeyError:
        raise UnknownEdition(name) from None
