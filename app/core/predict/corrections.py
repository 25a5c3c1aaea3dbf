"""What real runs teach the predictor: a lesson on memory and one on time, each of the run that knows it best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter

from app.core.pipeline.measured_stages import MeasuredStages, measured_stages
from app.core.predict.correction import Correction, Interval
from app.core.predict.disturbed import Undone, slowdown, speed_of, undo
from app.core.predict.intervals import repeat_width
from app.core.runs.doubts import VOIDING
from app.core.types.basis import Known
from app.core.types.measurement import Measurement, RunResult
from app.core.types.predicted_memory import PredictedMemory
from app.core.types.predicted_time import PredictedTime
from app.core.types.text import phrase
from app.core.types.units import format_number
from app.core.types.workload import Plan

SCALED_INTERVAL = 0.2
"""What is known of a plan that differs in more than its batch, where nobody says by how much."""

NEAR_INTERVAL, INTERVAL_PER_DOUBLING = 0.05, 0.09
"""What a run says of a step that differs in its batch only: nine of ten ratios of two simulated steps are good to 21 %
over four times or a quarter of the batch (docs/evidence.md, "Scaling a run"), and worse the farther it is carried."""
OTHER_STEP_INTERVAL = 0.15
"""Added for another optimizer, precision or input size: other operations carry the step, each with its own error."""

CALIBRATED_INTERVAL = 0.1
"""Likewise for memory."""

REPEATED_INTERVAL = 0.03
"""A single run of the very same plan, for memory and time (docs/evidence.md, "Scatter of a peak": 2.7 % between
processes, median)."""


@dataclass(frozen=True)
class Lesson:
    """What one run says of a step's memory or time, for the plan that is asked about.

    Attributes:
        measured: By the run: bytes or seconds.
        predicted: For the run's plan, uncorrected; None where nothing was predicted.
        run_id: Number of the run.
        exact: The plan is the run's own.
        width: Relative half-width of the interval.
        carried_width: The same for a plan of which there is no run.
        slower: How many times slower the machine was than alone, which ``measured`` allows for.
    """

    measured: float
    predicted: float | None
    run_id: int
    exact: bool
    width: float
    carried_width: float
    slower: float = 1.0

    @property
    def factor(self) -> float:
        """Measured over predicted; over 1 where nothing was predicted, which compares runs of one plan still."""
        return self.measured / (self.predicted or 1.0)

    def correction(self, fixed: float = 0.0) -> Correction:
        """What it makes of a prediction, of which a part may be ``fixed``."""
        basis: Known = "measured" if self.exact else "carried"
        words = phrase("run {run_id} of this model on this machine", run_id=self.run_id)
        if self.slower > 1:
            words = phrase(
                "run {run_id} of this model, divided by {slower}: so much slower was the machine then than alone",
                run_id=self.run_id,
                slower=format_number(self.slower, ".2f"),
            )
        return Correction(self.factor, Interval.of(self.width), basis, words, fixed=fixed)

    def carried(self) -> Lesson:
        """The same for a plan of which there is no run."""
        return replace(self, exact=False, width=self.carried_width)

    def undisturbed(self, undone: Undone) -> Lesson:
        """What the step would have taken on the machine alone, which nobody has measured."""
        return replace(
            self,
            measured=self.measured / undone.slower,
            exact=False,
            width=max(self.width, NEAR_INTERVAL) + undone.width,
            carried_width=self.carried_width + undone.width,
            slower=undone.slower,
        )

    def wider(self, width: float) -> Lesson:
        """The same, trusted less: of a step that was another one."""
        return replace(
            self, exact=False, width=self.width + width, carried_width=max(self.carried_width, self.width + width)
        )


@dataclass(frozen=True)
class Calibration:
    """What runs of one model on one kind of device have taught.

    A lesson is None where no run measured it: out of memory, no counter, a throttled machine.
    """

    memory: Lesson | None
    time: Lesson | None
    on_card: bool
    """The runs computed on a card; False on the processor.  The lessons hold for that kind of device alone."""
    stages: MeasuredStages | None = None
    """How the step of the run behind ``time`` divided: each part is carried to other plans by itself."""

    @property
    def teaches_time(self) -> bool:
        """Does it say anything of a step's time; a throttled run does not, and others may speak in its place."""
        return self.time is not None and (self.time.exact or self.time.predicted is not None)


def calibrate(
    result: RunResult,
    memory: PredictedMemory,
    time: PredictedTime,
    *,
    run_plan: Plan,
    plan: Plan,
    run_id: int,
    on_card: bool,
    usual_reference_s: float | None = None,
) -> Calibration | None:
    """Compare a run with the prediction for the run's own plan, both without a dataset held as an array.

    A time that was taken while the machine was throttled, spilled or swapped teaches nothing (`VOIDING`), nor does one
    beside other programs of which nobody knows how much they slowed it down (`app.core.predict.disturbed`).  An epoch
    is a sum of steps, so it is the mean step that counts, not the median.

    Args:
        result: How the run ended.
        memory: Uncalibrated prediction for the run's plan.
        time: Uncalibrated prediction for the run's plan.
        run_plan: The run's plan.
        plan: The plan that is asked about.
        run_id: Number of the run.
        on_card: The run computed on a card.
        usual_reference_s: The reference kernel's time on this machine alone, if it is known.
    """
    found = result.measurement
    if found is None:
        return None
    doubts = {doubt.kind for doubt in found.doubts}
    speed = speed_of(found, on_card=on_card)
    slower = slowdown(speed, usual_reference_s)
    sound, exact = not doubts & VOIDING and slower is not None, same_plan(run_plan, plan)
    made_up = result.environment.get("data") == "made up"
    lesson = _time_lesson(found, time, run_plan, plan, run_id) if sound else None
    stages = measured_stages(found, run_plan, time.stages, made_up=made_up) if time.stages and sound else None
    if lesson is not None and slower is not None and slower > 1:
        undone = undo(slower, found, beside_others=speed.beside_others)
        lesson, stages = lesson.undisturbed(undone), stages and stages.faster(undone.slower)
    return Calibration(
        memory=_memory_lesson(found, memory, run_id, exact) if "partial" not in doubts else None,
        time=lesson,
        on_card=on_card,
        stages=stages,
    )


