"""NVIDIA cards as the driver tells them, and every way in which it refuses."""

from __future__ import annotations

import os

import pytest

from app.probes import nvidia_rates
from tests.fakes.nvml import H100, RTX_2060, FakeNvml
from tests.patience import SOON_S

READ = """
import dataclasses, json
from app.probes.nvidia import read_nvidia
print(json.dumps(dataclasses.asdict(read_nvidia())))
"""


def gpu_of(answer, index=0):
    return answer["gpus"][index]["value"], answer["gpus"][index]["unavailable"]


def test_two_cards_with_every_reading(fake_nvml: FakeNvml):
    fake_nvml.write(RTX_2060, H100, driver="580.95.05", cuda=13000)
    answer = fake_nvml.run(READ)
    assert (answer["driver"], answer["cuda_version"], answer["reason"]) == ("580.95.05", "13.0", "")
    small, missing = gpu_of(answer)
    table = "the card table knows it, of cards that start below their highest clock"
    assert missing == {"tensor_tf32_flops_per_s": "this generation has no TF32", "default_sm_clock_mhz": table}
    assert (small["name"], small["uuid"]) == ("NVIDIA GeForce RTX 2060", "GPU-fake-2060")
    assert (small["compute_capability"], small["cuda_cores"], small["num_sms"]) == ([7, 5], 1920, 30)
    reserved = 6 * 1024**3 // 50
    assert small["memory_free_bytes"] == 6 * 1024**3 - 300 * 1024**2 - reserved
    assert (small["power_limit_w"], small["power_w"], small["temperature_c"]) == (160, 9, 41)
    assert (small["pcie_generation"], small["pcie_generation_max"], small["pcie_width"]) == (1, 3, 16)
    assert small["memory_bandwidth_bytes_per_s"] == pytest.approx(336e9, rel=1e-3)  # data sheet: 336 GB/s
    big, missing = gpu_of(answer, 1)
    assert (big["index"], big["num_sms"], missing) == (1, 132, {"default_sm_clock_mhz": table})
    assert big["tensor_fp16_flops_per_s"] == pytest.approx(989e12, rel=0.09)  # data sheet at 1830 MHz


def test_geforce_accumulates_at_half_the_rate(fake_nvml: FakeNvml):
    fake_nvml.write(RTX_2060, {**RTX_2060, "name": "Quadro RTX 3000"})
    answer = fake_nvml.run(READ)
    rates = [gpu_of(answer, n)[0]["tensor_fp16_flops_per_s"] for n in (0, 1)]
    assert rates[1] == 2 * rates[0] == 2 * 30 * 512 * 2.1e9


def test_turing_without_tensor_cores():
    for name, capability in (("NVIDIA GeForce GTX 1650", (7, 5)), ("NVIDIA GeForce GTX 1080", (6, 1))):
        fp16, tf32, why = nvidia_rates.tensor_flops_per_s(name, capability, 14, 1800)
        assert (fp16, tf32, why) == (None, None, "this card has no tensor cores")


def test_driver_absent(fake_nvml: FakeNvml):
    if os.path.exists("/proc/driver/nvidia/version"):
        pytest.skip("this machine has an NVIDIA driver")
    answer = fake_nvml.run(READ, library=False)
    assert (answer["gpus"], answer["driver"]) == ([], None)
    assert answer["reason"] == "no NVIDIA driver is installed"


@pytest.mark.parametrize(("code", "words"), [(9, "not loaded"), (4, "not allow"), (18, "restart"), (999, "driver")])
def test_driver_that_refuses_to_start(fake_nvml: FakeNvml, code: int, words: str):
    fake_nvml.write(RTX_2060, fail_init=code)
    answer = fake_nvml.run(READ)
    assert answer["gpus"] == []
    assert words in answer["reason"]


