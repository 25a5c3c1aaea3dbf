"""Live readings: cheap, honest about rates, and alive when the driver is not."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from app.probes.nvml import NvmlUnavailable
from app.probes.sampler import FIRST_READING, PROCESS_ENDED, Sampler
from tests.fakes.nvml import H100, RTX_2060, FakeNvml

STAT = "cpu  {busy} 0 0 {idle} 0 0 0 0 0 0\n"
MEMORY = "MemTotal:  1000 kB\nMemAvailable: 400 kB\n"
DISKS = "259 0 nvme0n1 10 0 {sectors} 0 0 0 0 0 0 0 0\n259 1 nvme0n1p1 10 0 {sectors} 0 0 0 0 0 0 0 0\n"


def no_driver():
    raise NvmlUnavailable("no NVIDIA driver is installed")


def test_rates_need_two_readings(tree):
    root = tree(
        {
            "proc/stat": STAT.format(busy=100, idle=900),
            "proc/meminfo": MEMORY,
            "proc/diskstats": DISKS.format(sectors=1000),
            "sys/block/nvme0n1/size": "1",
        }
    )
    times = iter([0.0, 1.0, 3.0])
    sampler = Sampler(root=root, clock=lambda: next(times), nvml=None)
    first = sampler.take()
    assert (first.cpu_percent, first.disk_read_bytes_per_s) == (None, None)
    assert first.unavailable["cpu_percent"] == FIRST_READING
    assert (first.ram_used_bytes, first.ram_total_bytes) == (600 * 1024, 1000 * 1024)
    (root / "proc/stat").write_text(STAT.format(busy=150, idle=950))
    (root / "proc/diskstats").write_text(DISKS.format(sectors=5000))
    second = sampler.take()
    assert (second.t_s, second.cpu_percent) == (3.0, 50.0)
    assert second.disk_read_bytes_per_s == 4000 * 512 / 2  # the partition is not counted a second time
    assert second.unavailable == {}


def test_amd_card_live(tree):
    folder = "sys/bus/pci/devices/0000:03:00.0/"
    root = tree(
        {
            folder + "class": "0x030000",
            folder + "vendor": "0x1002",
            folder + "device": "0x744c",
            folder + "gpu_busy_percent": "37",
            folder + "mem_info_vram_used": "1048576",
        }
    )
    (gpu,) = Sampler(root=root, nvml=None).take().gpus
    assert (gpu.utilization_percent, gpu.memory_used_bytes, gpu.reason) == (37.0, 1048576, "")
    (root / folder / "gpu_busy_percent").unlink()
    (root / folder / "mem_info_vram_used").unlink()
    sampler = Sampler(root=root, nvml=None)
    assert sampler.take().unavailable["gpus.0"] == "the amdgpu driver does not answer"


def test_process_tree_of_a_real_child():
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'while True: pass'])"
    child = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    try:
        with Sampler(child.pid, nvml=no_driver) as sampler:
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline:
                time.sleep(0.3)
                now = sampler.take().process
                assert now is not None
                if now.processes == 2 and now.cpu_percent:
                    break
            assert now.processes == 2
            assert 1 < now.cpu_percent <= 100
            assert now.rss_bytes > 1024**2
            assert sampler.take().unavailable["nvidia"] == "no NVIDIA driver is installed"
            os.killpg(child.pid, 9)
            child.wait()
            ended = sampler.take()
            assert (ended.process, ended.unavailable["process"]) == (None, PROCESS_ENDED)
    finally:
        if child.poll() is None:
            os.killpg(child.pid, 9)
            child.wait()


def test_a_reading_a_second_costs_less_than_a_hundredth_of_a_core():
    with Sampler(os.getpid(), nvml=no_driver) as sampler:
        sampler.take()
        before = time.process_time()
        for _ in range(50):
            sampler.take()
        assert (time.process_time() - before) / 50 < 0.01


def test_driver_is_left_alone_after_a_failure(tree):
    asked = []
    now = [0.0]

    def refuse():
        asked.append(now[0])
        raise NvmlUnavailable("gone")

    sampler = Sampler(root=tree({"proc/stat": ""}), clock=lambda: now[0], nvml=refuse)
    for second in range(61):
        now[0] = float(second)
        sampler.take()
    assert asked == [0.0, 30.0, 60.0]


WATCH = """
import dataclasses, json, os, pathlib, time
from app.probes.sampler import Sampler
config = pathlib.Path(os.environ["FAKE_NVML_CONFIG"])
text = config.read_text()
now = [0.0]
with Sampler(PID, clock=lambda: now[0]) as sampler:
    shots = [sampler.take()]
    time.sleep(0.05)
    config.write_text(text.replace("[gpu]", "[gpu]\\nfail=15"))
    now[0] = 1.0
    shots.append(sampler.take())
    now[0] = 2.0
    shots.append(sampler.take())
    time.sleep(0.05)
    config.write_text(text)
    now[0] = 40.0
    shots.append(sampler.take())
