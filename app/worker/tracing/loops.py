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
    constants = {n.name: _scalar(_array(n)) for n in condition.node_def if n.op == "Const"}
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
    array = constant_array(tensor)
    return None if array is None else _scalar(array)


def constant_array(tensor: Any) -> Any | None:
    """The values of a tensor if it is a constant, else None."""
    return _array(tensor.op.node_def) if tensor.op.type == "Const" else None


def _array(node: Any) -> Any:
    """The values of a constant's node."""
    from tensorflow.python.framework.tensor_util import MakeNdarray

    return MakeNdarray(node.attr["value"].tensor)


def _scalar(array: Any) -> float | None:
    """An array's value if it is a single number."""
    return float(array) if array.size == 1 and array.dtype.kind in "if" else None
