"""Time one operation of a graph alone: a few copies of it one after the other in a compiled function.

The copies run as they would in a training step: through TensorFlow's executor and after its own rewriting of graphs,
so that oneDNN's kernels are chosen as there.  They take turns at several sets of operands and every result is kept to
the end, so that neither lies in the nearest cache by accident.  What a function of as many operations that do nothing
takes is subtracted.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

COPIES = (24, 8, 4, 2, 1)
SETS = 4
KEPT_BYTES = 128 << 20
"""Operands and results of all copies take at most about this."""
COPIES_S = 2e-3
"""The copies are to take about this long, at `GUESSED_BYTES_PER_S` and `GUESSED_FLOPS_PER_S`."""
GUESSED_BYTES_PER_S, GUESSED_FLOPS_PER_S = 5e9, 1e11
PASS_S = 0.004
"""A pass calls the function for at least so long, and at least `CALLS` times."""
CALLS = 2
QUIET = 0.25
"""The lower quartile of all calls counts: on a machine that others use too, most disturbances only delay."""


@dataclass(frozen=True)
class Operand:
    """An input of an operation: a value if it must be a certain one, else a shape to be filled with numbers."""

    shape: tuple[int, ...]
    dtype: str
    value: Any = None

    @property
    def size_bytes(self) -> int:
        """Its size."""
        return math.prod(self.shape) * int(np.dtype("float16" if self.dtype == "bfloat16" else self.dtype).itemsize)


@contextlib.contextmanager
def unoptimised() -> Iterator[None]:
    """Leave Grappler out inside the block: there is nothing to optimise in copies of one operation."""
    import tensorflow as tf

    option = "disable_meta_optimizer"
    before = tf.config.optimizer.get_experimental_options().get(option, False)
    tf.config.optimizer.set_experimental_options({option: True})
    try:
        yield
    finally:
        tf.config.optimizer.set_experimental_options({option: before})


class Timing:
    """Calls of a function, timed in passes.

    Args:
        call: Runs the copies to their end.
        copies: How many.
        idle: The same for operations that do nothing; None if nothing is to be subtracted.
    """

    def __init__(self, call: Callable[[], Any], copies: int = 1, idle: Timing | None = None) -> None:
        self._call = call
        self._copies = copies
        self._idle = idle
        self._times: dict[str, list[float]] = {}
        call()

    def run(self, series: str) -> None:
        """One pass, which goes into a series."""
        times = self._times.setdefault(series, [])
        begun = time.perf_counter()
        for number in itertools.count():
            started = time.perf_counter()
            if number >= CALLS and started - begun >= PASS_S:
                break
            self._call()
            times.append(time.perf_counter() - started)

    def seconds(self, series: str) -> float:
        """Of one copy, without what a copy that does nothing takes."""
        whole = self._quiet_s(series) - (self._idle._quiet_s(series) if self._idle else 0.0)
        return max(0.0, whole) / self._copies

    def _quiet_s(self, series: str) -> float:
        """Of a call."""
        if series not in self._times:
            self.run(series)
        times = sorted(self._times[series])
        return times[int(QUIET * len(times))]


class OpClock:
    """Times operations on one device.

    Args:
        device: TensorFlow's name.
    """

    def __init__(self, device: str) -> None:
        self._device = device
        self._idles: dict[int, Timing] = {}

    def prepare(self, node: Any, operands: Sequence[Operand], results_bytes: float, flops: float) -> Timing:
        """An operation ready to be timed.

        Args:
            node: A ``NodeDef`` of the operation.
            operands: Its inputs in order.
            results_bytes: Size of its outputs.
            flops: Its work.
        """
        moved = results_bytes + sum(o.size_bytes for o in operands)
        guess_s = max(flops / GUESSED_FLOPS_PER_S, moved / GUESSED_BYTES_PER_S, 1e-6)
        most = max(1.0, min(COPIES_S / guess_s, KEPT_BYTES / max(1.0, moved)))
        copies = next(n for n in COPIES if n <= most)
        return Timing(self._function(node, operands, copies), copies, self._idle(copies))

    def idles(self) -> list[Timing]:
        """The functions that do nothing, to be timed beside the others."""
        return list(self._idles.values())

    def _function(self, node: Any, operands: Sequence[Operand], copies: int) -> Callable[[], Any]:
        """A call that runs the copies; it ends when their results are there."""
        import tensorflow as tf

        definition = tf.compat.v1.GraphDef()
        fed: list[tuple[str, Any]] = []
        with tf.device(self._device):
            for turn in range(min(SETS, copies)):
                for number, operand in enumerate(operands):
                    name = f"in{turn}_{number}"
                    added = definition.node.add(name=name, op="Placeholder" if operand.value is None else "Const")
                    added.attr["dtype"].type = tf.as_dtype(operand.dtype).as_datatype_enum
                    if operand.value is None:
                        added.attr["shape"].shape.CopyFrom(tf.TensorShape(operand.shape).as_proto())
                        fed.append((name, _filled(tf, operand)))
                    else:
                        proto = tf.make_tensor_proto(operand.value, operand.dtype, operand.shape)
                        added.attr["value"].tensor.CopyFrom(proto)
            for copy in range(copies):
                made = definition.node.add()
                made.CopyFrom(node)
                made.name = f"copy{copy}"
                del made.input[:]
                made.input.extend(f"in{copy % SETS}_{number}" for number in range(len(operands)))
                made.input.extend([f"^copy{copy - 1}"] if copy else [])
                made.device = ""
            return _imported(tf, definition, fed, [f"copy{copy}:0" for copy in range(copies)])

    def _idle(self, copies: int) -> Timing:
        """The same function of operations that do nothing."""
        if copies not in self._idles:
            import tensorflow as tf

            node = tf.compat.v1.NodeDef(name="idle", op="Identity")
            node.attr["T"].type = tf.float32.as_datatype_enum
            self._idles[copies] = Timing(self._function(node, [Operand((1,), "float32")], copies), copies)
        return self._idles[copies]


def _imported(tf: Any, definition: Any, fed: list[tuple[str, Any]], fetched: list[str]) -> Callable[[], Any]:
    """A compiled function from a graph, bound to its operands."""
    wrapped = tf.compat.v1.wrap_function(lambda: tf.graph_util.import_graph_def(definition, name=""), [])
    graph = wrapped.graph
    function = wrapped.prune(
        [graph.get_tensor_by_name(f"{name}:0") for name, _ in fed], [graph.get_tensor_by_name(name) for name in fetched]
    )
    values = [value for _, value in fed]

    def call() -> Any:
        results = function(*values)
        tf.test.experimental.sync_devices()
        return results

    return call


def _filled(tf: Any, operand: Operand) -> Any:
    """Numbers of a usual size."""
    dtype = tf.as_dtype(operand.dtype)
    if dtype.is_floating:
        return tf.cast(tf.random.uniform(operand.shape, 0.1, 1.0), dtype)
    return tf.zeros(operand.shape, dtype)


