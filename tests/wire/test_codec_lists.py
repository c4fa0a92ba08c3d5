"""Lists on the wire are lists."""

from typing import Any

import pytest

from agents.wire.codec import WireError, from_plain
from agents.wire.inventory import UnitFacts


@pytest.mark.parametrize("value", ["aes", {"aes": 1}, 7, None])
def test_what_is_no_list_is_refused_with_its_path(value: Any) -> None:
    plain = {"key": "k", "kind": "tpm", "name": "n", "features": value}
    with pytest.raises(WireError) as caught:
        from_plain(plain, UnitFacts)
    assert caught.value.problems[0].endswith("expected list")
    assert caught.value.problems[0].startswith("features: ")


def test_a_wrong_element_is_named_by_its_place() -> None:
    plain = {"key": "k", "kind": "tpm", "name": "n", "features": ["aes", 7]}
    with pytest.raises(WireError) as caught:
        from_plain(plain, UnitFacts)
    assert caught.value.problems == ["features[1]: invalid value for type, expected str"]
