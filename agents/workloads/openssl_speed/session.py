"""The measuring itself: pairs in ABBA order, one command one sample, nothing compared here."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime

from agents.parsers.base import UnexpectedOutput
from agents.parsers.openssl import SpeedOutput, parse_speed, parse_version
from agents.workloads.base import RunContext, WorkloadRefused
from agents.workloads.cpu import CpuMeter
from agents.workloads.openssl_speed.plan import SOFTWARE, Measurement, order_of
from agents.workloads.openssl_speed.prepare import Preparation
from agents.workloads.openssl_speed.samples import ImpossibleFigure, TimedCommand, read_samples

_TIMEOUT_FACTOR = 3.0
_TIMEOUT_SLACK_SECONDS = 30.0


class Session:
    """One run. `measure` does it; `seconds` is how long it took."""

    def __init__(self, context: RunContext, prepared: Preparation) -> None:
        self.seconds = 0.0
        self._context = context
        self._prepared = prepared
        self._position = 0
        self._done = 0
        self._total = 2 * prepared.parameters.pairs * len(prepared.measurements)
        self._seen_seconds: dict[Measurement, float] = {}

    def measure(self) -> None:
        """Measure every pair. Raises WorkloadRefused when the program fails or its word is no use.

        Samples already reported stay reported.
        """
        started = time.monotonic()
        for round_number in range(self._prepared.parameters.pairs):
            for measurement in self._prepared.measurements:
                for variant in order_of(round_number):
                    self._measure_one(measurement, variant, round_number)
        self._check_same_program()
        self.seconds = time.monotonic() - started
        self._progress("done")

    def _measure_one(self, measurement: Measurement, variant: str, round_number: int) -> None:
        self._progress(f"{measurement.algorithm}, {variant}")
        # 1. Run it, with the host's counters read right around it.
        started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        meter = CpuMeter()
        result = self._context.run_command(
            measurement.argv(self._prepared.openssl.path, self._prepared.parameters),
            timeout_seconds=self._expected(measurement) * _TIMEOUT_FACTOR + _TIMEOUT_SLACK_SECONDS,
            env=self._environment(variant),
        )
        timed = TimedCommand(
            measurement=measurement,
            variant=variant,
            round=round_number,
            started_at=started_at,
            result=result,
            host_cpu=meter.split(),
            processes=self._prepared.parameters.processes,
            cpu_count=self._prepared.cpu_count,
        )
        # 2. Keep the raw output before anything is made of it.
        self._emit_output(timed)
        # 3. Read and check it.
        output = _read(timed)
        try:
            samples = read_samples(timed, output, position=self._position)
        except ImpossibleFigure as error:
            raise WorkloadRefused(
                f"{_command(timed)} printed what cannot be true, so the run was ended: {error}. "
                "The raw output is kept with the run."
            ) from error
        for sample in samples:
            self._context.emit_sample(sample)
        self._position += len(samples)
        self._done += 1
        self._seen_seconds[measurement] = result.wall_seconds

    def _environment(self, variant: str) -> Mapping[str, str]:
        variants = self._prepared.variants
        return variants.software if variant == SOFTWARE else variants.accelerated

    def _expected(self, measurement: Measurement) -> float:
        seen = self._seen_seconds.get(measurement)
        if seen is not None:
            return seen
        version = self._prepared.openssl.version.version
        return measurement.expected_seconds(self._prepared.parameters, version)

    def _emit_output(self, timed: TimedCommand) -> None:
        env = " ".join(f"{key}={value}" for key, value in self._environment(timed.variant).items())
        words = " ".join(timed.result.argv)
        head = f"# round {timed.round}, {timed.variant}: {env}{' ' if env else ''}{words}\n"
        self._context.emit_output(head + timed.result.stdout, "stdout")
        if timed.result.stderr:
            self._context.emit_output(head + timed.result.stderr, "stderr")

    def _progress(self, doing: str) -> None:
        one_round = sum(self._expected(item) for item in self._prepared.measurements)
        commands = len(self._prepared.measurements)
        left = self._total - self._done
        self._context.emit_progress(
            done=self._done,
            total=self._total,
            remaining_seconds=round(one_round / commands * left, 1),
            doing=doing,
        )

    def _check_same_program(self) -> None:
        """Figures of two OpenSSL versions must never stand side by side in one comparison."""
        openssl = self._prepared.openssl
        result = self._context.run_command([openssl.path, "version", "-a"], timeout_seconds=10.0)
        try:
            version = parse_version(result.stdout)
        except UnexpectedOutput:
            version = None
        if version != openssl.version:
            raise WorkloadRefused(
                "OpenSSL was changed on this host during the run, so its figures are not "
                "comparable: run the job again."
            )


def _read(timed: TimedCommand) -> SpeedOutput:
    result = timed.result
    if result.timed_out:
        raise WorkloadRefused(f"{_command(timed)} did not end within its time and was stopped.")
    if result.returncode != 0:
        last = (result.stderr.strip() or result.stdout.strip() or "it said nothing").splitlines()
        raise WorkloadRefused(
            f"{_command(timed)} ended with code {result.returncode}: {last[-1][:200]}"
        )
    try:
        return parse_speed(result.stdout, result.stderr)
    except UnexpectedOutput as error:
        raise WorkloadRefused(
            f"{_command(timed)} printed what this agent cannot read: {error}. The raw output is "
            "kept with the run."
        ) from error


def _command(timed: TimedCommand) -> str:
    return f"`{' '.join(timed.result.argv)}` ({timed.variant})"
