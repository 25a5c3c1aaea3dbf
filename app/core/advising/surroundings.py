"""Advice that is no field of the plan: drivers, other programs, power, and data too large for one machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.core.advising.input_advice import effect_of
from app.core.types.advice import Effect, Recommendation
from app.core.types.machine import Gpu, GpuSupport
from app.core.types.measurement import Doubt
from app.core.types.prediction import Prediction
from app.core.types.text import phrase
from app.core.types.units import GIB, format_bytes, format_number, format_seconds
from app.core.types.workload import Workload

LARGE_DATASET_SAMPLES = 100_000_000
"""Beyond 100 million records think of the cloud (docs/evidence.md, "Case S1")."""

NOTABLE_HELD_BYTES = GIB // 4
NOTABLE_CAP = 0.9
"""A power limit below this share of the card's own is one that somebody has set."""

CLOCK_EXPONENT = 1 / 3
"""Power grows with the cube of the clock (voltage follows frequency: P ~ f V^2), so speed with its cube root."""


@dataclass(frozen=True)
class Surroundings:
    """What is known of a machine besides its parts.

    Attributes:
        support: Which framework can use which card, and why not.
        on_card: The prediction for a card that is there and cannot be used; None if there is none.
        card_power_w: What the maker lets the training card draw.
        doubts: Of the newest run.
    """

    support: tuple[GpuSupport, ...] = ()
    on_card: Prediction | None = None
    card_power_w: float | None = None
    doubts: tuple[Doubt, ...] = ()


def surroundings_advice(workload: Workload, now: Prediction, around: Surroundings) -> tuple[Recommendation, ...]:
    """Everything that helps and is no change of the plan, most urgent first."""
    gpu = now.card
    return (
        *_usable_card(workload, now, around),
        *_close_programs(now, gpu),
        *_plug_in(now, around.doubts),
        *_power(now, gpu, around),
        *_cloud(workload, now),
    )


def _usable_card(workload: Workload, now: Prediction, around: Surroundings) -> Iterable[Recommendation]:
    """A card that is there, which the framework cannot use: the largest gain of all."""
    backend = workload.plan.backend
    broken = [s for s in around.support if s.framework == backend and s.usable is False]
    if not broken or now.card is not None:
        return
    first, after = broken[0], around.on_card
    yield Recommendation(
        "usable_card",
        phrase("Make {gpu_name} usable", gpu_name=first.gpu_name),
        phrase("it is here and idle: {reason}", reason=first.reason),
        {},
        effect_of(now),
        effect_of(after) if after else Effect(None, None),
        False,
        basis=phrase("asked of the framework"),
        how=first.fix,
    )


def _close_programs(now: Prediction, gpu: Gpu | None) -> Iterable[Recommendation]:
    """Programs that hold memory of the card, where it is short."""
    held = sum(p.used_bytes or 0 for p in gpu.processes) if gpu else 0
    if gpu is None or held <= NOTABLE_HELD_BYTES or now.fit.verdict == "fits":
        return
    before = effect_of(now)
    allowed = now.fit.allowed_bytes or 0
    short = now.memory.allocator_peak_bytes - allowed
    enough = (
        phrase("then it fits")
        if 0 < short <= held
        else phrase("{value} are missing", value=format_bytes(max(0, short)))
    )
    names = ", ".join(sorted({p.name or str(p.pid) for p in gpu.processes}))
    yield Recommendation(
        "close_programs",
        phrase("Close what holds memory of the card"),
        phrase("{names} hold {held}; {enough}", names=names, held=format_bytes(held), enough=enough),
        {},
        before,
        before,
        False,
        basis=phrase("read from the driver"),
        how=phrase("close them, or move the screen to another card"),
    )


def _plug_in(now: Prediction, doubts: Sequence[Doubt]) -> Iterable[Recommendation]:
    """A laptop on battery, and a power plan that saves."""
    battery, before = now.machine.battery, effect_of(now)
    unknown = Effect(before.memory_bytes, None)
    if battery is not None and battery.plugged_in is False:
        yield Recommendation(
            "plug_in",
            phrase("Plug in the laptop"),
            phrase("on battery the processor and the card run at reduced clocks"),
            {},
            before,
            unknown,
            False,
            basis=phrase("power source read now"),
            how=phrase("plug it in and measure again"),
        )
    for doubt in doubts:
        if doubt.kind == "power_saver":
            yield Recommendation(
                "power_saver",
                phrase("Switch power saving off"),
                doubt.text,
                {},
                before,
                unknown,
                False,
                basis=phrase("your run"),
                how=phrase("choose the performance profile of the system"),
            )


def _power(now: Prediction, gpu: Gpu | None, around: Surroundings) -> Iterable[Recommendation]:
    """A card that is held down by heat, or by a power limit below its own."""
    before = effect_of(now)
    for doubt in around.doubts:
        if doubt.kind in ("gpu_throttled", "cpu_throttled"):
            yield Recommendation(
                "cooling",
                phrase("Cool it"),
                doubt.text,
                {},
                before,
                Effect(before.memory_bytes, None),
                False,
                basis=phrase("your run"),
                how=phrase("clean fans and filters, give it air; then measure again"),
            )
    limit, own = (gpu.power_limit_w if gpu else None), around.card_power_w
    if gpu is None or gpu.simulated or limit is None or own is None or limit >= NOTABLE_CAP * own:
        return
    if now.time.epoch_s is None or now.time.stages is None:
        return
    faster = (limit / own) ** CLOCK_EXPONENT
    busy = 1 - now.time.stages.waiting_share
    least_s = now.time.epoch_s * (1 - busy + busy * faster)
    yield Recommendation(
        "power_limit",
        phrase(
            "Raise the card's power limit from {limit} W to {own} W",
            limit=format_number(limit, ".0f"),
            own=format_number(own, ".0f"),
        ),
        phrase(
            "somebody has set it below what the card is made for; where power holds the clock down, it rises with the "
            "cube root"
        ),
        {},
        before,
        Effect(before.memory_bytes, least_s, least_s, now.time.epoch_s),
        False,
        basis=phrase("power limit read now"),
        how=phrase(
            "nvidia-smi -i {index} -pl {own} (as administrator)", index=gpu.index, own=format_number(own, ".0f")
        ),
    )


def _cloud(workload: Workload, now: Prediction) -> Iterable[Recommendation]:
    """So much data that one machine is the wrong place."""
    samples = workload.dataset.samples if workload.dataset else None
    if (samples or 0) <= LARGE_DATASET_SAMPLES:
        return
    before = effect_of(now)
    takes = (
        ""
        if now.time.epoch_s is None
        else phrase(": one pass takes {epoch} here", epoch=format_seconds(now.time.epoch_s))
    )
    yield Recommendation(
        "cloud",
        phrase("Rent instead of waiting"),
        phrase(
            "{samples} samples are more than 100 million{takes}; the offers below say what a training costs",
            samples=format_number(samples, ","),
            takes=takes,
        ),
        {},
        before,
        before,
        False,
        free=False,
        basis=phrase("rule of thumb of case S1, and the offers' prices"),
        how=phrase("shard the files, keep them in the provider's storage near the machine"),
    )
