"""Lists the packages of the agent's distribution; everything else stands in pyproject.toml."""

from setuptools import find_packages, setup

packages = find_packages(".", exclude=["build", "build.*"])
setup(
    # So that this file itself stays out of the package, also when a build front end runs it.
    script_name="setup.py",
    package_dir={"agents": "."},
    packages=["agents", *(f"agents.{name}" for name in packages)],
    package_data={"agents": ["py.typed"], "agents.pkcs11": ["*.c", "*.h"]},
)
