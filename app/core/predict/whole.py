"""The whole of a ``fit``, phase by phase, from the predictions of a training step and of a validation step.

What lies on the device besides a step follows from Keras's own ``fit`` (keras/src/backend/tensorflow/trainer.py):

* the arrays of the training from its beginning, those of the validation from the first one to the end of ``fit``
  (``_eval_epoch_iterator`` is kept between epochs);
* the optimizer's slots while a validation runs, whose step does not use them;
* on the processor the batches that the input has made ahead (`batches_ahead`), which come from the same allocator.

In RAM lie besides: the user's own arrays, a copy of the best weights, a checkpoint while it is written.  The
processor's allocator keeps what it has once taken, so that the process never becomes smaller.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.core.pipeline.input_cost import cache_room_bytes
from app.core.predict.held_data import held_data
from app.core.predict.saving import saved_bytes, saving
from app.core.predict.whole_times import WholeTimes
from app.core.simulate.whole_replay import Rounds, Steps, courses_of, replayed_course
from app.core.types.basis import Range
from app.core.types.plan_values import MAX_BATCH_SIZE
from app.core.types.prediction import Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, phrase
from app.core.types.units import format_count
from app.core.types.whole import PredictedPhase, PredictedWhole
from app.core.types.workload import Workload

MOST_CALLS = 16
"""``tf.data``'s parallelism of a map that tunes itself (core/kernels/data/parallel_map_dataset_op.cc,
``GetAutotuneDefaultParallelism``): so many, or as many as there are threads."""
PREFETCHED = 1
"""Batches that a prefetch which tunes itself begins with; it makes more only if a step has waited
(core/kernels/data/prefetch_autotuner.cc)."""


def batches_ahead(threads: int) -> int:
    """Batches that the input has ready or in the making besides the one that is computed."""
    return min(MOST_CALLS, threads) + PREFETCHED


def evaluation_of(workload: Workload) -> Workload | None:
    """The step of a training's validation as a workload of its own; None without one."""
    plan, samples = workload.plan, workload.validation_samples
    if plan.mode != "train" or samples == 0:
        return None
    asked = replace(
        plan,
        mode="evaluate",
        batch_size=min(plan.validation_batch or plan.batch_size, samples or MAX_BATCH_SIZE),
        data="pipeline",
        epochs=1,
        accumulate=1,
        validation=0.0,
        cache="none",
    )
    data = replace(workload.dataset, samples=samples) if workload.dataset else None
    return replace(workload, plan=asked, dataset=data, trainings=1.0)


@dataclass(frozen=True)
class Pieces:
    """What a whole training is put together from.

    Attributes:
        workload: What is trained.
        graph: Its traced training step.
        training: What is predicted of that.
        evaluation: Of a step of its validation; None without one, or where nobody has traced it.
        threads: Of the host.
        times: How long everything besides the steps takes.
        replayed: What the training's step and that of its validation ask of the allocator; None where that is not
            known, as with XLA.
    """

    workload: Workload
    graph: StepGraph
    training: Prediction
    evaluation: Prediction | None
    threads: int
    times: WholeTimes
    replayed: tuple[Rounds, Rounds] | None = None


def predict_whole(pieces: Pieces) -> PredictedWhole:
    """Predict all phases of a training."""
    device = _Device(pieces)
    host = _host(pieces, device)
    times = pieces.times
    plan, validates = pieces.workload.plan, pieces.workload.validation_samples != 0
    validations = plan.epochs // plan.validate_every if validates else 0
    phases = [
        PredictedPhase("prepare", device.prepare, host["prepare"], times.prepare_s),
        PredictedPhase("first_step", device.first_step, host["first_step"], times.first_step_s),
        PredictedPhase("training", device.training, host["training"], times.first_epoch_s),
    ]
    if validations:
        phases.append(
            PredictedPhase(
                "validation", device.validation, host["validation"], times.validation_s(validations), validations
            )
        )
    phases.append(PredictedPhase("saving", device.resident, host["saving"], times.end_of_epoch_s, plan.epochs))
    if plan.epochs > 1:
        phases.append(PredictedPhase("later", device.later, host["later"], times.epoch_s, plan.epochs - 1))
    ends, size = _cache(pieces)
    return PredictedWhole(
        tuple(phases),
        pieces.training.fit.allowed_bytes,
        saving(pieces.training.memory.parts, times.save_s) if plan.checkpoint_every else None,
        ends,
        size,
        tuple(_told(pieces, validates)),
        pieces.workload.trainings,
    )


