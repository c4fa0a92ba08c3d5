"""`python3 -m tools.setup run|test`: prepare this checkout.

Nothing outside its folder changes but system packages.
"""

import sys

from tools.setup.environments import python_ensure, tools_ensure
from tools.setup.frontend import dashboard_ensure, npm_packages_ensure
from tools.setup.running import SetupError
from tools.setup.system_packages import FOR_RUNNING, FOR_TESTS, packages_ensure
from tools.setup.wheels import agent_wheels_ensure


def main(goal: str) -> int:
    """Prepare for `goal`; return the exit code."""
    if goal not in {"run", "test", "tools"}:
        print(f"usage: python3 -m tools.setup run|test|tools (not {goal!r})", file=sys.stderr)
        return 2
    try:
        _prepare(goal)
    except SetupError as error:
        print(f"set-up stopped: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("set-up interrupted; the next one goes on where this one stopped", file=sys.stderr)
        return 130
    return 0


def _prepare(goal: str) -> None:
    if goal == "tools":
        tools_ensure()
        return
    packages_ensure(FOR_RUNNING if goal == "run" else FOR_RUNNING + FOR_TESTS)
    tools_ensure()
    python_ensure(with_tests=goal == "test")
    agent_wheels_ensure()
    if goal == "test":
        npm_packages_ensure()
    dashboard_ensure()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
