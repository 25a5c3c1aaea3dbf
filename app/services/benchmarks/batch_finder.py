"""Find the largest and the fastest batch by trials: a child for each, which trains a few steps.

What to try next decides `app.core.advising.batch_search`, from what was predicted and what the trials took.  On a CPU a
trial may hold what can be spared of the host's memory (or less, if the user says so) and is stopped above that; on
a card the framework itself fails at the limit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.core.advising.accumulation import Accumulation, Effort, accumulate_to
from app.core.advising.batch_search import HEADROOM, Search, StoppedBy, Trial, fast_batches, largest_batch, next_trial
from app.core.predict.batch_sizes import LARGEST_BATCH, largest_that
from app.core.types.machine import Machine
from app.core.types.measurement import RunResult
from app.core.types.messages import Progress
from app.core.types.prediction import BatchPoint, Prediction
from app.core.types.run import Run
from app.core.types.text import phrase
from app.core.types.workload import Workload
from app.services.benchmarks.bench import BenchOptions, bench, room_for
from app.services.child.child_options import OWN_PYTHON, ChildOptions
from app.services.child.watch import Event
from app.services.child.worker_process import CancelFlag

TRIAL_S = 3.0
REMAINING = 0.6
"""For the progress: each trial leaves so much of what was left, since nobody knows how many there will be."""

COPIES_OF_BATCH = 2
"""What a trial's child holds of its batch besides the step: NumPy's array, and the constant that the pipeline repeats
(`app.worker.benchmark.feed`, ``one_batch``).  Nothing to a usual batch, much to the largest of a tiny network."""

Stopped = StoppedBy | str
"""Besides the reasons of the search: ``failed`` (a trial ended for another reason than memory) and ``cancelled``."""


@dataclass(frozen=True)
class TrialBegins:
    """The next child trains with this batch."""

    number: int
    batch_size: int


@dataclass(frozen=True)
class TrialRun:
    """One trial, stored like any run; ``peak_bytes`` is what counts against the limit."""

    batch_size: int
    run: Run
    peak_bytes: int | None

    @property
    def samples_per_s(self) -> float | None:
        """Measured throughput."""
        found = self.run.result.measurement
        return None if found is None or self.run.result.outcome != "succeeded" else found.samples_per_s


@dataclass(frozen=True)
class BatchFinding:
    """What was found; batches are None if not even one sample ran."""

    trials: tuple[TrialRun, ...]
    largest_batch_size: int | None
    best_batch_size: int | None
    stopped_by: Stopped
    limit_bytes: int | None
    accumulation: Accumulation | None = None


@dataclass(frozen=True)
class Room:
    """What limits a batch: bytes of the host's memory for the whole child, or of a card for its allocator."""

    bytes: int | None
    on_host: bool

    def needed_bytes(self, found: Prediction) -> int:
        """What a prediction says of the same quantity."""
        memory = found.memory
        if not self.on_host:
            return memory.allocator_peak_bytes
        return (memory.host_bytes or memory.allocator_peak_bytes) + COPIES_OF_BATCH * memory.parts.inputs

    def peak_bytes(self, result: RunResult) -> int | None:
        """What a run took of it."""
        found = result.measurement
        if found is None:
            return None
        if not self.on_host:
            return found.memory.allocator_peak_bytes
        held = [sample.ram_bytes for sample in result.samples if sample.ram_bytes is not None]
        return max([*held, found.memory.host_bytes or 0], default=0) or None


@dataclass(frozen=True)
class TrialOptions:
    """How trials are made."""

    effective: int | None = None
    """Samples that an update shall see, for a pair of batch and accumulation."""
    seconds: float = TRIAL_S
    """Time that a trial measures."""
    child: ChildOptions = OWN_PYTHON
    """The Python that trains."""


Predict = Callable[[Workload], Prediction | None]


def find_batch(
    workload: Workload,
    machine: Machine,
    room: Room,
    options: TrialOptions,
    *,
    predict: Predict,
    keep: Callable[[Workload, Prediction | None, RunResult], Run],
    on_event: Callable[[Event | TrialBegins], None] | None = None,
    cancel: CancelFlag | None = None,
) -> BatchFinding:
    """Try batches until the largest and the fastest are known.

    Args:
        workload: What to train; its batch size counts only where nothing is predicted.
        machine: This machine.
        room: What a batch has to fit into.
        options: How the trials are made.
        predict: Predicts a workload; None where that cannot be done.
        keep: Stores a trial as a run.
        on_event: Hears `TrialBegins`, `Progress` of the whole search, and all else that the children say.
        cancel: Polled; once set, the trial ends within 2 s and no other begins.
    """
    child = replace(options.child, limit_bytes=room.bytes if room.on_host else None)
    search = _search(workload, room, predict)
    trials: list[TrialRun] = []
    stopped: Stopped | None = None
    while stopped is None:
        batch = next_trial(search)
        if not isinstance(batch, int):
            stopped = batch
            break
        tried = replace(workload, plan=replace(workload.plan, batch_size=batch))
        told = predict(tried)
        result = replace(
            bench(
                tried,
                machine,
                BenchOptions(seconds=options.seconds, profile=False, room_bytes=room_for(told)),
                child,
                cancel=cancel,
                on_event=_listener(on_event, len(trials), batch),
            ),
            purpose="trial",
        )
        trials.append(TrialRun(batch, keep(tried, told, result), room.peak_bytes(result)))
        if result.outcome in ("succeeded", "out_of_memory"):
            search = search.after(_trial(trials[-1], room))
        else:
            stopped = "cancelled" if result.outcome == "cancelled" else "failed"
    fast = fast_batches(search)
    most, effective = max(fast, default=0), options.effective
    pair = _pair(workload, room, predict, effective, most) if effective else None
    return BatchFinding(tuple(trials), largest_batch(search), min(fast, default=None), stopped, room.bytes, pair)


