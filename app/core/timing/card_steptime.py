"""The time of one training step on a graphics card: each operation's kernel, and the host that launches them.

A kernel takes ``max(work / rate, bytes / bandwidth)`` (roofline, Williams et al. 2009) and no less than a floor; a
recurrent layer is many kernels one after the other.  Of the ways to compute a 3x3 convolution the fastest counts:
directly; by Winograd's filtering within one kernel; or by Winograd's larger tiles, which go through memory.  Outside
of XLA, kernels whose threads move one number at a time take no less than their numbers ask for
(`card_kernels.number_bytes`).  The host launches ahead of the card, so a step takes the longer of the two, not their
sum: small networks wait for the host whatever the card is.  What Keras does between two steps comes before both, and
the batch is copied before the first kernel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.core.simulate.optimizers import operands
from app.core.timing.card_kernels import (
    channels_made,
    floors_of,
    is_recurrent,
    launches_of,
    number_bytes,
    tile_share,
    traffic,
    work_of,
)
from app.core.timing.steptime import FREE, FUSIBLE, PRODUCT, XLA_TRAFFIC, StepTime, kind_code
from app.core.types.machine import DeviceRates
from app.core.types.stepgraph import PerBatch, StepGraph

PAGEABLE_COPY_BYTES_PER_S = 6e9
"""From ordinary host memory to the card over PCIe 3.0 x16: half of what pinned memory reaches (NVIDIA, How to Optimize
Data Transfers in CUDA C/C++)."""

WINOGRAD_THROUGH_MEMORY = 4.0
"""F(4x4, 3x3) needs 36 multiplications where the direct way needs 144 (Lavin & Gray 2015); the tiles of
`app.worker.tracing.op_costs.wanted_workspace` are written once and read once.  Against the 3x3 kernels of DeepBench on
a V100: 28x28, 256 to 512 channels, 16 images 0.84 ms (measured 0.80), 56x56, 128 to 256 channels 1.10 ms (0.90)."""


@dataclass(frozen=True)
class CardStep:
    """Seconds of one step's parts.

    On the card: computing, moving data, short kernels' latency, the batch's copy; on the host: launching, and what
    Keras does between two steps.
    """

    compute_s: float
    memory_s: float
    latency_s: float
    copy_s: float
    launching_s: float
    between_s: float

    @property
    def card_s(self) -> float:
        """For how long the card is busy."""
        return self.compute_s + self.memory_s + self.latency_s + self.copy_s

    @property
    def step_s(self) -> float:
        """The longer of computing and launching, and what Keras does before it begins.

        ``fit`` reads the metrics of each step, for which the card must have ended it: nothing hides what comes between
        two steps (keras/src/callbacks/callback_list.py, ``on_train_batch_end``).
        """
        return self.between_s + max(self.card_s, self.launching_s)

    @property
    def host_s(self) -> float:
        """For how long the host is busy."""
        return self.launching_s + self.between_s

    @property
    def waits_for_host(self) -> bool:
        """Does the card compute faster than the host launches."""
        return self.card_s < self.launching_s

    @property
    def card_share(self) -> float:
        """Card over card and host: what a measured step says of the card."""
        return self.card_s / (self.card_s + self.host_s)

    def as_step_time(self) -> StepTime:
        """Its parts as every device's are told; what is neither computing nor moving data is overhead."""
        return StepTime(self.compute_s, self.memory_s, self.step_s - self.compute_s - self.memory_s, self.step_s)


