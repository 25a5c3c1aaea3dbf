from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.card_architectures import architecture_of, clock_share
from app.core.timing.card_rates import (
    COPY_BYTES_PER_S,
    FAST_COPY_BYTES_PER_S,
    PLAUSIBLE,
    TENSOR_CONV_SHARE,
    TENSOR_PRODUCT_SHARE,
    card_rates,
    rates_here,
    why_no_card_rates,
)
from app.core.types.machine import DeviceRates, Gpu
from tests.core.machines import card

V100 = card(
    "Tesla V100",
    compute_capability=(7, 0),
    fp32_flops_per_s=15.67e12,
    memory_bandwidth_bytes_per_s=900e9,
    tensor_fp16_flops_per_s=125.3e12,
    num_sms=80,
    sm_clock_max_mhz=1530,
    power_limit_w=300,
)
T4 = card(
    "Tesla T4",
    compute_capability=(7, 5),
    fp32_flops_per_s=8.141e12,
    memory_bandwidth_bytes_per_s=320e9,
    tensor_fp16_flops_per_s=65.1e12,
    num_sms=40,
    sm_clock_max_mhz=1590,
    power_limit_w=70,
)
RTX_2080_TI = card(
    "GeForce RTX 2080 Ti",
    compute_capability=(7, 5),
    fp32_flops_per_s=13.45e12,
    memory_bandwidth_bytes_per_s=616e9,
    tensor_fp16_flops_per_s=53.8e12,
    num_sms=68,
    sm_clock_max_mhz=1545,
    power_limit_w=250,
)


def share_of_peak(gpu, precision="float32"):
    return card_rates(gpu, precision).matmul_flops_per_s / gpu.fp32_flops_per_s


def test_error_correction_in_the_memory_takes_a_fifth_of_the_bandwidth():
    l4 = card("L4", compute_capability=(8, 9), fp32_flops_per_s=30.3e12, memory_bandwidth_bytes_per_s=300e9)
    without, with_it = (card_rates(replace(l4, ecc_in_memory=on), "float32") for on in (False, True))
    assert with_it.elementwise_bytes_per_s == pytest.approx(0.8 * without.elementwise_bytes_per_s)
    assert with_it.matmul_flops_per_s == without.matmul_flops_per_s


def test_a_t4_was_measured_with_error_correction():
    assert card_rates(T4, "float32") == card_rates(replace(T4, ecc_in_memory=True), "float32")


def test_large_products_reach_what_deepbench_measured():
    """Medians of its 76 products of more than 10 GFLOP: V100 0.84 of the peak, T4 0.42 to 0.56, M40 0.66."""
    m40 = card(
        "Tesla M40",
        compute_capability=(5, 2),
        fp32_flops_per_s=6.832e12,
        memory_bandwidth_bytes_per_s=288e9,
        tensor_fp16_flops_per_s=None,
        sm_clock_max_mhz=1112,
        default_sm_clock_mhz=948,
        power_limit_w=250,
    )
    assert share_of_peak(V100) == pytest.approx(0.84, abs=0.01)
    assert 0.42 < share_of_peak(T4) < 0.56
    assert share_of_peak(m40) == pytest.approx(0.66, abs=0.01)


def test_a_power_limit_lowers_the_clock_but_not_the_bandwidth():
    free, held = replace(T4, power_limit_w=250), T4
    assert card_rates(held, "float32").matmul_flops_per_s < card_rates(free, "float32").matmul_flops_per_s
    assert card_rates(held, "float32").elementwise_bytes_per_s == card_rates(free, "float32").elementwise_bytes_per_s


def test_a_laptops_clock_is_stated_for_its_power():
    laptop = replace(RTX_2080_TI, name="GeForce RTX 2080 Max-Q", power_limit_w=80)
    assert clock_share(laptop, architecture_of(laptop)) == 1
    assert clock_share(replace(laptop, name="Tesla X"), architecture_of(laptop)) < 1


@given(st.floats(1, 2000))
def test_no_card_runs_above_its_boost_clock(watts):
    gpu = replace(T4, power_limit_w=watts)
    assert 0 < clock_share(gpu, architecture_of(gpu)) <= 1


def test_convolutions_in_half_precision_wait_for_operands_so_a_geforce_loses_nothing():
    professional = card_rates(V100, "mixed_float16")
    geforce = card_rates(RTX_2080_TI, "mixed_float16")
    assert professional.conv_flops_per_s == pytest.approx(TENSOR_CONV_SHARE * 125.3e12)
    assert geforce.conv_flops_per_s == pytest.approx(TENSOR_PRODUCT_SHARE * 53.8e12)
    assert professional.winograd_speedup == 1
    assert not professional.winograd_through_memory


def test_without_tensor_cores_half_precision_computes_as_float32_does():
    pascal = replace(RTX_2080_TI, compute_capability=(6, 1), tensor_fp16_flops_per_s=None)
    half, full = card_rates(pascal, "mixed_float16"), card_rates(pascal, "float32")
    assert half.conv_flops_per_s == full.conv_flops_per_s
    assert half.winograd_speedup > 1


def test_kepler_has_no_fused_winograd_kernels():
    kepler = replace(V100, compute_capability=(3, 7), tensor_fp16_flops_per_s=None)
    assert card_rates(kepler, "float32").winograd_speedup == 1
    assert card_rates(kepler, "float32").winograd_through_memory


