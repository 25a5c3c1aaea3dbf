"""The steps of a benchmark: some that are not counted, then the measurement.

The memory's peak is read after the third step of all on one batch in memory, having been reset after the first: the
same definition as the prediction's.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.types.text import phrase
from app.worker.backends.base import Memory, Runner
from app.worker.benchmark.feed import Feed
from app.worker.benchmark.findings import Findings
from app.worker.benchmark.progress import RunProgress
from app.worker.benchmark.timing import FEWEST_STEPS, StepTime
from app.worker.benchmark.turns import Repeat
from app.worker.data.file_reads import bytes_from_disk
from app.worker.rates.reference import REFERENCE_S, SpeedLog

WARM_UP_STEPS = 3
WARM_UP_LEAVES = 0.6
"""Share of the time that warming up leaves over, even if steps are long."""
PIPELINE_START_SHARE = 0.1
"""Share of the time in which a real input pipeline gets going before its steps count."""
MEASURE_SHARE = 0.6
"""Share of the time for the measurement itself where data-only and compute-only follow."""


@dataclass(frozen=True)
class TrainingLoop:
    """Takes steps and fills the findings.

    ``seconds`` is the time of the whole benchmark.  ``pipeline_bytes`` is what an input pipeline keeps in the
    allocator (on a CPU), which is none of the step's.
    """

    runner: Runner
    found: Findings
    progress: RunProgress
    allocator: Memory
    seconds: float
    pipeline_bytes: int

    def warm_up(self, memory: Feed) -> float:
        """Steps on one batch in memory that are not counted; the peak is read.

        Returns:
            The last step's time.
        """
        found, progress = self.found, self.progress
        progress.phase("warm-up")
        wanted = max(WARM_UP_STEPS, found.plan.accumulate)
        read_after = max(WARM_UP_STEPS - 1, found.plan.accumulate)
        done = 0
        step_s = 0.0
        while done < wanted and not (done and progress.left_s() < WARM_UP_LEAVES * self.seconds):
            taken = memory.train(self.runner)
            step_s = taken.total_s
            done += 1
            progress.report(taken, phrase("warming up"))
            if done == read_after:
                found.peak_bytes = self._peak_bytes()
        if done < wanted:
            found.notes.append(
                phrase("steps are long: {done} instead of {wanted} warm-up steps", done=done, wanted=wanted)
            )
        if found.peak_bytes is None:
            found.peak_bytes = self._peak_bytes()
        return step_s

    def measure(self, feed: Feed, typical_s: float, way: Repeat, speed: SpeedLog) -> None:
        """The measurement itself, after a real pipeline has got going.

        Args:
            feed: The batches.
            typical_s: How long a step takes.
            way: How steps are repeated.
            speed: Times the reference beside the steps.
        """
        found, progress = self.found, self.progress
        begun = self._start_pipeline(feed, typical_s)
        progress.phase("measure")
        self.runner.forget_loss()
        found.begin(begun, filling=feed.caching and not feed.passes)
        disk_before, steps_before = bytes_from_disk(), progress.steps

        def on_step(number: int, taken: StepTime) -> None:
            found.count(taken, cache_is_full=feed.passes > 0)
            found.memory.step()
            progress.report(taken, "measuring")
            speed.beside()

        left_s = progress.left_s()
        wanted = max(FEWEST_STEPS, found.plan.accumulate)
        series = way(
            lambda: feed.train(self.runner),
            budget_s=left_s * MEASURE_SHARE if feed.real else left_s - REFERENCE_S,
            on_step=on_step,
            fewest=max(1, min(wanted, int(left_s // typical_s))) if typical_s else wanted,
        )
        found.settled = series.settled
        found.loss_last = self.runner.loss()
        found.count_disk(disk_before, bytes_from_disk(), progress.steps - steps_before)
        if not feed.real:
            found.later_peak_bytes = self._peak_bytes()
        reading = self.allocator.read()
        found.held_bytes = reading.held_bytes if reading else None
        if feed.caching and not feed.passes:
            found.notes.append(phrase("the cache was still being filled: later epochs will be faster than this"))

    def _start_pipeline(self, feed: Feed, typical_s: float) -> list[StepTime]:
        """The steps in which a real pipeline gets going."""
        starting_s = self.progress.left_s() - PIPELINE_START_SHARE * self.seconds
        begun: list[StepTime] = []
        while feed.real and (not begun or self.progress.left_s() - typical_s > starting_s):
            begun.append(feed.train(self.runner))
            self.progress.report(begun[-1], phrase("starting the input pipeline"))
        return begun

    def _peak_bytes(self) -> int | None:
        """The allocator's peak, less what an input pipeline keeps there."""
        reading = self.allocator.read()
        return reading.peak_bytes - self.pipeline_bytes if reading else None
