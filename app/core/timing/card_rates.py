"""Rates of a graphics card: its data sheet times its architecture's shares, at its own speed where one was measured."""

from __future__ import annotations

from dataclasses import replace

from app.core.timing.card_architectures import Architecture, architecture_of, clock_share
from app.core.types.machine import DeviceRates, Gpu
from app.core.types.text import Text, phrase

TENSOR_PRODUCT_SHARE = 0.79
"""Of the tensor units' dense peak, products of more than 10 GFLOP in float16 on a V100 (DeepBench, median of 76)."""

TENSOR_CONV_SHARE = 0.5
"""Convolutions likewise: 135 of DeepBench's on a V100, their work over their time.  Such a kernel waits for its
operands, so that a card whose units run at half rate, a GeForce, loses nothing by it."""

HALF_RATE_BELOW = 768
"""FLOP per clock and multiprocessor: 1024 is the full rate of float16 with float32 accumulation from Volta on, 512 that
of a GeForce from Turing on (NVIDIA's white papers)."""

FUSED_WINOGRAD = 2.25
"""F(2x2, 3x3) needs 16 multiplications where the direct way needs 36 (Lavin & Gray 2015)."""

CONV_SHARE = 0.74
"""A convolution's rate over a large product's, both without tensor cores: DeepBench's 270 convolutions and gradients
take 1.35 times as long on a V100, and 1.33 times as long on a T4, as they would at the rate of products."""

DEPTHWISE_SHARE = 0.125
"""A depthwise kernel's rate over a dense one's; most of them are bound by bandwidth anyway."""

KERNEL_FLOOR_S = 5e-6
"""The shortest kernel, launch to launch, at `FLOOR_CLOCK_MHZ`: latencies are counted in clocks."""

FLOOR_CLOCK_MHZ = 1500.0

COPY_BYTES_PER_S = 4.2e9
"""From ordinary memory of the host over PCIe 3: 45 batches of 101 MB in published trainings took 3.8 to 4.3 GB/s in the
median on four machines with a T4, P4, P100 and V100 (docs/evidence.md, "Kernels of published trainings")."""

FAST_COPY_BYTES_PER_S = 10e9
"""The same over PCIe 4 or 5: NVIDIA's bandwidthTest with pageable memory on an A100-SXM4 (published, 10.0 GB/s)."""

ACCESS_S = 0.75e-6
"""A thread's turn to read or write a number in the card's memory while all threads do: 0.7 to 1.3 microseconds in the
steps of six networks on an H100, of which nearly the least (docs/evidence.md, "A real card").  A kernel whose threads
move one number at a time has no more under way than there are threads (Little's law)."""

LAUNCH_S = 12.5e-6
"""An operation that TensorFlow's executor starts on the card, on a host at `LAUNCH_CLOCK_MHZ`: 17.8 microseconds in six
networks' steps on an H100 whose host says that it reaches 2.1 GHz (docs/evidence.md, "A real card")."""

STEP_OVERHEAD_S = 2e-3
"""What Keras does between two steps, on the same host."""

LAUNCH_CLOCK_MHZ = 3000.0

ECC_TRAFFIC = 0.2
"""Of the bandwidth, for bits of error correction that are kept in the memory itself: "approximately 20%" (NVIDIA, CUDA
C++ Best Practices Guide, "Theoretical Bandwidth Calculation").  Ten published steps of language models on an L4 are
told 4 % off with it, 8 % without (studies/accuracy/time_neusight)."""

PLAUSIBLE = (0.25, 1.35)
"""Of a large kernel over the data sheet's share (docs/evidence.md, "A real card").  Below: a card that is held to a
tenth of its power keeps about a quarter of its clock (`card_architectures.POWER_EXPONENT`).  Above: nothing exceeds its
peak, and the least share of a peak that a card from Volta on is put at is 0.74."""


