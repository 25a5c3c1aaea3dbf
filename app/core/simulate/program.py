"""One training step as a flat program (`app.core.simulate.program_builder` makes it from a traced graph).

Tensors that share memory become one *buffer*; operations refer to buffers.  What each kind of
operation does with its buffers (views, in-place forwarding, variable updates) stands here, with its
source in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.core.types.stepgraph import PerBatch

VIEWS = frozenset(
    "Identity IdentityN Reshape Squeeze ExpandDims StopGradient PreventGradient EnsureShape Snapshot Bitcast "
    "CheckNumerics OptionalFromValue OptionalGetValue LoopEnd".split()
)
"""Kinds whose first output is their first input's buffer (core/kernels/identity_op.h, reshape_op.h …)."""

RESHAPES = frozenset("Reshape Squeeze ExpandDims Bitcast".split())
"""Views with other dimensions: to XLA they are instructions (bitcasts) of their own."""

IN_PLACE = frozenset(
    "Abs Add AddN AddV2 BiasAdd Ceil Clip ClipByValue Cos Div DivNoNan Elu EluGrad Erf Erfc Exp Expm1 FloorDiv "
    "FloorMod Inv InvGrad LeakyRelu LeakyReluGrad Log Log1p LogSoftmax Maximum Minimum Mul MulNoNan Neg Pow RealDiv "
    "Reciprocal ReciprocalGrad Relu Relu6 Relu6Grad ReluGrad Round Rsqrt RsqrtGrad SelectV2 Selu SeluGrad Sigmoid "
    "SigmoidGrad Sign Sin Softmax SoftmaxCrossEntropyWithLogits Softplus SoftplusGrad Softsign "
    "SparseSoftmaxCrossEntropyWithLogits Sqrt SqrtGrad Square SquaredDifference Sub Tan Tanh TanhGrad "
    "TensorListPopBack TensorListPushBack TensorListSetItem TensorScatterUpdate Xdivy Xlogy".split()
)
"""Kinds that write over an input of the same size which nobody else needs
(``forward_input_or_allocate_output`` in core/kernels/cwise_ops_common.h, relu_op.h, bias_op.cc, cwise_op_select.cc,
sparse_xent_op.cc, scatter_nd_op.cc …)."""

LIST_MAKERS = frozenset({"TensorListPushBack", "TensorListSetItem", "TensorListFromTensor"})
SAME_ELEMENTS = {"TensorListPopBack": 0, "TensorListPushBack": 2, "TensorListSetItem": 3}
"""Of kinds that change a list the place of the input whose elements are those of the result, too: the list without
one element; or, if the reader of graphs found it, another list that holds already whatever is written."""
LIST_COPIES = frozenset({"ZerosLike", "AddN"})
"""Kinds that make a list of a list, element by element (core/kernels/list_kernels.h)."""

PRODUCTS = frozenset({"MatMul", "_FusedMatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"})
FILTER_GRADIENTS = frozenset({"Conv2DBackpropFilter", "Conv3DBackpropFilterV2", "DepthwiseConv2dNativeBackpropFilter"})

INPUT_GRADIENTS = frozenset({"Conv2DBackpropInput", "Conv3DBackpropInputV2"})
OUTPUTS_BEFORE_SCRATCH = {**dict.fromkeys(INPUT_GRADIENTS, 0), "CudnnRNNV3": 3}
"""How many of its outputs a card's kernel has before its scratch, if not all.  That of an image's gradient gives a
piece of scratch away for its output, so that what it had for it goes with the scratch; a recurrent layer's notes for
the backward pass come last (allocator traces; core/kernels/conv_grad_input_ops.h, cudnn_rnn_ops.cc)."""

NO_OUTPUT_MEMORY = frozenset("NoOp Shape ShapeN VariableShape Size Rank BroadcastGradientArgs".split())


def successors_of(after: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each operation those that wait for it, from those that each waits for."""
    successors: list[list[int]] = [[] for _ in after]
    for index, before in enumerate(after):
        for earlier in before:
            successors[earlier].append(index)
    return successors


@dataclass(slots=True)
class Buffer:
    """A piece of memory: its size, and what it holds."""

    size: PerBatch
    role: str
    layer: int | None = None
    owner: int | None = None
    """The variable that lives here, or whose slot does."""
    shape: tuple[int, ...] = ()
    """Of a variable or a slot: those that start as zeros of one shape start as one array."""


@dataclass(slots=True)
class Op:
    """One operation over buffers."""

    kind: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    after: tuple[int, ...]
    """Operations that must have ended before."""
    updates: int | None = None
    """Buffer of the variable that is changed."""
    scratch: tuple[PerBatch, ...] = ()
    layer: int | None = None
    phase: str = "forward"
    flops: PerBatch = PerBatch()
    wish: int | None = None
    """Of a convolution the operation of the traced step, whose wish for scratch the last piece of it stands for."""


@dataclass(slots=True)
class Program:
    """Operations over buffers; the first ``resident`` buffers exist before the step and after it."""

    buffers: list[Buffer] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    resident: int = 0
    inputs: tuple[int, ...] = ()
    kept: frozenset[int] = frozenset()
    """Buffers that stay alive to the end (outputs and constants)."""
    lists: frozenset[int] = frozenset()
    """Buffers that are lists of tensors: one chunk for each element."""
    on_card: bool = False
    """A CUDA card's kernels run the operations."""
    last_access: dict[int, list[int]] = field(default_factory=dict, repr=False)
    """Of each resident buffer: the operation that changed it last, and those that have read it since."""

    def add_buffer(
        self, size: PerBatch, role: str, layer: int | None = None, owner: int | None = None, shape: tuple[int, ...] = ()
    ) -> int:
        """A new buffer's index."""
        self.buffers.append(Buffer(size, role, layer, owner, shape))
        return len(self.buffers) - 1

    def add_op(self, op: Op) -> int:
        """Append an operation, remember which residents it touches, and return its index."""
        index = len(self.ops)
        self.ops.append(op)
        if op.updates is not None:
            self.last_access[op.updates] = [index]
        for buffer in op.reads:
            if buffer < self.resident:
                self.last_access.setdefault(buffer, []).append(index)
        return index
