"""Everything before the first measurement: what was asked for, whether it can be, and the proof."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.workloads.base import RunContext, WorkloadRefused
from agents.workloads.cpu import usable_cpu_count
from agents.workloads.openssl_speed.algorithms import AlgorithmChoices, algorithm_choices
from agents.workloads.openssl_speed.masks import (
    MaskedVariants,
    MaskHasNoEffect,
    check_effect,
    check_unchanged,
    mask_choices,
    masked_variants,
)
from agents.workloads.openssl_speed.parameters import SpeedParameters, parse_parameters
from agents.workloads.openssl_speed.plan import (
    ACCELERATED,
    SOFTWARE,
    Measurement,
    control_algorithm,
    measurements,
    total_seconds,
    with_masks,
    without_control,
)
from agents.workloads.openssl_speed.program import (
    OpensslFacts,
    OpensslUnusable,
    ask_openssl,
    read_settings,
)

_MAX_PROCESSES_PER_CPU = 4
_DEADLINE_SHARE = 0.95
"""How much of the time left may be planned for; the rest is for starting and reporting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """A run ready to start."""

    parameters: SpeedParameters
    openssl: OpensslFacts
    variants: MaskedVariants
    measurements: list[Measurement]
    cpu_count: int
    result: dict[str, Any]
    """What is already known of the run as a whole, proof of the masks included."""


def prepare(context: RunContext) -> Preparation:
    """Check the order against this host. Raises WorkloadRefused with the reason.

    1. The parameters' form. 2. The program. 3. Algorithms and processes. 4. The masks, proven by
    OpenSSL's own word under each variant. 5. The time, without the control where it is short.
    """
    parameters = parse_parameters(context.parameters)
    try:
        openssl = ask_openssl(context.run_command)
    except OpensslUnusable as error:
        raise WorkloadRefused(str(error)) from error
    choices = algorithm_choices(openssl, context.run_command, context.state_dir)
    parameters = with_masks(parameters, mask_choices(openssl.settings).available)
    cpu_count = usable_cpu_count()
    _check_algorithms(parameters, choices, openssl)
    _check_processes(parameters, cpu_count)
    _check_masks(parameters, openssl)
    variants = masked_variants(openssl.settings, parameters.masks)
    said = _prove(context, openssl, variants, parameters.masks)
    planned, control_note = _plan(context, parameters, choices.available, openssl)
    result = _result(parameters, openssl, variants, planned)
    return Preparation(
        parameters=parameters,
        openssl=openssl,
        variants=variants,
        measurements=planned,
        cpu_count=cpu_count,
        result={
            **result,
            "cpusettings": said,
            "mask_sentence": _mask_sentence(variants, said),
            "control": control_note,
            "cpu_count": cpu_count,
        },
    )


def _check_algorithms(
    parameters: SpeedParameters, choices: AlgorithmChoices, openssl: OpensslFacts
) -> None:
    refused = [
        f"{name} ({choices.unavailable.get(name, 'no algorithm that this job knows')})"
        for name in parameters.algorithms
        if name not in choices.available
    ]
    if refused:
        raise WorkloadRefused(
            f"OpenSSL {openssl.version.version} on this host cannot measure {', '.join(refused)}. "
            "Choose from the algorithms that the host offers."
        )


def _check_processes(parameters: SpeedParameters, cpu_count: int) -> None:
    most = _MAX_PROCESSES_PER_CPU * cpu_count
    if parameters.processes > most:
        raise WorkloadRefused(
            f"{parameters.processes} processes were asked for, but this host has {cpu_count} CPUs: "
            f"ask for {most} at most."
        )


