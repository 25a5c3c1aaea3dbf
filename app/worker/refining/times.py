"""Time the operations that carry most of a step's cost, alone, at the batch that is asked about.

The model that was run is traced once more, as for a prediction, with a prime as its batch; shapes and the values of
shape-carrying inputs that the prime divides become those of the real batch.  Operations are priced with what is known
of this machine; those that carry `SHARE` of the sum, dearest first, are timed as `app.worker.rates.clock` does it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from app.core.timing.op_times import OpTimes, SignatureTable
from app.core.timing.signatures import CONVOLUTIONS, Signature
from app.core.timing.step_signatures import FREE
from app.core.types.machine import TimedOperation
from app.core.types.text import phrase
from app.core.types.workload import Plan
from app.worker.backends.tensorflow import BACKEND
from app.worker.rates.affinity import can_pin, one_core
from app.worker.rates.clock import OpClock, Operand, Timing
from app.worker.rates.operations import ALL, ONE, described, prepare
from app.worker.rates.reference import Reference
from app.worker.rates.trials import Trial, trial_from
from app.worker.tracing.op_costs import conv_geometry
from app.worker.tracing.step_function import PRIME_BATCH, optimised_graph, trace_step

if TYPE_CHECKING:
    from app.worker.channel import Channel

SHARE = 0.8
MOST_SECONDS = 8.0
"""Timing ends after this, whatever is left."""
PASSES = 2

PAIRED = frozenset({"MaxPoolGrad", "MaxPool3DGrad"})
"""In a step oneDNN's gradient takes over what its forward operation noted; alone, another kernel runs, nine times as
slow (core/kernels/mkl/mkl_maxpooling_op.cc)."""


def measure(built: Any, plan: Plan, known: Sequence[TimedOperation], channel: Channel) -> list[dict[str, Any]]:
    """Time the dear operations of a plan's step; `TimedOperation` as JSON.

    Args:
        built: The model (`app.worker.models.built.BuiltModel`), which is compiled anew for this.
        plan: Its batch size and mode count.
        known: What was timed on this machine before.
        channel: To the parent.
    """
    import tensorflow as tf

    channel.phase("measure")
    channel.progress(0.9, phrase("timing the dearest operations"))
    step = trace_step(built, plan.mode)
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(optimised_graph(step), name="")
    shapes = {op.name: [t.shape for t in op.outputs] for op in step.concrete.graph.get_operations()}
    found = [trial for op in graph.get_operations() if (trial := _trial(tf, op, shapes, plan.batch_size)) is not None]
    return _timed(_dearest(found, OpTimes(known)), channel)


def _timed(chosen: Sequence[Trial], channel: Channel) -> list[dict[str, Any]]:
    """Time trials until the time is up."""
    answer: list[dict[str, Any]] = []
    clock, reference = OpClock("/CPU:0"), Reference(False, BACKEND)
    references = [reference.time_s()]
    begun = time.perf_counter()
    for number, trial in enumerate(chosen):
        channel.check()
        if time.perf_counter() - begun > MOST_SECONDS:
            break
        prepared = prepare(clock, trial)
        if prepared is not None:
            _run(prepared[1])
            answer.append(described(*prepared))
        channel.progress(0.9 + 0.1 * number / len(chosen), phrase("timing the dearest operations"))
    references.append(reference.time_s())
    return [{**one, "reference_s": statistics.mean(references)} for one in answer]


def _run(timing: Timing) -> None:
    """The passes of one trial."""
    for _ in range(PASSES):
        timing.run(ALL)
    if can_pin():
        with one_core():
            timing.run(ONE)


def _dearest(found: Sequence[Trial], times: OpTimes) -> list[Trial]:
    """One trial of each signature that carries the step's cost, dearest first."""
    if not found:
        return []
    seconds = times.alone(SignatureTable([trial.signature for trial in found]), 1).every_s
    alike: dict[Signature, float] = {}
    example: dict[Signature, Trial] = {}
    for trial, cost in zip(found, seconds, strict=True):
        alike[trial.signature] = alike.get(trial.signature, 0.0) + float(cost)
        example.setdefault(trial.signature, trial)
    ranked = sorted(alike, key=lambda signature: -alike[signature])
    carried = np.cumsum([alike[signature] for signature in ranked])
    count = int(np.searchsorted(carried, SHARE * carried[-1])) + 1
    return [example[signature] for signature in ranked[:count]]


def _trial(tf: Any, op: Any, traced: dict[str, Any], batch: int) -> Trial | None:
    """An operation of the traced graph at the real batch; None if it cannot be run alone."""
    if op.type in FREE or op.type in PAIRED or not op.inputs or not op.outputs or "Variable" in op.type:
        return None
    results = [_real_shape(shape, batch) for shape in traced.get(op.name, [t.shape for t in op.outputs])]
    operands = list(_operands(tf, op, traced, batch))
    if None in operands or None in results or any(t.dtype.size == 0 for t in op.outputs):
        return None
    usable = tuple(operand for operand in operands if operand is not None)
    shapes = tuple(shape for shape in results if shape is not None)
    geometry = conv_geometry(op.type, [o.shape for o in usable], shapes) if op.type in CONVOLUTIONS else None
    return trial_from(
        op,
        usable,
        shapes,
        kernel=geometry[1] if geometry else None,
        backward="gradient_tape" in op.name,
        weighs=any(_reads_weight(t) for t in op.inputs),
    )


def _operands(tf: Any, op: Any, traced: dict[str, Any], batch: int) -> Iterator[Operand | None]:
    """Inputs at the real batch; None for one that must have a value that nobody knows."""
    for tensor in op.inputs:
        value = tf.get_static_value(tensor)
        if value is not None:
            if np.issubdtype(value.dtype, np.integer):
                value = np.where((value > 0) & (value % PRIME_BATCH == 0), value // PRIME_BATCH * batch, value)
            yield Operand(tuple(value.shape), tensor.dtype.name, value)
            continue
        shapes = traced.get(tensor.op.name)
        shape = _real_shape(shapes[tensor.value_index] if shapes else tensor.shape, batch)
        usable = shape is not None and (tensor.dtype.is_floating or tensor.dtype.name == "bool")
        yield Operand(shape, tensor.dtype.name) if usable and shape is not None else None


def _real_shape(shape: Any, batch: int) -> tuple[int, ...] | None:
    """A traced shape with the real batch instead of the prime."""
    known: list[int | None] = shape.as_list() if shape.rank is not None else [None]
    sizes = [size for size in known if size is not None]
    if len(sizes) < len(known):
        return None
    return tuple(size // PRIME_BATCH * batch if size and size % PRIME_BATCH == 0 else size for size in sizes)


def _reads_weight(tensor: Any) -> bool:
    """Is an input a weight, cast or not?"""
    op = tensor.op
    while op.type in ("Cast", "Identity") and op.inputs:
        op = op.inputs[0].op
    return bool(op.type == "ReadVariableOp")
