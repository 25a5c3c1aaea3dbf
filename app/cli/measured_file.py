"""Read a run from a file: what ``bench --json`` printed, or one written by hand of what another program showed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from app.catalog import typed_json
from app.cli.given_file import read_given
from app.core.types.errors import UsageError
from app.core.types.measurement import Doubt, MeasuredData, MeasuredMemory, MeasuredShares, MeasuredStep, Measurement
from app.core.types.plausible import MOST_SECONDS, Implausible, check_plausible
from app.core.types.text import phrase

_HINT = phrase("make one with `willittrain bench … --json > run.json`")


@dataclass(frozen=True)
class _Step:
    """Step times, seconds."""

    median: float
    low: float | None = None
    high: float | None = None
    n: int = 1


@dataclass(frozen=True)
class _Measured:
    """The part ``measured`` of ``bench --json``; whatever is not known may be left out but for the step time."""

    step_s: _Step
    first_step_s: float | None = None
    samples_per_s: float | None = None
    epoch_s: float | None = None
    shares: MeasuredShares = MeasuredShares()
    bound_by: str | None = None
    memory: MeasuredMemory = MeasuredMemory()
    doubts: tuple[Doubt, ...] = ()
    data: MeasuredData = MeasuredData()
    data_only_step_s: float | None = None
    compute_only_step_s: float | None = None
    cpu_percent: float | None = None
    gpu_percent: float | None = None


def read_measured(path: str, batch_size: int) -> Measurement:
    """The measurement in a file.

    Args:
        path: The file.
        batch_size: Of the run, for samples per second where the file does not say.

    Raises:
        UsageError: The file cannot be read or holds no measurement.
    """
    try:
        document = typed_json.decode(read_given(path, _HINT), dict[str, Any])
        found = typed_json.convert(document.get("measured") or document, _Measured)
        check_plausible(found)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Implausible) as error:
        raise UsageError(phrase("this is no measured run"), received=str(error), hint=_HINT) from error
    step = found.step_s
    low, high = step.low or step.median, step.high or step.median
    if not 0 < low <= step.median <= high <= MOST_SECONDS or step.n < 1:
        raise UsageError(
            phrase("impossible step time"),
            expected=phrase("seconds above 0, low ≤ median ≤ high, of one step or more"),
            received=f"median {step.median}, low {step.low}, high {step.high}, n {step.n}",
        )
    plan = document.get("plan")
    ran = plan.get("batch_size", batch_size) if isinstance(plan, dict) else batch_size
    if ran != batch_size:
        raise UsageError(
            phrase("the run had another batch size"),
            expected=str(ran),
            received=str(batch_size),
            hint=phrase("add --batch-size {ran}", ran=ran),
        )
    return _measurement(found, batch_size)


def _measurement(found: _Measured, batch_size: int) -> Measurement:
    """As a run of our own would have it."""
    step = found.step_s
    return Measurement(
        step=MeasuredStep(step.median, step.low or step.median, step.high or step.median, step.n),
        first_step_s=found.first_step_s or step.median,
        samples_per_s=found.samples_per_s or batch_size / step.median,
        epoch_s=found.epoch_s,
        memory=found.memory,
        shares=found.shares,
        bound_by=found.bound_by,
        data_only_step_s=found.data_only_step_s,
        compute_only_step_s=found.compute_only_step_s,
        cpu_percent=found.cpu_percent,
        gpu_percent=found.gpu_percent,
        doubts=found.doubts,
        data=found.data,
    )