def _memory_lesson(found: Measurement, memory: PredictedMemory, run_id: int, exact: bool) -> Lesson | None:
    """What a run says of memory; None where nothing was measured or predicted."""
    held = memory.dataset_bytes
    peak, predicted = (found.memory.allocator_peak_bytes or 0) - held, memory.allocator_peak_bytes - held
    if peak <= 0 or predicted <= 0:
        return None
    width = REPEATED_INTERVAL if exact else CALIBRATED_INTERVAL
    return Lesson(peak, predicted, run_id, exact, width, CALIBRATED_INTERVAL)


def _time_lesson(found: Measurement, time: PredictedTime, run_plan: Plan, plan: Plan, run_id: int) -> Lesson | None:
    """What a run says of time; None where nothing was measured."""
    step_s, exact, spread = found.epoch_step_s(run_plan.batch_size), same_plan(run_plan, plan), spread_of(found)
    carried = scaled_width(run_plan, plan) + max(0.0, spread - NEAR_INTERVAL)
    width = max(REPEATED_INTERVAL, spread) if exact else carried
    return Lesson(step_s, time.step_s, run_id, exact, width, max(SCALED_INTERVAL, carried)) if step_s > 0 else None


def spread_of(found: Measurement) -> float:
    """How far steps of a run lay from their median, relative: what an epoch of them may be off."""
    step = found.step
    return (step.high_s - step.low_s) / step.median_s / 2 if step.median_s else 0.0


def scaled_width(run_plan: Plan, plan: Plan) -> float:
    """How far a time that is carried from one plan to another may be off."""
    doublings = abs(math.log2(plan.batch_size / run_plan.batch_size))
    only_batch = same_plan(replace(run_plan, batch_size=plan.batch_size), plan)
    return NEAR_INTERVAL + INTERVAL_PER_DOUBLING * doublings + (0.0 if only_batch else OTHER_STEP_INTERVAL)


def of_another_step(calibration: Calibration) -> Calibration:
    """The lesson of a run with another precision or input size: its time, not its memory."""
    stages = calibration.stages
    return replace(
        calibration,
        memory=None,
        time=calibration.time.wider(OTHER_STEP_INTERVAL) if calibration.time else None,
        stages=None if stages is None else replace(stages, cached_sample_bytes=None),
    )


def combined(found: Sequence[Calibration]) -> Calibration | None:
    """The first lesson of several runs of a model, on memory and on time, each by the first run that has one.

    What a run is worth by itself (`REPEATED_INTERVAL` for the very same plan, else `CALIBRATED_INTERVAL` and
    `scaled_width`) is the prior of `app.core.predict.intervals`; each further run narrows or widens it.

    Args:
        found: The run to trust most first.  If it is of the very same plan, only such runs are compared.
    """
    if not found:
        return None
    timed = [one for one in found if one.teaches_time]
    # Memory is the same on a busy machine: a run of the very same plan counts first, however slow it was.
    peaks = sorted((one.memory for one in found if one.memory is not None), key=lambda lesson: not lesson.exact)
    return Calibration(
        memory=_repeated(peaks),
        time=_repeated([one.time for one in timed if one.time is not None]),
        on_card=found[0].on_card,
        stages=timed[0].stages if timed else None,
    )


def _repeated(lessons: Sequence[Lesson]) -> Lesson | None:
    """The first lesson, as wide as those like it differ from it."""
    if not lessons:
        return None
    first = lessons[0]
    alike = [one.factor for one in lessons if one.exact == first.exact and bool(one.predicted) == bool(first.predicted)]
    return replace(first, width=repeat_width(alike, first.width))


def for_another_plan(calibration: Calibration) -> Calibration:
    """The lessons carried to a plan of which there is no run."""
    memory, time = calibration.memory, calibration.time
    return replace(calibration, memory=memory.carried() if memory else None, time=time.carried() if time else None)


def input_only(calibration: Calibration) -> Calibration:
    """What is left of the lessons where another device computes: what the input costs."""
    stages = replace(calibration.stages, device_factor=None) if calibration.stages else None
    return Calibration(None, None, calibration.on_card, stages)


def for_device(calibration: Calibration | None, *, on_card: bool) -> Calibration | None:
    """What runs say of a kind of device: of the other kind than their own only what its input costs."""
    if calibration is None or calibration.on_card == on_card:
        return calibration
    return input_only(calibration)


_COMPARED = attrgetter(*(one.name for one in fields(Plan) if one.name not in ("epochs", "device", "jit")))


def same_plan(run_plan: Plan, plan: Plan) -> bool:
    """Is a run's plan the very same, apart from how long it trains and how device and XLA are named."""
    return bool(_COMPARED(run_plan) == _COMPARED(plan))
