"""Runs an agent's Celery worker as the agent does; prints what it hears. For test_broker.py."""

import sys

from agents.worker.doorbell import make_app, make_worker


def main() -> None:
    """Listen at the broker argv[1] for host argv[2] until killed."""
    url, host_id = sys.argv[1:3]
    app = make_app(url, host_id, lambda lane, work: print(f"ring {lane} {work}", flush=True))
    make_worker(app, host_id, lambda _consumer: print("ready", flush=True)).start()


main()
