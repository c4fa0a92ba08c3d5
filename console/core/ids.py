"""Time-ordered identifiers: UUID version 7 (RFC 9562 section 5.7)."""

import os
import threading
import time
import uuid

_lock = threading.Lock()
_last = 0


def uuid7() -> uuid.UUID:
    """Return a UUID whose order is the order of creation within this process.

    48 bits of Unix milliseconds, then 12 bits of sub-millisecond fraction (RFC 9562 section 6.2
    method 3) made strictly increasing within the process, then 62 random bits.
    """
    global _last
    with _lock:
        # Units of 1/4096 ms, so that one integer holds both the milliseconds and the fraction.
        moment = max(time.time_ns() * 4096 // 1_000_000, _last + 1)
        _last = moment
    milliseconds, fraction = divmod(moment, 4096)
    random_bits = int.from_bytes(os.urandom(8), "big") >> 2
    value = milliseconds << 80 | 0x7 << 76 | fraction << 64 | 0b10 << 62 | random_bits
    return uuid.UUID(int=value)
