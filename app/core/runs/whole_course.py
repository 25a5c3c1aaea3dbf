"""How much of a training is run to learn about all of it, and what it says of the whole."""

from __future__ import annotations

import math

from app.core.types.prediction import Prediction
from app.core.types.whole import Length, MeasuredWhole
from app.core.types.workload import Workload

EPOCHS = 6
"""Two to settle, and four that show what grows (`app.core.runs.growth`)."""
FEWEST_STEPS = 3
MOST_STEPS = 200


def length_within(workload: Workload, prediction: Prediction | None, seconds: float) -> Length:
    """How many steps and epochs are run in about so many seconds after the first step.

    Args:
        workload: What is trained.
        prediction: Says how long a step takes.
        seconds: For everything.
    """
    step_s = prediction.time.step_s if prediction is not None else None
    validation = workload.plan.validation_batch or workload.plan.batch_size
    validated = workload.validation_samples
    whole = math.ceil(validated / validation) if validated else FEWEST_STEPS if validated is None else 0
    shares = 2 if whole else 1
    fitting = int(seconds / (EPOCHS * shares * step_s)) if step_s else FEWEST_STEPS
    steps = max(FEWEST_STEPS, min(MOST_STEPS, fitting))
    return Length(min(steps, workload.steps_per_epoch or steps), min(steps, whole), EPOCHS)


def total_s(measured: MeasuredWhole, workload: Workload) -> float | None:
    """What the whole training takes by what was run of it, in seconds; None where nobody knows how long it is."""
    steps, plan = workload.steps_per_epoch, workload.plan
    if steps is None or not measured.steps_per_epoch:
        return None
    trained = [one for one in (measured.phase("training"), measured.phase("later")) if one is not None]
    ran = measured.steps_per_epoch * len(measured.epochs) - 1
    step_s = sum(one.seconds for one in trained) / max(1, ran)
    total = (steps * plan.epochs - 1) * step_s
    for kind in ("prepare", "first_step"):
        total += found.seconds if (found := measured.phase(kind)) is not None else 0.0
    saving, validation = measured.phase("saving"), measured.phase("validation")
    total += plan.epochs * saving.seconds / saving.times if saving is not None else 0.0
    if validation is not None and measured.validation_steps:
        samples, batch = workload.validation_samples or 0, plan.validation_batch or plan.batch_size
        whole = math.ceil(samples / batch) / measured.validation_steps
        total += plan.epochs // plan.validate_every * whole * validation.seconds / validation.times
    return workload.trainings * total


def peak_bytes(measured: MeasuredWhole) -> int | None:
    """The device's peak over all phases that were run."""
    return max((one.device_bytes for one in measured.phases if one.device_bytes is not None), default=None)
