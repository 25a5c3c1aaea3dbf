"""Simulated parts: what was asked for, nothing measured, the rest untouched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.catalog.gpu_names import find_gpu
from app.catalog.gpus import load_gpus
from app.core.simulate.device import allowed_memory, choose_device
from app.core.types.errors import UsageError
from app.core.types.machine import Cpu, Disk, Gpu, Machine, Ram
from app.core.types.units import GIB, MIB
from app.services.machine.simulate import (
    DESKTOP_HELD_BYTES,
    DESKTOP_RESIDUAL_BYTES,
    SIMULATED_REASON,
    simulate,
    simulated_gpu,
)

GPUS = load_gpus()
RTX_2060 = find_gpu("RTX 2060 6GB", GPUS).spec
MACHINE = Machine(
    os="Linux",
    cpu=Cpu(name="Ryzen 7 3700X", physical_cores=8),
    ram=Ram(total_bytes=16 * GIB, available_bytes=10 * GIB, kind="DDR4", swap_total_bytes=2 * GIB),
    disks=(Disk(mount="/", kind="ssd", read_bytes_per_s=5e8, free_bytes=7), Disk(mount="/data", kind="hdd")),
    gpus=(Gpu(index=0, name="A", temperature_c=50), Gpu(index=1, name="B")),
    unavailable={"gpus.1.power_w": "refused", "disks.1.read_bytes_per_s": "not tried", "ram.speed_mts": "needs root"},
)


def test_nothing_asked_changes_nothing():
    assert simulate(MACHINE) == MACHINE


def test_a_simulated_card_is_the_only_card_and_has_its_makers_rates():
    machine = simulate(MACHINE, gpu=RTX_2060)
    (gpu,) = machine.gpus
    assert (gpu.index, gpu.name, gpu.vendor, gpu.simulated) == (0, "GeForce RTX 2060 6GB", "NVIDIA", True)
    assert gpu.compute_capability == (7, 5)
    assert (gpu.cuda_cores, gpu.num_sms, gpu.sm_clock_max_mhz) == (1920, 30, 1680)
    assert gpu.memory_bandwidth_bytes_per_s == 336e9
    assert gpu.fp32_flops_per_s == RTX_2060.fp32_flops_per_s
    assert gpu.tensor_fp16_flops_per_s == RTX_2060.tensor_fp16_flops_per_s
    assert gpu.tensor_tf32_flops_per_s is None  # Turing has none
    assert gpu.memory_total_bytes == 6 * GIB
    assert gpu.memory_free_bytes == 6 * GIB - DESKTOP_HELD_BYTES
    assert gpu.memory_used_bytes == DESKTOP_HELD_BYTES
    assert machine.simulated == ("gpu",)
    assert (machine.cpu, machine.ram, machine.disks) == (MACHINE.cpu, MACHINE.ram, MACHINE.disks)


def test_live_readings_of_a_simulated_card_are_none_with_a_reason():
    machine = simulate(MACHINE, gpu=RTX_2060)
    gpu = machine.gpus[0]
    assert (gpu.temperature_c, gpu.utilization_percent, gpu.power_w, gpu.uuid) == (None, None, None, None)
    assert machine.unavailable["gpus.0.temperature_c"] == SIMULATED_REASON
    assert "gpus.1.power_w" not in machine.unavailable
    assert machine.unavailable["ram.speed_mts"] == "needs root"


def test_tensorflow_got_about_what_a_simulated_card_has_free():
    # an RTX 2060 under Windows, 2021: "Created device … with 3961 MB"; the simulated one is within 10 %
    machine = simulate(Machine(), gpu=RTX_2060)
    allowed = allowed_memory(machine, choose_device(machine, "auto")).bytes
    assert allowed == pytest.approx(3961 * MIB, rel=0.1)
    assert allowed == 6 * GIB - DESKTOP_RESIDUAL_BYTES - 1050 * MIB


@pytest.mark.parametrize(
    ("name", "driver_mib"),
    [("Tesla T4", 15360), ("L4", 23034), ("A10G", 23028), ("A40", 46068), ("Tesla P40", 22919), ("RTX A6000", 49140)],
)
def test_what_error_correction_takes_of_a_card_is_not_counted_as_its_memory(name, driver_mib):
    gpu = simulated_gpu(find_gpu(name, GPUS).spec)
    assert gpu.memory_total_bytes == pytest.approx(driver_mib * MIB, rel=0.007)
    assert gpu.memory_free_bytes < gpu.memory_total_bytes


@pytest.mark.parametrize("spec", GPUS, ids=lambda spec: spec.name)
def test_every_card_can_be_simulated(spec):
    gpu = simulated_gpu(spec)
    assert 0 < gpu.memory_free_bytes < gpu.memory_total_bytes
    assert gpu.memory_free_bytes + gpu.memory_used_bytes == gpu.memory_total_bytes
    assert gpu.unified == (spec.vendor == "apple")
    assert (gpu.cuda_cores is None) == (spec.vendor != "nvidia")


@pytest.mark.parametrize(("name", "gib"), [("M1 16GB", 10.67), ("M1 Max 64GB", 48), ("M2 Ultra 192GB", 144)])
def test_unified_memory_is_shared_as_metal_recommends(name, gib):
    assert simulated_gpu(find_gpu(name, GPUS).spec).memory_free_bytes == pytest.approx(gib * GIB, rel=1e-3)


def test_more_ram_keeps_what_programs_use():
    machine = simulate(MACHINE, ram_bytes=64 * GIB)
    assert machine.ram == Ram(total_bytes=64 * GIB, available_bytes=58 * GIB, kind="DDR4", swap_total_bytes=2 * GIB)
    assert machine.simulated == ("ram",)
    assert machine.gpus == MACHINE.gpus
    assert simulate(MACHINE, ram_bytes=4 * GIB).ram.available_bytes == 0


def test_use_within_a_container_counts_from_its_limit():
    inside = Machine(ram=Ram(total_bytes=256 * GIB, available_bytes=20 * GIB, limit_bytes=24 * GIB))
    ram = simulate(inside, ram_bytes=32 * GIB).ram
    assert (ram.total_bytes, ram.available_bytes, ram.limit_bytes) == (32 * GIB, 28 * GIB, None)


def test_unknown_use_of_ram_stays_unknown_with_a_reason():
    machine = simulate(Machine(), ram_bytes=32 * GIB)
    assert machine.ram.available_bytes is None
    assert "ram.available_bytes" in machine.unavailable


def test_a_disk_rate_counts_for_every_disk():
    machine = simulate(MACHINE, disk_bytes_per_s=2.4e9)
    assert [disk.read_bytes_per_s for disk in machine.disks] == [2.4e9, 2.4e9]
    assert [disk.kind for disk in machine.disks] == [None, None]
    assert machine.disks[0].free_bytes == 7
    assert "disks.1.read_bytes_per_s" not in machine.unavailable
    (disk,) = simulate(Machine(), disk_bytes_per_s=1e9).disks
    assert disk.read_bytes_per_s == 1e9


def test_parts_add_up_and_are_named_once():
    machine = simulate(simulate(MACHINE, gpu=RTX_2060), gpu=RTX_2060, ram_bytes=GIB, disk_bytes_per_s=1.0)
    assert machine.simulated == ("gpu", "ram", "disk")


@pytest.mark.parametrize(
    "wrong", [{"ram_bytes": 0}, {"ram_bytes": -1}, {"disk_bytes_per_s": 0}, {"disk_bytes_per_s": float("nan")}]
)
def test_impossible_parts_are_refused(wrong):
    with pytest.raises(UsageError, match="impossible"):
        simulate(MACHINE, **wrong)


@given(total=st.integers(1, 2**45), used=st.integers(0, 2**45), new=st.integers(1, 2**45))
def test_available_ram_stays_between_nothing_and_all(total, used, new):
    machine = Machine(ram=Ram(total_bytes=total, available_bytes=max(0, total - used)))
    assert 0 <= simulate(machine, ram_bytes=new).ram.available_bytes <= new
