"""This console's own agents: this host's, with a token where the host has none, and a second one
that looks at a simulated T5120. Their configurations, programs and enrolments.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from console.config.env import ROOT
from console.core.embedded.layout import VarLayout, private_write
from console.core.embedded.options import Options
from console.core.embedded.processes import Program
from console.core.embedded.softhsm import SofthsmToken, softhsm_existing, softhsm_make
from console.core.tls import key_pin

CONFIGURATION = """\
# This host's agent, as `make run` set it up. Yours to change; docs/agent.md lists every key.
state_dir = {state}

[agent]
allow = ["job.run", "inventory.scan", "mechanism.policy", "provider.enable", "provider.disable"]
"""

SIMULATED_CONFIGURATION = """\
# An agent that looks at a simulated SPARC host; docs/simulator.md tells more. Yours to change.
state_dir = {state}
simulate = "{edition}"

[agent]
name = "{edition}-sim"
allow = ["*"]

[pkcs11]
use_p11_kit = false
"""

SOFTHSM_SECTION = """
# This host had no token, so `make run` made one of SoftHSM's.
[pkcs11]
modules = [{module}]
environment = {{ SOFTHSM2_CONF = {configuration} }}

[[pkcs11.pin]]
token = {label}
source = {source}
"""


@dataclass(frozen=True)
class EmbeddedAgent:
    """One of this console's own agents: the name of its program, and where it lives."""

    name: str
    folder: Path

    @property
    def configuration(self) -> Path:
        """Made once, then the admin's own."""
        return self.folder / "agent.toml"

    @property
    def enrolled(self) -> Path:
        """With which console and broker address it enrolled."""
        return self.folder / "enrolled_with"

    @property
    def enrolment_token(self) -> Path:
        """A one-time token; gone once used."""
        return self.folder / "enrolment_token"


def own_agent(layout: VarLayout) -> EmbeddedAgent:
    """Return the agent of this host."""
    return EmbeddedAgent("agent", layout.agent)


def simulated_agent(layout: VarLayout) -> EmbeddedAgent:
    """Return the agent of the simulated host."""
    return EmbeddedAgent("agent-simulated", layout.simulated)


def embedded_agents(options: Options) -> tuple[EmbeddedAgent, ...]:
    """Return those of this start, this host's last: with it the start is complete."""
    simulated = (simulated_agent(options.layout),) if options.simulate else ()
    return (*simulated, own_agent(options.layout))


def agent_program(options: Options, agent: EmbeddedAgent) -> Program:
    """Return an agent's daemon."""
    return _program(options, agent.name, ["run"], agent.configuration)


def enrol_program(options: Options, agent: EmbeddedAgent, enrolment_token: str) -> Program:
    """Return an agent's enrolment. Its token goes by environment: an argument shows in ps."""
    argv = ["enrol", "--url", options.local_url]
    if options.certificate is not None:
        argv += ["--pin", key_pin(options.certificate.read_text(encoding="ascii"))]
    program = _program(options, f"enrol-{agent.name}", argv, agent.configuration)
    environment = {**program.environment, "KEYRACK_ENROLMENT_TOKEN": enrolment_token}
    return replace(program, environment=environment, restarts=False)


def simulated_configuration_ensure(options: Options) -> None:
    """Write the configuration of the simulated host's agent where it is wanted and missing."""
    agent = simulated_agent(options.layout)
    if options.simulate and not agent.configuration.exists():
        state = _toml(str(agent.folder / "state"))
        text = SIMULATED_CONFIGURATION.format(state=state, edition=options.simulate)
        private_write(agent.configuration, text)


def configuration_ensure(options: Options) -> SofthsmToken | None:
    """Write the configuration of this host's agent where there is none yet.

    Looks at the host first; where that shows no token that can do anything, makes one of SoftHSM's
    and returns it.
    """
    layout = options.layout
    configuration = own_agent(layout).configuration
    if configuration.exists():
        return None
    text = CONFIGURATION.format(state=_toml(str(layout.agent / "state")))
    token = softhsm_existing(layout)
    if token is None and not _has_usable_token(_facts(options, text)):
        token = softhsm_make(layout)
    if token is not None:
        section = SOFTHSM_SECTION.format(
            module=_toml(str(token.module)),
            configuration=_toml(str(token.configuration)),
            label=_toml(token.label),
            source=_toml(f"file:{token.pin_file}"),
        )
        text += section
    private_write(configuration, text)
    return token


def _facts(options: Options, configuration: str) -> dict[str, Any]:
    """Return what the agent finds on this host. Raises RuntimeError where it cannot look."""
    draft = options.layout.agent / "first-look.toml"
    private_write(draft, configuration)
    program = _program(options, "inventory", ["inventory", "--json"], draft)
    result = subprocess.run(
        program.argv,
        cwd=program.cwd,
        env=dict(program.environment),
        capture_output=True,
        timeout=180,
        check=False,
    )
    draft.unlink()
    if result.returncode != 0:
        raise RuntimeError(f"the agent's inventory failed: {result.stderr.decode().strip()}")
    facts: dict[str, Any] = json.loads(result.stdout)
    return facts


def _has_usable_token(facts: dict[str, Any]) -> bool:
    """Return whether there is an initialised token with mechanisms; trust stores have none."""
    return any(
        provider["mechanisms"] and (slot["token"] or {}).get("is_initialised")
        for provider in facts["providers"]
        for slot in provider["slots"]
    )


def _agent_environment(layout: VarLayout) -> dict[str, str]:
    """Return our environment without what is the console's: agents know nothing of Django.

    PKCS#11 modules that keep a cache (OpenSC does) keep it under var, too.
    """
    ours = ("KEYRACK_", "DJANGO_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "XDG_CACHE_HOME": str(layout.agent / "cache")}


def _toml(text: str) -> str:
    return json.dumps(text)


def _program(options: Options, name: str, arguments: list[str], configuration: Path) -> Program:
    layout = options.layout
    return Program(
        name=name,
        argv=(sys.executable, "-m", "agents", *arguments, "--config", str(configuration)),
        log=layout.log_file(name),
        cwd=ROOT,
        environment=_agent_environment(layout),
        stop_seconds=15.0,
    )
