"""What a processor that nobody has measured usually achieves, from what it tells of itself or shows at a glance.

The peak is cores × clock × what a core does in a cycle; half of it is what kernels reach when all cores work, which
lowers the clock.  A glance (`app.probes.glance`) knows better than any data sheet how fast large products and additions
are.  A measurement (`app.worker.rates.measure`) takes a quarter of a minute and replaces all of this.
"""

from __future__ import annotations

from app.core.types.machine import Cpu, DeviceRates, Glance, Machine, Ram
from app.core.types.text import phrase

HOST = "cpu"
"""The device whose rates these are."""
AT_A_GLANCE = phrase("a glance at the processor")

USUAL_INTERVAL = (0.5, 2.0)
"""Around a time from such rates (docs/evidence.md, "Rates of a processor that was not measured")."""

FLOPS_PER_CYCLE = {"avx512f": 64, "fma": 32, "avx": 16, "asimd": 16}
"""Of one core in float32, by the widest instructions that it has: two units, each so many lanes wide, and a
multiplication with an addition where one instruction does both (Intel's and Arm's optimization manuals)."""
PLAIN_FLOPS_PER_CYCLE = 8
"""With SSE alone."""
VECTOR_FLOATS = {"avx512f": 16, "avx": 8}
"""Numbers of float32 in the widest vector (the same manuals)."""
PLAIN_VECTOR_FLOATS = 4
"""With SSE or NEON."""

REACHED_SHARE = 0.5
"""Of the peak, by products and convolutions (docs/evidence.md, "Rates of a processor that was not measured")."""
DEPTHWISE_SHARE = 0.05
"""Likewise by depthwise convolutions, which wait for memory."""

CHANNELS, CHANNEL_BYTES = 2, 8
"""Of a desktop's memory; a server has more."""
UNKNOWN_BYTES_PER_S = 20e9
"""Where the firmware does not tell the memory's speed: two channels of DDR3-1600 reach as much."""
REACHED_OF_BANDWIDTH = 0.75
"""About what STREAM reports of desktops."""

LAUNCH_S, STEP_S = 1e-6, 1e-3
"""An operation and a step that do nothing (docs/evidence.md, "Rates of a processor that was not measured")."""


def usual_rates(machine: Machine, precision: str, glance: Glance | None = None) -> DeviceRates | None:
    """Rates of a machine's processor; None where it does not tell enough, and for 16-bit numbers.

    Args:
        machine: The machine.
        precision: Keras dtype policy; how fast a processor is with 16 bits its data sheet does not say.
        glance: What it has shown; None of a machine that is not here.
    """
    reached = glance.products_flops_per_s if glance else _reached_flops_per_s(machine.cpu)
    if reached is None or precision != "float32":
        return None
    bandwidth = glance.additions_bytes_per_s if glance else _bandwidth_bytes_per_s(machine.ram)
    return DeviceRates(
        device=HOST,
        framework=AT_A_GLANCE if glance else phrase("data sheet"),
        matmul_flops_per_s=reached,
        conv_flops_per_s=reached,
        depthwise_flops_per_s=DEPTHWISE_SHARE / REACHED_SHARE * reached,
        elementwise_bytes_per_s=bandwidth,
        launch_s=LAUNCH_S,
        step_overhead_s=STEP_S,
    )


def computing_cores(cpu: Cpu) -> float | None:
    """Cores with units of their own that a program may use; None where nobody tells."""
    return min((count for count in (cpu.usable_cores, cpu.physical_cores) if count), default=None)


def vector_floats(cpu: Cpu) -> int:
    """Numbers of float32 that a core computes at once."""
    return next((floats for name, floats in VECTOR_FLOATS.items() if name in cpu.features), PLAIN_VECTOR_FLOATS)


def _reached_flops_per_s(cpu: Cpu) -> float | None:
    """What products reach on all cores that a program may use."""
    cores = computing_cores(cpu)
    if cores is None or not cpu.max_clock_mhz:  # some virtual machines tell a clock of 0
        return None
    each = next((flops for name, flops in FLOPS_PER_CYCLE.items() if name in cpu.features), PLAIN_FLOPS_PER_CYCLE)
    return REACHED_SHARE * cores * cpu.max_clock_mhz * 1e6 * each


def _bandwidth_bytes_per_s(ram: Ram) -> float:
    """What reading and writing memory reaches."""
    if not ram.speed_mts:
        return UNKNOWN_BYTES_PER_S
    return ram.speed_mts * 1e6 * CHANNELS * CHANNEL_BYTES * REACHED_OF_BANDWIDTH
