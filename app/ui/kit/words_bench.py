"""The fixed words of a result: shares of a step, further facts, and what to do about a doubt."""

from __future__ import annotations

from app.ui.kit.quantities import format_count
from app.ui.kit.speech import tr


def share(key: str) -> str:
    """What a step spends its time with."""
    words = {
        "input": tr("Waiting for data"),
        "disk": tr("Waiting for the disk"),
        "decode": tr("Waiting for decoding"),
        "copy": tr("Copying to the device"),
        "compute": tr("Computing"),
    }
    return words.get(key, key)


def fact(key: str) -> str:
    """Name of a fact of a run."""
    words = {
        "first_step": tr("First step, compilation included"),
        "build": tr("Building the model"),
        "data_only": tr("A step of the data alone"),
        "compute_only": tr("A step on one cached batch"),
        "pass_start": tr("Beginning an epoch"),
        "first_epoch": tr("First epoch, from the disk"),
        "held": tr("Held by the allocator"),
        "seen": tr("Seen by the driver"),
        "process": tr("The process in RAM"),
        "cpu_use": tr("CPU use"),
        "gpu_use": tr("GPU use"),
        "gpu_energy": tr("Energy of the card for one epoch"),
        "cpu_energy": tr("Energy of the processor for one epoch"),
        "expansion": tr("RAM for each byte on disk"),
    }
    return words.get(key, key)


def remedy(kind: str) -> str:
    """One thing to do about a doubt, in words; empty if there is nothing."""
    words = {
        "spill": tr("A smaller batch stays within the card's memory."),
        "swapping": tr("A smaller batch stays within the RAM; closing other programs helps too."),
        "gpu_throttled": tr("Let the card cool down or mend its airflow, then measure again."),
        "gpu_power_limit": tr("A higher power limit would be faster, if cooling and supply allow."),
        "cpu_throttled": tr("Let the processor cool down, then measure again."),
        "battery": tr("Plug the machine in, then measure again."),
        "power_saver": tr("Switch the power saving off, then measure again."),
        "card_shared": tr("Close what computes on the card, then measure again."),
        "busy_host": tr("Close the other programs, then measure again."),
        "drift": tr("Measure again when it is quiet."),
        "unsettled": tr("Measure for longer."),
        "low_priority": tr("Measure without the low priority for the true speed."),
    }
    return words.get(kind, "")


def action(key: str) -> str:
    """What the button of a remedy says."""
    name, _, value = key.partition(":")
    if name == "apply_batch":
        return tr("Use batch {size}").format(size=format_count(int(value)))
    return tr("Measure again") if name == "measure" else ""