def card_rates(gpu: Gpu, precision: str, host_clock_mhz: float | None = None) -> DeviceRates | None:
    """Rates of a card from its data sheet; None if peak rate or bandwidth is unknown, or bfloat16 is not there.

    float32 products run on tensor cores as TF32 where the card has them (TensorFlow's default since 2.4); mixed
    precision runs in 16 bits with float32 accumulation.

    Args:
        gpu: The card.
        precision: Keras dtype policy.
        host_clock_mhz: The highest clock of the host's processor, which launches; `LAUNCH_CLOCK_MHZ` if unknown.
    """
    bandwidth, fp32 = gpu.memory_bandwidth_bytes_per_s, gpu.fp32_flops_per_s
    if not bandwidth or not fp32:
        return None
    if has_no_units(gpu, precision):
        return None
    found = architecture_of(gpu)
    clock = clock_share(gpu, found)
    plain = fp32 * found.product_share * (clock if found.plain_kernels_limited else 1.0)
    product, conv = _tensor_rates(gpu, (_tensor_peak(gpu, precision) or 0.0) * clock)
    fused = FUSED_WINOGRAD if found.fused_winograd else 1.0
    direct = plain * CONV_SHARE
    winograd = conv <= direct * fused
    slower = LAUNCH_CLOCK_MHZ / host_clock_mhz if host_clock_mhz else 1.0
    return DeviceRates(
        device=gpu.name,
        framework=phrase("data sheet"),
        matmul_flops_per_s=max(plain, product),
        conv_flops_per_s=direct if winograd else conv,
        depthwise_flops_per_s=plain * DEPTHWISE_SHARE,
        elementwise_bytes_per_s=bandwidth * _bandwidth_share(gpu, found),
        winograd_speedup=fused if winograd else 1.0,
        winograd_through_memory=winograd and found.tiles,
        plain_convolutions=winograd,
        copy_bytes_per_s=FAST_COPY_BYTES_PER_S if _has_pcie_4(gpu) else COPY_BYTES_PER_S,
        launch_s=LAUNCH_S * slower,
        step_overhead_s=STEP_OVERHEAD_S * slower,
        kernel_floor_s=KERNEL_FLOOR_S * FLOOR_CLOCK_MHZ / _light_clock_mhz(gpu, found),
        multiprocessors=gpu.num_sms,
        numbers_per_s=gpu.num_sms * found.threads / ACCESS_S if gpu.num_sms and found.threads else None,
    )


def _bandwidth_share(gpu: Gpu, found: Architecture) -> float:
    """Of the bandwidth, what kernels reach; some architectures' share was measured on a card that corrects errors."""
    lost = ECC_TRAFFIC if gpu.ecc_in_memory and not found.corrects_errors else 0.0
    return found.bandwidth_share * (1 - lost)


def rates_here(sheet: DeviceRates | None, measured: DeviceRates, precision: str) -> DeviceRates:
    """Rates of a card in this machine: the data sheet's kernels at the card's own speed, launched as here.

    Large kernels tell the card's speed, by which all of their sort are scaled: a laptop's card runs slower than its
    sheet, and which kernels a network gets the sheet's shares say.  A speed beyond `PLAUSIBLE` is no card's: somebody
    else used it, or nothing was computed; then the sheet alone counts.

    Args:
        sheet: `card_rates` of the card; None if nobody knows it.
        measured: By `app.worker.rates.card`.
        precision: Keras dtype policy.
    """
    product = measured.matmul_flops_per_s if precision == "float32" else measured.half_matmul_flops_per_s
    if sheet is None:
        sheet = _without_sheet(measured, product)
    computing = _speed(product, sheet.matmul_flops_per_s)
    moving = _speed(measured.elementwise_bytes_per_s, sheet.elementwise_bytes_per_s)
    return replace(
        sheet,
        framework=phrase("data sheet, at the speed that was measured here"),
        matmul_flops_per_s=_times(sheet.matmul_flops_per_s, computing),
        conv_flops_per_s=_times(sheet.conv_flops_per_s, computing),
        depthwise_flops_per_s=_times(sheet.depthwise_flops_per_s, computing),
        elementwise_bytes_per_s=_times(sheet.elementwise_bytes_per_s, moving),
        launch_s=measured.launch_s or sheet.launch_s,
        step_overhead_s=measured.train_overhead_s or sheet.step_overhead_s,
        spread=measured.spread,
        reference_s=measured.reference_s,
        others_percent=measured.others_percent,
    )


