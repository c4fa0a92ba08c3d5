"""CPU time and memory of a process with all its descendants."""

import psutil


def family(pid: int) -> list[psutil.Process]:
    """Return the process and everything below it."""
    root = psutil.Process(pid)
    return [root, *root.children(recursive=True)]


def cpu_seconds(pid: int) -> float:
    """Return user and system seconds of the family, reaped children included (proc(5))."""
    total = 0.0
    for process in family(pid):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


def pss_bytes(pid: int) -> int:
    """Return the family's proportional set size (smaps_rollup): shared pages count once."""
    total = 0
    for process in family(pid):
        try:
            total += process.memory_full_info().pss
        except psutil.NoSuchProcess:
            continue
    return total