class CardWork:
    """The work of a graph's operations as arrays, for cards: a fixed row and one that grows with the batch.

    Operations that are alike stand there once, with their number: a network repeats itself.
    """

    def __init__(self, graph: StepGraph, optimizer: str) -> None:
        rows = [op for op in graph.operations if op.kind not in FREE]
        moved = [traffic(graph, op).times(launches_of(graph, op)) for op in rows]
        each = np.array(
            [
                (
                    PRODUCT if is_recurrent(op) else kind_code(op.kind),
                    op.kind in FUSIBLE,
                    *_numbers(work_of(graph, op)),
                    *_numbers(size),
                    *_numbers(op.wanted_workspace),
                    channels_made(graph, op),
                    floors_of(graph, op),
                    launches_of(graph, op),
                    number_bytes(graph, op),
                )
                for op, size in zip(rows, moved, strict=True)
            ]
        ).reshape(len(rows), 12)
        alike, self._count = np.unique(each, axis=0, return_counts=True)
        self._kind, self._fusible = alike[:, 0].astype(int), alike[:, 1].astype(bool)
        self._flops, self._bytes, self._tiles = alike[:, 2:4].T, alike[:, 4:6].T, alike[:, 6:8].T
        self._channels, self._floors, self._launches = alike[:, 8], alike[:, 9], alike[:, 10]
        item_bytes = alike[:, 11]
        self._one_by_one = np.divide(self._bytes, item_bytes, out=np.zeros_like(self._bytes), where=item_bytes > 0)
        self._input_bytes = float(sum(graph.sizes[t].per_sample for t in graph.input_tensors))
        learned = [v for v in graph.variables if v.gradient is not None]
        passes = operands(optimizer) if graph.mode == "train" else 0
        self._update_bytes = float(sum(v.size_bytes for v in learned)) * passes
        self._update_kernels = len(learned) * max(1, passes // 2) if passes else 0

    def flops(self, batch_size: int) -> float:
        """Floating-point operations of one step."""
        return float(np.array([1.0, batch_size]) @ self._flops @ self._count)

    def launches(self, *, xla: bool) -> float:
        """Operations that the host starts on the card in one step."""
        started = float((self._count * self._launches)[~(self._fusible & xla)].sum())
        return started + (0 if xla else self._update_kernels)

    def step(self, rates: DeviceRates, batch_size: int, *, xla: bool) -> CardStep | None:
        """One step at a card's rates; None if a rate that is needed is unknown."""
        bandwidth = rates.elementwise_bytes_per_s
        matmul, conv = rates.matmul_flops_per_s, rates.conv_flops_per_s
        if bandwidth is None or matmul is None or conv is None:
            return None
        batch = np.array([1.0, batch_size])
        speed = np.array([conv, rates.depthwise_flops_per_s or conv / 8, matmul, np.inf])[self._kind]
        fused = self._fusible & xla
        tensor_cores = not rates.winograd_through_memory
        covered = tile_share(self._channels, tensor_cores=tensor_cores)
        moving_s = batch @ self._bytes * np.where(fused, XLA_TRAFFIC, 1.0) / bandwidth
        if rates.numbers_per_s is not None and not xla:
            moving_s = np.maximum(moving_s, batch @ self._one_by_one / rates.numbers_per_s)
        compute_s, memory_s = _kernels(
            batch @ self._flops * covered / speed, moving_s, batch @ self._tiles / bandwidth, rates
        )
        shortest_s = np.where(fused, 0.0, self._floors * rates.kernel_floor_s)
        latency_s = np.maximum(0.0, shortest_s - compute_s - memory_s)
        updates = 0 if xla else self._update_kernels
        update_s = self._update_bytes * (XLA_TRAFFIC if xla else 1.0) / bandwidth
        return CardStep(
            compute_s=float(compute_s @ self._count),
            memory_s=float(memory_s @ self._count) + update_s,
            latency_s=float(latency_s @ self._count) + max(0.0, updates * rates.kernel_floor_s - update_s),
            copy_s=self._input_bytes * batch_size / PAGEABLE_COPY_BYTES_PER_S,
            launching_s=self.launches(xla=xla) * (rates.launch_s or 0.0),
            between_s=rates.step_overhead_s or 0.0,
        )

    def time(self, rates: DeviceRates, batch_size: int, *, xla: bool) -> StepTime | None:
        """`step` as the parts that every device has."""
        found = self.step(rates, batch_size, xla=xla)
        return None if found is None else found.as_step_time()


def _kernels(
    work_s: np.ndarray, move_s: np.ndarray, tiles_s: np.ndarray, rates: DeviceRates
) -> tuple[np.ndarray, np.ndarray]:
    """Seconds of computing and of moving data that each kernel takes, each by the fastest of its ways.

    Args:
        work_s: Of the direct way.
        move_s: Operands and results.
        tiles_s: Winograd's tiles, written or read once; 0 for everything but 3x3 convolutions.
        rates: The card's.
    """
    filtered = tiles_s > 0
    work_s = np.where(filtered, work_s / rates.winograd_speedup, work_s)
    computes = work_s > move_s
    compute_s, memory_s = np.where(computes, work_s, 0.0), np.where(computes, 0.0, move_s)
    if not rates.winograd_through_memory:
        return compute_s, memory_s
    direct_s = work_s * rates.winograd_speedup
    compute_2, memory_2 = direct_s / WINOGRAD_THROUGH_MEMORY, move_s + 2 * tiles_s
    better = filtered & (compute_2 + memory_2 < compute_s + memory_s)
    return np.where(better, compute_2, compute_s), np.where(better, memory_2, memory_s)


def _numbers(amount: PerBatch) -> tuple[float, float]:
    """What is fixed, and what one sample adds."""
    return amount.fixed, amount.per_sample
