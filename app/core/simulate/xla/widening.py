"""What a step of 16 bits needs on a processor: between its sizes as traced and three times as much.

XLA:CPU has next to no instruction for 16 bits.  Of every operation on bfloat16, and of the products and convolutions of
float16, it makes::

    round(f(widen(x), widen(y)))

with f in float32 (``FloatNormalization`` in xla/hlo/transforms/simplifiers/float_normalization.cc;
``ChangeOpDataType`` in ``RunHloPassesThroughLayoutAssn``, xla/service/cpu/cpu_compiler.cc).  A value is then written in
16 bits, in 32 if whoever reads it reads float32 from memory, or in both if it has readers of both kinds: two, four or
six bytes where the graph tells two.  Which it is depends on how every single reader is fused, and nobody trains like
this.  So the step is taken to be as large as in float32, with the two other cases as its bounds; compiling it tells
(``--refine``).

Under a scaled loss all new values are computed whether or not the gradients are finite, and chosen in the end
(``TryRemoveConditional`` in xla/service/conditional_simplifier.cc): at most, each weight and slot is there twice.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Widening:
    """How many times as large as traced the block may be, and what may come on top in parts of weights and slots."""

    least: float = 1.0
    usual: float = 1.0
    most: float = 1.0
    copied_residents: float = 0.0


AS_TRACED = Widening()


def widening(precision: str, *, on_host: bool) -> Widening:
    """What becomes of the sizes of a graph.

    Args:
        precision: Keras dtype policy.
        on_host: The device is the processor: a card computes in 16 bits.
    """
    if precision == "float32" or not on_host:
        return AS_TRACED
    return Widening(1.0, 2.0, 3.0, copied_residents=1.0 if precision == "mixed_float16" else 0.0)
