"""The drivers there are, in the order in which they are asked."""

from collections.abc import Callable

from agents.config import Config
from agents.drivers.base import Driver
from agents.drivers.linux.driver import LinuxDriver
from agents.drivers.solaris.driver import SolarisDriver

DRIVERS: tuple[tuple[str, Callable[[Config], Driver]], ...] = (
    (SolarisDriver.name, SolarisDriver.from_config),
    (LinuxDriver.name, LinuxDriver.from_config),
)


class NoDriver(Exception):
    """No driver fits this machine, or the one that the configuration names does not exist."""


def choose_driver(config: Config) -> Driver:
    """Return the driver that `config.agent.driver` names, or the first that applies (`auto`).

    Raises NoDriver with a sentence for the host's admin.
    """
    wanted = config.agent.driver
    if config.simulate and wanted not in ("auto", SolarisDriver.name):
        # It would look at the machine below, whose facts nobody would take for simulated ones.
        raise NoDriver(f"A simulated host has no driver {wanted!r}; write auto.")
    reasons = []
    for name, make in DRIVERS:
        if wanted not in ("auto", name):
            continue
        driver = make(config)
        answer = driver.probe()
        if answer.applies:
            return driver
        reasons.append(f"{name}: {answer.reason}")
    known = ", ".join(name for name, _ in DRIVERS)
    if not reasons:
        raise NoDriver(f"There is no driver {wanted!r}; write auto or one of: {known}.")
    raise NoDriver("No driver applies here. " + " ".join(reasons))
