"""Peak rates of NVIDIA cards from what the driver tells: clocks, cores, bus width.

Peaks, reached by no real program; they serve to compare cards.  The clock is the highest the card
admits, which is above the boost clock on the data sheet of a GeForce.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.core.types.text import phrase

CORES_PER_SM: dict[tuple[int, int], int] = {
    (3, 0): 192,
    (3, 5): 192,
    (3, 7): 192,
    (5, 0): 128,
    (5, 2): 128,
    (5, 3): 128,
    (6, 0): 64,
    (6, 1): 128,
    (6, 2): 128,
    (7, 0): 64,
    (7, 2): 64,
    (7, 5): 64,
    (8, 0): 64,
    (8, 6): 128,
    (8, 7): 128,
    (8, 9): 128,
    (9, 0): 128,
    (10, 0): 128,
    (10, 3): 128,
    (12, 0): 128,
    (12, 1): 128,
}
"""CUDA C++ Programming Guide, "Compute Capabilities": FP32 cores of one multiprocessor."""


@dataclass(frozen=True)
class TensorRate:
    """Dense tensor operations per clock and multiprocessor, float32 accumulation, 2 per multiply-add.

    GeForce cards accumulate in float32 at half the rate of the same chip sold for work.
    """

    fp16_geforce: int
    fp16_work: int
    tf32_geforce: int
    tf32_work: int


TENSOR_RATES: dict[tuple[int, int], TensorRate] = {
    (7, 0): TensorRate(1024, 1024, 0, 0),
    (7, 5): TensorRate(512, 1024, 0, 0),
    (8, 0): TensorRate(2048, 2048, 1024, 1024),
    (8, 6): TensorRate(512, 1024, 256, 512),
    (8, 9): TensorRate(512, 1024, 256, 512),
    (9, 0): TensorRate(4096, 4096, 2048, 2048),
    (10, 0): TensorRate(8192, 8192, 4096, 4096),
    (12, 0): TensorRate(512, 1024, 256, 512),
}
"""Our derivation from the makers' architecture papers, checked against data-sheet rates of the cards."""

_NO_TENSOR_CORES = re.compile(r"GTX 16\d\d|\bMX\d|\bT(400|500|550|600|1000|1200)\b")
"""Turing chips TU116 and TU117 have compute capability 7.5 but no tensor cores."""

NO_RATE = phrase("no table of rates for this compute capability")


def bandwidth_bytes_per_s(memory_clock_mhz: int, bus_width_bits: int) -> float:
    """Peak memory bandwidth: two transfers per clock over the whole bus."""
    return memory_clock_mhz * 1e6 * 2 * bus_width_bits / 8


def fp32_flops_per_s(cores: int, clock_mhz: int) -> float:
    """Peak float32 rate: one multiply-add (2 operations) per core and clock."""
    return cores * clock_mhz * 1e6 * 2


def num_sms(cores: int, capability: tuple[int, int]) -> int | None:
    """Multiprocessors of a card, or None for an architecture we do not know."""
    per_sm = CORES_PER_SM.get(capability)
    return None if per_sm is None or cores % per_sm else cores // per_sm


def tensor_flops_per_s(
    name: str, capability: tuple[int, int], sms: int, clock_mhz: int
) -> tuple[float | None, float | None, str]:
    """Peak dense float16 and TF32 rates with float32 accumulation.

    Args:
        name: The card's name; "GeForce" halves the rate.
        capability: CUDA compute capability.
        sms: Multiprocessors.
        clock_mhz: Highest clock of the multiprocessors.

    Returns:
        The float16 rate, the TF32 rate, and why a rate is None.
    """
    if capability < (7, 0) or _NO_TENSOR_CORES.search(name):
        return None, None, phrase("this card has no tensor cores")
    rate = TENSOR_RATES.get(capability)
    if rate is None:
        return None, None, NO_RATE
    geforce = "GeForce" in name
    per_clock = sms * clock_mhz * 1e6
    tf32 = rate.tf32_geforce if geforce else rate.tf32_work
    fp16 = (rate.fp16_geforce if geforce else rate.fp16_work) * per_clock
    return fp16, tf32 * per_clock if tf32 else None, phrase("this generation has no TF32")
