"""AMD, Intel and Apple graphics, Windows's registry, and cards that no driver speaks for."""

from __future__ import annotations

from app.probes.amd import read_amd
from app.probes.apple import read_apple
from app.probes.intel import read_intel
from app.probes.machine import read_machine
from app.probes.windows_gpu import from_registry

GIB = 1024**3
PCI_IDS = "1002  Advanced Micro Devices\n\t744c  Navi 31 [Radeon RX 7900 XT/7900 XTX]\n"
PCI_IDS += "8086  Intel\n\t56a0  DG2 [Arc A770]\n10de  NVIDIA\n\t1f08  TU106 [GeForce RTX 2060 Rev. A]\n"


def card(address, vendor, device, **files):
    folder = f"sys/bus/pci/devices/{address}/"
    facts = {"class": "0x030000", "vendor": vendor, "device": device, **files}
    return {folder + name.replace("__", "/"): value for name, value in facts.items()}


def amd_card(address="0000:03:00.0"):
    return card(
        address,
        "0x1002",
        "0x744c",
        mem_info_vram_total=str(24 * GIB),
        mem_info_vram_used=str(GIB),
        gpu_busy_percent="12",
        unique_id="abc123",
        pp_dpm_sclk="0: 500Mhz *\n1: 2304Mhz\n",
        pp_dpm_mclk="0: 96Mhz *\n1: 1249Mhz\n",
        hwmon__hwmon4__power1_average="31000000",
        hwmon__hwmon4__power1_cap="327000000",
        hwmon__hwmon4__temp1_input="45000",
        current_link_speed="2.5 GT/s PCIe",
        current_link_width="16",
        max_link_speed="16.0 GT/s PCIe",
        max_link_width="16",
    )


def test_amd_card(tree):
    (probed,) = read_amd(tree({**amd_card(), "usr/share/misc/pci.ids": PCI_IDS}), first_index=2)
    gpu = probed.value
    assert (gpu.index, gpu.vendor, gpu.name) == (2, "AMD", "AMD Radeon RX 7900 XT/7900 XTX")
    assert (gpu.memory_total_bytes, gpu.memory_free_bytes) == (24 * GIB, 23 * GIB)
    assert (gpu.sm_clock_max_mhz, gpu.memory_clock_max_mhz) == (2304, 1249)
    assert (gpu.power_w, gpu.power_limit_w, gpu.temperature_c, gpu.utilization_percent) == (31.0, 327.0, 45.0, 12.0)
    assert (gpu.pcie_generation, gpu.pcie_generation_max, gpu.pcie_width) == (1, 4, 16)
    assert probed.unavailable["compute_capability"] == "only NVIDIA cards have one"


def test_amd_card_without_its_driver(tree):
    (probed,) = read_amd(tree(card("0000:03:00.0", "0x1002", "0x744c")))
    assert probed.value.name == "AMD GPU (1002:744c)"
    assert probed.unavailable["memory_total_bytes"] == "the amdgpu driver is not loaded for this card"


def test_intel_integrated_and_arc(tree):
    xe = {"tile0__physical_vram_size_bytes": str(12 * GIB), "tile0__gt0__freq0__max_freq": "2850"}
    root = tree(
        {
            **card("0000:00:02.0", "0x8086", "0x9a49", drm__card0__gt_max_freq_mhz="1300"),
            **card("0000:03:00.0", "0x8086", "0x56a0", drm__card1__lmem_total_bytes=str(16 * GIB)),
            **card("0000:04:00.0", "0x8086", "0xe20b", **xe),
            "usr/share/hwdata/pci.ids": PCI_IDS,
        }
    )
    own, arc, battlemage = (p.value for p in read_intel(root, ram_bytes=32 * GIB))
    assert (own.unified, own.memory_total_bytes, own.sm_clock_max_mhz) == (True, 32 * GIB, 1300)
    assert (arc.unified, arc.name, arc.memory_total_bytes) == (False, "Intel Arc A770", 16 * GIB)
    assert (battlemage.memory_total_bytes, battlemage.sm_clock_max_mhz) == (12 * GIB, 2850)


def test_apple():
    def run(command):
        if command[0].endswith("sysctl"):
            return f"machdep.cpu.brand_string: Apple M2 Pro\nhw.memsize: {16 * GIB}\niogpu.wired_limit_mb: 0\n"
        use = '{"In use system memory"=1073741824,"Device Utilization %"=7}'
        return f'  "gpu-core-count" = 19\n "PerformanceStatistics" = {use}\n'

    (probed,) = read_apple(run)
    gpu = probed.value
    assert (gpu.name, gpu.unified, gpu.memory_total_bytes) == ("Apple M2 Pro GPU", True, 16 * GIB)
    assert (gpu.num_sms, gpu.utilization_percent, gpu.memory_used_bytes) == (19, 7.0, GIB)
    assert gpu.memory_free_bytes == 16 * GIB * 2 // 3 - GIB  # what Metal allows, not all there is
    assert read_apple(lambda command: None) == []


def test_windows_registry_has_64_bits():
    size = "HardwareInformation.qwMemorySize"
    adapters = [
        {"DriverDesc": "AMD Radeon RX 6800", "MatchingDeviceId": r"PCI\VEN_1002&DEV_73BF", size: 16 * GIB},
        {"DriverDesc": "NVIDIA GeForce RTX 2060", "MatchingDeviceId": r"pci\ven_10de&dev_1f08"},
        {"DriverDesc": "Intel(R) UHD Graphics 770", "MatchingDeviceId": r"PCI\VEN_8086&DEV_4680", size: GIB // 8},
        {"DriverDesc": "Microsoft Basic Display Adapter"},
    ]
    amd, intel = (p.value for p in from_registry(adapters, first_index=1, ram_bytes=32 * GIB))
    assert (amd.index, amd.memory_total_bytes, amd.unified) == (1, 16 * GIB, False)
    assert (intel.index, intel.memory_total_bytes, intel.unified) == (2, 32 * GIB, True)


def test_nvidia_card_without_a_driver_is_still_a_card(tree):
    root = tree({**card("0000:01:00.0", "0x10de", "0x1f08"), **amd_card(), "usr/share/misc/pci.ids": PCI_IDS})
    machine = read_machine(root)
    assert [(g.index, g.vendor) for g in machine.gpus] == [(0, "NVIDIA"), (1, "AMD")]
    assert machine.gpus[0].name == "NVIDIA GeForce RTX 2060 Rev. A"
    assert machine.unavailable["gpus.0.memory_total_bytes"] == machine.unavailable["nvidia_driver"]
