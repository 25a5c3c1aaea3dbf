"""Train variants of a workload side by side and say which is faster, if that can be said.

Where they all fit in memory together, there is one child per variant, all alive, and they measure in turns of about
a second.  Else children run one after the other, each of them several times.  Either way in rounds A B, B A, A B …
of which `app.core.runs.comparison` makes ratios.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from app.core.advising.variants import Variant
from app.core.runs.comparison import FEWEST_ROUNDS, ratios, winner
from app.core.types.machine import Machine
from app.core.types.measurement import RunResult
from app.core.types.messages import Paused, Progress
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.text import phrase, verbatim
from app.core.types.workload import Workload
from app.services.benchmarks.bench import BenchOptions, bench
from app.services.benchmarks.compared import Comparison, VariantEvent, VariantRun, diagnosis
from app.services.benchmarks.comparison_turns import of_own_turns, schedule
from app.services.benchmarks.side_by_side import fit_together, host_need_bytes, that_run
from app.services.benchmarks.turns import Seat
from app.services.child.child_options import OWN_PYTHON, ChildOptions
from app.services.child.watch import Event
from app.services.child.worker_process import CancelFlag, Turns

VISITS = FEWEST_ROUNDS
"""Children per variant where they cannot be alive together."""

SHORTEST_VISIT_S = 2.0

LONGEST_SHARE = 3.0
"""Rounds end early, if there are enough, once they took so many times the time asked for (steps longer than turns)."""

_WAIT_S = 900.0
_START_SHARE = 0.3


@dataclass(frozen=True)
class _Found:
    """What came of one variant."""

    result: RunResult
    sample_s: list[float | None]


class Comparer:
    """Runs the variants of one workload.

    Args:
        workload: Model and data; its plan is replaced by each variant's.
        machine: This machine.
        compared: The variants, the one that others are held against first.
        predictions: What is predicted of each, by label; None where nothing is.
        options: How long each variant is measured.
        child: The Python that trains, and what is left to other programs.
        on_event: Called with `Progress` of the whole and with `VariantEvent`; never twice at once.
        cancel: Polled; once set, all children end within 2 s.
    """

    def __init__(
        self,
        workload: Workload,
        machine: Machine,
        compared: Sequence[Variant],
        predictions: Mapping[str, Prediction | None],
        options: BenchOptions,
        child: ChildOptions = OWN_PYTHON,
        *,
        on_event: Callable[[VariantEvent | Progress], None] | None = None,
        cancel: CancelFlag | None = None,
    ) -> None:
        self._machine = machine
        self._workloads = {variant.label: replace(workload, plan=variant.plan) for variant in compared}
        self._predictions = predictions
        self._seconds = options.seconds
        self._options = replace(options, profile=False)
        self._python = child
        self._on_event = on_event
        self._wish = cancel
        self._own = threading.Event()
        self._lock = threading.Lock()
        self.interleaved = False

    def is_set(self) -> bool:
        """Shall the children stop?"""
        return self._own.is_set() or (self._wish is not None and self._wish.is_set())

    def run(self, keep: Callable[[str, Workload, Prediction | None, RunResult], Run]) -> Comparison:
        """Compare, and store each variant's run.

        Args:
            keep: Stores the run of a label.
        """
        limit = self._python.allowed_bytes()
        predicted = [(work, self._predictions.get(label)) for label, work in self._workloads.items()]
        found = self._in_turns(limit) if fit_together(predicted, limit) else None
        self.interleaved = found is not None
        if found is None:
            found = self._one_after_another()
        times = {label: one.sample_s for label, one in found.items()}
        runs = tuple(
            VariantRun(
                label,
                keep(label, self._workloads[label], self._predictions.get(label), one.result),
                tuple(one.sample_s),
            )
            for label, one in found.items()
        )
        stopped = self.is_set()
        best = None if stopped else winner(times)  # whoever may stop when it pleases may stop at a winner
        return Comparison(runs, ratios(times), best, diagnosis(runs), self.interleaved, cancelled=stopped)

    # All alive, taking turns

    def _in_turns(self, limit_bytes: int | None) -> dict[str, _Found] | None:
        """Interleaved rounds; None if a variant ran out of memory that might have been enough for it alone."""
        seats = {label: Seat(self._child(label, limit_bytes)) for label in self._workloads}
        alive: list[str] = []
        paused: dict[str, list[Paused]] = {label: [] for label in seats}
        times: dict[str, list[float | None]] = {label: [] for label in seats}
        left: dict[str, RunResult] = {}
        try:
            for number, (label, seat) in enumerate(seats.items()):
                self._tell(_START_SHARE * number / len(seats), phrase("{label}: starting", label=label))
                if self.is_set():
                    break
                if seat.start() is not None:
                    alive.append(label)
                    continue
                left[label] = seat.leave()
                if self._crowded_out(label, left[label], alive):
                    return None
            self._rounds(seats, alive, paused, times)
            for label in [name for name in seats if name not in left]:
                self._tell(0.95, phrase("{label}: finishing", label=label))
                left[label] = seats[label].leave()
        finally:
            if len(left) < len(seats):
                self._own.set()
                for seat in seats.values():
                    seat.join()
        return {label: _Found(of_own_turns(left[label], paused[label], self._machine), times[label]) for label in seats}

    def _rounds(
        self,
        seats: Mapping[str, Seat],
        alive: list[str],
        paused: Mapping[str, list[Paused]],
        times: Mapping[str, list[float | None]],
    ) -> None:
        """Give turns, round by round, in an order that turns round."""
        rounds, turn = schedule(self._workloads.values(), self._machine, self._seconds)
        spent_s = 0.0
        for number in range(rounds):
            if not alive or self.is_set():
                return
            if number >= FEWEST_ROUNDS and spent_s > LONGEST_SHARE * self._seconds * len(alive):
                return
            self._tell(
                _START_SHARE + 0.65 * number / rounds,
                phrase("round {number} of {rounds}", number=number + 1, rounds=rounds),
            )
            for label in list(alive) if number % 2 == 0 else alive[::-1]:
                done = seats[label].turn(turn)
                if done is None:
                    alive.remove(label)
                    continue
                paused[label].append(done)
                spent_s += done.seconds
                times[label].append(done.seconds / done.steps / self._workloads[label].plan.batch_size)
            for label in times:
                times[label].extend([None] * (number + 1 - len(times[label])))

    def _child(self, label: str, limit_bytes: int | None) -> Callable[[Turns, Callable[[Paused], None]], RunResult]:
        """Runs the child of a variant beside the others."""
        others = [(work, self._predictions.get(name)) for name, work in self._workloads.items() if name != label]
        needed = sum(host_need_bytes(work, found) or 0 for work, found in that_run(others))
        waiting_s = len(self._workloads) * (_WAIT_S + LONGEST_SHARE * self._seconds)
        room = None if limit_bytes is None else limit_bytes - needed

        def run(turns: Turns, on_paused: Callable[[Paused], None]) -> RunResult:
            def listen(event: Event) -> None:
                if isinstance(event, Paused):
                    on_paused(event)
                else:
                    self._emit(VariantEvent(label, event))

            return bench(
                self._workloads[label],
                self._machine,
                replace(self._options, waiting_s=waiting_s),
                replace(self._python, limit_bytes=room),
                on_event=listen,
                cancel=self,
                turns=turns,
            )

        return run

    def _crowded_out(self, label: str, result: RunResult, others: Sequence[str]) -> bool:
        """Did a variant run out of memory that it would perhaps have had alone?"""
        prediction = self._predictions.get(label)
        expected = prediction is not None and prediction.fit.verdict == "does_not_fit"
        return result.outcome == "out_of_memory" and bool(others) and not expected

    # One after the other

    def _one_after_another(self) -> dict[str, _Found]:
        """Children that run alone, every variant several times."""
        self._own.clear()
        results: dict[str, list[RunResult]] = {label: [] for label in self._workloads}
        times: dict[str, list[float | None]] = {label: [] for label in self._workloads}
        labels = list(self._workloads)
        for number in range(VISITS):
            for place, label in enumerate(labels if number % 2 == 0 else labels[::-1]):
                if self.is_set() or (results[label] and results[label][-1].outcome != "succeeded"):
                    continue
                fraction = (number + place / len(labels)) / VISITS
                self._tell(
                    fraction, phrase("{label}: run {number} of {visits}", label=label, number=number + 1, visits=VISITS)
                )
                result = self._alone(label)
                results[label].append(result)
                measured = result.measurement if result.outcome == "succeeded" else None
                times[label].append(1 / measured.samples_per_s if measured else None)
            for label in labels:
                times[label].extend([None] * (number + 1 - len(times[label])))
        return {label: _Found(_typical(found), times[label]) for label, found in results.items()}

    def _alone(self, label: str) -> RunResult:
        """One child that has the machine for itself."""
        return bench(
            self._workloads[label],
            self._machine,
            replace(self._options, seconds=max(SHORTEST_VISIT_S, self._seconds / VISITS)),
            self._python,
            cancel=self,
            on_event=lambda event: self._emit(VariantEvent(label, event)),
        )

    def _tell(self, fraction: float, text: str) -> None:
        """Progress of the whole."""
        self._emit(Progress(fraction, verbatim(text)))

    def _emit(self, event: VariantEvent | Progress) -> None:
        """Pass an event on, one at a time."""
        if self._on_event is not None:
            with self._lock:
                self._on_event(event)


def _typical(results: Sequence[RunResult]) -> RunResult:
    """Of several runs of a variant the failure, else the one of median speed."""
    if not results:
        return RunResult("cancelled", purpose="comparison")
    ended = results[-1]
    if ended.outcome == "succeeded":
        ordered = sorted(results, key=lambda run: run.measurement.samples_per_s if run.measurement else 0.0)
        ended = ordered[len(ordered) // 2]
    return replace(ended, purpose="comparison")
