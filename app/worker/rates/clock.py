"""Time one operation of a graph alone: a few copies of it one after the other in a compiled function.

The copies run as they would in a training step: through TensorFlow's executor and after its own rewriting of graphs,
so that oneDNN's kernels are chosen as there.  They take turns at several sets of operands and every result is kept to
the end, so that neither lies in the nearest cache by accident.  What a function of as many operations that do nothing
takes is subtracted.
"""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

COPIES = (24, 8, 4, 2, 1)
SETS = 4
KEPT_BYTES = 128 << 20
"""Operands and results of all copies take at most about this."""
COPIES_S = 2e-3
"""The copies are to take about this long, at `GUESSED_BYTES_PER_S` and `GUESSED_FLOPS_PER_S`."""
GUESSED_BYTES_PER_S, GUESSED_FLOPS_PER_S = 5e9, 1e11
PASS_S = 0.003
"""A pass calls the function for at least so long, and at least `CALLS` times."""
CALLS = 1
ODD_SHARE = 0.25
"""Of all calls at either end that do not count.  What is left keeps the calls in which a core came late to its share of
the work, as cores do in training steps too: of operations of 0.1 to 1 ms on two cores half take 1.2 to 1.6 times as
long as the quickest tenth."""

_NUMBERS = itertools.count()


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
        whole = self._usual_s(series) - (self._idle._usual_s(series) if self._idle else 0.0)
        return max(0.0, whole) / self._copies

    def _usual_s(self, series: str) -> float:
        """Of a call: the mean of the middle ones."""
        if series not in self._times:
            self.run(series)
        times = sorted(self._times[series])
        odd = int(ODD_SHARE * len(times))
        return statistics.mean(times[odd : len(times) - odd])


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
        """A call that runs the copies; it ends when their results are there.

        The function is written down as a ``FunctionDef``: tracing one would take many times as long as timing it.
        """
        import tensorflow as tf
        from tensorflow.core.framework.function_pb2 import FunctionDef
        from tensorflow.python.eager import context

        definition = FunctionDef()
        definition.signature.name = name = f"willittrain_timed_{next(_NUMBERS)}"
        given = []
        for turn in range(min(SETS, copies)):
            for number, operand in enumerate(operands):
                if operand.value is None:
                    argument = definition.signature.input_arg.add(name=f"in{turn}_{number}")
                    argument.type = tf.as_dtype(operand.dtype).as_datatype_enum
                    with tf.device(self._device):
                        given.append(_filled(tf, operand))
        fixed = {n: _constant(tf, definition, n, operand) for n, operand in enumerate(operands)}
        output, dtype = _first_output(tf, node)
        for copy in range(copies):
            made = definition.node_def.add()
            made.CopyFrom(node)
            made.name = f"copy{copy}"
            made.device = ""
            del made.input[:]
            made.input.extend(fixed[n] or f"in{copy % SETS}_{n}" for n in range(len(operands)))
            made.input.extend([f"^copy{copy - 1}"] if copy else [])
            definition.signature.output_arg.add(name=f"out{copy}", type=dtype)
            definition.ret[f"out{copy}"] = f"copy{copy}:{output}:0"
        context.context().add_function_def(definition)
        config = tf.compat.v1.ConfigProto()
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        types, serialised, called = [dtype] * copies, config.SerializeToString(), SimpleNamespace(name=name)

        def call() -> Any:
            with tf.device(self._device):
                results = tf.raw_ops.PartitionedCall(args=given, Tout=types, f=called, config_proto=serialised)
            tf.test.experimental.sync_devices()
            return results

        return call

    def _idle(self, copies: int) -> Timing:
        """The same function of operations that do nothing."""
        if copies not in self._idles:
            import tensorflow as tf

            node = tf.compat.v1.NodeDef(name="idle", op="Identity")
            node.attr["T"].type = tf.float32.as_datatype_enum
            self._idles[copies] = Timing(self._function(node, [Operand((1,), "float32")], copies), copies)
        return self._idles[copies]


def _constant(tf: Any, definition: Any, number: int, operand: Operand) -> str | None:
    """Add an operand that has a certain value to a function; its name there, None if it has none."""
    if operand.value is None:
        return None
    add_constant(tf, definition.node_def, f"fixed{number}", operand)
    return f"fixed{number}:output:0"


def add_constant(tf: Any, nodes: Any, name: str, operand: Operand) -> None:
    """Add an operand's value to the nodes of a graph or of a function."""
    added = nodes.add(name=name, op="Const")
    added.attr["dtype"].type = tf.as_dtype(operand.dtype).as_datatype_enum
    added.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(operand.value, operand.dtype, operand.shape))


def _first_output(tf: Any, node: Any) -> tuple[str, int]:
    """Name and type of an operation's first output, from its registered definition."""
    from tensorflow.python.framework import op_def_registry

    described = op_def_registry.get(node.op).output_arg[0]
    return described.name, described.type or node.attr[described.type_attr].type


def _filled(tf: Any, operand: Operand) -> Any:
    """Numbers of a usual size."""
    dtype = tf.as_dtype(operand.dtype)
    if dtype.is_floating:
        return tf.cast(tf.random.uniform(operand.shape, 0.1, 1.0), dtype)
    return tf.zeros(operand.shape, dtype)
