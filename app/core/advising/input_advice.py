"""Changes of the input pipeline, where a step waits for its data: workers, prefetch, caches, smaller files.

What a plan can say is proposed as a change of it, so that the predictor answers and a run can verify it.  What it
cannot say (augmenting on the card, another file format) is counted on the stages and says how to do it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.core.pipeline.input_cost import FLOAT32_BYTES, SampleCost, cache_room_bytes, cores_of
from app.core.pipeline.stages import Part, gain_limit, holds, mixed, share_with_room
from app.core.predict.corrections import Calibration
from app.core.types.advice import Effect, Proposal, Recommendation
from app.core.types.machine import Machine
from app.core.types.prediction import Prediction, Stages
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_bytes, format_number, format_share
from app.core.types.workload import Workload

WORTH_WAITING = 0.05
"""Below this share of waiting no change of the input is worth a sentence."""
SMALLEST_SHARE = 0.05
"""A cache of less than this share of the data is not worth its lines."""
IDLE_CORES = 0.85
"""Cores that are used less than this have room for more workers."""

PARTS: dict[str, Part] = {
    "cache_ram": "ram",
    "cache_encoded": "disk",
    "cache_disk": "ram",
    "cache_part": "ram",
    "workers": "cpu",
    "prefetch": "gpu",
    "augment_on_device": "cpu",
    "smaller_files": "disk",
}
"""Which part of the machine a change relieves: its bound is the bound of the gain."""

_CACHE_HOW = phrase(
    "in a tf.data pipeline: .cache() after decoding to uint8 and before augmenting and casting to float"
)


def input_proposals(workload: Workload, now: Prediction, cost: SampleCost | None) -> Iterable[Proposal]:
    """Changes of the plan that shorten the input.

    Args:
        workload: Dataset and plan.
        now: The prediction for it.
        cost: Of a sample; None without a dataset.
    """
    stages, plan = now.time.stages, workload.plan
    if stages is None or cost is None or stages.waiting_share < WORTH_WAITING:
        return
    cores = cores_of(now.machine)
    if plan.input_workers is not None and plan.input_workers < cores:
        yield Proposal(
            "workers",
            phrase(
                "Decode on all {cores} cores instead of {input_workers}",
                cores=format_number(cores, ".0f"),
                input_workers=plan.input_workers,
            ),
            phrase("samples are read and decoded at once, not one after the other"),
            {"input_workers": None},
            False,
            how=verbatim(
                "tf.data: map(…, num_parallel_calls=tf.data.AUTOTUNE); keras.utils.PyDataset(workers=…, "
                "use_multiprocessing=True)"
            ),
        )
    if not plan.prefetch:
        yield Proposal(
            "prefetch",
            phrase("Make batches ahead of the step (prefetch)"),
            phrase("the next batch is made while the device computes"),
            {"prefetch": True},
            False,
            how=phrase(".prefetch(tf.data.AUTOTUNE) at the end of the pipeline"),
        )
    if plan.cache == "none" and cost.from_files:
        yield from _caches(workload, now, cost)


def _caches(workload: Workload, now: Prediction, cost: SampleCost) -> Iterable[Proposal]:
    """What could be kept, in RAM and on disk, and what there is room for."""
    data = workload.dataset
    samples = data.samples if data else None
    if samples is None:
        return
    room = cache_room_bytes(now.machine)
    size = format_bytes(samples * cost.held_bytes)
    share = share_with_room(cost, now.machine, samples)
    kept = (
        phrase("later epochs neither read nor decode, but augment: half of the host's work is taken for that")
        if cost.augment_core_s
        else phrase("later epochs neither read nor decode")
    )
    if holds(cost.held_bytes, samples, room):
        yield Proposal(
            "cache_ram",
            phrase("Cache the decoded data in RAM"),
            phrase("{size}; {kept}", size=size, kept=kept),
            {"cache": "ram"},
            False,
            how=_CACHE_HOW,
        )
    elif share is not None and share >= SMALLEST_SHARE:
        some = max(SMALLEST_SHARE, int(share * 20) / 20)
        yield Proposal(
            "cache_part",
            phrase("Cache {some} of the decoded data in RAM", some=format_share(some)),
            phrase(
                "all of it takes {size}, more than the {room} that are free, and would swap; what is "
                "cached need not be read and decoded",
                size=size,
                room=format_bytes(room),
            ),
            {"cache": "ram", "cache_share": some},
            False,
            how=phrase(
                "cache a part: take(n).cache(), and sample_from_datasets with skip(n); {cache_how}",
                cache_how=_CACHE_HOW,
            ),
        )
    if cost.read_bytes and holds(cost.read_bytes, samples, room) and (now.time.stages or Stages(0)).disk_s > 0:
        encoded = format_bytes(samples * cost.read_bytes)
        yield Proposal(
            "cache_encoded",
            phrase("Cache the encoded files in RAM"),
            phrase("{encoded}; decoding stays", encoded=encoded),
            {"cache": "encoded"},
            False,
            how=phrase(".cache() after reading, before decoding"),
        )
    if holds(cost.held_bytes, samples, room):
        return
    yield Proposal(
        "cache_disk",
        phrase("Cache the decoded data on disk"),
        phrase("{size} on disk; later epochs skip decoding", size=size),
        {"cache": "disk"},
        False,
        how=phrase('.cache("folder/file") after decoding to uint8'),
    )


def input_advice(
    workload: Workload, now: Prediction, cost: SampleCost | None, taught: Calibration | None
) -> tuple[Recommendation, ...]:
    """Changes of a user's own pipeline, counted on the stages of the step."""
    stages = now.time.stages
    if stages is None or cost is None or stages.waiting_share < WORTH_WAITING:
        return ()
    found: list[Recommendation] = []
    found += _more_workers(workload, now, stages, taught)
    found += _augmenting(workload, now, stages, cost)
    found += _on_card(workload, now, stages, cost)
    found += _uint8(workload, now, stages, cost)
    found += _smaller_files(now, stages, cost)
    return tuple(found)