def test_a_faster_host_launches_faster():
    slow, fast = card_rates(V100, "float32", 2500), card_rates(V100, "float32", 5000)
    assert slow.launch_s == pytest.approx(2 * fast.launch_s)
    assert slow.step_overhead_s == pytest.approx(2 * fast.step_overhead_s)


def test_what_a_card_has_no_units_for_is_out_of_range():
    assert card_rates(T4, "mixed_bfloat16") is None
    assert "bfloat16" in why_no_card_rates(T4, "mixed_bfloat16")
    assert card_rates(replace(T4, compute_capability=(8, 6)), "mixed_bfloat16") is not None
    unknown = Gpu(name="unknown card")
    assert card_rates(unknown, "float32") is None
    assert "unknown card" in why_no_card_rates(unknown, "float32")
    assert card_rates(replace(T4, memory_bandwidth_bytes_per_s=0.0), "float32") is None
    assert card_rates(replace(T4, fp32_flops_per_s=0.0), "float32") is None


@pytest.mark.parametrize("capability", [(3, 7), (5, 2), (6, 0), (6, 1), (7, 0), (7, 5), (8, 0), (8, 6), (8, 9), (9, 0)])
def test_every_architecture_names_its_source(capability):
    found = architecture_of(replace(V100, compute_capability=capability))
    assert found.source
    assert 0.3 < found.product_share < 1.2
    assert 0.3 < found.bandwidth_share < 1


def test_makers_without_compute_capabilities_count_as_not_measured():
    assert not architecture_of(Gpu(vendor="AMD", name="Radeon RX 7900 XTX")).measured
    assert not architecture_of(Gpu(vendor="Apple", name="Apple M3")).measured


def here(gpu: Gpu = V100, precision: str = "float32", **measured: float) -> DeviceRates:
    return rates_here(card_rates(gpu, precision), DeviceRates(gpu.name, "tensorflow", **measured), precision)


def test_launching_is_what_it_takes_here():
    found = here(launch_s=19e-6, train_overhead_s=1.2e-3)
    assert (found.launch_s, found.step_overhead_s) == (19e-6, 1.2e-3)
    assert found.conv_flops_per_s == card_rates(V100, "float32").conv_flops_per_s


@given(st.floats(*PLAUSIBLE))
def test_all_kernels_of_a_sort_go_at_the_speed_of_a_large_one(speed: float):
    sheet = card_rates(V100, "float32")
    slow = here(matmul_flops_per_s=speed * sheet.matmul_flops_per_s)
    for name in ("matmul_flops_per_s", "conv_flops_per_s", "depthwise_flops_per_s"):
        assert getattr(slow, name) == pytest.approx(speed * getattr(sheet, name))
    assert slow.elementwise_bytes_per_s == sheet.elementwise_bytes_per_s
    moves = here(elementwise_bytes_per_s=speed * sheet.elementwise_bytes_per_s)
    assert moves.elementwise_bytes_per_s == pytest.approx(speed * sheet.elementwise_bytes_per_s)
    assert moves.conv_flops_per_s == sheet.conv_flops_per_s


def test_mixed_precision_goes_by_a_large_product_in_sixteen_bits():
    sheet = card_rates(V100, "mixed_float16")
    measured = {"matmul_flops_per_s": 1e12, "half_matmul_flops_per_s": sheet.matmul_flops_per_s / 2}
    assert here(precision="mixed_float16", **measured).conv_flops_per_s == pytest.approx(sheet.conv_flops_per_s / 2)


@pytest.mark.parametrize("speed", [0.01, 0.1, 2.0, 1e4])
def test_a_speed_that_no_card_has_leaves_the_data_sheet(speed: float):
    """Calls timed instead of kernels made an H100 fourteen times too slow; an emulated card computes in no time."""
    sheet = card_rates(V100, "float32")
    found = here(matmul_flops_per_s=speed * sheet.matmul_flops_per_s, elementwise_bytes_per_s=speed * 783e9)
    assert found.matmul_flops_per_s == sheet.matmul_flops_per_s
    assert found.elementwise_bytes_per_s == sheet.elementwise_bytes_per_s


def test_a_card_that_is_in_no_table_goes_by_what_was_measured():
    measured = DeviceRates("Card X", "tensorflow", matmul_flops_per_s=1e13, elementwise_bytes_per_s=4e11, launch_s=9e-6)
    found = rates_here(None, measured, "float32")
    assert (found.matmul_flops_per_s, found.elementwise_bytes_per_s, found.launch_s) == (1e13, 4e11, 9e-6)
    assert found.conv_flops_per_s < 1e13


def test_a_batch_is_copied_faster_over_a_newer_bus():
    ampere = card("RTX 3090", compute_capability=(8, 6))
    assert card_rates(V100, "float32").copy_bytes_per_s == COPY_BYTES_PER_S
    assert card_rates(ampere, "float32").copy_bytes_per_s == FAST_COPY_BYTES_PER_S


def test_only_cudnn_writes_tiles():
    radeon = card("Radeon VII", compute_capability=None, tensor_fp16_flops_per_s=None)
    rates = card_rates(replace(radeon, vendor="AMD"), "float32")
    assert rates.plain_convolutions
    assert not rates.winograd_through_memory
