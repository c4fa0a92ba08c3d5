"""Time-ordered identifiers: UUID version 7 (RFC 9562 section 5.7)."""

import os
import threading
import time
import uuid


class _Clock:
    """The time in 1/4096 ms, strictly increasing within the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def tick(self) -> int:
        """Return the present, or just after the last tick if the clock stood or went back."""
        with self._lock:
            self._last = max(time.time_ns() * 4096 // 1_000_000, self._last + 1)
            return self._last


_clock = _Clock()


def uuid7() -> uuid.UUID:
    """Return a UUID whose order is the order of creation within this process.

    48 bits of Unix milliseconds, then 12 bits of sub-millisecond fraction (RFC 9562 section 6.2
    method 3) made strictly increasing within the process, then 62 random bits.
    """
    milliseconds, fraction = divmod(_clock.tick(), 4096)
    random_bits = int.from_bytes(os.urandom(8), "big") >> 2
    value = milliseconds << 80 | 0x7 << 76 | fraction << 64 | 0b10 << 62 | random_bits
    return uuid.UUID(int=value)
