"""The workload `openssl.speed`: checks the host, proves the masks, then measures in pairs."""

from collections.abc import Mapping
from typing import Any

from agents.executors.process import run_command
from agents.wire.inventory import WorkloadFacts
from agents.wire.work import RunOutcome
from agents.workloads.base import RunContext, RunResult, Workload, WorkloadHost, WorkloadRefused
from agents.workloads.openssl_speed.algorithms import algorithm_choices
from agents.workloads.openssl_speed.masks import mask_choices
from agents.workloads.openssl_speed.parameters import NAME, parse_parameters
from agents.workloads.openssl_speed.prepare import Preparation, prepare
from agents.workloads.openssl_speed.program import OpensslUnusable, ask_openssl
from agents.workloads.openssl_speed.session import Session


class OpensslSpeed(Workload):
    """Ciphers, digests and signatures, *accelerated* and *software*, on this host's OpenSSL.

    Method: each cell (algorithm, size, operation) is measured `pairs` times in each variant, the
    two of a pair right after each other, in ABBA order, all cells once per round, so that slow
    drift hits both variants alike. One command is one sample. docs/workloads.md tells the limits.
    """

    name = NAME

    def check(self, host: WorkloadHost) -> WorkloadFacts:
        """See Workload.check. The first call after a change of OpenSSL takes about a second."""
        if host.facts.is_simulated:
            return _ineligible(
                "This host is not live hardware: a job would measure the machine its agent runs on."
            )
        try:
            openssl = ask_openssl(run_command)
        except OpensslUnusable as error:
            return _ineligible(str(error))
        masks = mask_choices(openssl.settings)
        if not masks.available:
            reasons = "; ".join(f"{name}: {why}" for name, why in masks.unavailable.items())
            return _ineligible(f"There is nothing to switch off on this CPU ({reasons}).")
        algorithms = algorithm_choices(openssl, run_command, host.state_dir, tries_at_once=2)
        return WorkloadFacts(
            name=NAME,
            is_eligible=True,
            choices={
                "algorithms": list(algorithms.available),
                "algorithms_unavailable": _reasons(algorithms.unavailable),
                "masks": list(masks.available),
                "masks_unavailable": _reasons(masks.unavailable),
                "openssl": [openssl.version.version],
                "mechanism": [openssl.settings.variable],
            },
        )

    def validate(self, parameters: Mapping[str, Any]) -> None:
        """See Workload.validate."""
        parse_parameters(parameters)

    def run(self, context: RunContext) -> RunResult:
        """See Workload.run."""
        prepared = prepare(context)
        session = Session(context, prepared)
        try:
            session.measure()
        except WorkloadRefused as refusal:
            refusal.result = {**prepared.result, **refusal.result}
            raise
        return RunResult(
            outcome=RunOutcome.SUCCEEDED,
            message=_message(prepared),
            result={**prepared.result, "measured_seconds": round(session.seconds, 3)},
        )


def _ineligible(reason: str) -> WorkloadFacts:
    return WorkloadFacts(name=NAME, is_eligible=False, reason=reason)


def _reasons(unavailable: Mapping[str, str]) -> list[str]:
    return [f"{name}: {reason}" for name, reason in unavailable.items()]


def _message(prepared: Preparation) -> str:
    cells = len(prepared.result["cells"])
    off = ", ".join(prepared.variants.switched_off)
    return (
        f"Measured {cells} {'cell' if cells == 1 else 'cells'} in {prepared.parameters.pairs} "
        f"pairs each with OpenSSL {prepared.openssl.version.version}; software runs without {off}."
    )
