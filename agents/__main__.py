"""`python -m agents` is `keyrack-agent`."""

import sys

from agents.cli import main

if __name__ == "__main__":
    sys.exit(main())