def _without_sheet(measured: DeviceRates, product: float | None) -> DeviceRates:
    """Rates of a card that is in no table, from large kernels alone."""
    return DeviceRates(
        device=measured.device,
        framework=measured.framework,
        matmul_flops_per_s=product,
        conv_flops_per_s=_times(product, CONV_SHARE),
        depthwise_flops_per_s=_times(measured.matmul_flops_per_s, DEPTHWISE_SHARE),
        elementwise_bytes_per_s=measured.elementwise_bytes_per_s,
        copy_bytes_per_s=COPY_BYTES_PER_S,
        launch_s=LAUNCH_S,
        step_overhead_s=STEP_OVERHEAD_S,
    )


def _speed(measured: float | None, sheet: float | None) -> float:
    """Measured over the sheet's, where both are known and it can be true; else 1."""
    if not measured or not sheet:
        return 1.0
    speed = measured / sheet
    return speed if PLAUSIBLE[0] <= speed <= PLAUSIBLE[1] else 1.0


def _times(rate: float | None, factor: float) -> float | None:
    """A rate that may be unknown, scaled."""
    return None if rate is None else rate * factor


def uses_tensor_cores(gpu: Gpu, precision: str) -> bool:
    """Do tensor cores compute products of this precision on the card."""
    return _tensor_peak(gpu, precision) is not None


def _tensor_peak(gpu: Gpu, precision: str) -> float | None:
    """The dense peak of the units that such products run on; float32 runs as TF32."""
    return gpu.tensor_tf32_flops_per_s if precision == "float32" else gpu.tensor_fp16_flops_per_s


def why_no_card_rates(gpu: Gpu, precision: str) -> Text:
    """Why `card_rates` answers None."""
    if has_no_units(gpu, precision):
        return phrase("out of range: {gpu} has no units for bfloat16; mixed_float16 it can", gpu=gpu.name)
    return phrase("out of range: neither the driver nor the card table knows how fast {gpu} is", gpu=gpu.name)


def has_no_units(gpu: Gpu, precision: str) -> bool:
    """Does the card lack units for this precision: NVIDIA's have bfloat16 from Ampere on (compute capability 8.0)."""
    return "bfloat16" in precision and gpu.compute_capability is not None and gpu.compute_capability < (8, 0)


def _has_pcie_4(gpu: Gpu) -> bool:
    """NVIDIA's cards have it from Ampere on (compute capability 8.0)."""
    return gpu.compute_capability is not None and gpu.compute_capability >= (8, 0)


def _tensor_rates(gpu: Gpu, peak: float) -> tuple[float, float]:
    """Rates of products and of convolutions on tensor cores of a peak at the card's clock."""
    product = peak * TENSOR_PRODUCT_SHARE
    full = 2 * peak if _runs_at_half_rate(gpu) else peak
    return product, min(product, full * TENSOR_CONV_SHARE)


def _runs_at_half_rate(gpu: Gpu) -> bool:
    """Do the tensor units accumulate in float32 at half the rate of the same unit on a professional card."""
    if not (gpu.tensor_fp16_flops_per_s and gpu.num_sms and gpu.sm_clock_max_mhz):
        return False
    return gpu.tensor_fp16_flops_per_s / (gpu.num_sms * gpu.sm_clock_max_mhz * 1e6) < HALF_RATE_BELOW


def _light_clock_mhz(gpu: Gpu, found: Architecture) -> float:
    """The clock while kernels are too short to draw much power."""
    if gpu.sm_clock_max_mhz is None:
        return FLOOR_CLOCK_MHZ
    return gpu.sm_clock_max_mhz * (clock_share(gpu, found) if gpu.default_sm_clock_mhz else 1.0)
