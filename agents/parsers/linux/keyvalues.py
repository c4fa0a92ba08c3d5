"""Small files of `key value` lines: /proc/meminfo, /proc/net/tls_stat, s390's /proc/sysinfo."""

from agents.parsers.base import UnexpectedOutput

_MAX_DIGITS = 20


def parse_meminfo(text: str) -> dict[str, int]:
    """Return /proc/meminfo in bytes (counts without unit as they are). See proc(5).

    Lines that are not `key: number [kB]` are passed over; raises UnexpectedOutput where all are.
    """
    values: dict[str, int] = {}
    for line in text.split("\n"):
        key, _, rest = line.partition(":")
        words = rest.split()
        if words and _is_number(words[0]) and words[1:] in ([], ["kB"]):
            values[key.strip()] = int(words[0]) * (1024 if words[1:] else 1)
    if not values:
        raise UnexpectedOutput(1, text.split("\n", 1)[0])
    return values


def parse_tls_stat(text: str) -> dict[str, int]:
    """Return the counters of /proc/net/tls_stat (net/tls/tls_proc.c) under the kernel's names.

    Newer kernels append counters; they come along. Raises UnexpectedOutput for any other line.
    """
    values: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words:
            continue
        if len(words) != 2 or not _is_number(words[1]):
            raise UnexpectedOutput(number, line)
        values[words[0]] = int(words[1])
    return values


def parse_sysinfo(text: str) -> dict[str, str]:
    """Return `key: value` lines of s390's /proc/sysinfo (arch/s390/kernel/sysinfo.c); first wins.

    Other lines (headings, adjustment factors) are skipped: the file is made for people.
    """
    values: dict[str, str] = {}
    for line in text.split("\n"):
        key, colon, value = line.partition(":")
        if colon and key.strip():
            values.setdefault(" ".join(key.split()), value.strip())
    return values


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
