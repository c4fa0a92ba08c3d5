"""Servers that a test starts must not outlive it, however it ends."""


def tied(argv: list[str]) -> list[str]:
    """Return `argv` run so that the kernel ends it with SIGTERM when its parent dies (prctl(2))."""
    return ["setpriv", "--pdeathsig", "TERM", "--", *argv]