def after_stages(now: Prediction, low: Stages, middle: Stages, high: Stages) -> Effect:
    """The effect of other stages on time; memory stays."""
    time, stages = now.time, now.time.stages
    memory = now.memory.allocator_peak_bytes
    if time.epoch_s is None or stages is None or not stages.step_s:
        return Effect(memory, None)
    best, likely, worst = (time.epoch_s * one.step_s / stages.step_s for one in (low, middle, high))
    return Effect(memory, likely, best, worst, likely * now.plan.epochs)


def _more_workers(
    workload: Workload, now: Prediction, stages: Stages, taught: Calibration | None
) -> list[Recommendation]:
    """A user's own pipeline whose run left cores idle can decode faster, by as much as they were idle at most.

    Files that a benchmark reads itself are decoded on all cores already.
    """
    run, data = taught.stages if taught else None, workload.dataset
    busy = run.host_busy if run else None
    ours = data is not None and data.real and data.kind != "code"
    if ours or workload.plan.input_workers is not None or stages.decode_s < stages.disk_s:
        return []
    if busy is None or busy >= IDLE_CORES:
        return []
    best = replace(stages, decode_s=stages.decode_s * busy)
    return [
        Recommendation(
            "workers",
            phrase("Decode and augment on all cores"),
            phrase(
                "the processor was used to {busy} while the device waited: at best decoding takes {busy} of its time",
                busy=format_share(busy),
            ),
            {},
            effect_of(now),
            after_stages(now, best, best, stages),
            False,
            basis=phrase("use of the processor in your run"),
            how=phrase(
                "a generator on one thread: give fit a PyDataset with workers and use_multiprocessing, or tf.data with "
                "num_parallel_calls=tf.data.AUTOTUNE, and prefetch"
            ),
            gain_limit=gain_limit(stages, "cpu"),
        )
    ]


def _augmenting(workload: Workload, now: Prediction, stages: Stages, cost: SampleCost) -> list[Recommendation]:
    """Augmentation by layers of the model's front, on the card."""
    if stages.contention or not cost.augment_core_s:
        return []
    batch = workload.plan.batch_size
    augment_s = batch * cost.augment_core_s / stages.workers
    usual = replace(stages, decode_s=max(0.0, stages.decode_s - augment_s))
    best = replace(stages, decode_s=max(0.0, stages.decode_s - 2 * augment_s))
    return [
        Recommendation(
            "augment_on_device",
            phrase("Augment on the card instead of the processor"),
            phrase(
                "flips, shifts and rotations of a whole batch cost the card next to nothing, and a cache of decoded "
                "images then leaves the host nothing to do; how much of its work is augmentation was not measured, "
                "half is assumed"
            ),
            {},
            effect_of(now),
            after_stages(now, best, usual, stages),
            False,
            basis=phrase("stages of your run"),
            how=phrase("keras.layers.RandomFlip, RandomRotation, RandomTranslation … as the model's first layers"),
            gain_limit=gain_limit(stages, "cpu"),
        )
    ]


