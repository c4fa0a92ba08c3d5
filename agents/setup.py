"""Lists the packages of the agent's distribution; everything else stands in pyproject.toml."""

import tempfile

from setuptools import find_packages, setup

packages = find_packages(".", exclude=["build", "build.*"])
# Built elsewhere: a build folder in here would bring modules back that have been removed.
with tempfile.TemporaryDirectory(prefix="keyrack-agent-build-") as elsewhere:
    setup(
        # So that this file itself stays out of the package, also when a build front end runs it.
        script_name="setup.py",
        package_dir={"agents": "."},
        packages=["agents", *(f"agents.{name}" for name in packages)],
        package_data={"agents": ["py.typed"], "agents.pkcs11": ["*.c", "*.h"]},
        options={"build": {"build_base": elsewhere}, "egg_info": {"egg_base": elsewhere}},
    )