def _trial(made: TrialRun, room: Room) -> Trial:
    """What the search learns of a trial."""
    result = made.run.result
    if result.outcome != "succeeded":
        return Trial(made.batch_size, fits=False)
    doubts = {doubt.kind for doubt in result.measurement.doubts} if result.measurement else set()
    spilled = ("swapping" if room.on_host else "spill") in doubts
    return Trial(made.batch_size, True, made.samples_per_s, made.peak_bytes, spilled)


def _search(workload: Workload, room: Room, predict: Predict) -> Search:
    """The search before its first trial."""
    found = predict(workload)
    samples = workload.dataset.samples if workload.dataset else None
    most = min(samples or LARGEST_BATCH, LARGEST_BATCH)
    start = min(workload.plan.batch_size, most)
    if found is None or len(found.batch_curve) < 2:
        return Search(lambda batch: batch, None, most, start)
    copies = COPIES_OF_BATCH * found.memory.parts.inputs if room.on_host else 0
    besides = room.needed_bytes(found) - found.memory.allocator_peak_bytes - copies
    each, curve = copies / found.plan.batch_size, found.batch_curve

    def needed(batch: int) -> float:
        return max(1.0, besides + each * batch + peak_between(curve, batch))

    above = _above(workload, predict, largest_that(lambda batch: batch <= most and needed(batch) <= (room.bytes or 0)))
    return Search(
        lambda batch: round(needed(batch)),
        room.bytes,
        most,
        start,
        found.fit.best_batch_size,
        lambda batch: needed(batch) + above * peak_between(curve, batch),
    )


def _above(workload: Workload, predict: Predict, batch: int) -> float:
    """Upper end of the interval of the step's memory over the prediction, less one, for a batch near the limit."""
    near = predict(replace(workload, plan=replace(workload.plan, batch_size=max(1, batch))))
    return max(0.0, near.memory.high_bytes / near.memory.allocator_peak_bytes - 1) if near else 0.0


def peak_between(curve: Sequence[BatchPoint], batch: int) -> float:
    """The peak of a batch between two points of the chart, or beyond its last one, along a straight line."""
    upper = next((i for i, point in enumerate(curve) if point.batch_size >= batch), len(curve) - 1)
    right, left = curve[max(1, upper)], curve[max(0, upper - 1)]
    slope = (right.allocator_peak_bytes - left.allocator_peak_bytes) / (right.batch_size - left.batch_size)
    return left.allocator_peak_bytes + max(0.0, slope) * (batch - left.batch_size)


def _pair(workload: Workload, room: Room, predict: Predict, effective: int, largest: int) -> Accumulation | None:
    """Batch and steps for an effective batch, by predictions that the trials have corrected."""

    def of(batch: int, steps: int) -> Prediction | None:
        return predict(replace(workload, plan=replace(workload.plan, batch_size=batch, accumulate=steps)))

    def effort(batch: int, steps: int) -> Effort:
        found = of(batch, steps)
        return Effort(found.memory.allocator_peak_bytes, found.time.step_s) if found else Effort()

    def fits(batch: int, steps: int) -> bool:
        found = of(batch, steps)
        return found is None or room.bytes is None or room.needed_bytes(found) <= (1 - HEADROOM) * room.bytes

    return accumulate_to(effective, largest, effort, fits)


def _listener(
    on_event: Callable[[Event | TrialBegins], None] | None, number: int, batch: int
) -> Callable[[Event], None] | None:
    """Passes a child's events on; its progress becomes that of the whole search."""
    if on_event is None:
        return None
    on_event(TrialBegins(number + 1, batch))

    def listen(event: Event) -> None:
        if isinstance(event, Progress):
            fraction = 1 - REMAINING**number * (1 - (1 - REMAINING) * event.fraction)
            event = Progress(
                fraction,
                phrase("trial {number}, batch {batch}: {event}", number=number + 1, batch=batch, event=event.text),
            )
        on_event(event)

    return listen
