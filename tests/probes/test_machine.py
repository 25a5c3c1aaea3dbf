"""The whole machine: joined, numbered, explained, quick."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import replace
from typing import Any

import pytest

from app.core.simulate.eigen_kernels import runs_onednn
from app.core.types.machine import Machine
from app.probes.battery import read_battery
from app.probes.machine import read_machine
from tests.patience import SOON_S

SUPPLY = "sys/class/power_supply/"
ROOT_DISK = "27 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
MAINS_OFF = {"AC/type": "Mains", "AC/online": "0"}
MAINS_ON = {"AC/type": "Mains", "AC/online": "1"}
OS_RELEASE = 'NAME="Ubuntu"\nPRETTY_NAME="Ubuntu 24.04 LTS"\n'


def unexplained(part: Any, reasons: dict[str, str], path: str = "") -> list[str]:
    """Paths of readings that are None without a reason."""
    found = []
    for f in dataclasses.fields(part):
        value, here = getattr(part, f.name), f"{path}{f.name}"
        if value is None and here not in reasons:
            found.append(here)
        elif dataclasses.is_dataclass(value):
            found += unexplained(value, reasons, f"{here}.")
        elif isinstance(value, tuple):
            for n, item in enumerate(value):
                if dataclasses.is_dataclass(item):
                    found += unexplained(item, reasons, f"{here}.{n}.")
    return found


def test_this_machine_is_read_soon():
    start = time.perf_counter()
    machine = read_machine()
    assert time.perf_counter() - start < SOON_S
    assert machine.os in ("Linux", "Windows", "macOS")
    assert machine.taken_at is not None


def test_every_unknown_has_its_reason(tree):
    bare = tree({"proc/self/mountinfo": ROOT_DISK})
    for machine in (read_machine(), read_machine(bare)):
        assert [p for p in unexplained(machine, machine.unavailable) if p != "os_version"] == []


@pytest.mark.parametrize(("said", "on"), [("0", False), ("FALSE", False), ("1", True), ("true", True)])
def test_whether_onednn_computes_is_what_the_variable_says(monkeypatch, said, on):
    monkeypatch.setenv("TF_ENABLE_ONEDNN_OPTS", said)
    assert read_machine().onednn is on
    monkeypatch.delenv("TF_ENABLE_ONEDNN_OPTS")
    by_itself = read_machine()
    assert by_itself.onednn is runs_onednn(replace(by_itself, onednn=None))


@pytest.mark.parametrize(("release", "wsl"), [("5.15.153-microsoft-standard-WSL2", True), ("6.8.0-45-generic", False)])
def test_wsl(tree, release, wsl):
    machine = read_machine(tree({"proc/sys/kernel/osrelease": release, "etc/os-release": OS_RELEASE}))
    assert (machine.wsl, machine.os, machine.os_version) == (wsl, "Linux", "Ubuntu 24.04 LTS")


def test_container(tree):
    assert read_machine(tree({".dockerenv": ""})).container


def test_recorded_machine_asks_nothing_live(tree):
    machine = read_machine(tree({"proc/self/mountinfo": ROOT_DISK}))
    assert machine.disks[0].total_bytes is None
    assert machine.unavailable["nvidia_driver"] == "this is a recorded machine"
    assert isinstance(machine, Machine)


@pytest.mark.parametrize(
    ("files", "plugged_in", "percent"),
    [
        ({"BAT0/type": "Battery", "BAT0/status": "Discharging", "BAT0/capacity": "71", **MAINS_OFF}, False, 71),
        ({"BAT0/type": "Battery", "BAT0/status": "Charging", "BAT0/capacity": "40", **MAINS_ON}, True, 40),
        ({"BAT0/type": "Battery", "BAT0/status": "Not charging", "BAT0/capacity": "80", **MAINS_ON}, True, 80),
        ({"BAT1/type": "Battery", "BAT1/status": "Full"}, True, None),
        ({"BAT1/type": "Battery", "BAT1/status": "Unknown"}, None, None),
    ],
)
def test_battery(tree, files, plugged_in, percent):
    battery = read_battery(tree({SUPPLY + name: value for name, value in files.items()}))
    assert (battery.plugged_in, battery.percent) == (plugged_in, percent)


def test_a_mouse_is_no_battery(tree):
    files = {"hidpp/type": "Battery", "hidpp/scope": "Device", "hidpp/capacity": "50"}
    assert read_battery(tree({SUPPLY + name: value for name, value in files.items()})) is None