def test_old_driver_lacks_functions(fake_nvml: FakeNvml):
    fake_nvml.write({**RTX_2060, "process": "4000001,1048576"}, driver="418.39", cuda=10010)
    answer = fake_nvml.run(READ, old=True)
    gpu, missing = gpu_of(answer)
    assert (answer["cuda_version"], gpu["name"], gpu["temperature_c"]) == ("10.1", RTX_2060["name"], 41)
    assert gpu["memory_free_bytes"] == 6 * 1024**3 - 300 * 1024**2 - 6 * 1024**3 // 50
    assert missing["cuda_cores"] == missing["bus_width_bits"] == "the NVIDIA driver is too old to tell"
    assert gpu["memory_bandwidth_bytes_per_s"] is gpu["fp32_flops_per_s"] is None
    assert missing["fp32_flops_per_s"] == "it follows from readings that are missing"
    assert [p["used_bytes"] for p in gpu["processes"]] == [1048576]


def test_reading_without_permission(fake_nvml: FakeNvml):
    fake_nvml.write({**RTX_2060, "fail.nvmlDeviceGetPowerManagementLimit": 4, "fail.nvmlDeviceGetUtilizationRates": 4})
    gpu, missing = gpu_of(fake_nvml.run(READ))
    assert gpu["power_limit_w"] is gpu["utilization_percent"] is None
    assert missing["power_limit_w"] == "the NVIDIA driver does not allow it to this user"
    assert gpu["memory_total_bytes"] == 6 * 1024**3


def test_one_of_two_cards_is_lost(fake_nvml: FakeNvml):
    fake_nvml.write({**RTX_2060, "fail": 15}, H100)
    answer = fake_nvml.run(READ)
    lost, missing = gpu_of(answer)
    assert (lost["index"], lost["memory_total_bytes"]) == (0, None)
    assert "lost" in missing["memory_total_bytes"]
    assert gpu_of(answer, 1)[0]["name"] == H100["name"]


def test_card_lost_in_the_middle_of_reading(fake_nvml: FakeNvml):
    fake_nvml.write({**RTX_2060, "lost_after": 5})
    gpu, missing = gpu_of(fake_nvml.run(READ))
    assert gpu["name"] == RTX_2060["name"]
    assert gpu["power_w"] is None
    assert "lost" in missing["power_w"]
    assert "lost" in missing["processes"]


def test_processes_that_hold_memory(fake_nvml: FakeNvml):
    me = os.getpid()
    processes = [f"{me},2097152", "4000001,1048576"]
    fake_nvml.write({**RTX_2060, "process": processes, "graphics": f"{me},3145728"})
    gpu, _ = gpu_of(fake_nvml.run(READ))
    mine, other = gpu["processes"]
    assert (mine["pid"], mine["used_bytes"]) == (me, 3145728)
    assert mine["name"]
    assert (other["pid"], other["name"]) == (4000001, "trainer")  # no folder, no arguments


def test_memory_of_processes_hidden_as_under_wddm(fake_nvml: FakeNvml):
    fake_nvml.write({**RTX_2060, "process": "4000001,na"})
    gpu, missing = gpu_of(fake_nvml.run(READ))
    assert gpu["processes"][0]["used_bytes"] is None
    assert "WSL2" in missing["processes.0.used_bytes"]


def test_whole_machine_carries_the_reasons(fake_nvml: FakeNvml):
    fake_nvml.write({**RTX_2060, "fail.nvmlDeviceGetPowerManagementLimit": 4})
    code = """
import dataclasses, json, time
from app.probes.machine import read_machine
start = time.perf_counter()
machine = read_machine()
print(json.dumps({**dataclasses.asdict(machine), "took_s": time.perf_counter() - start}))
"""
    machine = fake_nvml.run(code)
    assert machine["gpus"][0]["name"] == RTX_2060["name"]
    assert machine["unavailable"]["gpus.0.power_limit_w"] == "the NVIDIA driver does not allow it to this user"
    assert machine["took_s"] < SOON_S
