"""What a step waits for, in words with thresholds and a percentage."""

from __future__ import annotations

from app.core.types.advice import StageShare
from app.core.types.prediction import Bound, PredictedTime, Stages
from app.core.types.text import Text, join, phrase
from app.core.types.units import format_seconds, format_share

MOSTLY = 0.5
PARTLY = 0.1
"""Shares of a step in which the device waits from which on it waits "mostly" and "partly" for its data."""

_DEVICE: dict[str, Text] = {
    "compute": phrase("computing"),
    "memory": phrase("moving tensors through the device's memory"),
    "overhead": phrase("launching operations, not by the work in them"),
}


def waiting_words(time: PredictedTime, device: str, *, measured: bool = False) -> Text:
    """One sentence on what a step waits for; empty if nobody knows."""
    stages = time.stages
    if stages is None or stages.step_s <= 0:
        return Text()
    waited = stages.waiting_share
    parts = _parts_words(time)
    seen = phrase("measured") if measured else phrase("predicted")
    if waited >= PARTLY:
        much = phrase("mostly waits") if waited >= MOSTLY else phrase("partly waits")
        what = phrase("the disk") if stages.disk_s > stages.decode_s else phrase("its input to be decoded and prepared")
        return phrase(
            "It {much} for {what}: {device} is idle {waited} of each step ({parts}; {seen}).",
            much=much,
            what=what,
            device=device,
            waited=format_share(waited),
            parts=parts,
            seen=seen,
        )
    bound: Bound | str = time.bound_by if time.bound_by in _DEVICE else "compute"
    return phrase(
        "{device} is busy {waited} of each step, limited by {device2} ({parts}; {seen}).",
        device=device,
        waited=format_share(1 - waited),
        device2=_DEVICE[bound],
        parts=parts,
        seen=seen,
    )


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
    return phrase("a step of {step}: {parts}", step=format_seconds(time.step_s), parts=join(", ", parts))


def _stage_words(stage: StageShare) -> Text:
    """One stage and its time."""
    return {
        "disk": phrase("reading {seconds}", seconds=format_seconds(stage.seconds)),
        "decode": phrase("decoding and preparing {seconds}", seconds=format_seconds(stage.seconds)),
        "copy": phrase("copying {seconds}", seconds=format_seconds(stage.seconds)),
        "compute": phrase("computing {seconds}", seconds=format_seconds(stage.seconds)),
    }[stage.name]
