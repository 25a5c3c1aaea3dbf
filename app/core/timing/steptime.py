"""Predict the time of one step from the graph's work and the device's rates.

Each operation takes ``max(work / rate, bytes / bandwidth) + launch`` (roofline, Williams et al. 2009);
XLA launches fewer kernels and saves the traffic of fused intermediates.  Rates are measured on this
machine by `app.worker.rates.measure`.  Cards have a model of their own: `app.core.timing.card_steptime`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.core.simulate.optimizers import operands
from app.core.simulate.program import IN_PLACE, VIEWS
from app.core.timing.signatures import PRODUCTS
from app.core.types.machine import DeviceRates
from app.core.types.predicted_time import Bound
from app.core.types.stepgraph import StepGraph

FUSIBLE = (
    IN_PLACE
    | VIEWS
    | frozenset(
        "Cast Select SelectV2 Tile BroadcastTo Fill ZerosLike OnesLike Less LessEqual Greater GreaterEqual Equal "
        "NotEqual LogicalAnd LogicalOr LogicalNot StatelessRandomUniformV2 StatelessRandomNormalV2 Pad PadV2 Slice "
        "StridedSlice Transpose Range OneHot".split()
    )
)
"""Kinds that XLA fuses into their reader, so that their results need not be moved (``IsFusible``)."""

_CONVOLUTIONS = {
    "Conv2D",
    "Conv3D",
    "_FusedConv2D",
    "Conv2DBackpropInput",
    "Conv2DBackpropFilter",
    "Conv3DBackpropInputV2",
    "Conv3DBackpropFilterV2",
}
_DEPTHWISE = {"DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter"}
FREE = set(
    "Identity IdentityN Reshape Squeeze ExpandDims ReadVariableOp Const NoOp Shape ShapeN VariableShape "
    "StopGradient PreventGradient Placeholder".split()
)

PRODUCT, OTHER = 2, 3
"""The codes of products and of what is neither that nor a convolution (`kind_code`)."""

MEASURED_RATES_INTERVAL = (0.6, 1.7)
"""A first answer from rates measured once: x 0.6 to 1.7 (docs/evidence.md, "Step time from rates": 0.7 to 1.9 on a
drifting machine)."""

XLA_TRAFFIC = 0.45
"""Share of element-wise traffic that is left after fusion: about one read and one write per chain of three."""


@dataclass(frozen=True)
class StepTime:
    """Seconds of one step's parts on one device."""

    compute_s: float
    memory_s: float
    overhead_s: float
    step_s: float

    def times(self, factor: float) -> StepTime:
        """Every part longer by a factor."""
        return StepTime(*(factor * part for part in (self.compute_s, self.memory_s, self.overhead_s, self.step_s)))

    @property
    def bound_by(self) -> Bound:
        """The largest part."""
        parts: dict[Bound, float] = {"compute": self.compute_s, "memory": self.memory_s, "overhead": self.overhead_s}
        return max(parts, key=lambda name: parts[name])


class StepWork:
    """The work of a graph's operations as arrays: affine in the batch, by kind."""

    def __init__(self, graph: StepGraph, optimizer: str) -> None:
        rows = [op for op in graph.operations if op.kind not in FREE]
        self._kind = np.array([kind_code(op.kind) for op in rows], dtype=int)
        self._flops_fixed = np.array([op.flops.fixed for op in rows])
        self._flops_slope = np.array([op.flops.per_sample for op in rows])
        traffic = [[graph.sizes[t] for t in (*op.inputs, *op.outputs)] for op in rows]
        self._bytes_fixed = np.array([sum(s.fixed for s in sizes) for sizes in traffic])
        self._bytes_slope = np.array([sum(s.per_sample for s in sizes) for sizes in traffic])
        self._fusible = np.array([op.kind in FUSIBLE for op in rows], dtype=bool)
        learned = [v for v in graph.variables if v.gradient is not None]
        passes = operands(optimizer) if graph.mode == "train" else 0
        self._update_bytes = float(sum(v.size_bytes for v in learned)) * passes
        self._update_launches = len(learned) * max(1, passes // 2) if passes else 0

    def flops(self, batch_size: int) -> float:
        """Floating-point operations of one step."""
        return float((self._flops_fixed + self._flops_slope * batch_size).sum())

    def time(self, rates: DeviceRates, batch_size: int, *, xla: bool) -> StepTime | None:
        """Time of one step at these rates; None if a rate that is needed is unknown."""
        bandwidth = rates.elementwise_bytes_per_s
        matmul, conv = rates.matmul_flops_per_s, rates.conv_flops_per_s
        if bandwidth is None or matmul is None or conv is None:
            return None
        launch = rates.launch_s or 0.0
        speed = np.array([conv, rates.depthwise_flops_per_s or conv / 8, matmul, np.inf])[self._kind]
        work_s = (self._flops_fixed + self._flops_slope * batch_size) / speed
        moved = self._bytes_fixed + self._bytes_slope * batch_size
        if xla:
            moved = np.where(self._fusible, moved * XLA_TRAFFIC, moved)
        move_s = moved / bandwidth
        update_s = self._update_bytes * (XLA_TRAFFIC if xla else 1.0) / bandwidth
        launches = int((~self._fusible).sum()) if xla else len(self._kind) + self._update_launches
        overhead_s = launches * launch + (rates.step_overhead_s or 0.0)
        compute_s = float(work_s[work_s >= move_s].sum())
        memory_s = float(move_s[move_s > work_s].sum()) + update_s
        return StepTime(compute_s, memory_s, overhead_s, compute_s + memory_s + overhead_s)


def kind_code(kind: str) -> int:
    """0 convolution, 1 depthwise convolution, `PRODUCT`, `OTHER`."""
    if kind in _CONVOLUTIONS:
        return 0
    if kind in _DEPTHWISE:
        return 1
    return PRODUCT if kind in PRODUCTS else OTHER
