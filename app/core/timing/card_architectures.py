"""Which share of a card's data sheet its kernels reach, by architecture, each share with its publication.

A float32 product runs at ``peak x product_share x clock_share``.  The peak is the data sheet's, at the boost clock;
``product_share`` is what the best library reaches at the clock that a card really runs at; ``clock_share`` is that
clock over the boost clock.  None of it was fitted to the tables of step times that judge these predictions.

Sources, by their short names below:

* DeepBench: baidu-research/DeepBench (Apache-2.0), results/train: 76 products of more than 10 GFLOP, and about 270
  convolutions with their gradients, on M40, TITAN X, P100, GTX 1080 Ti, V100, T4, MI25, Vega FE; medians.
* NeuSight: sitar-lab/NeuSight (MIT), kernels timed one by one on P4, P100, V100, T4, A100, MI100, MI210: the 60 largest
  additions (up to 753 MB) for bandwidth, the 100 largest products; medians.  Kernels only, not its table of networks.
* Boehm 2022: How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance, siboehm.com: 23.2 TFLOP/s of cuBLAS in
  float32 on an RTX A6000, 0.60 of its peak and 0.70 of it at the clock that 300 W allow.
* Jia 2018: Jia et al., Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, arXiv:1804.06826.
* TensorFlow 2017: tensorflow/docs_src/performance/benchmarks.md, synthetic data, one GPU of a K80: InceptionV3,
  ResNet50, AlexNet and VGG16, told 5 % too short to 13 % too long with these shares (+1 % in the median).
"""

from __future__ import annotations

from dataclasses import dataclass

from app.core.types.machine import Gpu
from app.core.types.text import phrase

POWER_EXPONENT = 2 / 3
"""Clock over power under a limit: power goes with clock times voltage squared, so it is 1 where the voltage stays and
1/3 where it falls with the clock; the mean of the two.  A T4 (70 W) is put at 0.53 of its peak by it; measured: 0.51
(DeepBench), 0.36 to 0.41 when hot (NeuSight)."""


LAPTOP = frozenset({"Laptop", "Max-Q"})
"""Words in the names of cards for laptops."""


@dataclass(frozen=True)
class Architecture:
    """Shares of one generation of cards.

    ``watts_per_tflops`` is the least board power per float32 TFLOP/s among the generation's desktop cards (of those
    without, its most powerful card), which reach their boost clock: whoever has less must run slower.
    """

    name: str
    product_share: float
    bandwidth_share: float
    watts_per_tflops: float | None = None
    plain_kernels_limited: bool = True
    """The power limit holds plain kernels too; where not, only tensor cores draw that much."""
    fused_winograd: bool = True
    """The library has kernels that apply Winograd's filtering without writing its tiles to memory."""
    tiles: bool = True
    """The library computes convolutions by way of tiles in memory (`app.core.timing.card_tiles`): cuDNN does."""
    threads: int | None = 2048
    """Resident on a multiprocessor at most (CUDA C++ Programming Guide, "Compute Capabilities"); None where unknown."""
    corrects_errors: bool = False
    """Its bandwidth was measured on a card that keeps the bits of its error correction in its memory: a K80, M40, P4 or
    T4.  Of one without, nobody's measurement was found."""
    measured: bool = True
    """Somebody has published kernel times of it; else shares are those of the nearest relative."""
    source: str = ""


