"""Measure the whole of a ``fit``: some steps of each phase, in a child of its own, beside a benchmark's figures."""

from __future__ import annotations

from dataclasses import replace

from app.core.runs.growth import growths
from app.core.runs.whole_course import peak_bytes
from app.core.types.machine import Machine
from app.core.types.measurement import RunResult
from app.core.types.prediction import Prediction
from app.core.types.text import phrase
from app.core.types.whole import MeasuredWhole


def with_whole(benchmark: RunResult, whole: RunResult, machine: Machine, told: Prediction | None) -> RunResult:
    """The figures of a benchmark with those of the phases; a phase that failed is how the run ended.

    Args:
        benchmark: The steps by themselves.
        whole: What a second child ran of the whole training.
        machine: What is left of its RAM is left to the process.
        told: The prediction made before; says what the device allows.
    """
    measured = None if whole.whole is None else with_growth(whole.whole, machine, told)
    warnings = (*benchmark.warnings, *(one for one in whole.warnings if one not in benchmark.warnings))
    found = replace(benchmark, whole=measured, warnings=warnings)
    if whole.outcome == "succeeded":
        return found
    failed = phrase("some epochs of the whole training were tried and did not come to their end")
    return replace(found, outcome=whole.outcome, problem=whole.problem, warnings=(*warnings, failed))


def with_growth(measured: MeasuredWhole, machine: Machine, told: Prediction | None) -> MeasuredWhole:
    """What was measured, with what grows from epoch to epoch and when that ends the training.

    Args:
        measured: The epochs that were run.
        machine: What is left of its RAM is left to the process.
        told: The prediction made before; says what the device allows.
    """
    peak, allowed = peak_bytes(measured), told.fit.allowed_bytes if told is not None else None
    device_left = None if peak is None or allowed is None else allowed - peak
    hosts = [one.host_bytes for one in measured.phases if one.host_bytes is not None]
    free = machine.ram.available_bytes
    host_left = None if free is None or not hosts else free - max(hosts)
    return replace(measured, growth=growths(measured.epochs, device_left_bytes=device_left, host_left_bytes=host_left))