print(json.dumps([dataclasses.asdict(shot) for shot in shots]))
"""


def test_cards_are_lost_while_running_and_come_back(fake_nvml: FakeNvml):
    fake_nvml.write(RTX_2060, {**H100, "util_gpu": 93})
    before, lost, still, back = fake_nvml.run(WATCH.replace("PID", "None"))
    assert [gpu["utilization_percent"] for gpu in before["gpus"]] == [4.0, 93.0]
    for shot in (lost, still):
        assert [gpu["index"] for gpu in shot["gpus"]] == [0, 1]
        assert all(gpu["memory_used_bytes"] is None and "lost" in gpu["reason"] for gpu in shot["gpus"])
        assert "lost" in shot["unavailable"]["gpus.0"]
    assert back["gpus"] == before["gpus"]


def test_memory_of_the_watched_process(fake_nvml: FakeNvml):
    me = os.getpid()
    fake_nvml.write({**RTX_2060, "process": f"{me},2097152"}, {**H100, "process": f"{me},na"})
    first, second = fake_nvml.run(WATCH.replace("PID", str(me)))[0]["gpus"]
    assert first["process_memory_bytes"] == 2097152
    assert second["process_memory_bytes"] is None


def test_process_that_never_was():
    with pytest.raises(OSError, match="No such process"):
        os.kill(2**22 + 1, 0)
    with Sampler(2**22 + 1, nvml=no_driver) as sampler:
        assert sampler.take().process is None


def test_why_a_card_is_slow_and_what_it_used(fake_nvml: FakeNvml):
    slow = {**RTX_2060, "has_throttle": 1, "throttle": 0x20 | 0x40 | 0x4 | 0x1, "energy_mj": 123456}
    fake_nvml.write(slow, H100)
    first, second = fake_nvml.run(WATCH.replace("PID", "None"))[0]["gpus"]
    assert (first["throttle"], first["energy_j"]) == ("thermal slowdown, power limit", 123.456)
    assert (second["throttle"], second["energy_j"]) == (None, None)


def test_an_old_driver_tells_it_under_the_old_name(fake_nvml: FakeNvml):
    fake_nvml.write({**RTX_2060, "has_throttle": 1, "throttle": 0x80, "energy_mj": 0}, driver="418.39")
    (card,) = fake_nvml.run(WATCH.replace("PID", "None"), old=True)[0]["gpus"]
    assert (card["throttle"], card["energy_j"]) == ("power brake", None)


def test_others_are_what_the_watched_tree_is_not(tree):
    stat = "7 (python) S 1 7 7 0 -1 0 0 0 0 0 {ticks} 0 0 0 20 0 1 0 0 0 100 0"
    root = tree(
        {
            "proc/stat": STAT.format(busy=100, idle=900),
            "proc/meminfo": MEMORY + "SwapTotal: 10 kB\nSwapFree: 4 kB\n",
            "proc/7/stat": stat.format(ticks=10),
            "proc/7/task/7/children": "",
        }
    )
    times = iter([0.0, 0.0, 1.0])
    sampler = Sampler(7, root=root, clock=lambda: next(times), nvml=None)
    assert sampler.take().others_cpu_percent is None
    (root / "proc/stat").write_text(STAT.format(busy=160, idle=940))
    (root / "proc/7/stat").write_text(stat.format(ticks=50))
    now = sampler.take()
    assert (now.cpu_percent, now.others_cpu_percent) == pytest.approx((60.0, 20.0))  # 40 of 60 busy ticks were ours
    assert now.swap_used_bytes == 6 * 1024
