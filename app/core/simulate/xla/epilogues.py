"""What a card's library adds to a convolution or a product before it writes the result.

XLA:GPU hands bias and ReLU to cuDNN together with the convolution, and to cuBLAS together with the product, if
nobody else reads what lies between (xla/service/gpu/transforms/cudnn_fused_conv_rewriter.cc,
``FuseBiasOrSideInput`` and ``FuseRelu``; gemm_rewriter.cc, ``FuseVectorBiasAdd`` and
``FuseReluActivation``): only the last result is ever in memory.
"""

from __future__ import annotations

from collections import Counter

from app.core.simulate.program import Program

LIBRARY_CALLS = frozenset({"Conv2D", "Conv3D", "MatMul"})
EPILOGUES = ("BiasAdd", "Relu")
"""In the order in which the library can do them."""


def library_epilogues(program: Program) -> frozenset[int]:
    """Indices of the operations that a library does along with the convolution or product before them."""
    readers = Counter(buffer for op in program.ops for buffer in op.reads)
    readers.update(program.kept)
    stage: dict[int, int] = {}  # by buffer: how many epilogues a library's result has had
    found = set()
    for index, op in enumerate(program.ops):
        if op.kind in LIBRARY_CALLS and op.phase == "forward":
            stage[op.writes[0]] = 0
        elif op.kind in EPILOGUES and op.reads and op.reads[0] in stage and readers[op.reads[0]] == 1:
            position = EPILOGUES.index(op.kind)
            if position >= stage[op.reads[0]]:
                stage[op.writes[0]] = position + 1
                found.add(index)
    return frozenset(found)
