import pytest

from app.core.simulate.xla.card import SPEEDS, CardCompiler
from app.core.simulate.xla.card_costs import A100, RTX_3060, RTX_4060, RTX_4090, RTX_5080, T4, V100
from app.core.types.machine import Gpu


def told(bandwidth, flops, multiprocessors, cores):
    return {
        "memory_bandwidth_bytes_per_s": bandwidth,
        "fp32_flops_per_s": flops,
        "num_sms": multiprocessors,
        "cuda_cores": cores,
    }


@pytest.mark.parametrize(("capability", "by_triton"), [((7, 0), False), ((7, 5), False), ((8, 0), True), (None, True)])
def test_products_are_xlas_own_from_ampere_on(capability, by_triton):
    assert CardCompiler(capability).writes_products_itself is by_triton


@pytest.mark.parametrize(
    ("capability", "precision", "rank", "last"),
    [
        ((6, 1), "mixed_float16", 2, False),
        ((7, 5), "mixed_float16", 2, True),
        ((7, 5), "mixed_float16", 3, False),
        ((8, 9), "float32", 2, False),
        ((9, 0), "float32", 3, True),
    ],
)
def test_where_channels_stay_last(capability, precision, rank, last):
    assert CardCompiler(capability).keeps_channels_last(precision, rank) is last


@pytest.mark.parametrize("capability", [None, (6, 1), (7, 0), (7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (10, 0), (12, 0)])
def test_one_card_of_a_generation_stands_for_all(capability):
    own, first = CardCompiler(capability), CardCompiler(CardCompiler.generation(capability))
    assert own.writes_products_itself == first.writes_products_itself
    for precision in ("float32", "mixed_float16"):
        for rank in (1, 2, 3):
            assert own.keeps_channels_last(precision, rank) == first.keeps_channels_last(precision, rank)


@pytest.mark.parametrize(
    ("gpu", "speed"),
    [
        (Gpu(compute_capability=(7, 5)), V100),
        (Gpu(compute_capability=(7, 5), **told(320e9, 8.14e12, 40, 2560)), T4),
        (Gpu(compute_capability=(8, 6), **told(448e9, 16.2e12, 38, 4864)), RTX_3060),
        (Gpu(compute_capability=(8, 0), **told(2039e9, 19.5e12, 108, 6912)), A100),
        (Gpu(compute_capability=(8, 9), **told(288e9, 22.1e12, 34, 4352)), RTX_4060),
        (Gpu(compute_capability=(8, 9), **told(736e9, 52.2e12, 80, 10240)), RTX_4090),
        (Gpu(compute_capability=(12, 0), **told(448e9, 30.9e12, 48, 6144)), RTX_5080),
    ],
)
def test_a_card_is_taken_for_the_most_alike_of_its_generation(gpu, speed):
    assert CardCompiler.of(gpu).speed == speed


def test_a_card_is_most_like_itself():
    for known in SPEEDS.values():
        for speed in known:
            assert min(known, key=speed.distance) == speed
