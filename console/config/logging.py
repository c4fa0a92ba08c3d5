"""structlog for everything the console logs: JSON lines or, on a terminal, readable ones."""

import logging


def configure_logging() -> None:
    """Set up logging for this process."""
    logging.basicConfig(level=logging.INFO)
