"""Small files of `key value` lines: /proc/meminfo, /proc/net/tls_stat, s390's /proc/sysinfo."""

from agents.parsers.base import UnexpectedOutput

_MAX_DIGITS = 20


def parse_meminfo(text: str) -> dict[str, int]:
    """Return /proc/meminfo in bytes (counts without unit as they are). See proc(5).

    Raises UnexpectedOutput for a line that is not `key: number [kB]`.
    """
    values: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        key, colon, rest = line.partition(":")
        words = rest.split()
        if not colon or not words or not _is_number(words[0]) or words[1:] not in ([], ["kB"]):
            raise UnexpectedOutput(number, line)
        values[key.strip()] = int(words[0]) * (1024 if words[1:] else 1)
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
