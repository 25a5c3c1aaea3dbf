"""What would have to be different for more RAM, a quicker disk or another card to matter, a sentence each."""

from __future__ import annotations

from app.core.advising.input_proposals import WORTH_WAITING
from app.core.pipeline.input_cost import SampleCost, cache_room_bytes
from app.core.pipeline.stages import UNBOUNDED, gain_limit, holds
from app.core.types.prediction import Prediction
from app.core.types.text import Text, phrase
from app.core.types.units import format_bytes, format_count, format_number, format_share
from app.core.types.workload import Workload


def would_matter(workload: Workload, now: Prediction, cost: SampleCost | None) -> tuple[Text, ...]:
    """RAM, disk and card: what each is used for now, and from when on more of it would help.

    Args:
        workload: What the user wants to train.
        now: The prediction for it.
        cost: What a sample costs the host; None without a dataset.
    """
    found = (_ram(workload, now, cost), _disk(now, cost), _card(now), _memory(now))
    return tuple(one for one in found if one)


def _ram(workload: Workload, now: Prediction, cost: SampleCost | None) -> Text:
    """RAM that keeps the data: what it takes, and what is free for it."""
    samples = workload.dataset.samples if workload.dataset is not None else None
    room = cache_room_bytes(now.machine)
    if cost is None or samples is None or room is None:
        return Text()
    whole = samples * (cost.held_bytes if cost.from_files else cost.cached_bytes)
    if not whole:
        return Text()
    if holds(whole / samples, samples, room):
        return phrase(
            "RAM: all of the data takes {whole} and {room} are free for it; more would matter from {times} × as many "
            "samples on",
            whole=format_bytes(whole),
            room=format_bytes(room),
            times=format_number(room / whole, ",.0f" if room >= 10 * whole else ".1f"),
        )
    return phrase(
        "RAM: all of the data takes {whole}, of which {room} have room; {missing} more would hold it",
        whole=format_bytes(whole),
        room=format_bytes(room),
        missing=format_bytes(whole - room),
    )


def _disk(now: Prediction, cost: SampleCost | None) -> Text:
    """The disk: what share of a step reading takes."""
    stages = now.time.stages
    if cost is None or stages is None or not stages.step_s:
        return Text()
    if stages.disk_s <= 0:
        return phrase("Disk: nothing is read while it trains; it would matter if the data had no room in RAM")
    limit = gain_limit(stages, "disk")
    if limit >= 1 + WORTH_WAITING:
        return phrase(
            "Disk: the step waits for it; a quicker one makes an epoch at most {times} × as fast",
            times=format_number(limit, ".2f"),
        )
    return phrase(
        "Disk: reading takes {share} of a step and hides behind the rest; a quicker one would matter if the rest were "
        "{times} × as fast",
        share=format_share(stages.disk_s / stages.step_s),
        times=format_number(stages.step_s / stages.disk_s, ",.3g"),
    )


def _card(now: Prediction) -> Text:
    """What computes: what share of a step it takes, and what a quicker one could bring at most."""
    stages = now.time.stages
    if stages is None or not stages.step_s:
        return phrase("Card: how much a quicker one would bring is not known before a run")
    limit = gain_limit(stages, "gpu")
    if stages.waiting_share >= WORTH_WAITING:
        return phrase(
            "Card: it would wait for the data {share} of a step; a quicker one makes an epoch at most {times} × as "
            "fast until the data comes sooner",
            share=format_share(stages.waiting_share),
            times=format_number(limit, ".2f"),
        )
    share = format_share(stages.device_s / stages.step_s)
    if limit >= UNBOUNDED:
        return phrase("Card: computing takes {share} of a step; a quicker one shortens all of it", share=share)
    return phrase(
        "Card: computing takes {share} of a step; from {times} × as fast on the step would wait for the data",
        share=share,
        times=format_number(limit, ".3g"),
    )


def _memory(now: Prediction) -> Text:
    """Memory of what computes: up to which batch it is enough."""
    fit = now.fit
    if not fit.max_batch_size or fit.allowed_bytes is None:
        return Text()
    return phrase(
        "Memory of {device}: {needed} are needed, {allowed} are there; more would matter above a batch of {largest}",
        device=fit.device_name,
        needed=format_bytes(fit.needed_bytes),
        allowed=format_bytes(fit.allowed_bytes),
        largest=format_count(fit.max_batch_size),
    )
