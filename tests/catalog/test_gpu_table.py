"""Our table of cards: complete, plausible, and in agreement with a second source wherever that one is right."""

import csv
import re
from pathlib import Path

import pytest

from app.catalog.gpus import load_gpus
from app.catalog.paths import resource_path
from app.core.timing.card_architectures import architecture_of, clock_share
from app.core.timing.card_rates import card_rates
from app.core.types.units import GIB
from app.services.machine.simulate import simulated_gpu

CARDS = {spec.name: spec for spec in load_gpus()}
with resource_path("gpus.csv").open(encoding="utf-8", newline="") as file:
    CELLS = {row["name"]: row for row in csv.DictReader(file)}
with (Path(__file__).parent / "epoch_gpus_ccby.csv").open(encoding="utf-8", newline="") as file:
    EPOCH = list(csv.DictReader(file))

FLOP_PER_CLOCK_AND_SM = {"7.0": 1024, "7.5": 1024, "8.0": 2048, "8.6": 1024, "8.9": 1024, "9.0": 4096, "12.0": 1024}
"""Tensor units, float16 with float32 accumulation, professional and data-centre cards (NVIDIA's white papers)."""
HALF_RATE = {"A10G", "L40"}
"""Data-centre cards that run it at half rate like a GeForce: 70 and 181 TFLOP/s dense in NVIDIA's own sheets."""
TOLERANCE = 0.12

# (card, column of Epoch's table) -> why we do not follow it
EPOCH_IS_WRONG = {
    ("B200", "fp32_tflops"): "NVIDIA's HGX sheet gives 600 TFLOP/s for eight",
    ("GeForce RTX 4070", "tdp_w"): "285 W is the 4070 Ti",
    ("GeForce RTX 4090", "tensor_fp16_bf16_tflops_dense"): "rate with float16 accumulation, twice ours",
    ("GeForce RTX 3090 Ti", "tensor_fp16_bf16_tflops_dense"): "rate with float16 accumulation, twice ours",
    ("GeForce RTX 2080 Ti", "tensor_fp16_bf16_tflops_dense"): "rate with float16 accumulation, overclocked edition",
    ("A10G", "tdp_w"): "150 W is the A10; the driver shows 300 W for the A10G",
    ("A100 PCIe 40GB", "bandwidth_gb_s"): "1940 GB/s is the 80 GB card",
    ("A100 PCIe 40GB", "tdp_w"): "300 W is the 80 GB card",
    ("Tesla P40", "bandwidth_gb_s"): "384 bits x 7.2 Gb/s are 346 GB/s; theirs is double",
    ("Instinct MI250X (each of its two dies)", "tf32_tflops_dense"): "float32 matrix rate; it has no TF32",
}
DIES = {"each of its two": 2, "each of its four": 4}


def dies(name):
    return next((count for words, count in DIES.items() if words in name), 1)


def test_at_least_ninety_five_cards_with_unique_names():
    assert len(CARDS) == len(CELLS) >= 95
    assert len({name.casefold() for name in CARDS}) == len(CARDS)


@pytest.mark.parametrize("spec", CARDS.values(), ids=lambda spec: spec.name)
def test_every_row_is_plausible_and_has_a_source(spec):
    assert re.fullmatch(r"https://[a-z]+\.(nvidia|amd|intel|apple|amazon)\.com/\S+", spec.source)
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", spec.source_date)
    assert 2 * GIB <= spec.memory_bytes <= 512 * GIB
    assert 50e9 <= spec.memory_bandwidth_bytes_per_s <= 10e12
    assert 1e12 <= spec.fp32_flops_per_s <= 200e12
    assert spec.launch_date is not None
    assert "2014" <= spec.launch_date <= "2026"
    assert spec.tdp_w is None or 30 <= spec.tdp_w <= 1400
    assert (spec.compute_capability is not None) == (spec.vendor == "nvidia") == (spec.tensorflow == "cuda")
    assert (spec.tensorflow == "metal") == (spec.segment == "soc") == (spec.vendor == "apple")
    if spec.vendor == "nvidia":
        assert spec.bf16 is (spec.compute_capability >= (8, 0))
        assert spec.num_sms is not None
        lanes = 192 if spec.compute_capability < (5, 0) else 64 if spec.compute_capability[0] in (6, 7, 8) else 128
        assert spec.cores / spec.num_sms in (lanes, 128)


@pytest.mark.parametrize("name", CARDS)
def test_fp32_is_lanes_times_clock(name):
    spec, per_clock = CARDS[name], CELLS[name]["fp32_flop_per_core_clock"]
    if not per_clock:
        assert spec.boost_clock_mhz is None  # the maker states the rate, but no clock
        return
    derived = spec.cores * int(per_clock) * spec.boost_clock_mhz * 1e6
    assert spec.fp32_flops_per_s == pytest.approx(derived, rel=1e-3)


