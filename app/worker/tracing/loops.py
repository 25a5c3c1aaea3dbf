"""Trip counts of traced loops."""

from __future__ import annotations

from typing import Any

UNKNOWN_TRIP_COUNT = 1


def loop_trip_count(op: Any, library: dict[str, Any]) -> int:
    """Trip count of a ``While``: the smallest constant bound that its condition compares a counter with.

    Keras's recurrent layers pass the number of time steps as ``maximum_iterations``, so the bound is a
    constant of the graph (keras/src/backend/tensorflow/rnn.py).  A loop whose bound depends on data
    counts as one turn.
    """
    condition = library[op.node_def.attr["cond"].func.name]
    names = [a.name for a in condition.signature.input_arg]
    constants = {n.name: _scalar(n.attr["value"].tensor) for n in condition.node_def if n.op == "Const"}
    given = {name: constant_value(t) for name, t in zip(names, op.inputs, strict=True)}
    bounds = []
    for node in condition.node_def:
        if node.op != "Less":
            continue
        bound = node.input[1].split(":")[0]
        value = given.get(bound, constants.get(bound))
        if value is not None and value > 0:
            bounds.append(int(value))
    return min(bounds, default=UNKNOWN_TRIP_COUNT)


def constant_value(tensor: Any) -> float | None:
    """The value of a tensor if it is a scalar constant, else None."""
    if tensor.op.type != "Const":
        return None
    return _scalar(tensor.op.node_def.attr["value"].tensor)


def _scalar(proto: Any) -> float | None:
    """A tensor proto's value if it is a single number."""
    from tensorflow.python.framework.tensor_util import MakeNdarray

    array = MakeNdarray(proto)
    return float(array) if array.size == 1 and array.dtype.kind in "if" else None