class _Device:
    """The allocator's peak in each phase."""

    def __init__(self, pieces: Pieces) -> None:
        memory, workload = pieces.training.memory, pieces.workload
        on_host = memory.on_host
        ahead = batches_ahead(pieces.threads) if on_host and workload.plan.data == "array" else 0
        validated = held_data(pieces.graph, workload, on_host=on_host, samples=workload.validation_samples or 0)
        trained = held_data(pieces.graph, workload, on_host=on_host)
        self.trained_bytes, self.validated_bytes = (held.device_bytes if held else 0 for held in (trained, validated))
        self.validated_host_bytes = validated.host_bytes if validated else 0
        batch = memory.parts.inputs - memory.dataset_bytes
        parts = memory.parts
        kept = parts.weights + parts.optimizer_state + self.trained_bytes
        first = memory.first_step_peak_bytes
        self.prepare = Range(*[float(parts.weights + self.trained_bytes)] * 3)
        self.training = moved(memory.range, ahead * batch)
        self.first_step = self.training if first is None else moved(Range(first, first, first), ahead * batch)
        self.later = moved(self.training, self.validated_bytes)
        self.resident = Range(*[float(kept + self.validated_bytes)] * 3)
        self.validation = None
        if pieces.evaluation is not None:
            step = pieces.evaluation.memory
            beside = parts.optimizer_state + self.trained_bytes + self.validated_bytes
            self.validation = moved(step.range, beside + ahead * step.parts.inputs)
        if pieces.replayed is not None and pieces.evaluation is not None:
            self._follow(pieces, pieces.evaluation, pieces.replayed, ahead)

    def _follow(self, pieces: Pieces, evaluation: Prediction, replayed: tuple[Rounds, Rounds], ahead: int) -> None:
        """Take the peaks of all phases from one allocator, which they have in common."""
        memory, raw = pieces.training.memory, pieces.training.uncalibrated
        batches = memory.parts.inputs - memory.dataset_bytes, evaluation.memory.parts.inputs
        plans, arrays = (pieces.training.plan, evaluation.plan), (self.trained_bytes, self.validated_bytes)
        training, steps = (
            Steps(rounds, plan.batch_size, (held,) if held else (), batch_bytes, ahead)
            for rounds, plan, held, batch_bytes in zip(replayed, plans, arrays, batches, strict=True)
        )
        found = [replayed_course(training, steps, order, on_host=memory.on_host) for order in courses_of(training)]
        known = memory.allocator_peak_bytes / raw.allocator_peak_bytes if raw is not None else 1.0
        self.first_step = _over([one.first_step for one in found], memory.range, known)
        self.training = _over([one.training for one in found], memory.range, known)
        self.later = _over([one.later for one in found], memory.range, known)
        self.validation = _over([one.validation for one in found], evaluation.memory.range, known)

    def up_to(self, *names: str) -> Range | None:
        """The highest of some phases: what the processor's allocator has taken by then."""
        known = [found for name in names if (found := getattr(self, name)) is not None]
        return Range(*map(max, zip(*known, strict=True))) if known else None


