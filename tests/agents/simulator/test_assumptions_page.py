"""docs/solaris-assumptions.md and the simulator's variants are the same list."""

import re

from agents.drivers.simulator.editions import EDITIONS
from agents.drivers.simulator.faults import KINDS
from agents.drivers.simulator.variants import VARIANTS
from console.config.env import ROOT

ROW = re.compile(r"^\| `([\w.]+)` \| ([^|]+?) \|", re.MULTILINE)


def test_every_variant_has_its_line_with_its_values_and_the_default_first() -> None:
    page = (ROOT / "docs" / "solaris-assumptions.md").read_text("utf-8")
    listed = {name: tuple(values.split(", ")) for name, values in ROW.findall(page)}
    assert listed == {name: known.choices for name, known in VARIANTS.items()}


def test_defaults_by_edition_name_editions_and_values_that_there_are() -> None:
    for known in VARIANTS.values():
        assert {edition for edition, _ in known.by_edition} <= EDITIONS.keys()
        assert {value for _, value in known.by_edition} <= set(known.choices)


def test_the_guide_names_every_edition_and_every_kind_of_fault() -> None:
    guide = (ROOT / "docs" / "simulator.md").read_text("utf-8")
    missing = [name for name in [*EDITIONS, *KINDS] if f"`{name}`" not in guide]
    assert missing == []
