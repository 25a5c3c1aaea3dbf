"""The processor: names, cores, limits of containers, caches."""

from __future__ import annotations

import platform

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.probes import cgroup, oom_kills, smbios
from app.probes.cpu import read_cpu
from app.probes.cpu_other import read_mac_cpu
from app.probes.tree import parse_cpu_list

FLAGS = (
    "fpu mmx sse sse2 ht pni pclmulqdq xsavec xsaveopt sse3 ssse3 fma cx16 sse4_1 sse4_2 movbe popcnt aes "
    "avx f16c rdrand lahf_lm abm avx2 bmi1 bmi2 xsave clflushopt clwb clzero adx rdseed sha_ni fsgsbase sse4a rdpid"
)


def ryzen(cores=8, threads=2):
    blocks = [
        f"processor\t: {n}\nvendor_id\t: AuthenticAMD\n"
        "model name\t: AMD Ryzen 7 3700X 8-Core Processor\ncpu MHz\t\t: 2195.1\n"
        f"physical id\t: 0\ncore id\t\t: {n % cores}\nflags\t\t: {FLAGS}\n"
        for n in range(cores * threads)
    ]
    caches = {}
    for n in range(cores * threads):
        folder = f"sys/devices/system/cpu/cpu{n}/"
        caches[folder + "cpufreq/cpuinfo_max_freq"] = "4426171"
        own, shared = str(n % cores), "0-3" if n % cores < 4 else "4-7"
        rows = [
            ("1", "Data", "32K", own),
            ("1", "Instruction", "32K", own),
            ("2", "Unified", "512K", own),
            ("3", "Unified", "16384K", shared),
        ]
        for index, row in enumerate(rows):
            for name, value in zip(("level", "type", "size", "shared_cpu_list"), row, strict=True):
                caches[f"{folder}cache/index{index}/{name}"] = value
    return {"proc/cpuinfo": "\n".join(blocks), "proc/self/status": "Name:\tx\nCpus_allowed_list:\t0-15\n", **caches}


def test_ryzen(tree):
    cpu = read_cpu(tree(ryzen())).value
    assert (cpu.name, cpu.vendor) == ("AMD Ryzen 7 3700X 8-Core Processor", "AMD")
    assert (cpu.physical_cores, cpu.logical_cores, cpu.usable_cores) == (8, 16, 16.0)
    assert cpu.max_clock_mhz == pytest.approx(4426.171)
    assert cpu.features == ("sse4_2", "avx", "f16c", "fma", "avx2")
    assert (cpu.l1d_bytes, cpu.l2_bytes, cpu.l3_bytes) == (32 * 1024, 512 * 1024, 2 * 16 * 1024**2)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="archspec compares within the family of this machine")
def test_microarchitecture_of_a_recorded_machine(tree):
    assert read_cpu(tree(ryzen())).value.microarchitecture == "zen2"


def test_affinity_limits_usable_cores(tree):
    root = tree({**ryzen(), "proc/self/status": "Cpus_allowed_list:\t0-1,8\n"})
    assert read_cpu(root).value.usable_cores == 3.0


def test_cgroup_v2_quota_of_a_level_above(tree):
    root = tree(
        {
            **ryzen(),
            "proc/mounts": "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n",
            "proc/self/cgroup": "0::/user.slice/job\n",
            "sys/fs/cgroup/user.slice/cpu.max": "250000 100000",
            "sys/fs/cgroup/user.slice/job/cpu.max": "max 100000",
        }
    )
    assert read_cpu(root).value.usable_cores == 2.5


def test_cgroup_v1_quota_seen_from_inside_the_container(tree):
    root = tree(
        {
            **ryzen(),
            "proc/mounts": "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n",
            "proc/self/cgroup": "4:cpu,cpuacct:/docker/0123abcd\n",  # the host's path: not there inside
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "150000",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000",
        }
    )
    assert read_cpu(root).value.usable_cores == 1.5


def test_arm_board_without_names(tree):
    block = "processor\t: {}\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd asimddp sve bf16\nCPU implementer\t: 0x41\n"
    probed = read_cpu(
        tree(
            {
                "proc/cpuinfo": "\n".join(block.format(n) for n in range(4)),
                **{f"sys/devices/system/cpu/cpu{n}/topology/core_cpus_list": str(n) for n in range(4)},
            }
        )
    )
    assert (probed.value.vendor, probed.value.physical_cores, probed.value.logical_cores) == ("ARM", 4, 4)
    assert probed.value.features == ("asimd", "asimddp", "bf16", "sve")
    assert (probed.value.name, probed.value.max_clock_mhz) == (None, None)
    assert probed.unavailable["name"] == "the kernel does not tell"
    assert "clock" in probed.unavailable["max_clock_mhz"]


def test_nothing_to_read_is_no_error(tree):
    probed = read_cpu(tree({"proc/other": ""}))
    assert (probed.value.logical_cores, probed.value.usable_cores) == (None, None)
    assert set(probed.unavailable) >= {"name", "logical_cores", "usable_cores", "l3_bytes"}


def test_this_machine():
    probed = read_cpu()
    assert probed.value.logical_cores
    assert 0 < probed.value.usable_cores <= probed.value.logical_cores
    assert probed.value.microarchitecture


def test_mac():
    answer = (
        "machdep.cpu.brand_string: Apple M2 Pro\nhw.physicalcpu: 10\nhw.logicalcpu: 10\n"
        "hw.perflevel0.l1dcachesize: 131072\nhw.l2cachesize: 4194304\nhw.perflevel0.l2cachesize: 16777216\n"
    )
    probed = read_mac_cpu(lambda command: answer)
    assert (probed.value.name, probed.value.vendor, probed.value.physical_cores) == ("Apple M2 Pro", "Apple", 10)
    assert (probed.value.l1d_bytes, probed.value.l2_bytes) == (131072, 16777216)
    assert probed.unavailable["max_clock_mhz"] == "Apple silicon does not tell its clock"


@given(st.sets(st.integers(0, 4096)))
def test_cpu_list_round_trip(cpus):
    assert parse_cpu_list(",".join(str(n) for n in sorted(cpus))) == cpus


@given(st.text())
def test_cpu_list_never_fails(text):
    parse_cpu_list(text if len(text) < 20 else text[:20])


@pytest.mark.parametrize("text", ["0-99999999999", "0-" + "9" * 5000, "7-999999999"])
def test_a_cpu_list_that_cannot_be_is_short(text):
    assert len(parse_cpu_list(text)) <= 2**16


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("sys/fs/cgroup/cpu.max", cgroup.cpu_quota),
        ("sys/fs/cgroup/memory.max", cgroup.memory_limit),
        ("proc/vmstat", oom_kills.oom_kills),
        ("run/udev/data/+dmi:id", lambda root: smbios.read_modules(root).speed_mts),
    ],
)
@pytest.mark.parametrize("number", ["9" * 5000, "1e3", "-", "7x"])
def test_a_number_that_is_none_is_not_available(tmp_path, name, read, number):
    told = {
        "proc/mounts": "cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n",
        "proc/self/cgroup": "0::/\n",
        name: f"{number} {number}\noom_kill {number}\nE:MEMORY_DEVICE_0_SPEED_MTS={number}\n",
    }
    if name.endswith("cpu.max"):
        told[name] = f"50000 {number}\n"
    for path, text in told.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert read(tmp_path) is None
