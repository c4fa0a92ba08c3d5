"""From one command's output to samples: the figure, our own clock beside it, and all doubts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from agents.executors.process import CommandResult
from agents.parsers.openssl import SpeedOutput, SpeedTiming
from agents.wire.work import CpuSplit, SampleData
from agents.workloads.openssl_speed.plan import Measurement

_CLOCK_TOLERANCE = 0.05
_CLOCK_SLACK_SECONDS = 0.05
_FIGURE_TOLERANCE = 0.03
_TICK_SECONDS = 0.01
_MIN_CPU_SHARE = 0.9
_MAX_STEAL = 0.02
_MAX_OTHER_PROCESSORS = 0.2


class ImpossibleFigure(ValueError):
    """What the program printed cannot be true; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedCommand:
    """One command of a run, as it was run."""

    measurement: Measurement
    variant: str
    round: int
    started_at: str
    """ISO 8601 UTC."""
    result: CommandResult
    host_cpu: CpuSplit | None
    processes: int
    cpu_count: int


def read_samples(timed: TimedCommand, output: SpeedOutput, *, position: int) -> list[SampleData]:
    """Turn one command's output into a sample per operation.

    A signature's command times sign and verify one after the other, but wait4(2) knows only their
    sum: wall, user and system seconds are shared out by the time that each loop took on the
    program's own clock. Raises ImpossibleFigure for a figure that is none, that the program's own
    counts contradict, or that claims more time than has passed.
    """
    figures = _figures(timed.measurement, output)
    _check_children(timed, output)
    timed_seconds = sum(timing.seconds for timing in output.timings)
    doubts = _doubts(timed, timed_seconds)
    samples = []
    for index, (operation, figure) in enumerate(figures.items()):
        timing = _timing(output.timings, operation)
        share = timing.seconds / timed_seconds if timing and timed_seconds > 0 else 1 / len(figures)
        _check_figure(timed, operation, figure, timing)
        samples.append(
            _sample(timed, operation, figure, timing, share, doubts, position=position + index)
        )
    return samples


def _figures(measurement: Measurement, output: SpeedOutput) -> dict[str, float]:
    operations = measurement.operations
    if len(operations) == 1:
        if len(output.throughputs) != 1 or len(output.throughputs[0].bytes_per_second) != 1:
            raise ImpossibleFigure(
                f"one figure was asked for, and {len(output.throughputs)} lines came"
            )
        return {operations[0]: output.throughputs[0].bytes_per_second[0]}
    if len(output.rates) != 1:
        raise ImpossibleFigure(f"one line was asked for, and {len(output.rates)} came")
    rate = output.rates[0]
    return {"sign": rate.sign_per_second, "verify": rate.verify_per_second}


def _check_children(timed: TimedCommand, output: SpeedOutput) -> None:
    wanted = timed.processes if timed.processes > 1 else 0
    if output.children != wanted:
        raise ImpossibleFigure(f"{wanted} processes were asked for, and {output.children} started")


def _timing(timings: Sequence[SpeedTiming], operation: str) -> SpeedTiming | None:
    wanted = operation if operation in ("sign", "verify") else ""
    return next((timing for timing in timings if timing.operation == wanted), None)


def _check_figure(
    timed: TimedCommand, operation: str, figure: float, timing: SpeedTiming | None
) -> None:
    if not math.isfinite(figure) or figure <= 0:
        raise ImpossibleFigure(f"{operation}: {figure} is no speed")
    if timing is None or timing.processes != timed.processes:
        return
    # The program's clock ticks in hundredths, so its time may be a tick longer than ours.
    allowed = timed.result.wall_seconds * (1 + _CLOCK_TOLERANCE) + 2 * _TICK_SECONDS
    if timing.seconds > allowed:
        raise ImpossibleFigure(
            f"{operation}: it says that it ran for {timing.seconds:.2f} s, but only "
            f"{timed.result.wall_seconds:.2f} s passed"
        )
    if timing.seconds > 0:
        own = timing.count * (timed.measurement.size_bytes or 1) / timing.seconds
        if abs(figure / own - 1) > _FIGURE_TOLERANCE + _TICK_SECONDS / timing.seconds:
            raise ImpossibleFigure(
                f"{operation}: it printed {figure:.6g} a second, but its own count gives {own:.6g}"
            )


def _doubts(timed: TimedCommand, timed_seconds: float) -> list[str]:
    """Say what about this command makes its figure doubtful. The figure is kept all the same."""
    result = timed.result
    doubts = []
    untimed = result.wall_seconds - timed_seconds
    if timed_seconds == 0:
        doubts.append("the program's own times could not be read, so its figure was not checked")
    elif untimed > _CLOCK_TOLERANCE * result.wall_seconds + _CLOCK_SLACK_SECONDS:
        doubts.append(
            f"the program timed {timed_seconds:.2f} s of the {result.wall_seconds:.2f} s "
            "that passed on our clock"
        )
    processors = min(timed.processes, timed.cpu_count)
    cpu_seconds = result.user_seconds + result.system_seconds
    share = cpu_seconds / (result.wall_seconds * processors) if result.wall_seconds else 1.0
    if share < _MIN_CPU_SHARE:
        doubts.append(f"it had only {share:.0%} of the processor time it could have used")
    if timed.host_cpu is not None:
        doubts += _host_doubts(timed, timed.host_cpu, cpu_seconds)
    return doubts


def _host_doubts(timed: TimedCommand, host: CpuSplit, cpu_seconds: float) -> list[str]:
    doubts = []
    if host.steal > _MAX_STEAL:
        doubts.append(f"the hypervisor took {host.steal:.0%} of the host's processor time (steal)")
    wall = timed.result.wall_seconds
    if wall > 0:
        other = (host.user + host.system) * timed.cpu_count - cpu_seconds / wall
        if other > _MAX_OTHER_PROCESSORS:
            doubts.append(f"other programs kept {other:.1f} of {timed.cpu_count} processors busy")
    return doubts


def _sample(
    timed: TimedCommand,
    operation: str,
    figure: float,
    timing: SpeedTiming | None,
    share: float,
    doubts: Sequence[str],
    *,
    position: int,
) -> SampleData:
    size = timed.measurement.size_bytes
    result = timed.result
    return SampleData(
        variant=timed.variant,
        cell=timed.measurement.cell(operation),
        round=timed.round,
        position=position,
        metric="rate" if size is None else "throughput",
        unit="ops/s" if size is None else "B/s",
        value=figure,
        operations=timing.count if timing else None,
        bytes=timing.count * size if timing and size is not None else None,
        wall_seconds=result.wall_seconds * share,
        user_seconds=result.user_seconds * share,
        system_seconds=result.system_seconds * share,
        host_cpu=timed.host_cpu or CpuSplit(),
        started_at=timed.started_at,
        notes=list(doubts),
    )
