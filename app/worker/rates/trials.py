"""Which operations are timed once per machine: every family that training uses, in sizes from tiny to large.

Shapes are those of stages of common networks at small batches, and of a few at large ones: a kernel comes to its best
pace there only (oneDNN's convolutions with AVX-512 on two cores: 174 GFLOP/s at two images of 56x56, 224 at 32).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from app.core.timing.signatures import OpContext, Signature, signature_of
from app.core.types.stepgraph import PerBatch
from app.worker.rates.clock import Operand
from app.worker.tracing.op_costs import flops

PRODUCT_SIDES = (
    (4, 64, 10),
    (32, 256, 256),
    (4, 1024, 1024),
    (16, 4096, 1024),
    (128, 512, 512),
    (1024, 64, 256),
    (1024, 256, 1024),
    (3136, 128, 64),
    (4096, 192, 768),
    (8192, 512, 512),
)
"""(rows, inner side, columns)."""

CONVOLUTIONS = (
    (2, 96, 3, 32, 3, 2),
    (2, 112, 3, 64, 7, 2),
    (2, 64, 3, 64, 3, 1),
    (2, 56, 64, 64, 3, 1),
    (4, 28, 128, 128, 3, 1),
    (4, 14, 256, 256, 3, 1),
    (8, 7, 512, 512, 3, 1),
    (4, 3, 512, 512, 3, 1),
    (1, 7, 64, 64, 3, 1),
    (4, 48, 16, 16, 3, 1),
    (2, 96, 32, 32, 3, 1),
    (2, 56, 128, 128, 3, 2),
    (16, 4, 128, 128, 3, 1),
    (2, 56, 64, 256, 1, 1),
    (2, 56, 256, 64, 1, 1),
    (4, 28, 128, 512, 1, 1),
    (4, 14, 1024, 256, 1, 1),
    (8, 7, 512, 2048, 1, 1),
    (4, 3, 1024, 512, 1, 1),
    (8, 28, 1, 32, 3, 1),
    (2, 64, 20, 20, 3, 1),
    (4, 64, 32, 1, 1, 1),
    (4, 24, 24, 96, 1, 1),
    (4, 12, 192, 32, 1, 1),
    (2, 48, 16, 64, 1, 1),
    (2, 56, 256, 128, 1, 2),
    (32, 56, 64, 64, 3, 1),
    (32, 14, 256, 256, 3, 1),
    (32, 56, 64, 256, 1, 1),
    (32, 14, 1024, 256, 1, 1),
)
"""(batch, image side, channels in and out, window side, stride)."""

DEPTHWISE = (
    (4, 48, 32, 3, 1),
    (2, 56, 96, 3, 1),
    (4, 28, 192, 3, 1),
    (4, 14, 384, 3, 1),
    (4, 48, 64, 3, 2),
    (4, 14, 240, 5, 1),
    (4, 24, 96, 7, 1),
    (4, 6, 384, 7, 1),
    (4, 3, 960, 5, 1),
    (4, 6, 728, 3, 1),
    (32, 28, 192, 3, 1),
)
"""(batch, image side, channels, window side, stride)."""

CONVOLUTIONS_3D = ((2, 16, 1, 16, 3), (2, 16, 16, 32, 3), (2, 8, 32, 32, 3), (8, 16, 32, 64, 3))
"""(batch, image side, channels in and out, window side)."""

ATTENTIONS = ((4, 36, 4, 32), (4, 64, 8, 64), (64, 64, 8, 64))
"""(batch, length, heads, width of a head)."""

PROJECTIONS = ((8, 64, 160), (32, 128, 256))
"""(batch, length, width) of what a layer of attention multiplies with a weight of its own, which `keras.ops.einsum`
turns into a product for every matrix of the batch."""

LARGE_AND_SMALL = (16 << 10, 256 << 10, 2 << 20, 16 << 20)
"""Bytes of the larger operand."""
TWO_SIZES = (64 << 10, 2 << 20)

_STRIDES = {1: [1, 1, 1, 1], 2: [1, 2, 2, 1]}


@dataclass(frozen=True)
class Trial:
    """An operation to be timed: a node, what it reads, and its signature."""

    node: Any
    operands: tuple[Operand, ...]
    results_bytes: float
    flops: float
    signature: Signature


def trials(tf: Any) -> list[Trial]:
    """All operations that are timed in float32."""
    makers = (_products, _einsums, _projections, _convolutions, _elementwise, _movers)
    return [trial for make in makers for trial in make(tf, "float32")]


def few_trials(tf: Any, dtype: str) -> list[Trial]:
    """A handful of them in another precision, enough to tell by how much each family changes."""
    some = [*_convolutions_of(tf, dtype, (CONVOLUTIONS[4], CONVOLUTIONS[15]))]
    some += _products(tf, dtype, PRODUCT_SIDES[4:5])
    for size in TWO_SIZES:
        x = _input(tf, (size // 256, 64), dtype)
        some.append(_trial(tf, _pairwise(tf.raw_ops, "Mul", x, x)))
    return some


def _products(tf: Any, dtype: str, sides: Any = PRODUCT_SIDES) -> Iterator[Trial]:
    """A dense layer and its two gradients."""
    for rows, inner, columns in sides:
        x, w, y = (_input(tf, shape, dtype) for shape in ((rows, inner), (inner, columns), (rows, columns)))
        yield _trial(tf, lambda: tf.raw_ops.MatMul(a=x, b=w), weighs=True)  # noqa: B023 - called at once
        yield _trial(tf, lambda: tf.raw_ops.MatMul(a=y, b=w, transpose_b=True), backward=True, weighs=True)  # noqa: B023
        yield _trial(tf, lambda: tf.raw_ops.MatMul(a=x, b=y, transpose_a=True), backward=True)  # noqa: B023


def _einsums(tf: Any, dtype: str) -> Iterator[Trial]:
    """Attention: a projection, scores, weighted values, and gradients of these."""
    for batch, length, heads, width in ATTENTIONS:
        every = heads * width
        x, w = _input(tf, (batch, length, every), dtype), _input(tf, (every, heads, width), dtype)
        q, s = _input(tf, (batch, length, heads, width), dtype), _input(tf, (batch, heads, length, length), dtype)

        def einsum(equation: str, *operands: Any) -> Callable[[], Any]:
            return lambda: tf.raw_ops.Einsum(inputs=list(operands), equation=equation)

        yield _trial(tf, einsum("abc,cde->abde", x, w), weighs=True)
        yield _trial(tf, einsum("aecd,abcd->acbe", q, q))
        yield _trial(tf, einsum("acbe,aecd->abcd", s, q))
        yield _trial(tf, einsum("abde,cde->abc", q, w), backward=True, weighs=True)
        yield _trial(tf, einsum("abde,abc->cde", q, x), backward=True)
        yield _trial(tf, einsum("acbe,aecd->abcd", s, q), backward=True)
        yield _trial(tf, einsum("abcd,aecd->acbe", q, q), backward=True)
        a, b = _input(tf, (batch * heads, length, width), dtype), _input(tf, (batch * heads, width, length), dtype)
        yield _trial(tf, lambda: tf.raw_ops.BatchMatMulV2(x=a, y=b))  # noqa: B023
        yield _trial(tf, lambda: tf.raw_ops.BatchMatMulV2(x=b, y=a), backward=True)  # noqa: B023


def _projections(tf: Any, dtype: str) -> Iterator[Trial]:
    """A weight for all matrices of a batch, and its two gradients, of which the second is one product for each."""
    for batch, length, width in PROJECTIONS:
        x, w = _input(tf, (batch, length, width), dtype), _input(tf, (width, width), dtype)
        yield _trial(tf, lambda: tf.raw_ops.BatchMatMulV2(x=x, y=w), weighs=True)  # noqa: B023
        yield _trial(tf, lambda: tf.raw_ops.BatchMatMulV2(x=x, y=w, adj_y=True), backward=True, weighs=True)  # noqa: B023
        yield _trial(tf, lambda: tf.raw_ops.BatchMatMulV2(x=x, y=x, adj_x=True), backward=True)  # noqa: B023


def _convolutions(tf: Any, dtype: str) -> Iterator[Trial]:
    """Convolutions of all sorts, each with its two gradients."""
    yield from _convolutions_of(tf, dtype, CONVOLUTIONS)
    for batch, side, channels, window, stride in DEPTHWISE:
        yield from _convolution(
            tf,
            dtype,
            "DepthwiseConv2dNative",
            (batch, side, side, channels),
            (window, window, channels, 1),
            [1, stride, stride, 1],
        )
    for batch, side, channels_in, channels_out, window in CONVOLUTIONS_3D:
        yield from _convolution(
            tf,
            dtype,
            "Conv3D",
            (batch, side, side, side, channels_in),
            (window, window, window, channels_in, channels_out),
            [1] * 5,
        )
    yield from _convolution(tf, dtype, "Conv2D", (8, 1, 128, 64), (1, 5, 64, 64), _STRIDES[1])


def _convolutions_of(tf: Any, dtype: str, chosen: Any) -> Iterator[Trial]:
    """Two-dimensional ones."""
    for batch, side, channels_in, channels_out, window, stride in chosen:
        yield from _convolution(
            tf,
            dtype,
            "Conv2D",
            (batch, side, side, channels_in),
            (window, window, channels_in, channels_out),
            _STRIDES[stride],
        )


def _convolution(
    tf: Any, dtype: str, kind: str, image_shape: tuple[int, ...], kernel: tuple[int, ...], strides: list[int]
) -> Iterator[Trial]:
    """A convolution and its gradients."""
    made = tuple(math.ceil(n / s) for n, s in zip(image_shape[:-1], strides[:-1], strict=True))
    channels = kernel[-2] if kind.startswith("Depthwise") else kernel[-1]
    image, filters, result = (_input(tf, shape, dtype) for shape in (image_shape, kernel, (*made, channels)))
    how = {"strides": strides, "padding": "SAME"}
    version = "V2" if kind == "Conv3D" else ""
    to_input, to_filter = (getattr(tf.raw_ops, f"{kind}Backprop{what}{version}") for what in ("Input", "Filter"))
    forward = getattr(tf.raw_ops, kind)
    yield _trial(tf, lambda: forward(input=image, filter=filters, **how), kernel=kernel)
    yield _trial(
        tf,
        lambda: to_input(input_sizes=list(image_shape), filter=filters, out_backprop=result, **how),
        kernel=kernel,
        backward=True,
    )
    yield _trial(
        tf,
        lambda: to_filter(input=image, filter_sizes=list(kernel), out_backprop=result, **how),
        kernel=kernel,
        backward=True,
    )


def _elementwise(tf: Any, dtype: str) -> Iterator[Trial]:
    """Kinds that make one number from one or two."""
    raw = tf.raw_ops
    for size in LARGE_AND_SMALL:
        x, channels, number = (_input(tf, shape, dtype) for shape in ((size // 256, 64), (64,), ()))
        for kind in ("Mul", "AddV2", "Sub"):
            yield _trial(tf, _pairwise(raw, kind, x, x))
            yield _trial(tf, _pairwise(raw, kind, x, channels))
        yield _trial(tf, _pairwise(raw, "Mul", x, number))
        for kind in ("Relu", "Square", "Sqrt", "Rsqrt", "Tanh", "Sigmoid"):
            yield _trial(tf, _unary(raw, kind, x))
        yield _trial(tf, lambda: raw.ReluGrad(gradients=x, features=x))  # noqa: B023
    for size in TWO_SIZES:
        x, channels, rows = (_input(tf, shape, dtype) for shape in ((size // 256, 64), (64,), (size // 256, 1)))
        for kind in ("SquaredDifference", "RealDiv", "GreaterEqual", "Maximum"):
            yield _trial(tf, _pairwise(raw, kind, x, x))
            yield _trial(tf, _pairwise(raw, kind, x, channels))
        yield _trial(tf, _pairwise(raw, "Sub", x, rows))
        yield _trial(tf, _pairwise(raw, "Mul", x, rows))
        for kind in ("Exp", "Erf", "Neg", "Abs", "Log", "Elu", "Softplus", "Relu6"):
            yield _trial(tf, _unary(raw, kind, x))
        for kind in ("TanhGrad", "SigmoidGrad", "SqrtGrad", "RsqrtGrad"):
            yield _trial(tf, _call(raw, kind, y=x, dy=x))
        yield _trial(tf, lambda: raw.EluGrad(gradients=x, outputs=x))  # noqa: B023
        for kind in ("Relu6Grad", "LeakyReluGrad"):
            yield _trial(tf, _call(raw, kind, gradients=x, features=x))
        yield _trial(tf, lambda: raw.LeakyRelu(features=x))  # noqa: B023
        yield _trial(tf, lambda: raw.AddN(inputs=[x, x]))  # noqa: B023
        yield _trial(tf, lambda: raw.ZerosLike(x=x))  # noqa: B023
        yield _trial(tf, lambda: raw.Cast(x=x, DstT=tf.float16))  # noqa: B023
        yield _trial(tf, lambda: raw.SelectV2(condition=raw.Greater(x=x, y=x), t=x, e=x))  # noqa: B023
        shape = list(x.shape)
        yield _trial(tf, lambda: raw.Fill(dims=shape, value=_input(tf, (), dtype)))  # noqa: B023
        yield _trial(
            tf,
            lambda: raw.StatelessRandomUniformV2(
                shape=shape,  # noqa: B023
                key=tf.zeros((1,), tf.uint64),
                counter=tf.zeros((2,), tf.uint64),
                alg=1,
            ),
        )


def _movers(tf: Any, dtype: str) -> Iterator[Trial]:
    """Kinds that sum up, look up, or put numbers elsewhere."""
    raw = tf.raw_ops
    for size in LARGE_AND_SMALL:
        for channels in (16, 256):
            x = _input(tf, (size // 4 // channels, channels), dtype)
            for kind in ("Sum", "Mean"):
                yield _trial(tf, _call(raw, kind, input=x, axis=[0]))
        yield _trial(tf, lambda: raw.Mean(input=x, axis=[1]))  # noqa: B023
        yield _trial(tf, lambda: raw.BiasAdd(value=x, bias=_input(tf, (256,), dtype)))  # noqa: B023
        yield _trial(tf, lambda: raw.BiasAddGrad(out_backprop=x))  # noqa: B023
    for size in TWO_SIZES:
        side = math.isqrt(size // 4 // 4 // 64)
        image = _input(tf, (4, side, side, 64), dtype)
        wide = _input(tf, (size // 1024, 256), dtype)
        half = side // 2
        small = _input(tf, (4, half, half, 64), dtype)
        whole = _input(tf, (4, 2 * half, 2 * half, 64), dtype)
        yield _trial(tf, lambda: raw.Sum(input=wide, axis=[0, 1]))  # noqa: B023
        yield _trial(tf, lambda: raw.Mean(input=image, axis=[1, 2]))  # noqa: B023
        yield _trial(tf, lambda: raw.Softmax(logits=wide))  # noqa: B023
        yield _trial(tf, lambda: raw.Tile(input=_input(tf, (1, 256), dtype), multiples=[size // 1024, 1]))  # noqa: B023
        yield _trial(tf, lambda: raw.Transpose(x=image, perm=[0, 2, 1, 3]))  # noqa: B023
        yield _trial(tf, lambda: raw.Pad(input=image, paddings=[[0, 0], [1, 1], [1, 1], [0, 0]]))  # noqa: B023
        yield _trial(tf, lambda: raw.Slice(input=image, begin=[0, 1, 1, 0], size=[4, side - 1, side - 1, 64]))  # noqa: B023
        yield _trial(tf, lambda: raw.ConcatV2(values=[image, image], axis=3))  # noqa: B023
        yield _trial(tf, lambda: raw.Split(axis=3, value=image, num_split=2)[0])  # noqa: B023
        rows = list(range(0, size // 1024, 2))
        yield _trial(tf, lambda: raw.GatherV2(params=wide, indices=rows, axis=0))  # noqa: B023
        pool = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "VALID"}
        yield _trial(tf, lambda: raw.AvgPool(value=whole, **pool))  # noqa: B023
        yield _trial(tf, lambda: raw.AvgPoolGrad(orig_input_shape=[4, 2 * half, 2 * half, 64], grad=small, **pool))  # noqa: B023
        yield _trial(tf, lambda: raw.MaxPool(input=whole, **pool))  # noqa: B023
        yield _trial(tf, lambda: raw.ResizeNearestNeighbor(images=small, size=[2 * half, 2 * half]))  # noqa: B023
        yield _trial(tf, lambda: raw.ResizeNearestNeighborGrad(grads=whole, size=[half, half]))  # noqa: B023
        yield _trial(tf, lambda: raw.ResizeBilinear(images=small, size=[2 * half, 2 * half]))  # noqa: B023
        yield _trial(tf, lambda: raw.ResizeBilinearGrad(grads=whole, original_image=small))  # noqa: B023
        yield _trial(tf, lambda: raw.DepthToSpace(input=whole, block_size=2))  # noqa: B023
        yield _trial(tf, lambda: raw.SpaceToDepth(input=whole, block_size=2))  # noqa: B023


def _call(raw: Any, kind: str, **inputs: Any) -> Callable[[], Any]:
    """An operation with its inputs by name."""
    return lambda: getattr(raw, kind)(**inputs)


def _pairwise(raw: Any, kind: str, x: Any, y: Any) -> Callable[[], Any]:
    """An operation of two operands."""
    return lambda: getattr(raw, kind)(x=x, y=y)


def _unary(raw: Any, kind: str, x: Any) -> Callable[[], Any]:
    """An operation of one."""
    name = "features" if kind in ("Relu", "Relu6", "Elu", "Selu", "Softplus") else "x"
    return lambda: getattr(raw, kind)(**{name: x})


def _input(tf: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """A placeholder in the graph that is being built."""
    return tf.compat.v1.placeholder(dtype, shape)


def _trial(
    tf: Any,
    make: Callable[[], Any],
    *,
    kernel: tuple[int, ...] | None = None,
    backward: bool = False,
    weighs: bool = False,
) -> Trial:
    """Describe the operation that ``make`` adds to the graph."""
    op = make().op
    operands = tuple(operand_of(tf, tensor) for tensor in op.inputs)
    results = tuple(tuple(t.shape.as_list()) for t in op.outputs)
    return trial_from(op, operands, results, kernel=kernel, backward=backward, weighs=weighs)


def operand_of(tf: Any, tensor: Any) -> Operand:
    """An input as it will be filled: with its value if that is a constant."""
    value = tf.get_static_value(tensor)
    shape = tuple(value.shape) if value is not None else tuple(tensor.shape.as_list())
    return Operand(shape, tensor.dtype.name, value)


def trial_from(
    op: Any,
    operands: tuple[Operand, ...],
    results: tuple[tuple[int, ...], ...],
    *,
    kernel: tuple[int, ...] | None,
    backward: bool,
    weighs: bool,
) -> Trial:
    """A trial of an operation whose shapes are all known."""
    made = [math.prod(shape) * t.dtype.size for shape, t in zip(results, op.outputs, strict=True)]
    work = flops(op.type, op.node_def.attr, [o.shape for o in operands], results)
    floating = [t.dtype.size for t in (*op.inputs, *op.outputs) if t.dtype.is_floating]
    signature = signature_of(
        op.type,
        [PerBatch(o.size_bytes) for o in operands if o.size_bytes],
        [PerBatch(n) for n in made if n],
        PerBatch(work),
        OpContext(kernel=kernel, backward=backward, reads_weight=weighs, item_bytes=max(floating, default=4)),
    )
    return Trial(op.node_def, operands, float(sum(made)), work, signature)
