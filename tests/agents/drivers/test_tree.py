"""Reading below a root: links stay inside, rubbish raises nothing, refusals are remembered."""

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.drivers.linux.tree import Tree, to_int


def test_absolute_links_are_followed_inside_the_tree(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/file").write_text("inside\n")
    (tmp_path / "link").symlink_to("/real")
    assert Tree(tmp_path).read_word("/link/file") == "inside"


def test_no_link_leads_out_of_the_tree(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret").write_text("outside")
    for name, target in (("up", "../secret"), ("absolute", str(tmp_path / "secret"))):
        (root / name).symlink_to(target)
        assert Tree(root).read(f"/{name}") is None
    assert Tree(root).read("/../secret") is None


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    tree = Tree(tmp_path)
    assert tree.read("/a") is None
    assert not tree.exists("/a")


def test_the_name_of_a_link_needs_no_target(tmp_path: Path) -> None:
    (tmp_path / "driver").symlink_to("../../bus/pci/drivers/vfio-pci")
    assert Tree(tmp_path).link_name("/driver") == "vfio-pci"
    assert Tree(tmp_path).link_name("/nothing") is None


def test_what_is_missing_is_none_or_empty(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    assert tree.read("/no/file") is None
    assert tree.read_int("/no/file") is None
    assert tree.names("/no/directory") == []
    assert tree.read_bytes("/no/file") == b""
    assert tree.denied == set()


def test_what_rights_withhold_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> list[str]:
        raise PermissionError(errno.EACCES, "withheld", str(path))

    monkeypatch.setattr(os, "listdir", refuse)
    tree = Tree(tmp_path)
    assert tree.names("/private") == []
    assert tree.denied == {"/private"}


@given(st.text(max_size=30))
def test_any_text_is_a_number_or_none(text: str) -> None:
    value = to_int(text)
    assert value is None or -(1 << 63) <= value < 1 << 63


@given(st.text(max_size=40))
def test_any_path_can_be_asked_for(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    tree = Tree(tmp_path_factory.getbasetemp())
    tree.read(f"/{path}")
    tree.names(f"/{path}")
    tree.link_name(f"/{path}")
