"""How long functions, modules and tests may be."""

import pytest

from tests.support.source import Module, length_of, modules

SOURCE = ("console", "agents", "tools")
MODULE_LINES, FUNCTION_LINES, TEST_LINES = 400, 40, 20


@pytest.mark.parametrize("module", modules(*SOURCE, "tests"), ids=lambda module: module.name)
def test_a_module_has_at_most_400_lines(module: Module) -> None:
    """A file that grows becomes a package, split by domain word."""
    assert module.lines <= MODULE_LINES


def test_a_function_has_at_most_40_lines() -> None:
    """Its docstring not counted."""
    long = [
        f"{where}: {length_of(node)}"
        for module in modules(*SOURCE)
        for where, node in module.functions()
        if length_of(node) > FUNCTION_LINES
    ]
    assert long == []


def test_a_test_has_at_most_20_lines() -> None:
    """One behaviour each."""
    long = [
        f"{where}: {length_of(node)}"
        for module in modules("tests")
        for where, node in module.functions()
        if node.name.startswith("test_") and length_of(node) > TEST_LINES
    ]
    assert long == []
