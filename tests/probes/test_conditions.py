"""Heat, power and swapping as recorded machines tell them."""

from __future__ import annotations

import pytest

from app.core.runs.doubts import Conditions
from app.probes.conditions import read_conditions
from app.probes.cpu_live import NO_METER, CpuLive, CpuMeters
from app.probes.oom_kills import oom_kills
from app.probes.tree import page_bytes

CPU = "sys/devices/system/cpu/"


def test_a_hot_laptop_on_battery(tree):
    root = tree(
        {
            CPU + "cpu0/thermal_throttle/core_throttle_count": "3",
            CPU + "cpu0/thermal_throttle/package_throttle_count": "4",
            CPU + "cpu1/thermal_throttle/core_throttle_count": "2",
            CPU + "cpuidle/current_driver": "x",
            CPU + "cpu0/cpufreq/scaling_governor": "powersave",
            CPU + "cpu0/cpufreq/scaling_driver": "intel_pstate",
            CPU + "cpu0/cpufreq/energy_performance_preference": "power",
            "sys/class/power_supply/BAT0/type": "Battery",
            "sys/class/power_supply/BAT0/status": "Discharging",
            "proc/vmstat": "nr_free_pages 9\npswpin 2\npswpout 3\n",
        }
    )
    found = read_conditions(root)
    assert found == Conditions(9, "energy preference power", True, 5 * page_bytes())


@pytest.mark.parametrize(
    ("files", "setting"),
    [
        ({"governor": "powersave", "driver": "intel_pstate", "preference": "balance_performance"}, ""),
        ({"governor": "powersave", "driver": "acpi-cpufreq"}, "governor powersave"),
        ({"governor": "performance", "driver": "acpi-cpufreq"}, ""),
        ({"governor": "schedutil", "profile": "low-power"}, "platform profile low-power"),
        ({}, None),
    ],
)
def test_power_saving_settings(tree, files, setting):
    places = {
        "governor": CPU + "cpu0/cpufreq/scaling_governor",
        "driver": CPU + "cpu0/cpufreq/scaling_driver",
        "preference": CPU + "cpu0/cpufreq/energy_performance_preference",
        "profile": "sys/firmware/acpi/platform_profile",
    }
    assert read_conditions(tree({"proc/stat": "", **{places[k]: v for k, v in files.items()}})).power_saver == setting


def test_a_machine_that_tells_nothing(tree):
    assert read_conditions(tree({"proc/stat": ""})) == Conditions()
    assert CpuMeters(tree({"proc/stat": ""})).read() == CpuLive()


def test_clock_heat_and_energy(tree):
    power = "sys/class/powercap/"
    root = tree(
        {
            CPU + "cpufreq/policy0/scaling_cur_freq": "3000000",
            CPU + "cpufreq/policy1/scaling_cur_freq": "2000000",
            "sys/class/hwmon/hwmon0/name": "nvme",
            "sys/class/hwmon/hwmon0/temp1_input": "30000",
            "sys/class/hwmon/hwmon1/name": "k10temp",
            "sys/class/hwmon/hwmon1/temp1_input": "61500",
            power + "intel-rapl:0/name": "package-0",
            power + "intel-rapl:0/energy_uj": "5000000",
            power + "intel-rapl:0/max_energy_range_uj": "262143328850",
            power + "intel-rapl:0:0/name": "core",
            power + "intel-rapl:0:0/energy_uj": "1000000",
        }
    )
    meters = CpuMeters(root)
    assert meters.read() == CpuLive(2500.0, 61.5, 5.0, 262143.32885)
    assert meters.energy_reason == ""
    assert CpuMeters(tree({power + "intel-rapl:0/name": "psys"})).energy_reason != ""


def test_energy_that_is_not_there_has_a_reason(tree):
    assert CpuMeters(tree({"proc/stat": ""})).energy_reason == NO_METER


def test_memory_kills_of_the_machine_and_of_the_container(tree):
    assert oom_kills(tree({"proc/stat": ""})) is None
    root = tree({"proc/vmstat": "pgfault 7\noom_kill 3\n"})
    assert oom_kills(root) == 3
    root = tree(
        {
            "proc/mounts": "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n",
            "proc/self/cgroup": "0::/box\n",
            "sys/fs/cgroup/box/memory.events": "low 0\noom 5\noom_kill 4\n",
        }
    )
    assert oom_kills(root) == 4
