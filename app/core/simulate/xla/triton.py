"""What the kernels that XLA writes for products of matrices take in of what comes before them.

Of one array and some weights, such as a bias and a ReLU, they make an operand themselves; two arrays they do not read
in place of one (``IsInputWorthFusing`` in xla/service/gpu/triton_tiling_propagation.cc).
"""

from __future__ import annotations

from app.core.simulate.xla.hlo import Module

MOST_PARAMETERS = 4
"""Of one side of a product (``TritonFusionAnalysis::kMaxParameterPerDotOperand``)."""


def taken_in(module: Module, operand: int) -> int:
    """What a product reads in place of an operand."""
    weights = 0
    while (made := module.instructions[module.viewed(operand)]).opcode in ("map", "multiply"):
        arrays = [o for o in made.operands if not _is_spread_weight(module, o)]
        weights += len(made.operands) - len(arrays)
        if len(arrays) != 1 or weights >= MOST_PARAMETERS or module.instructions[arrays[0]].size != made.size:
            break
        operand = arrays[0]
    return operand


def _is_spread_weight(module: Module, value: int) -> bool:
    """Is it a weight or a constant, or a repetition of one."""
    made = module.instructions[value]
    if made.opcode == "spread" and not made.operands:
        return True
    given = module.instructions[made.operands[0]] if made.opcode == "spread" else made
    return not given.size.per_sample