_KEPLER = Architecture(
    "Kepler",
    0.345,
    0.38,
    fused_winograd=False,
    corrects_errors=True,
    measured=False,
    source=phrase("TensorFlow 2017: both shares are such that four networks take as long on a K80 as they took there"),
)
_MAXWELL = Architecture(
    "Maxwell",
    0.77,
    0.79,
    33.1,
    corrects_errors=True,
    source=phrase("DeepBench (M40 at 948 MHz, TITAN X); Jia 2018 (M60)"),
)
_PASCAL_P100 = Architecture("Pascal GP100", 0.83, 0.72, source="DeepBench, NeuSight (P100)")
_PASCAL = Architecture(
    "Pascal", 0.93, 0.75, 20.3, corrects_errors=True, source="DeepBench (GTX 1080 Ti), NeuSight (P4)"
)
_VOLTA = Architecture("Volta", 0.84, 0.87, 16.8, source="DeepBench, NeuSight (V100)")
_TURING = Architecture(
    "Turing",
    0.84,
    0.74,
    17.2,
    threads=1024,
    corrects_errors=True,
    source=phrase("products as Volta, its relative; bandwidth NeuSight (T4)"),
)
_AMPERE_A100 = Architecture(
    "Ampere GA100",
    0.83,
    0.82,
    20.5,
    plain_kernels_limited=False,
    source=phrase("NeuSight (A100 PCIe 40 GB, which reaches this share at 250 W)"),
)
_AMPERE = Architecture("Ampere", 0.70, 0.82, 9.84, threads=1536, source=phrase("Boehm 2022; bandwidth as the A100"))
_ADA = Architecture(
    "Ada", 0.70, 0.82, 5.45, threads=1536, measured=False, source=phrase("as Ampere, whose lanes and schedulers it has")
)
_HOPPER = Architecture(
    "Hopper", 0.83, 0.82, 10.5, plain_kernels_limited=False, measured=False, source=phrase("as the A100")
)
_BLACKWELL = Architecture("Blackwell", 0.70, 0.82, 5.49, threads=1536, measured=False, source=phrase("as Ampere"))
_CDNA = Architecture(
    "AMD CDNA",
    1.12,
    0.78,
    tiles=False,
    threads=None,
    source=phrase("NeuSight (MI100, MI210): matrix cores compute float32 as well"),
)
_AMD = Architecture(
    "AMD",
    0.65,
    0.77,
    tiles=False,
    threads=None,
    measured=False,
    source=phrase("DeepBench (MI25, Vega FE); bandwidth as CDNA"),
)
_OTHER = Architecture(
    "other",
    0.65,
    0.75,
    tiles=False,
    threads=None,
    measured=False,
    source=phrase("nobody has published kernel times: as AMD"),
)

_BY_CAPABILITY = (
    ((5, 0), _KEPLER),
    ((6, 0), _MAXWELL),
    ((6, 1), _PASCAL_P100),
    ((7, 0), _PASCAL),
    ((7, 5), _VOLTA),
    ((8, 0), _TURING),
    ((8, 6), _AMPERE_A100),
    ((8, 9), _AMPERE),
    ((9, 0), _ADA),
    ((10, 0), _HOPPER),
)
"""Each architecture with the first compute capability that is beyond it."""


def architecture_of(gpu: Gpu) -> Architecture:
    """The architecture of a card, by compute capability or else by its maker."""
    capability = gpu.compute_capability
    if capability is None:
        if "Instinct" in gpu.name:
            return _CDNA
        return _AMD if (gpu.vendor or "").upper().startswith(("AMD", "ADVANCED MICRO")) else _OTHER
    return next((found for beyond, found in _BY_CAPABILITY if capability < beyond), _BLACKWELL)


def clock_share(gpu: Gpu, architecture: Architecture) -> float:
    """The clock that a card holds in training over its boost clock, 1 if nothing is known to lower it.

    A Tesla before Pascal runs at its default application clock unless somebody raises it (NVIDIA, Tesla K40 board
    specification BD-06902: "ships with the core clock set to the base clock").  A laptop's boost clock is stated
    for its power limit already.  Any other card is held by its power limit (`POWER_EXPONENT`).
    """
    if gpu.default_sm_clock_mhz and gpu.sm_clock_max_mhz:
        return min(1.0, gpu.default_sm_clock_mhz / gpu.sm_clock_max_mhz)
    reference = None if LAPTOP & set(gpu.name.split()) else architecture.watts_per_tflops
    if gpu.power_limit_w is None or gpu.fp32_flops_per_s is None or reference is None:
        return 1.0
    watts_per_tflops = gpu.power_limit_w / (gpu.fp32_flops_per_s / 1e12)
    share: float = (watts_per_tflops / reference) ** POWER_EXPONENT
    return min(1.0, share)
