"""Probing modules: one child each, a deadline for each, a budget for all. Decodes nothing."""

import logging
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from agents.executors.process import CommandResult, child_environment, run_command
from agents.log import log_event
from agents.pkcs11.records import Record, read_records
from agents.wire.inventory import Attribute

PARALLEL_PROBES = 4
_RESULT_CAP_BYTES = 32 << 20
_STREAM_CAP_BYTES = 64 << 10
_STDERR_TAIL = 500

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModuleRegistration:
    """A PKCS#11 module that this host names somewhere, and whether it is to be loaded."""

    name: str
    """Short name: p11-kit's, or the file's without its ending."""
    path: str
    """Full path; empty for a remote or disabled module that names none."""
    is_probed: bool = True
    reason: str = ""
    """Why it is not loaded; a sentence."""
    has_certificates: bool = True
    """False for trust stores: their certificates are counted, not listed."""
    attributes: dict[str, Attribute] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The provider's key: the path as configured, which outlives the library's own version."""
        return f"pkcs11:{self.path or self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOutcome:
    """How a probe went, and its records in the order in which they came."""

    records: list[Record]
    is_complete: bool
    """The child reached its end; everything the module gave is there."""
    signal_number: int | None = None
    exit_code: int = 0
    timed_out: bool = False
    timeout_seconds: float = 0.0
    wrote_stdout: bool = False
    is_damaged: bool = False
    """Lines of the result that are no records: something wrote into our file."""
    was_started: bool = True

    def last_step(self) -> tuple[str, int | None]:
        """Return the call that was made last and its slot."""
        for record in reversed(self.records):
            if "at" in record:
                return record["at"], record.get("slot")
        return "start", None


NOT_STARTED = ProbeOutcome(records=[], is_complete=False, was_started=False)


def probe_modules(
    registrations: Sequence[ModuleRegistration],
    *,
    module_timeout_seconds: float,
    deadline: float,
    binding: str = "auto",
    environment: Mapping[str, str] | None = None,
) -> list[ProbeOutcome | None]:
    """Probe all that want it, a few at a time; None for those that are not to be loaded.

    `deadline` is a `time.monotonic()` value: a module whose turn does not come before it is
    NOT_STARTED, and none runs beyond it. `environment` is added to that of the children.
    """

    def one(registration: ModuleRegistration) -> ProbeOutcome | None:
        if not registration.is_probed:
            return None
        seconds = min(module_timeout_seconds, deadline - time.monotonic())
        if seconds <= 0:
            return NOT_STARTED
        return probe_module(
            registration, timeout_seconds=seconds, binding=binding, environment=environment
        )

    if not registrations:
        return []
    with ThreadPoolExecutor(max_workers=PARALLEL_PROBES) as pool:
        return list(pool.map(one, registrations))


def probe_module(
    registration: ModuleRegistration,
    *,
    timeout_seconds: float,
    binding: str = "auto",
    environment: Mapping[str, str] | None = None,
) -> ProbeOutcome:
    """Probe one module in a child spawned for it. Never raises for what the module does."""
    with tempfile.TemporaryDirectory(prefix="keyrack-probe-") as directory:
        result_path = Path(directory) / "records"
        extent = "certificates" if registration.has_certificates else "counts"
        result = run_command(
            [
                sys.executable,
                "-m",
                "agents.pkcs11.probe",
                registration.path,
                str(result_path),
                binding,
                extent,
            ],
            timeout_seconds=timeout_seconds,
            env=child_environment(environment),
            cwd=directory,
            output_cap_bytes=_STREAM_CAP_BYTES,
        )
        records, is_damaged = _read(result_path)
    log_event(
        _log,
        "module.probed",
        logging.DEBUG,
        module=registration.path,
        seconds=round(result.wall_seconds, 3),
        returncode=result.returncode,
        stderr=result.stderr[-_STDERR_TAIL:],
    )
    return _outcome(result, records, is_damaged, timeout_seconds)


def _outcome(
    result: CommandResult, records: list[Record], is_damaged: bool, timeout: float
) -> ProbeOutcome:
    is_complete = any(record.get("end") is True for record in records)
    return ProbeOutcome(
        records=records,
        is_complete=is_complete and result.returncode == 0,
        signal_number=-result.returncode
        if result.returncode < 0 and not result.timed_out
        else None,
        exit_code=max(result.returncode, 0),
        timed_out=result.timed_out,
        timeout_seconds=timeout,
        wrote_stdout=bool(result.stdout),
        is_damaged=is_damaged,
    )


def _read(path: Path) -> tuple[list[Record], bool]:
    try:
        with path.open("rb") as stream:
            return read_records(stream.read(_RESULT_CAP_BYTES))
    except OSError:
        return [], False
