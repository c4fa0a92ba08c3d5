"""What no source verifies, as switches: every doubtful format can be turned to its alternatives.

docs/solaris-assumptions.md has a line for each; a test holds both to the same names.
"""

from dataclasses import dataclass

from agents.drivers.simulator.world import World


@dataclass(frozen=True, slots=True)
class Variant:
    """One doubt. `choices[0]` is the default; `by_edition` overrides it."""

    choices: tuple[str, ...]
    says: str
    by_edition: tuple[tuple[str, str], ...] = ()


class UnknownVariant(ValueError):
    """There is no such variant or no such value; the text names those that there are."""


_OLD = ("t5120-ldoms11", "t5120-ldoms12", "t5120-ldoms13")
_S10 = (*_OLD, "t5120", "t5440")

VARIANTS: dict[str, Variant] = {
    "ldm.norm": Variant(
        ("no", "yes"),
        "whether `ldm list` has a NORM column and norm_util=",
        (("t5120", "yes"), ("t4-1", "yes")),
    ),
    "ldm.mau_ids": Variant(
        ("yes", "no"), "whether MAU rows of list-bindings have an ID (1.0: perhaps not)"
    ),
    "ldm.mau_keys": Variant(
        ("id_cpuset", "cpuset", "id_strands"), "keys of MAU rows with -p: `id`, `cpuset`"
    ),
    "ldm.mau_bound": Variant(
        ("empty", "absent"), "a free unit with -p: `bound=` or no such key at all"
    ),
    "ldm.section": Variant(
        ("mau", "crypto"), "name of the section of units: MAU or CRYPTO in text and -p"
    ),
    "ldm.o_crypto": Variant(
        ("name", "full"), "first lines of `ldm list -o crypto`: NAME alone or the whole row"
    ),
    "ldm.blank": Variant(
        ("empty", "blank"),
        "line between sections: empty, or one blank",
        (("t5120-ldoms12", "blank"),),
    ),
    "ldm.wrap": Variant(("no", "yes"), "whether a long CPUSET goes on in a second line"),
    "ldm.bindings_flags": Variant(
        ("letters", "words"), "flags in `list-bindings -p`: letters, or words as with `list -l -p`"
    ),
    "ldm.util": Variant(
        ("plain", "percent", "none"), "util= with -p: without or with `%`, or empty"
    ),
    "ldm.notices": Variant(("stdout", "stderr"), "stream of ldm's notices"),
    "ldm.delayed": Variant(
        ("1.2", "3.x", "3.4"),
        "words of a delayed reconfiguration's notices",
        (("t5120", "3.x"), ("t4-1", "3.x"), ("t5440", "3.x")),
    ),
    "ldm.blocks_others": Variant(
        ("yes", "no"), "whether a delayed reconfiguration blocks changes of other domains"
    ),
    "ldm.unit_pick": Variant(
        ("last", "first"), "which unit ldm frees: the one that came last, or first"
    ),
    "ldm.vcpu_with_units": Variant(
        ("allowed", "refused"), "CPU changes of a running domain that holds units (1.0, 1.1)"
    ),
    "ldm.spconfig_mark": Variant(
        ("next poweron", "next"),
        "mark of the configuration of the next power-on",
        (("t5120-ldoms11", "next"), ("t5120-ldoms12", "next")),
    ),
    "ldm.t4_units": Variant(
        ("unsupported", "none_free", "unknown"), "what set-crypto says on a chip without units"
    ),
    "ldm.refused_exit": Variant(("1", "2"), "exit code of a refused change (documented: > 0)"),
    "cryptoadm.style": Variant(
        ("illumos", "solaris10"),
        "headings and rows of `cryptoadm list`",
        tuple((edition, "solaris10") for edition in _S10),
    ),
    "cryptoadm.first_blank": Variant(("yes", "no"), "blank line before the first heading"),
    "cryptoadm.m_blank": Variant(
        ("no", "yes"), "blank line between `Provider:` and `Mechanisms:` (11.2 guide)"
    ),
    "cryptoadm.except": Variant(
        ("comma", "no_comma"), "`enabled, except` or `enabled except` (Solaris 10 guide)"
    ),
    "cryptoadm.hw_all_disabled": Variant(
        ("except", "all"), "hardware with all disabled: `except <all>` or `all … are disabled.`"
    ),
    "cryptoadm.kernel_slots": Variant(
        ("present", "none"), "pkcs11_kernel.so: a slot per hardware provider, or none presented"
    ),
    "cryptoadm.fips": Variant(
        ("absent", "drivers", "framework"),
        "fips-140: unknown operand, lines of the drivers, or a 11.x text",
        (("t4-1", "framework"),),
    ),
    "metaslot.actual": Variant(
        ("follows", "disabled"), "actual status: as configured, or disabled (one usable slot)"
    ),
    "metaslot.keystore": Variant(
        ("replaces", "keeps"), "whether giving a token clears a slot that was set"
    ),
    "kstat.no_match": Variant(("1", "0"), "exit code where nothing matches"),
    "kstat.n2cp_name": Variant(("n2cp0", "n2cp"), "name of n2cp's kstat"),
    "kstat.n2cp_jobs": Variant(
        ("algorithms", "jobs", "none"), "job counters of n2cp: `aes`, `aesjobs`, or none"
    ),
    "kstat.class": Variant(("misc", "crypto"), "class of ncp's and n2cp's kstats"),
    "kstat.nostats": Variant(("no", "yes"), "`nostats` in the drivers' .conf: no kstats"),
    "psrinfo.cores": Variant(("no", "yes"), "whether psrinfo -pv names cores", (("t4-1", "yes"),)),
    "smf.ldmd": Variant(
        ("svc:/ldoms/ldmd:default", "svc:/system/ldoms/ldmd:default"), "FMRI of ldmd's service"
    ),
    "kssl.boots_fail": Variant(
        ("s10", "no"), "bug 6507464: keys of a token fail to load while metaslot is on"
    ),
}


def variant(world: World, name: str) -> str:
    """Return what holds now: the switch, else the edition's default, else the default."""
    known = VARIANTS[name]
    if name in world.variants:
        return world.variants[name]
    return dict(known.by_edition).get(world.edition.name, known.choices[0])


def variant_check(name: str, value: str) -> None:
    """Raise UnknownVariant unless there is such a variant with such a value."""
    if name not in VARIANTS:
        raise UnknownVariant(f"There is no variant {name!r}; `simulate variant` lists them.")
    choices = VARIANTS[name].choices
    if value not in choices:
        raise UnknownVariant(f"{name} is one of: {', '.join(choices)}; not {value!r}.")
