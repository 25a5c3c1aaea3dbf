"""Function bodies as graphs whose shapes can be inferred.

Inside a function, TensorFlow cannot tell the shape of a variable that is read through a handle, nor of
an element taken from a tensor list: both are known only outside.  So these two kinds of result are
replaced by placeholders of the shape that the caller knows, and TensorFlow infers the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Shape = tuple[int, ...]

LIST_READS = frozenset({"TensorListPopBack", "TensorListGetItem"})
ELEMENT = "__element"


@dataclass(frozen=True)
class Argument:
    """What the caller knows of one argument of a function.

    ``variable`` is the variable behind a handle; ``element`` and ``element_dtype`` (a TensorFlow type
    number) describe what a list holds.
    """

    shape: Any
    variable: int | None = None
    variable_shape: Shape | None = None
    element: Shape | None = None
    element_dtype: int | None = None


def body_graph(definition: Any, arguments: list[Argument]) -> tuple[Any, dict[str, int]]:
    """A function's body as a ``tf.Graph`` with shapes.

    Args:
        definition: The ``FunctionDef``.
        arguments: What is known of its arguments, in order.

    Returns:
        The graph, and the variable that each placeholder named after a ``ReadVariableOp`` stands for.
    """
    from tensorflow.python.framework.function_def_to_graph import function_def_to_graph

    known = dict(zip((a.name for a in definition.signature.input_arg), arguments, strict=True))
    changed = type(definition)()
    changed.CopyFrom(definition)
    reads = _replace_variable_reads(changed, known)
    _replace_list_elements(changed, known)
    return function_def_to_graph(changed, [a.shape for a in arguments]), reads


def _replace_variable_reads(definition: Any, known: dict[str, Argument]) -> dict[str, int]:
    """Reads of a variable become placeholders of its shape."""
    reads = {}
    for node in definition.node_def:
        argument = known.get(node.input[0]) if node.input else None
        if node.op != "ReadVariableOp" or argument is None or argument.variable_shape is None:
            continue
        assert argument.variable is not None
        reads[node.name] = argument.variable
        control = [name for name in node.input if name.startswith("^")]
        node.op = "Placeholder"
        del node.input[:]
        node.input.extend(control)
        _set_shape(node, argument.variable_shape)
        _rename_outputs(definition, f"{node.name}:value:0", f"{node.name}:output:0")
    return reads


def _replace_list_elements(definition: Any, known: dict[str, Argument]) -> None:
    """What is taken from a list becomes a placeholder of the element's shape beside the operation."""
    for node in list(definition.node_def):
        argument = known.get(node.input[0]) if node.input else None
        if node.op not in LIST_READS or argument is None or argument.element is None:
            continue
        port = "tensor" if node.op == "TensorListPopBack" else "item"
        made = definition.node_def.add()
        made.name, made.op = node.name + ELEMENT, "Placeholder"
        made.attr["dtype"].type = argument.element_dtype or node.attr["element_dtype"].type
        made.input.append(f"^{node.name}")
        _set_shape(made, argument.element)
        _rename_outputs(definition, f"{node.name}:{port}:0", f"{made.name}:output:0")


def _rename_outputs(definition: Any, old: str, new: str) -> None:
    """Everyone who used one output uses another."""
    for node in definition.node_def:
        for position, name in enumerate(node.input):
            if name == old:
                node.input[position] = new
    for name, value in definition.ret.items():
        if value == old:
            definition.ret[name] = new


def _set_shape(node: Any, shape: Shape) -> None:
    """A placeholder's shape; what tracing noted before is dropped."""
    import tensorflow as tf

    node.attr["shape"].shape.CopyFrom(tf.TensorShape(shape).as_proto())
    if "_output_shapes" in node.attr:
        del node.attr["_output_shapes"]
