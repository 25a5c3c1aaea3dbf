"""What a step waits for: one wording and one figure for every place that says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.types.predicted_time import PredictedTime, Stages, StageShare
from app.core.types.text import Text, join, phrase
from app.core.types.units import format_seconds, format_share

if TYPE_CHECKING:  # the window paints without them
    from app.core.types.measurement import Measurement

PARTLY = 0.1
"""Share of a step from which on it is told that the device is idle meanwhile, or that the first epoch takes longer."""

WAITS_FOR: dict[str, Text] = {
    "compute": phrase("computing"),
    "memory": phrase("memory bandwidth"),
    "overhead": phrase("starting operations"),
    "input": phrase("the input pipeline"),
    "disk": phrase("the disk"),
}
"""What a step can wait for, in the words of every page, report and command."""


@dataclass(frozen=True)
class Wait:
    """What a step waits for, and for which share of it (0..1; None is not known)."""

    bound: str
    share: float | None = None

    @property
    def what(self) -> str:
        """What it waits for, for a table."""
        return WAITS_FOR.get(self.bound, self.bound)

    @property
    def words(self) -> str:
        """What it waits for and for how long, for a table: ``the disk (74 % of a step)``."""
        if self.share is None:
            return self.what
        return phrase("{what} ({share} of a step)", what=self.what, share=format_share(self.share))

    @property
    def sentence(self) -> Text:
        """The same as a sentence without a full stop."""
        return phrase("It waits for {what}", what=self.words)


def predicted_wait(time: PredictedTime) -> Wait | None:
    """What a predicted step waits for; None if nobody knows."""
    found = time.waits
    return None if found is None else Wait(found.what, found.share)


def measured_wait(measured: Measurement) -> Wait | None:
    """What a measured step waited for; None if that was not found."""
    bound, idle = measured.bound_by, measured.shares.input
    if bound is None:
        return None
    return Wait(bound, idle if idle is None or bound in ("input", "disk") else 1 - idle)


def waiting_words(time: PredictedTime, device: str, *, measured: bool = False) -> Text:
    """A sentence on what a step waits for and what it consists of; empty if nobody knows."""
    wait, stages = predicted_wait(time), time.stages
    if wait is None or stages is None or stages.step_s <= 0:
        return Text()
    seen = phrase("measured") if measured else phrase("predicted")
    told = phrase("{waits}: {parts}; {seen}.", waits=wait.sentence, parts=_parts_words(time), seen=seen)
    if stages.waiting_share < PARTLY:
        return told
    idle = format_share(stages.waiting_share)
    return join(" ", (told, phrase("Meanwhile {device} is idle {idle} of each step.", device=device, idle=idle)))


def first_epoch_words(time: PredictedTime) -> Text:
    """How much longer the first epoch takes; empty where it does not."""
    first, later = time.first_epoch_s, time.epoch_s
    if first is None or later is None or first <= (1 + PARTLY) * later:
        return Text()
    return phrase(
        "The first epoch takes {first}: its files come from the disk, and caches are filled; later ones take {later}.",
        first=format_seconds(first),
        later=format_seconds(later),
    )


def stage_shares(stages: Stages | None, *, measured: bool) -> tuple[StageShare, ...]:
    """The stages as shares of the step, in the order of the pipeline."""
    if stages is None or stages.step_s <= 0:
        return ()
    step_s = stages.step_s
    found = (
        StageShare("disk", stages.disk_s, stages.disk_s / step_s, measured),
        StageShare("decode", stages.decode_s, stages.decode_s / step_s, measured),
        StageShare("copy", stages.copy_s, stages.copy_s / step_s, measured),
        StageShare("compute", stages.device_s, stages.device_s / step_s, measured),
    )
    return tuple(one for one in found if one.seconds > 0)


def _parts_words(time: PredictedTime) -> Text:
    """The stages that take time."""
    parts = [_stage_words(one) for one in stage_shares(time.stages, measured=False) if one.share >= 0.01]
    return phrase("a step of {step} takes {parts}", step=format_seconds(time.step_s), parts=join(", ", parts))


def _stage_words(stage: StageShare) -> Text:
    """One stage and its time."""
    return {
        "disk": phrase("reading {seconds}", seconds=format_seconds(stage.seconds)),
        "decode": phrase("decoding and preparing {seconds}", seconds=format_seconds(stage.seconds)),
        "copy": phrase("copying {seconds}", seconds=format_seconds(stage.seconds)),
        "compute": phrase("computing {seconds}", seconds=format_seconds(stage.seconds)),
    }[stage.name]
