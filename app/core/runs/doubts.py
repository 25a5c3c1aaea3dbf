"""What casts doubt on a figure: found in the samples of a run and in the machine's state before and after it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.types.measurement import Doubt, Sample
from app.core.types.text import phrase
from app.core.types.units import format_bytes, format_number, format_share

FULL_SHARE = 0.98
CLIFF = 1.5
"""A step that takes so many times the earlier ones while the card is full reads its tensors from the host."""
NOTABLE_SWAP_BYTES = 64 * 1024**2
THROTTLED_SHARE = 0.1
CAPPED_SHARE = 0.5
NOTABLE_SLEEP_S = 2.0
BUSY_CARD_PERCENT = 10.0
BUSY_HOST_PERCENT = 15.0
FEWEST_READINGS = 3
VOIDING = frozenset({"spill", "swapping", "gpu_throttled", "cpu_throttled", "partial"})
"""With one of these the time is not that of this machine in health."""


@dataclass(frozen=True)
class Conditions:
    """The machine's state at one moment; None is "not available"."""

    cpu_throttles: int | None = None
    """How often the processor was slowed down for its heat, since the machine started."""
    power_saver: str | None = None
    """Which setting saves power at the cost of speed; empty if none does."""
    on_battery: bool | None = None
    swapped_bytes: int | None = None
    """Moved between memory and swap, both ways, since the machine started."""


def outside_doubts(
    samples: Sequence[Sample],
    before: Conditions,
    after: Conditions,
    *,
    low_priority: bool = False,
    slept_s: float = 0.0,
) -> tuple[Doubt, ...]:
    """Everything doubtful that can be seen from outside the child."""
    during = [s for s in samples if s.phase == "measure"]
    found = [
        _spill(during),
        _swapping(before, after),
        _gpu_throttled(during),
        _cpu_throttled(before, after),
        _battery(before, after),
        _power_saver(before),
        _card_shared(samples),
        _busy_host(during),
    ]
    if slept_s > NOTABLE_SLEEP_S:
        found.append(
            Doubt(
                "slept",
                phrase(
                    "the computer slept or stood still for {slept} s meanwhile", slept=format_number(slept_s, ".0f")
                ),
                slept_s,
            )
        )
    if low_priority:
        found.append(Doubt("low_priority", phrase("it ran at low priority: other programs went first")))
    return tuple(doubt for doubt in found if doubt is not None)


def _spill(during: Sequence[Sample]) -> Doubt | None:
    """The card is full and the steps became much slower (the driver of Windows and WSL2 pages to the host)."""
    sizes = [(s.gpu_used_bytes, s.gpu_total_bytes) for s in during]
    full = [used for used, total in sizes if used and total and used >= FULL_SHARE * total]
    steps = [s.step_s for s in during if s.step_s]
    third = len(steps) // 3
    if len(full) < FEWEST_READINGS or third == 0:
        return None
    cliff = statistics.median(steps[-third:]) / statistics.median(steps[:third])
    if cliff < CLIFF:
        return None
    text = phrase(
        "the card's memory was full and steps became {cliff} times slower: it spills into the host's memory",
        cliff=format_number(cliff, ".1f"),
    )
    return Doubt("spill", text, cliff)


def _swapping(before: Conditions, after: Conditions) -> Doubt | None:
    """The host moved memory to and from its swap."""
    if before.swapped_bytes is None or after.swapped_bytes is None:
        return None
    moved = after.swapped_bytes - before.swapped_bytes
    if moved < NOTABLE_SWAP_BYTES:
        return None
    return Doubt(
        "swapping",
        phrase("the machine moved {moved} to and from swap meanwhile", moved=format_bytes(moved)),
        float(moved),
    )


def _gpu_throttled(during: Sequence[Sample]) -> Doubt | None:
    """The card's clocks were held down; heat and the power brake first, the power limit next."""
    told = [s.gpu_throttle for s in during if s.gpu_throttle is not None]
    if len(told) < FEWEST_READINGS:
        return None
    hot = sum("thermal" in words or "brake" in words for words in told) / len(told)
    if hot > THROTTLED_SHARE:
        text = phrase("the card slowed down for its heat or power supply {hot} of the time", hot=format_share(hot))
        return Doubt("gpu_throttled", text, hot)
    capped = sum("power limit" in words for words in told) / len(told)
    if capped > CAPPED_SHARE:
        text = phrase("the card's power limit held its clock down {capped} of the time", capped=format_share(capped))
        return Doubt("gpu_power_limit", text, capped)
    return None


def _cpu_throttled(before: Conditions, after: Conditions) -> Doubt | None:
    """The processor slowed down for its heat."""
    if before.cpu_throttles is None or after.cpu_throttles is None or after.cpu_throttles <= before.cpu_throttles:
        return None
    times = after.cpu_throttles - before.cpu_throttles
    return Doubt(
        "cpu_throttled", phrase("the processor slowed down for its heat ({times} times)", times=times), float(times)
    )


def _battery(before: Conditions, after: Conditions) -> Doubt | None:
    """Laptops clock down on battery."""
    if not (before.on_battery or after.on_battery):
        return None
    return Doubt("battery", phrase("the machine runs on battery and may be slower than on mains power"))


def _power_saver(before: Conditions) -> Doubt | None:
    """The user, or the distribution, chose to save power."""
    if not before.power_saver:
        return None
    return Doubt(
        "power_saver",
        phrase(
            "the machine saves power ({power_saver}) and may be slower than it could be", power_saver=before.power_saver
        ),
    )


def _card_shared(samples: Sequence[Sample]) -> Doubt | None:
    """Somebody computed on the card before the child held anything there."""
    early = [s.gpu_percent for s in samples if s.phase in ("start", "import") and s.gpu_percent is not None]
    if len(early) < FEWEST_READINGS or statistics.fmean(early) < BUSY_CARD_PERCENT:
        return None
    busy = statistics.fmean(early)
    return Doubt(
        "card_shared",
        phrase("another program was already using the card ({busy} % of the time)", busy=format_number(busy, ".0f")),
        busy,
    )


def _busy_host(during: Sequence[Sample]) -> Doubt | None:
    """Other programs, or other machines on the same host, took processor time."""
    others = [s.others_cpu_percent for s in during if s.others_cpu_percent is not None]
    if len(others) < FEWEST_READINGS or statistics.fmean(others) < BUSY_HOST_PERCENT:
        return None
    busy = statistics.fmean(others)
    return Doubt(
        "busy_host",
        phrase("other programs used {busy} % of the processor meanwhile", busy=format_number(busy, ".0f")),
        busy,
    )