def _on_card(workload: Workload, now: Prediction, stages: Stages, cost: SampleCost) -> list[Recommendation]:
    """Decoded samples that stay on the card: as much as it has left, which random sampling hits as often."""
    data, spare = workload.dataset, now.fit.headroom_bytes
    samples = data.samples if data else None
    if samples is None or not spare or spare < 0 or stages.contention or not cost.from_files:
        return []
    in_ram = holds(cost.held_bytes, samples, cache_room_bytes(now.machine))
    if in_ram and stages.copy_s < WORTH_WAITING * stages.step_s:
        return []
    share = min(1.0, spare / (samples * max(1.0, cost.cached_bytes)))
    augment_s = workload.plan.batch_size * cost.augment_core_s / stages.workers
    there = replace(stages, disk_s=0.0, decode_s=augment_s, copy_s=0.0)
    after = mixed(there, stages, share)
    after = replace(after, copy_s=(1 - share) * stages.copy_s)
    return [
        Recommendation(
            "cache_on_device",
            phrase("Keep {share} of the decoded data on the card", share=format_share(share)),
            phrase(
                "{spare} of its memory are left, the data takes {samples}; of samples drawn by chance "
                "{share} are there already",
                spare=format_bytes(spare),
                samples=format_bytes(samples * cost.cached_bytes),
                share=format_share(share),
            ),
            {},
            effect_of(now),
            after_stages(now, after, after, stages),
            False,
            basis=phrase("what the prediction leaves free on the card"),
            how=phrase('tf.data: .apply(tf.data.experimental.copy_to_device("/gpu:0")).cache() after decoding'),
            gain_limit=gain_limit(stages, "ram"),
        )
    ]


def _uint8(workload: Workload, now: Prediction, stages: Stages, cost: SampleCost) -> list[Recommendation]:
    """A cache of floats that has no room may have it as bytes."""
    data, room = workload.dataset, cache_room_bytes(now.machine)
    samples = data.samples if data else None
    if samples is None or room is None or holds(cost.held_bytes, samples, room) or cost.compact:
        return []
    whole = samples * cost.held_bytes
    if whole / FLOAT32_BYTES > room:
        return []
    best = replace(stages, decode_s=0.0, disk_s=0.0)
    return [
        Recommendation(
            "cache_uint8",
            phrase("Cache images as uint8 instead of float32"),
            phrase(
                "if your loader keeps float32, {whole} become {whole2}, which fits into the {room} that are free",
                whole=format_bytes(whole),
                whole2=format_bytes(whole / FLOAT32_BYTES),
                room=format_bytes(room),
            ),
            {},
            effect_of(now),
            after_stages(now, best, best, stages),
            False,
            basis=phrase("K measured on your files"),
            how=phrase("keep what the decoder gives; cast to float after the cache"),
            gain_limit=gain_limit(stages, "ram"),
        )
    ]


def _smaller_files(now: Prediction, stages: Stages, cost: SampleCost) -> list[Recommendation]:
    """Files of half the size, where the disk is what is waited for."""
    if stages.disk_s < stages.decode_s or not cost.read_bytes:
        return []
    half = replace(stages, disk_s=stages.disk_s / 2)
    return [
        Recommendation(
            "smaller_files",
            phrase("Store smaller files: resized to what the network takes, or compressed more"),
            phrase(
                "files of half the size are read in half the time; many small ones in a few TFRecord files are read at "
                "the disk's sequential rate, about twice as fast"
            ),
            {},
            effect_of(now),
            after_stages(now, half, half, stages),
            True,
            basis=phrase("stages of the step"),
            how=phrase("resize once before training; tf.io.TFRecordWriter"),
            gain_limit=gain_limit(stages, "disk"),
        )
    ]


def effect_of(now: Prediction) -> Effect:
    """Memory and time of a prediction."""
    time = now.time
    ratio = time.epoch_s / time.step_s if time.epoch_s and time.step_s else None
    low = None if ratio is None or time.low_s is None else time.low_s * ratio
    high = None if ratio is None or time.high_s is None else time.high_s * ratio
    return Effect(now.memory.allocator_peak_bytes, time.epoch_s, low, high, time.total_s)


def cache_sizes(machine: Machine, samples: int, cost: SampleCost) -> Text:
    """What the data takes in each form, and what is free, in words."""
    whole = samples * cost.cached_bytes
    forms = [phrase("encoded {samples}", samples=format_bytes(samples * cost.read_bytes))] if cost.read_bytes else []
    if whole:
        forms.append(phrase("decoded {samples}", samples=format_bytes(samples * cost.held_bytes)))
        forms.append(
            phrase("as float32 {float32}", float32=format_bytes(FLOAT32_BYTES * whole))
            if cost.compact
            else phrase("as uint8, if that is float32 {whole}", whole=format_bytes(whole / FLOAT32_BYTES))
        )
    sizes = " · ".join(forms)
    room = cache_room_bytes(machine)
    return phrase("all data: {sizes}; free for a cache: {room}", sizes=sizes, room=format_bytes(room))
