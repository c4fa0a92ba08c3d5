"""Hosts have other Python versions than the console: wheels bound to one are fetched for all."""

from pathlib import Path

from tools.setup.wheels import PYTHON_MARKER, _version_bound


def test_only_wheels_of_one_python_version_are_fetched_again(tmp_path: Path) -> None:
    for name in (
        "pykcs11-1.5.20-cp311-cp311-manylinux_2_24_x86_64.whl",
        "psutil-7.2.2-cp36-abi3-manylinux2010_x86_64.whl",
        "celery-5.7.0-py3-none-any.whl",
    ):
        (tmp_path / name).touch()
    assert _version_bound(tmp_path) == ["pykcs11"]


def test_packages_for_older_pythons_are_fetched_too() -> None:
    line = "async-timeout==5.0.1 ; python_full_version < '3.11.3' \\\n    --hash=sha256:00\n"
    assert PYTHON_MARKER.sub("", line) == "async-timeout==5.0.1 \\\n    --hash=sha256:00\n"
