"""The doorbell: a Celery worker, supervised in a thread, that hears `keyrack.ring`, wakes a lane.

It executes nothing: what a message carries is only a hint. Gossip, mingle, worker heartbeats,
remote control and results are off; JSON only; acknowledged early; the broker's keys are this
host's own.
"""

import logging
import os
from collections.abc import Callable
from typing import Any

from celery import Celery
from celery.exceptions import WorkerShutdown, WorkerTerminate
from celery.worker import WorkController
from kombu import Queue
from kombu.asynchronous import set_event_loop

from agents.client import Backoff
from agents.log import log_event
from agents.wire.names import TASK_RING, Lane, host_queue, unacked_keys
from agents.worker.core import Core

# How long one BRPOP waits at the broker: each end of it costs a wake-up here, a doorbell does not
# wait for it. A connection that is dead without a word is noticed after three of these.
BRPOP_SECONDS = 15

_log = logging.getLogger(__name__)

Ring = Callable[[str, str], None]
"""Called with lane (empty: unknown, look at both) and work id (a hint, may be anything)."""


class Doorbell:
    """The thread that listens at the broker, and starts again with back-off when it is lost."""

    def __init__(self, core: Core, ring: Ring) -> None:
        self._core = core
        self._ring = ring
        self._backoff = Backoff()
        self._wake_read, self._wake_write = os.pipe()

    def stop(self) -> None:
        """Make `run` return soon; the core's stop is set already."""
        os.write(self._wake_write, b"x")

    def run(self) -> None:
        """Listen until the daemon stops; without a broker address, not at all."""
        if not self._core.identity.broker_url:
            return
        while not self._core.stop.is_set():
            try:
                self._listen_once()
            except (WorkerShutdown, WorkerTerminate):
                reason = "shut down"
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"
            else:
                reason = "ended"
            if not self._core.stop.is_set():
                log_event(_log, "broker.lost", logging.WARNING, reason=reason)
            self._core.broker_ok = False
            self._core.stop.wait(self._backoff.next_seconds())

    def _on_ready(self, consumer: Any) -> None:
        consumer.hub.add_reader(self._wake_read, self._on_wake)
        self._core.broker_ok = True
        self._backoff.reset()
        log_event(_log, "broker.connected")
        # What was rung while we were away is lost with the connection: look.
        self._ring("", "")

    def _on_wake(self, *_: object) -> None:
        raise WorkerShutdown(0)

    def _listen_once(self) -> None:
        # A hub of its own: the last worker's is closed, and may hold what broke it.
        set_event_loop(None)
        app = make_app(self._core.identity.broker_url, self._core.identity.host_id, self._ring)
        try:
            make_worker(app, self._core.identity.host_id, self._on_ready).start()
        finally:
            app.close()


CELERY_SETTINGS = {
    "task_create_missing_queues": False,
    "task_ignore_result": True,
    "task_acks_late": False,
    "accept_content": ["json"],
    "task_serializer": "json",
    "worker_enable_remote_control": False,
    "worker_send_task_events": False,
    "worker_hijack_root_logger": False,
    "worker_redirect_stdouts": False,
    "worker_prefetch_multiplier": 1,
    "worker_pool": "solo",
    "enable_utc": True,
    "timezone": "UTC",
    "broker_heartbeat": 0,
    # Lost connections end the worker; Doorbell starts another one, with full jitter.
    "broker_connection_retry": False,
    "broker_connection_retry_on_startup": False,
}


def make_app(broker_url: str, host_id: str, ring: Ring) -> Celery:
    """Return the Celery application of this host: its two queues and its one task."""
    # The worker looks its tasks up in the current application of its thread: this one.
    # No fixups: a DJANGO_SETTINGS_MODULE in the environment must not load Django into the agent.
    app = Celery("keyrack-agent", set_as_current=True, broker=broker_url, backend=None, fixups=[])
    queues = [
        # Nothing is declared: a binding would be a key outside of this host's own.
        Queue(host_queue(host_id, lane), routing_key=host_queue(host_id, lane), no_declare=True)
        for lane in Lane
    ]
    options = {
        **unacked_keys(host_id),
        "polling_interval": BRPOP_SECONDS,
        "priority_steps": [0],
        "socket_connect_timeout": 10,
        "socket_keepalive": True,
    }
    app.conf.update(CELERY_SETTINGS, task_queues=queues, broker_transport_options=options)

    def on_ring(task: Any, work_id: object = "", *_: object) -> None:
        queue = str((task.request.delivery_info or {}).get("routing_key", ""))
        ring(queue.rpartition(".")[2], str(work_id))

    register: Any = app.task
    register(on_ring, name=TASK_RING, bind=True, shared=False)
    return app


def make_worker(app: Celery, host_id: str, on_ready: Callable[[object], None]) -> WorkController:
    """Return a worker that runs in the calling thread: solo pool, nothing but the consumer.

    `on_ready` is called each time it listens.
    """
    return app.WorkController(
        pool_cls="solo",
        concurrency=1,
        hostname=f"agent@{host_id}",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        task_events=False,
        ready_callback=on_ready,
    )
