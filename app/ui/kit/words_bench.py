"""The fixed words of a result: shares of a step, further facts, and what to do about a doubt."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.ui.kit.quantities import format_count

translate = QCoreApplication.translate


def share(key: str) -> str:
    """What a step spends its time with."""
    words = {
        "input": translate("words", "Waiting for data"),
        "disk": translate("words", "Waiting for the disk"),
        "decode": translate("words", "Waiting for decoding"),
        "copy": translate("words", "Copying to the device"),
        "compute": translate("words", "Computing"),
    }
    return words.get(key, key)


def fact(key: str) -> str:
    """Name of a fact of a run."""
    words = {
        "first_step": translate("words", "First step, compilation included"),
        "build": translate("words", "Building the model"),
        "data_only": translate("words", "A step of the data alone"),
        "compute_only": translate("words", "A step on one cached batch"),
        "pass_start": translate("words", "Beginning an epoch"),
        "first_epoch": translate("words", "First epoch, from the disk"),
        "held": translate("words", "Held by the allocator"),
        "seen": translate("words", "Seen by the driver"),
        "process": translate("words", "The process in RAM"),
        "cpu_use": translate("words", "CPU use"),
        "gpu_use": translate("words", "GPU use"),
        "gpu_energy": translate("words", "Energy of the card for one epoch"),
        "cpu_energy": translate("words", "Energy of the processor for one epoch"),
        "expansion": translate("words", "RAM for each byte on disk"),
    }
    return words.get(key, key)


def remedy(kind: str) -> str:
    """One thing to do about a doubt, in words; empty if there is nothing."""
    words = {
        "spill": translate("words", "A smaller batch stays within the card's memory."),
        "swapping": translate("words", "A smaller batch stays within the RAM; closing other programs helps too."),
        "gpu_throttled": translate("words", "Let the card cool down or mend its airflow, then measure again."),
        "gpu_power_limit": translate("words", "A higher power limit would be faster, if cooling and supply allow."),
        "cpu_throttled": translate("words", "Let the processor cool down, then measure again."),
        "battery": translate("words", "Plug the machine in, then measure again."),
        "power_saver": translate("words", "Switch the power saving off, then measure again."),
        "card_shared": translate("words", "Close what computes on the card, then measure again."),
        "busy_host": translate("words", "Close the other programs, then measure again."),
        "drift": translate("words", "Measure again when it is quiet."),
        "unsettled": translate("words", "Measure for longer."),
        "low_priority": translate("words", "Measure without the low priority for the true speed."),
    }
    return words.get(kind, "")


def action(key: str) -> str:
    """What the button of a remedy says."""
    name, _, value = key.partition(":")
    if name == "apply_batch":
        return translate("words", "Use batch {size}").format(size=format_count(int(value)))
    return translate("words", "Measure again") if name == "measure" else ""
