"""Joules from counters or from power readings, and what an epoch costs.  No device is read here."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.types.text import Text, phrase, verbatim


@dataclass(frozen=True)
class MeasuredEnergy:
    """Mean power while measuring in watts, and joules of one epoch; None with the reason beside it.

    The whole card and the whole processor package, idle power included: what the training costs.
    """

    gpu_w: float | None = None
    gpu_epoch_j: float | None = None
    gpu_reason: Text = Text()
    cpu_w: float | None = None
    cpu_epoch_j: float | None = None
    cpu_reason: Text = Text()


@dataclass
class EnergyMeter:
    """Adds up energy over stretches of time.

    Attributes:
        joules: So far.
        seconds: Over how long.
    """

    joules: float = 0.0
    seconds: float = 0.0
    _before: tuple[float, float] | None = None

    def add_counter(self, t_s: float, counter_j: float, wraps_at_j: float | None = None) -> None:
        """A reading of a counter that only grows, but for starting anew at ``wraps_at_j``."""
        if self._before is not None:
            t0_s, before_j = self._before
            grown_j = counter_j - before_j
            if grown_j < 0 and wraps_at_j is not None:
                grown_j += wraps_at_j
            if grown_j >= 0 and t_s > t0_s:
                self.joules += grown_j
                self.seconds += t_s - t0_s
        self._before = (t_s, counter_j)

    def add_power(self, t_s: float, power_w: float) -> None:
        """A reading of power; between two readings it is taken to change evenly."""
        if self._before is not None:
            t0_s, before_w = self._before
            if t_s > t0_s:
                self.joules += 0.5 * (before_w + power_w) * (t_s - t0_s)
                self.seconds += t_s - t0_s
        self._before = (t_s, power_w)

    def pause(self) -> None:
        """What follows is another stretch."""
        self._before = None

    def mean_w(self) -> float | None:
        """Mean power, or None before two readings."""
        return self.joules / self.seconds if self.seconds > 0 else None


def epoch_energy(
    gpu: EnergyMeter, cpu: EnergyMeter, epoch_s: float | None, *, gpu_reason: str, cpu_reason: str
) -> MeasuredEnergy:
    """Energy of an epoch from the mean powers while measuring.

    Args:
        gpu: The card's meter.
        cpu: The processor's.
        epoch_s: Length of an epoch; None if nobody knows it.
        gpu_reason: Why the card's meter may be empty.
        cpu_reason: Why the processor's may be.
    """
    gpu_w, cpu_w = gpu.mean_w(), cpu.mean_w()
    return MeasuredEnergy(
        gpu_w=gpu_w,
        gpu_epoch_j=None if gpu_w is None or epoch_s is None else gpu_w * epoch_s,
        gpu_reason=_reason(gpu_w, epoch_s, gpu_reason),
        cpu_w=cpu_w,
        cpu_epoch_j=None if cpu_w is None or epoch_s is None else cpu_w * epoch_s,
        cpu_reason=_reason(cpu_w, epoch_s, cpu_reason),
    )


def _reason(power_w: float | None, epoch_s: float | None, reason: str) -> Text:
    """Why something is not available; empty if all is."""
    if power_w is None:
        return verbatim(reason or phrase("the measurement was too short for two readings"))
    return Text() if epoch_s is not None else phrase("nobody knows how many samples an epoch has")
