"""Free TCP ports."""

import socket


def free_port() -> int:
    """Return a port on loopback that nothing listens on at present."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
