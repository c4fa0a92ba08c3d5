"""A host whose files hold anything at all is still inventoried: no text of a file may raise."""

import json
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.config import Config
from agents.drivers.base import ScanContext
from agents.drivers.registry import choose_driver
from agents.wire.codec import from_plain, to_plain
from agents.wire.inventory import Facts

NAMES = ("arm_server", "ibm_z", "intel_qat", "kvm_guest")
ODD = ("", "\n", "0x", "-1", "9" * 40, "0x" + "f" * 60, "nan", "in use", "a.b\n.\n", ": :\n", "\0")
TEXTS = st.sampled_from(ODD) | st.text(max_size=30)


@pytest.mark.parametrize("name", NAMES)
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_no_text_of_a_file_breaks_the_inventory(
    trees: dict[str, Config], name: str, data: st.DataObject
) -> None:
    config = trees[name]
    files = sorted(path for path in config.linux.root.rglob("*") if path.is_file())
    chosen = data.draw(st.lists(st.sampled_from(files), min_size=1, max_size=12, unique=True))
    kept = {path: path.read_bytes() for path in chosen}
    try:
        for path in chosen:
            path.write_bytes(data.draw(TEXTS).encode("utf-8", "replace"))
        found = choose_driver(config).inventory(ScanContext.from_config(config))
    finally:
        for path, content in kept.items():
            path.write_bytes(content)
    assert from_plain(json.loads(json.dumps(to_plain(found.facts))), Facts) == found.facts


@pytest.fixture
def trees(recorded: Callable[[str], Config]) -> dict[str, Config]:
    """All trees, unfolded once per test."""
    return {name: recorded(name) for name in NAMES}
