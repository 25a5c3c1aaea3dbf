"""Numbers that cannot be are named; all others pass."""

import math
from dataclasses import replace

import pytest

from app.core.types.machine import Cpu, DeviceRates, Gpu, Machine, Ram
from app.core.types.messages import Reading
from app.core.types.plausible import Implausible, check_plausible

GOOD = Machine(
    cpu=Cpu(physical_cores=8, usable_cores=7.5, max_clock_mhz=4400.0),
    ram=Ram(total_bytes=2**36, speed_mts=3200),
    gpus=(Gpu(temperature_c=-10.0, fp32_flops_per_s=1e14, power_limit_w=450.0, memory_total_bytes=2**37),),
)


def test_a_machine_of_today_passes():
    check_plausible(GOOD)
    check_plausible(Machine())
    check_plausible(Machine(cpu=Cpu(max_clock_mhz=0.0)))  # some virtual machines tell it
    check_plausible(None)


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (replace(GOOD, ram=Ram(total_bytes=-1)), "ram.total_bytes"),
        (replace(GOOD, ram=Ram(total_bytes=2**61)), "ram.total_bytes"),
        (replace(GOOD, ram=Ram(total_bytes=10**400)), "ram.total_bytes"),
        (replace(GOOD, cpu=Cpu(usable_cores=math.nan)), "cpu.usable_cores"),
        (replace(GOOD, cpu=Cpu(max_clock_mhz=math.inf)), "cpu.max_clock_mhz"),
        (replace(GOOD, cpu=Cpu(max_clock_mhz=1e-320)), "cpu.max_clock_mhz"),
        (replace(GOOD, cpu=Cpu(usable_cores=1e-300)), "cpu.usable_cores"),
        (replace(GOOD, gpus=(Gpu(), Gpu(memory_bandwidth_bytes_per_s=-1.0))), "gpus.memory_bandwidth_bytes_per_s"),
        (DeviceRates("cpu", "x", launch_s=-1e-6), "launch_s"),
        (DeviceRates("cpu", "x", matmul_flops_per_s=1e30), "matmul_flops_per_s"),
        (Reading(1.0, 10**30), "step"),
        ({"reserved_bytes": -5}, ".reserved_bytes"),
    ],
)
def test_what_cannot_be_is_named(wrong, name):
    with pytest.raises(Implausible, match=f"^{name} cannot be"):
        check_plausible(wrong)
