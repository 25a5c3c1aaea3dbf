"""The time of one training step on a graphics card: each operation's kernel, and the host that launches them.

A kernel takes ``max(work / rate, bytes / bandwidth)`` (roofline, Williams et al. 2009) and no less than a floor; a
recurrent layer is many kernels one after the other.  Of the ways to compute a convolution the fastest counts: directly;
of 3x3 by Winograd's filtering within one kernel; or by tiles that go through memory (`app.core.timing.card_tiles`).
Outside of XLA, kernels whose threads move one number at a time take no less than their numbers ask for
(`card_kernels.number_bytes`).  The host launches ahead of the card, so a step takes the longer of the two, not their
sum: small networks wait for the host whatever the card is.  What Keras does between two steps comes before both, and
the batch is copied before the first kernel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.core.simulate.optimizers import operands
from app.core.timing.card_kernels import tile_share
from app.core.timing.card_work import work_of_graph
from app.core.timing.steptime import XLA_TRAFFIC, StepTime
from app.core.types.machine import DeviceRates
from app.core.types.stepgraph import StepGraph


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
    """The work of a graph's operations and of its optimizer, for cards."""

    def __init__(self, graph: StepGraph, optimizer: str) -> None:
        self._kernels, self._repeats = work_of_graph(graph)
        self._input_bytes = float(sum(graph.sizes[t].per_sample for t in graph.input_tensors))
        learned = [v for v in graph.variables if v.gradient is not None]
        passes = operands(optimizer) if graph.mode == "train" else 0
        self._update_bytes = float(sum(v.size_bytes for v in learned)) * passes
        self._update_kernels = len(learned) * max(1, passes // 2) if passes else 0

    def flops(self, batch_size: int) -> float:
        """Floating-point operations of one step."""
        return float(_at(self._kernels.flops, self._kernels.flops_each, batch_size) @ self._repeats)

    def launches(self, *, xla: bool) -> float:
        """Operations that the host starts on the card in one step."""
        started = float((self._kernels.launches * ~self._fused(xla=xla)) @ self._repeats)
        return started + (0 if xla else self._update_kernels)

    def step(self, rates: DeviceRates, batch_size: int, *, xla: bool) -> CardStep | None:
        """One step at a card's rates; None if a rate that is needed is unknown."""
        bandwidth = rates.elementwise_bytes_per_s
        if bandwidth is None or rates.matmul_flops_per_s is None or rates.conv_flops_per_s is None:
            return None
        fused = self._fused(xla=xla)
        moving_s = self._moving_s(rates, bandwidth, batch_size, fused, xla=xla)
        compute_s, memory_s = self._fastest_s(rates, bandwidth, batch_size, moving_s)
        updates = 0 if xla else self._update_kernels
        update_s = self._update_bytes * (XLA_TRAFFIC if xla else 1.0) / bandwidth
        update_latency_s = max(0.0, updates * rates.kernel_floor_s - update_s)
        shortest_s = np.where(fused, 0.0, self._kernels.floors * rates.kernel_floor_s)
        latency_s = np.maximum(0.0, shortest_s - compute_s - memory_s)
        return CardStep(
            compute_s=float(compute_s @ self._repeats),
            memory_s=float(memory_s @ self._repeats) + update_s,
            latency_s=float(latency_s @ self._repeats) + update_latency_s,
            copy_s=self._input_bytes * batch_size / (rates.copy_bytes_per_s or np.inf),
            launching_s=self.launches(xla=xla) * (rates.launch_s or 0.0),
            between_s=rates.step_overhead_s or 0.0,
        )

    def time(self, rates: DeviceRates, batch_size: int, *, xla: bool) -> StepTime | None:
        """`step` as the parts that every device has."""
        found = self.step(rates, batch_size, xla=xla)
        return None if found is None else found.as_step_time()

    def _fused(self, *, xla: bool) -> np.ndarray:
        """Which kernels XLA makes a part of others."""
        fused: np.ndarray = self._kernels.fusible.astype(bool) & xla
        return fused

    def _moving_s(
        self, rates: DeviceRates, bandwidth: float, batch_size: int, fused: np.ndarray, *, xla: bool
    ) -> np.ndarray:
        """Seconds that each kernel moves data."""
        kernels = self._kernels
        moved = _at(kernels.moved, kernels.moved_each, batch_size)
        moving_s: np.ndarray = moved * np.where(fused, XLA_TRAFFIC, 1.0) / bandwidth
        if rates.numbers_per_s is None or xla:
            return moving_s
        item_bytes = kernels.number_bytes
        numbers = np.divide(moved, item_bytes, out=np.zeros_like(moved), where=item_bytes > 0)
        slowed_s: np.ndarray = np.maximum(moving_s, numbers / rates.numbers_per_s)
        return slowed_s

    def _fastest_s(
        self, rates: DeviceRates, bandwidth: float, batch_size: int, moving_s: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Seconds of computing and of moving data that each kernel takes, by the fastest of its ways."""
        kernels, product, conv = self._kernels, rates.matmul_flops_per_s or np.inf, rates.conv_flops_per_s or np.inf
        speeds = np.array([conv, rates.depthwise_flops_per_s or conv / 8, product, np.inf])
        speed = speeds[kernels.kind.astype(int)]
        if rates.plain_convolutions:
            speed = np.where(kernels.pointwise, product, speed)
        covered = tile_share(kernels.channels, tensor_cores=not rates.plain_convolutions)
        work_s = _at(kernels.flops, kernels.flops_each, batch_size) * covered / speed
        work_s = np.where(kernels.filtered, work_s / rates.winograd_speedup, work_s)
        computes = work_s > moving_s
        compute_s, memory_s = np.where(computes, work_s, 0.0), np.where(computes, 0.0, moving_s)
        if not rates.winograd_through_memory:
            return compute_s, memory_s
        idle = np.maximum(1.0, (rates.multiprocessors or 1) / np.maximum(1.0, kernels.blocks))
        covered = np.where(kernels.blocks, idle, covered)
        tiled_s = _at(kernels.tiled, kernels.tiled_each, batch_size) * covered / product
        moving_s = moving_s + _at(kernels.tiles, kernels.tiles_each, batch_size) / bandwidth
        better = (tiled_s > 0) & (tiled_s + moving_s < compute_s + memory_s)
        return np.where(better, tiled_s, compute_s), np.where(better, moving_s, memory_s)


def _at(fixed: np.ndarray, each: np.ndarray, batch_size: int) -> np.ndarray:
    """What is fixed and what each sample adds, for a batch."""
    found: np.ndarray = fixed + each * batch_size
    return found
