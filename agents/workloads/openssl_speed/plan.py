"""What a run measures, in which order, and how long that should take. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.workloads.openssl_speed.algorithms import (
    is_signature,
    operations_of,
    speed_arguments,
)
from agents.workloads.openssl_speed.parameters import SpeedParameters

ACCELERATED = "accelerated"
SOFTWARE = "software"

_START_SECONDS = 0.05
_CONTROL_SIZE_BYTES = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One `openssl speed` command: an algorithm at one size, or a signature's sign and verify."""

    algorithm: str
    size_bytes: int | None
    is_control: bool = False

    @property
    def operations(self) -> tuple[str, ...]:
        """What the command times, one loop each."""
        return operations_of(self.algorithm)

    def cell(self, operation: str) -> str:
        """`aes-128-cbc/8192/encrypt`, `sha256/8192/digest`, `rsa2048/sign`."""
        size = () if self.size_bytes is None else (str(self.size_bytes),)
        return "/".join((self.algorithm, *size, operation))

    def argv(self, openssl_path: str, parameters: SpeedParameters) -> list[str]:
        """Return the command. Always -elapsed: CPU time as divisor inflates whatever offloads."""
        argv = [openssl_path, "speed", "-mr", "-elapsed", "-seconds", str(parameters.seconds)]
        if parameters.processes > 1:
            argv += ["-multi", str(parameters.processes)]
        return argv + speed_arguments(self.algorithm, self.size_bytes)

    def expected_seconds(self, parameters: SpeedParameters, version: str) -> float:
        """Estimate the wall time of one command, before one has been seen."""
        loops = len(self.operations)
        if is_signature(self.algorithm) and _is_since_3_3(version):
            # These time encryption, KEM and key generation too, unasked (see docs/workloads.md).
            loops = {"rsa": 10, "dsa": 5}.get(self.algorithm[:3], loops)
        return loops * parameters.seconds + _START_SECONDS


def _is_since_3_3(version: str) -> bool:
    numbers = [int(part) for part in version.split(".")[:2] if part.isdigit()]
    return numbers >= [3, 3]


def measurements(parameters: SpeedParameters, control: str | None) -> list[Measurement]:
    """List the commands of one round; `control` is added unless it was asked for anyway."""
    found = [
        Measurement(algorithm=name, size_bytes=size, is_control=name == control)
        for name in parameters.algorithms
        for size in ((None,) if is_signature(name) else parameters.sizes_bytes)
    ]
    if control is not None and control not in parameters.algorithms:
        size = min(parameters.sizes_bytes, key=_distance_from_control_size)
        found.append(Measurement(algorithm=control, size_bytes=size, is_control=True))
    return found


def _distance_from_control_size(size: int) -> float:
    return max(size / _CONTROL_SIZE_BYTES, _CONTROL_SIZE_BYTES / size)


def control_algorithm(masks: Sequence[str], available: Sequence[str]) -> str | None:
    """Return an algorithm that these masks cannot touch, or None.

    ChaCha20-Poly1305 uses neither AES nor SHA instructions, but vector units; MD5 none of them.
    """
    wanted = "md5" if "vector" in masks else "chacha20-poly1305"
    return wanted if wanted in available else None


def order_of(round_number: int) -> tuple[str, str]:
    """ABBA: what drifts steadily during a run cancels out between neighbouring pairs."""
    order = (ACCELERATED, SOFTWARE)
    return order if round_number % 2 == 0 else (SOFTWARE, ACCELERATED)


def total_seconds(
    planned: Sequence[Measurement], parameters: SpeedParameters, version: str
) -> float:
    """Estimate the wall time of the whole run."""
    one_round = sum(item.expected_seconds(parameters, version) for item in planned)
    return 2 * parameters.pairs * one_round


def without_control(
    planned: Sequence[Measurement], parameters: SpeedParameters
) -> list[Measurement]:
    """Drop the control that was added; one that was asked for stays, and stays marked."""
    return [item for item in planned if item.algorithm in parameters.algorithms]


def with_masks(parameters: SpeedParameters, available: Sequence[str]) -> SpeedParameters:
    """Fill in the default masks: `aes` and `sha`, as far as this CPU has them."""
    if parameters.masks:
        return parameters
    return replace(parameters, masks=tuple(name for name in ("aes", "sha") if name in available))
