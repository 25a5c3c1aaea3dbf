"""TensorFlow's swish, x times sigmoid(beta x), whose beta is 1 and gone once the compiler has simplified it.

Source: tensorflow/python/ops/nn_impl.py; xla/hlo/transforms/simplifiers/algebraic_simplifier.cc.
"""

from __future__ import annotations

from app.core.simulate.program import Program


def into_sigmoids(program: Program) -> frozenset[int]:
    """The buffers that sigmoids are made of, cast or as they are."""
    found: set[int] = set()
    for op in reversed(program.ops):
        if op.reads and (op.kind == "Sigmoid" or (op.kind == "Cast" and op.writes[0] in found)):
            found.add(op.reads[0])
    return frozenset(found)
