"""What cuDNN adds to a convolution before it writes the result.

XLA:GPU hands bias and ReLU to cuDNN together with the convolution if nobody else reads what lies between
(xla/service/gpu/transforms/cudnn_fused_conv_rewriter.cc, ``FuseBiasOrSideInput`` and ``FuseRelu``): only the last
result is ever in memory.  In a training the gradient reads what goes into a ReLU, since max(x, 0) > 0 is x > 0
(xla/hlo/transforms/simplifiers/algebraic_simplifier.cc), so that a ReLU that learns is a kernel of its own.
"""

from __future__ import annotations

from collections import Counter

from app.core.simulate.program import Program

LIBRARY_CALLS = frozenset({"Conv2D", "Conv3D"})
EPILOGUES = ("BiasAdd", "Relu")
"""In the order in which the library can do them."""


def library_epilogues(program: Program) -> frozenset[int]:
    """Indices of the operations that a library does along with the convolution before them."""
    readers = Counter(buffer for op in program.ops for buffer in op.reads)
    readers.update(program.kept)
    learning = {buffer for op in program.ops if op.kind == "ReluGrad" for buffer in op.reads}
    stage: dict[int, int] = {}  # by buffer: how many epilogues a library's result has had
    found = set()
    for index, op in enumerate(program.ops):
        if op.kind in LIBRARY_CALLS and op.phase == "forward":
            stage[op.writes[0]] = 0
        elif op.kind in EPILOGUES and op.reads and op.reads[0] in stage and readers[op.reads[0]] == 1:
            position = EPILOGUES.index(op.kind)
            if position >= stage[op.reads[0]] and not (op.kind == "Relu" and op.writes[0] in learning):
                stage[op.writes[0]] = position + 1
                found.add(index)
    return frozenset(found)
