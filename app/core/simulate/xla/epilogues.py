"""What cuDNN adds to a convolution before it writes the result.

XLA:GPU hands bias, another result of the same size and ReLU to cuDNN together with the convolution if nobody else reads
what lies between (xla/service/gpu/transforms/cudnn_fused_conv_rewriter.cc, ``FuseBiasOrSideInput`` and ``FuseRelu``):
only the last result is ever in memory.  In a training the gradient reads what goes into a ReLU, since max(x, 0) > 0 is
x > 0 (xla/hlo/transforms/simplifiers/algebraic_simplifier.cc), so that a ReLU that learns is a kernel of its own.  The
gradient of the image of single points is a convolution like any other, to which the gradient is added that comes past
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from app.core.simulate.program import Op, Program

LIBRARY_CALLS = frozenset({"Conv2D", "Conv3D"})
ADDS = frozenset({"Add", "AddV2", "AddN"})
EPILOGUES = {"BiasAdd": 0, **dict.fromkeys(ADDS, 1), "Relu": 2}
"""In the order in which the library can do them."""
AFTER_ALL = 1 + max(EPILOGUES.values())
"""What no library has made has had all that it could have."""


def library_epilogues(program: Program, is_pointwise: Callable[[Op], bool]) -> dict[int, int]:
    """Operations that a library does along with the convolution before them.

    Args:
        program: The step.
        is_pointwise: Tells a gradient of single points.

    Returns:
        By the index of the operation the place of the convolution's result among what it reads.
    """
    readers = Counter(buffer for op in program.ops for buffer in op.reads)
    readers.update(program.kept)
    learning = {buffer for op in program.ops if op.kind == "ReluGrad" for buffer in op.reads}
    stage: dict[int, int] = {}  # by buffer: how many epilogues a library's result has had
    found: dict[int, int] = {}
    for index, op in enumerate(program.ops):
        if (op.kind in LIBRARY_CALLS and op.phase == "forward") or is_pointwise(op):
            stage[op.writes[0]] = 0
            continue
        place = _place_of_result(program, op, stage)
        if place is None or readers[op.reads[place]] > 1 or (op.kind == "Relu" and op.writes[0] in learning):
            continue
        stage[op.writes[0]] = EPILOGUES[op.kind] + 1
        found[index] = place
    return found


def _place_of_result(program: Program, op: Op, stage: dict[int, int]) -> int | None:
    """Where an operation that can be an epilogue reads a library's result."""
    if op.kind not in EPILOGUES:
        return None
    places = [place for place, buffer in enumerate(op.reads) if stage.get(buffer, AFTER_ALL) <= EPILOGUES[op.kind]]
    if op.kind not in ADDS:
        return 0 if 0 in places else None
    alike = len(op.reads) == 2 and len({program.buffers[buffer].size for buffer in op.reads}) == 1
    return places[0] if places and alike else None