def _check_masks(parameters: SpeedParameters, openssl: OpensslFacts) -> None:
    choices = mask_choices(openssl.settings)
    if refused := [name for name in parameters.masks if name not in choices.available]:
        reasons = "; ".join(f"{name}: {choices.unavailable[name]}" for name in refused)
        raise WorkloadRefused(
            f"Both variants would be the same, so nothing was measured. {reasons}. "
            f"Masks that have an effect here: {', '.join(choices.available) or 'none'}."
        )
    if not parameters.masks:
        raise WorkloadRefused(
            "This CPU has neither AES nor SHA instructions that OpenSSL uses, so there is nothing "
            f"to switch off. Other masks here: {', '.join(choices.available) or 'none'}."
        )


def _prove(
    context: RunContext, openssl: OpensslFacts, variants: MaskedVariants, masks: Sequence[str]
) -> dict[str, str]:
    """Return OpenSSL's own word under each variant, once it says what it should."""
    said = {}
    for variant, env in ((ACCELERATED, variants.accelerated), (SOFTWARE, variants.software)):
        settings = read_settings(context.run_command, openssl.path, env)
        said[variant] = settings.text if settings else ""
        try:
            if variant == SOFTWARE:
                check_effect(openssl.settings, settings, masks)
            else:
                check_unchanged(openssl.settings, settings)
        except MaskHasNoEffect as error:
            raise WorkloadRefused(
                f"{variants.variable} did not do what was asked, so nothing was measured: {error}.",
                result={"cpusettings": said, "environment": variants.software},
            ) from error
    return said


def _mask_sentence(variants: MaskedVariants, said: Mapping[str, str]) -> str:
    """Say what *software* goes without, and OpenSSL's own word for it."""
    environment = f"{variants.variable}={variants.software[variants.variable]}"
    with_all = said[ACCELERATED].partition(" env:")[0]
    without = said[SOFTWARE].partition(" env:")[0]
    return (
        f"{environment} switches off {', '.join(variants.switched_off)}: `openssl info "
        f"-cpusettings` says {without} instead of {with_all}."
    )


def _plan(
    context: RunContext,
    parameters: SpeedParameters,
    available: Sequence[str],
    openssl: OpensslFacts,
) -> tuple[list[Measurement], str]:
    """Return what to measure and a sentence on the negative control."""
    control = control_algorithm(parameters.masks, available) if parameters.control else None
    planned = measurements(parameters, control)
    version = openssl.version.version
    limit = context.remaining_seconds() * _DEADLINE_SHARE
    note = _control_note(parameters, control)
    if control is not None and total_seconds(planned, parameters, version) > limit:
        planned = without_control(planned, parameters)
        note = f"{control} was left out as a negative control: there was no time for it."
    needed = total_seconds(planned, parameters, version)
    if needed > limit:
        raise WorkloadRefused(
            f"This would take about {needed:.0f} s, but the run may last {limit:.0f} s: ask for "
            "fewer algorithms, sizes, pairs or seconds."
        )
    return planned, note


def _control_note(parameters: SpeedParameters, control: str | None) -> str:
    if control is not None:
        return f"{control} is the negative control: the masks cannot touch it."
    if not parameters.control:
        return "No negative control was asked for."
    return "This OpenSSL has no algorithm that could be a negative control for these masks."


def _result(
    parameters: SpeedParameters,
    openssl: OpensslFacts,
    variants: MaskedVariants,
    planned: Sequence[Measurement],
) -> dict[str, Any]:
    version = openssl.version
    return {
        "parameters": parameters.as_json(),
        "openssl": {
            "path": openssl.path,
            "version": version.version,
            "library": version.library,
            "built_on": version.built_on,
            "platform": version.platform,
        },
        "mechanism": variants.variable,
        "environment": {ACCELERATED: variants.accelerated, SOFTWARE: variants.software},
        "switched_off": list(variants.switched_off),
        "cells": {
            item.cell(operation): {
                "algorithm": item.algorithm,
                "input_bytes": item.size_bytes,
                "operation": operation,
                "is_negative_control": item.is_control,
                "command": " ".join(item.argv("openssl", parameters)),
            }
            for item in planned
            for operation in item.operations
        },
        "expected_seconds": total_seconds(planned, parameters, version.version),
    }
