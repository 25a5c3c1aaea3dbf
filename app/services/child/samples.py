"""Samples of a run: made from the sampler's snapshot and the child's last reading, and kept within bounds."""

from __future__ import annotations

from app.core.types.energy import EnergyMeter, MeasuredEnergy, epoch_energy
from app.core.types.measurement import Sample
from app.core.types.messages import Reading
from app.core.types.text import phrase
from app.probes.sampler import GpuSnapshot, Snapshot

MAX_SAMPLES = 3600
"""An hour at one a second.  Beyond that every second one is dropped and only every second one kept from then on."""
NO_CARD = phrase("no card was used, or its driver tells neither energy nor power")


class SampleLog:
    """Samples over a run of any length in bounded memory, evenly thinned.

    Attributes:
        kept: In order of time.
    """

    def __init__(self, most: int = MAX_SAMPLES) -> None:
        self.kept: list[Sample] = []
        self._most = most
        self._stride = 1
        self._seen = 0

    def add(self, sample: Sample) -> None:
        """Keep it, or leave it out of a long run."""
        if self._seen % self._stride == 0:
            self.kept.append(sample)
        self._seen += 1
        if len(self.kept) > self._most:
            del self.kept[1::2]
            self._stride *= 2


class PowerLog:
    """Energy of card and processor while the child measures."""

    def __init__(self) -> None:
        self._gpu = EnergyMeter()
        self._cpu = EnergyMeter()

    def take(self, now: Snapshot, card: GpuSnapshot | None) -> float | None:
        """Add a snapshot; returns the processor's mean power so far, in watts."""
        if card is not None and card.energy_j is not None:
            self._gpu.add_counter(now.t_s, card.energy_j)
        elif card is not None and card.power_w is not None:
            self._gpu.add_power(now.t_s, card.power_w)
        if now.cpu.energy_j is not None:
            self._cpu.add_counter(now.t_s, now.cpu.energy_j, now.cpu.wraps_at_j)
        return self._cpu.mean_w()

    def pause(self) -> None:
        """The child does something else."""
        self._gpu.pause()
        self._cpu.pause()

    def energy(self, epoch_s: float | None, cpu_reason: str) -> MeasuredEnergy:
        """Energy of an epoch."""
        return epoch_energy(self._gpu, self._cpu, epoch_s, gpu_reason=NO_CARD, cpu_reason=cpu_reason)


def used_card(now: Snapshot) -> GpuSnapshot | None:
    """The card that the watched processes use; the first if none tells."""
    return next((gpu for gpu in now.gpus if gpu.process_memory_bytes), now.gpus[0] if now.gpus else None)


def sample_of(
    now: Snapshot,
    card: GpuSnapshot | None,
    reading: Reading | None,
    *,
    t_s: float,
    phase: str,
    cpu_power_w: float | None,
) -> Sample:
    """Join what the machine, the card and the child tell."""
    process = now.process
    card = card or GpuSnapshot(0)
    return Sample(
        t_s=t_s,
        phase=phase,
        step=reading.step if reading else None,
        step_s=reading.step_s if reading else None,
        current_bytes=reading.current_bytes if reading else None,
        peak_bytes=reading.peak_bytes if reading else None,
        cpu_percent=now.cpu_percent,
        ram_bytes=process.rss_bytes if process else None,
        gpu_percent=card.utilization_percent,
        gpu_memory_bytes=card.process_memory_bytes,
        disk_read_bytes_per_s=process.disk_read_bytes_per_s if process else None,
        disk_write_bytes_per_s=now.disk_write_bytes_per_s,
        others_cpu_percent=now.others_cpu_percent,
        ram_available_bytes=now.ram_available_bytes,
        swap_used_bytes=now.swap_used_bytes,
        cpu_clock_mhz=now.cpu.clock_mhz,
        cpu_temperature_c=now.cpu.temperature_c,
        cpu_power_w=cpu_power_w,
        gpu_used_bytes=card.memory_used_bytes,
        gpu_total_bytes=card.memory_total_bytes,
        gpu_power_w=card.power_w,
        gpu_temperature_c=card.temperature_c,
        gpu_clock_mhz=card.sm_clock_mhz,
        gpu_throttle=card.throttle,
        held_bytes=reading.held_bytes if reading else None,
    )
