from app.catalog.gpus import load_gpus
from app.core.types.machine import Gpu, Machine
from app.core.types.units import GIB
from app.services.machine.card_facts import with_catalog_rates


def filled(name: str, gib: float, **read: object) -> Gpu:
    machine = Machine(gpus=(Gpu(name=name, memory_total_bytes=int(gib * GIB), **read),))
    return with_catalog_rates(machine, load_gpus()).gpus[0]


def test_the_makers_rates_count_before_those_of_the_highest_clock():
    assert filled("Tesla T4", 16, fp32_flops_per_s=9e12).fp32_flops_per_s == 8.141e12


def test_a_tesla_before_pascal_runs_at_its_default_clock():
    assert filled("Tesla M40 24GB", 24).default_sm_clock_mhz == 948
    assert filled("Tesla T4", 16).default_sm_clock_mhz is None


def test_a_card_that_nobody_knows_stays_as_it_was_read():
    assert filled("Card X", 8, fp32_flops_per_s=1e12).fp32_flops_per_s == 1e12


def test_error_correction_is_known_by_the_memory_that_it_takes():
    assert filled("NVIDIA L4", 22.49).ecc_in_memory
    assert not filled("NVIDIA L4", 24).ecc_in_memory  # switched off
    assert not filled("NVIDIA A100-SXM4-40GB", 39.4).ecc_in_memory  # HBM has bits of its own for it