def _host(pieces: Pieces, device: _Device) -> dict[str, Range | None]:
    """The process in RAM in each phase, which is never smaller than before."""
    memory, plan = pieces.training.memory, pieces.workload.plan
    process = memory.process_bytes
    if process is None:
        return dict.fromkeys(("prepare", "first_step", "training", "validation", "saving", "later"))
    process += device.validated_host_bytes + _queued(pieces)[0] * (memory.parts.inputs - memory.dataset_bytes)
    weights, checkpoint = memory.parts.weights, saved_bytes(memory.parts)
    from_validation = 0 if memory.on_host else device.validated_host_bytes
    from_saving = (weights if plan.restore_best else 0) + (checkpoint if plan.checkpoint_every else 0)

    def at(beside: int, *names: str) -> Range:
        taken = device.up_to(*names) if memory.on_host else None
        return moved(taken or Range(0, 0, 0), process + beside)

    early = ("prepare", "first_step", "training")
    return {
        "prepare": at(0, "prepare"),
        "first_step": at(0, "prepare", "first_step"),
        "training": at(0, *early),
        "validation": at(from_validation, *early, "validation"),
        "saving": at(from_validation + from_saving, *early, "validation"),
        "later": at(from_validation + from_saving, *early, "validation", "later"),
    }


def _queued(pieces: Pieces) -> tuple[int, int]:
    """The batches that a script's ``PyDataset`` keeps in RAM, and the processes that make them."""
    captured = pieces.training.model.captured
    found = (captured.get(name) if captured else None for name in ("queued_batches", "worker_processes"))
    queued, processes = (one if isinstance(one, int) else 0 for one in found)
    return queued, processes


def _cache(pieces: Pieces) -> tuple[float | None, int]:
    """In which epoch a cache in RAM fills this machine's memory, as a fraction, and its size when it is full."""
    plan, samples = pieces.workload.plan, pieces.workload.training_samples
    per_sample = pieces.times.cached_sample_bytes
    if plan.cache not in ("ram", "encoded") or samples is None or not per_sample:
        return None, 0
    size = round(samples * plan.cache_share * per_sample)
    room = cache_room_bytes(pieces.training.machine)
    beside = pieces.training.memory.allocator_peak_bytes if pieces.training.memory.on_host else 0
    left = None if room is None else max(0, room - beside)
    return (left / size if left is not None and left < size else None), size


def _told(pieces: Pieces, validates: bool) -> Iterable[Text]:
    """What is missing or assumed."""
    if validates and pieces.evaluation is None:
        yield phrase("nobody has traced the step of the validation: its memory and time are missing")
    if validates and pieces.workload.validation_samples is None:
        yield phrase("nobody knows how many samples there are: how long a validation takes is missing")
    if _queued(pieces)[1]:
        yield phrase(
            "{processes} processes make its batches: what each of them holds in RAM is not counted",
            processes=format_count(_queued(pieces)[1]),
        )
    yield from pieces.times.told


def _over(peaks: Sequence[int], told: Range, known: float) -> Range:
    """The mean of some peaks, corrected as a step's is, with its relative interval and no less than their own."""
    mean = sum(peaks) / len(peaks)
    low, high = (mean * end / told.value for end in (told.low, told.high))
    return Range(*(known * end for end in (mean, min(low, *peaks), max(high, *peaks))))


def moved(told: Range, by_bytes: float) -> Range:
    """A range with something beside it."""
    return Range(*(end + by_bytes for end in told))


def chance_by(total: Range, deadline_s: float) -> float:
    """How likely a training ends within a time, 0..1.

    The logarithm of its time is taken as normal with the interval's half-widths, each its own, as the 95th percentile
    of its side (`app.core.predict.intervals.COVERAGE`).
    """
    if total.value <= 0 or deadline_s <= 0:
        return 1.0 if total.value <= 0 else 0.0
    width = math.log(total.high / total.value) if deadline_s > total.value else math.log(total.value / total.low)
    score = math.log(deadline_s / total.value) / max(width, LEAST_WIDTH) * NORMAL_95
    return 0.5 * (1 + math.erf(score / math.sqrt(2)))


NORMAL_95 = 1.6448536269514722
LEAST_WIDTH = 0.02
"""Nobody knows a time more sharply: the same training repeated on a quiet machine differs by as much."""
