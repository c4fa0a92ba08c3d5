"""What a platform driver is, and what a scan gets to work with. No driver lives here."""

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from agents.changes.base import ChangeKind
from agents.changes.tools import Tools
from agents.config import Config, Pkcs11Config
from agents.wire.inventory import Facts, Gauge

SCAN_MARGIN_SECONDS = 10
"""Kept back from the scan's hard limit, so that what was found can still be written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicability:
    """Whether a driver fits the machine it runs on; `reason` says why not."""

    applies: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanContext:
    """What one scan may use."""

    pkcs11: Pkcs11Config = field(default_factory=Pkcs11Config)
    deadline: float = field(default_factory=lambda: time.monotonic() + 110)
    """`time.monotonic()` value at which the driver must have answered."""

    @classmethod
    def from_config(cls, config: Config) -> "ScanContext":
        """Return a context whose deadline starts now and ends before the scan's hard limit."""
        limit = config.agent.scan_timeout_seconds
        seconds = max(limit - SCAN_MARGIN_SECONDS, limit / 2)
        return cls(pkcs11=config.pkcs11, deadline=time.monotonic() + seconds)

    def remaining_seconds(self) -> float:
        """Return the seconds left, 0 when the deadline has passed."""
        return max(0.0, self.deadline - time.monotonic())


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """What one scan found: the facts, and gauges that only a scan can see (token sessions)."""

    facts: Facts
    gauges: list[Gauge] = field(default_factory=list)


class Driver(ABC):
    """Knows one platform: what is there, and which kinds of change it can plan."""

    name: ClassVar[str]
    is_simulated: bool = False
    """Whether stand-ins or a recorded tree, not this machine, answer."""

    @abstractmethod
    def probe(self) -> Applicability:
        """Return whether this driver fits here, and why not. Never raises."""

    @abstractmethod
    def capabilities(self) -> list[str]:
        """Return what the driver can find, as the words of UnitKind and ProviderKind."""

    @abstractmethod
    def inventory(self, scan: ScanContext) -> Inventory:
        """Look at everything once.

        What cannot be read becomes a blind spot or a finding, never an exception. Two scans with
        nothing changed between them give equal facts. `facts.workloads` stays empty: workloads are
        asked by whoever runs the scan.
        """

    @abstractmethod
    def gauges(self) -> list[Gauge]:
        """Return momentary figures that cost little: some files of /proc and /sys, no commands."""

    def change_kinds(self) -> Sequence[ChangeKind[Any]]:
        """Return the kinds of change of this platform; none where it can only look."""
        return ()

    def tools(self) -> Tools:
        """Return how this host's programs and files are reached."""
        return Tools()

    def facts(self, scan: ScanContext) -> Facts:
        """Return the facts of `inventory` alone."""
        return self.inventory(scan).facts
