"""The order of a start: Redis, database and users, web, worker, beat, this console's agents."""

import os
import subprocess
import sys
from pathlib import Path

from console.config.env import ROOT
from console.core.embedded.client import ConsoleClient, poll
from console.core.embedded.instance import AlreadyRunning, InstanceLock
from console.core.embedded.layout import VarLayout, private_write
from console.core.embedded.local_agent import (
    EmbeddedAgent,
    agent_program,
    configuration_ensure,
    embedded_agents,
    enrol_program,
    simulated_configuration_ensure,
)
from console.core.embedded.options import Options, options_read
from console.core.embedded.processes import Program, log_tail
from console.core.embedded.programs import (
    beat_program,
    redis_program,
    web_program,
    worker_program,
)
from console.core.embedded.redis import listen_fault, redis_answers, redis_prepare
from console.core.embedded.supervisor import ProgramFailed, Say, StopRequested, Supervisor

READY_SECONDS = 90.0


class CannotStart(Exception):
    """The console cannot start; the message says why and what to do."""


def embedded_run(layout: VarLayout, say: Say) -> None:
    """Start everything, introduce the console, and supervise until a person stops it.

    Raises CannotStart.
    """
    os.umask(0o077)
    layout.prepare()
    lock = InstanceLock(layout)
    try:
        lock.acquire()
    except AlreadyRunning as error:
        raise CannotStart(f"{error}. Stop it with: make down") from None
    for name in lock.end_leftovers():
        say(f"Ended {name}, left over from a start that was killed.")
    lock.clear_record()  # its process number may be another program's by now
    options = options_read(layout)
    if fault := listen_fault(options.bind, options.port):
        raise CannotStart(
            f"Port {options.port} on {options.bind} {fault}. "
            "Choose others with KEYRACK_PORT=… and KEYRACK_BIND=…"
        )
    with Supervisor(lock, options.url, say) as supervisor:
        try:
            _start_all(supervisor, options, say)
            say(_where(options))
            supervisor.start(_introduction(options))
            supervisor.run()
        except StopRequested:
            say("Stopping …")
        except (ProgramFailed, TimeoutError, RuntimeError) as error:
            raise CannotStart(str(error)) from error


def embedded_start_in_background(layout: VarLayout, say: Say) -> None:
    """Start a supervisor of its own session and return when the console is ready.

    Returns at once where it runs already. Raises CannotStart.
    """
    os.umask(0o077)
    layout.prepare()
    lock = InstanceLock(layout)
    if lock.is_held():
        record = lock.record()
        say(f"Keyrack already runs here: {record.url if record else 'it is starting'}")
        return
    options = options_read(layout)
    log = layout.log_file("supervisor")
    with log.open("wb") as output:
        supervisor = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "run_embedded"],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    with ConsoleClient(options) as client:
        is_ready = poll(
            lambda: supervisor.poll() is not None or (_has_agent(lock) and client.is_up("/readyz")),
            seconds=READY_SECONDS * 2,
            every_seconds=0.2,
        )
    if supervisor.poll() is not None or not is_ready:
        raise CannotStart(f"The console did not start.\n{log_tail(log)}")
    say(_where(options))
    say(f"Its messages, and this host's first measurement: {log}\nStop it with: make down")


def _has_agent(lock: InstanceLock) -> bool:
    """Return whether the start has come to its last step, this host's agent."""
    record = lock.record()
    return record is not None and "agent" in record.programs


def _start_all(supervisor: Supervisor, options: Options, say: Say) -> None:
    """Start every program and return when the console calls itself ready."""
    layout = options.layout
    say("Starting Redis, web server, worker, beat …")
    redis_url = redis_prepare(layout)
    supervisor.start(redis_program(options))
    supervisor.wait_for(lambda: redis_answers(redis_url), 30, "Redis' answer")
    addresses = f"{options.local_url} {(layout.redis / 'port').read_text().strip()}\n"
    agents = embedded_agents(options)
    unknown = [agent for agent in agents if _must_enrol(agent, addresses)]
    arguments = [f"--enrolment-token={agent.enrolment_token}" for agent in unknown]
    supervisor.run_once(_command(options, "embedded_prepare", *arguments), 180)
    for program in (web_program(options), worker_program(options), beat_program(options)):
        supervisor.start(program)
    with ConsoleClient(options) as client:
        supervisor.wait_for(
            lambda: client.is_up("/healthz"),
            READY_SECONDS,
            f"An answer of the web server (see {layout.log_file('web')})",
        )
        _agent_prepare(options, say)
        for agent in unknown:
            token = _take(agent.enrolment_token)
            supervisor.run_once(enrol_program(options, agent, token), 60)
            private_write(agent.enrolled, addresses)
        for agent in agents:
            supervisor.start(agent_program(options, agent))
        supervisor.wait_for(lambda: client.is_up("/readyz"), READY_SECONDS, "The console's /readyz")


def _must_enrol(agent: EmbeddedAgent, addresses: str) -> bool:
    return not agent.enrolled.exists() or agent.enrolled.read_text() != addresses


def _agent_prepare(options: Options, say: Say) -> None:
    simulated_configuration_ensure(options)
    token = configuration_ensure(options)
    if token is not None:
        say(f"This host has no token: made {token.label} of SoftHSM's in {options.layout.softhsm}")


def _take(file: Path) -> str:
    """Return a one-time secret and remove its file."""
    secret = file.read_text(encoding="utf-8").strip()
    file.unlink()
    return secret


def _command(options: Options, name: str, *arguments: str) -> Program:
    return Program(
        name=name,
        argv=(sys.executable, str(ROOT / "manage.py"), name, *arguments),
        log=options.layout.log_file(name),
        cwd=ROOT,
        environment=options.environment(),
    )


def _introduction(options: Options) -> Program:
    argv = (sys.executable, "-m", "console.core.embedded.introduction")
    return Program("introduction", argv, None, ROOT, options.environment(), restarts=False)


def _where(options: Options) -> str:
    password = _shown(options.layout.password("admin"))
    approver = _shown(options.layout.password("approver"))
    return (
        f"\nKeyrack is ready:  {options.url}\n"
        f"  log in as        admin, with the password in {password}\n"
        f"  second person    approver, with the password in {approver}\n"
    )


def _shown(path: Path) -> str:
    """Return the path as a person in this folder would type it."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