@pytest.mark.parametrize("name", [name for name, spec in CARDS.items() if spec.vendor == "nvidia"])
def test_tensor_rate_is_sms_times_clock(name):
    spec, capability = CARDS[name], CELLS[name]["compute_capability"]
    rate = spec.tensor_fp16_flops_per_s
    if rate is None:
        assert spec.compute_capability < (7, 0) or name.startswith("GeForce GTX 16")
        return
    if capability in FLOP_PER_CLOCK_AND_SM and spec.boost_clock_mhz is not None:
        half = name in HALF_RATE or name.startswith("GeForce")
        per_clock = FLOP_PER_CLOCK_AND_SM[capability] / (2 if half else 1)
        derived = spec.num_sms * per_clock * spec.boost_clock_mhz * 1e6
        # Hopper: NVIDIA states the rate at the clock that the power limit allows, up to 14 % below the boost clock
        assert 0.86 * derived <= rate <= derived if capability == "9.0" else rate == pytest.approx(derived, rel=1e-3)
    if spec.compute_capability < (8, 0):
        assert spec.tensor_tf32_flops_per_s is None
    else:
        assert spec.tensor_tf32_flops_per_s == pytest.approx(rate / 2, rel=2e-3)


@pytest.mark.parametrize("capability", [(5, 2), (6, 1), (7, 0), (7, 5), (8, 6), (8, 9), (12, 0)])
def test_the_power_that_full_clocks_take_is_that_of_the_thriftiest_desktop_card(capability):
    alike = [s for s in CARDS.values() if s.segment == "desktop" and s.compute_capability == capability]
    least = min(s.tdp_w / (s.fp32_flops_per_s / 1e12) for s in alike)
    architecture = architecture_of(simulated_gpu(alike[0]))
    assert architecture.watts_per_tflops == pytest.approx(least, rel=0.005)
    assert all(clock_share(simulated_gpu(s), architecture) > 0.99 for s in alike)


def test_only_teslas_before_pascal_ship_below_their_boost_clock():
    lowered = {s.name for s in CARDS.values() if s.default_clock_mhz is not None}
    assert lowered == {"Tesla M40 12GB", "Tesla M40 24GB", "Tesla M60 (each of its two GPUs)"}
    assert all(CARDS[name].default_clock_mhz < CARDS[name].boost_clock_mhz for name in lowered)


@pytest.mark.parametrize("spec", CARDS.values(), ids=lambda spec: spec.name)
def test_every_card_of_the_table_has_a_speed(spec):
    gpu = simulated_gpu(spec)
    rates = card_rates(gpu, "float32")
    assert rates.framework == "data sheet"
    assert 0.1 * spec.fp32_flops_per_s < rates.matmul_flops_per_s
    assert 0.3 < rates.elementwise_bytes_per_s / spec.memory_bandwidth_bytes_per_s < 1
    assert 2e-6 < rates.kernel_floor_s < 2e-5


@pytest.mark.parametrize(
    ("column", "ours", "unit"),
    [
        ("vram_gb", "memory_bytes", GIB),
        ("bandwidth_gb_s", "memory_bandwidth_bytes_per_s", 1e9),
        ("tdp_w", "tdp_w", 1),
        ("fp32_tflops", "fp32_flops_per_s", 1e12),
        ("tf32_tflops_dense", "tensor_tf32_flops_per_s", 1e12),
        ("tensor_fp16_bf16_tflops_dense", "tensor_fp16_flops_per_s", 1e12),
    ],
)
def test_agrees_with_epoch(column, ours, unit):
    compared, wrong = 0, {}
    for row in EPOCH:
        name, mine = row["our_name"], getattr(CARDS[row["our_name"]], ours)
        if row[column] and (name, column) in EPOCH_IS_WRONG:
            wrong[name, column] = mine
        elif row[column] and mine is not None:
            # boards are listed whole there, and per die (that is, as a framework sees them) here
            theirs = float(row[column]) * unit / (1 if column == "bandwidth_gb_s" and "K80" in name else dies(name))
            tolerance = 0.15 if dies(name) > 1 else TOLERANCE
            assert mine == pytest.approx(theirs, rel=tolerance), (name, mine, theirs)
            compared += 1
    assert compared >= 15
    assert wrong.keys() == {key for key in EPOCH_IS_WRONG if key[1] == column}


def test_a_named_disagreement_is_a_real_one():
    theirs = {(row["our_name"], column): row[column] for row in EPOCH for column in row}
    assert all(theirs[key] for key in EPOCH_IS_WRONG)


def test_some_figures_by_hand():
    rtx_2060 = CARDS["GeForce RTX 2060 6GB"]  # 30 SMs, 1920 lanes, 1.68 GHz, 192 bits x 14 Gb/s
    assert rtx_2060.memory_bytes == 6 * GIB
    assert rtx_2060.fp32_flops_per_s == pytest.approx(6.451e12, rel=1e-3)
    assert rtx_2060.tensor_fp16_flops_per_s == pytest.approx(30 * 512 * 1.68e9, rel=1e-3)
    assert rtx_2060.memory_bandwidth_bytes_per_s == 336e9
    assert rtx_2060.compute_capability == (7, 5)
    assert CARDS["GeForce RTX 4090"].tensor_fp16_flops_per_s == pytest.approx(165.2e12, rel=1e-3)
    assert CARDS["A100 SXM 80GB"].tensor_tf32_flops_per_s == pytest.approx(156e12, rel=1e-2)
    assert CARDS["Radeon RX 7900 XTX"].compute_capability is None
