"""The time of one step on the host from the times of its operations: described once, priced and simulated on demand.

Operations are priced one by one for any batch size (`app.core.timing.op_times`), which is arithmetic on arrays.  What
they save by running side by side (`app.core.timing.overlap`) changes slowly with the batch: it is simulated at powers
of four and interpolated between them, so that a slider costs no simulation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.core.simulate.optimizers import NOTHING_ADDED, UpdateOptions
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.timing.op_times import OpTimes, SignatureTable, TimesAlone
from app.core.timing.overlap import elapsed_s
from app.core.timing.signatures import CONVOLUTIONS, PRODUCTS
from app.core.timing.step_signatures import FusedOps, GraphSignatures, update_signature
from app.core.timing.steptime import StepTime
from app.core.types.stepgraph import Operation, StepGraph

UPDATE_NUMBERS = {"adam": 14, "adamw": 14, "nadam": 18, "adamax": 8, "lamb": 14, "schedulefreeadamw": 14}
"""Operations on single numbers for every weight: powers of the betas, their complements, the step's size (keras/src/
optimizers/adam.py and its like, ``update_step``; 14 in a trace of ResNet50V2 with Adam)."""
FEWEST_NUMBERS = 3
"""The learning rate is read and cast for each weight."""

PER_PASSED_VALUE = 4
"""Merge, Switch, Identity and NextIteration (core/common_runtime/lower_while_op.cc)."""

COMPILED = "xla"
ANCHOR = 4
"""Ratio of the batch sizes at which the overlap is simulated."""


@dataclass(frozen=True)
class Conditions:
    """How a step runs.

    ``launch_s`` is the cost of an operation that does nothing, ``step_s`` that of a step that does nothing;
    ``timed_threads`` those with which operations were timed, ``variants`` the names of `TimedOperation`.
    """

    launch_s: float
    step_s: float
    threads: int
    timed_threads: int
    variants: tuple[str, ...] = ()

    @property
    def compiled(self) -> bool:
        """XLA made the code: one function after the other."""
        return COMPILED in self.variants


class StepClock:
    """Prices one graph's steps.

    Args:
        graph: The traced step.
        optimizer: Whose update is appended.
        accumulate: Steps whose gradients are added up.
        updating: The step is the last of them.
        options: What the training adds to the optimizer.
    """

    def __init__(
        self,
        graph: StepGraph,
        optimizer: str,
        *,
        accumulate: int = 1,
        updating: bool = True,
        options: UpdateOptions = NOTHING_ADDED,
    ) -> None:
        program = build_program(
            graph, optimizer, LoweringOptions(accumulate=accumulate, updating=updating, kernels="host", update=options)
        )
        described = GraphSignatures(graph)
        fused = FusedOps.of(graph).operations
        signatures, compute, ops = [], [], []
        traced = [(i, operation) for i, operation in enumerate(graph.operations) if operation.kind != "Placeholder"]
        for number, op in enumerate(program.ops):
            if number < len(traced):
                index, operation = traced[number]
                signature = None if index in fused else described.of(operation)
            else:
                signature = update_signature(program, op)
            if signature is not None:
                ops.append(number)
                signatures.append(signature)
                compute.append(op.kind in CONVOLUTIONS or op.kind in PRODUCTS)
        self._table = SignatureTable(signatures)
        self._compute = np.array(compute, dtype=bool)
        self._after = [op.after for op in program.ops]
        self._ops = np.array(ops, dtype=int)
        self._launches = np.ones(len(program.ops))
        self._launches[self._ops] = self._table.trip_count
        self._count_iterations([operation for _, operation in traced])
        learned = sum(v.gradient is not None for v in graph.variables) if graph.mode == "train" else 0
        numbers = learned * UPDATE_NUMBERS.get(optimizer.removesuffix("+amsgrad"), FEWEST_NUMBERS) if updating else 0
        self._launched = float(self._launches.sum()) + numbers
        self._shares: dict[tuple[OpTimes, int, Conditions], float] = {}

    def _count_iterations(self, operations: list[Operation]) -> None:
        """Launches that iterating itself costs: some for every value that a loop passes on."""
        begun = 0
        for number, operation in enumerate(operations):
            if operation.kind == "LoopEnd":
                trip_count = self._launches[begun:number].max(initial=1.0)
                self._launches[number] = PER_PASSED_VALUE * len(operation.outputs) * trip_count
                begun = number + 1

    def time(self, times: OpTimes, batch_size: int, how: Conditions) -> StepTime:
        """Time of one step.

        Args:
            times: What was timed here.
            batch_size: Samples in the step.
            how: The step runs.
        """
        found = self._alone(times, batch_size, how)
        alone, calls = found.every_s, np.minimum(found.call_s, found.every_s)[~self._compute]
        launched = self._launched * self._compute.sum() / max(1, len(alone)) if how.compiled else self._launched
        launches_s = float(launched) * how.launch_s
        share = 1.0 if how.compiled or how.threads < 2 else self._overlap(times, batch_size, how)
        compute_s = float(alone[self._compute].sum()) * share
        calls_s = float(calls.sum())
        memory_s = (float(alone[~self._compute].sum()) - calls_s) * share
        overhead_s = (launches_s + calls_s) * share + how.step_s
        return StepTime(compute_s, memory_s, overhead_s, compute_s + memory_s + overhead_s)

    def _alone(self, times: OpTimes, batch_size: int, how: Conditions) -> TimesAlone:
        """Each operation alone, with the step's threads for all.

        Between one thread and all that were timed, the part that spreads shrinks with their number (Amdahl 1967).
        """
        found = times.alone(self._table, batch_size, how.variants)
        if how.threads >= how.timed_threads or how.timed_threads < 2:
            return found
        every, single = found.every_s, found.single_s
        fixed = np.clip((how.timed_threads * every - single) / (how.timed_threads - 1), 0.0, every)
        return found._replace(every_s=fixed + (single - fixed) / how.threads)

    def _overlap(self, times: OpTimes, batch_size: int, how: Conditions) -> float:
        """Time of a step over the sum of its operations' times."""
        position = math.log(batch_size, ANCHOR)
        low, high = math.floor(position + 1e-9), math.ceil(position - 1e-9)
        left, right = (self._simulated(times, ANCHOR**place, how) for place in (low, high))
        return left + (right - left) * (position - low)

    def _simulated(self, times: OpTimes, batch_size: int, how: Conditions) -> float:
        """The overlap at one batch size, simulated once."""
        key = (times, batch_size, how)
        if key not in self._shares:
            alone, single, _ = self._alone(times, batch_size, how)
            seconds = self._launches * how.launch_s
            seconds[self._ops] += alone
            spread = np.ones(len(seconds))
            spread[self._ops] = np.clip(single / alone, 1.0, how.threads)
            elapsed = elapsed_s(self._after, seconds.tolist(), spread.tolist(), threads=how.threads, cores=how.threads)
            self._shares[key] = elapsed / float(seconds.sum())
        return self._shares[key]
