"""Changes of a user's own pipeline, where a step waits for its data, that a plan cannot say.

They are counted on the stages of the step, and say how to do it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.core.advising.input_proposals import WORTH_WAITING
from app.core.pipeline.input_cost import FLOAT32_BYTES, SampleCost, cache_room_bytes
from app.core.pipeline.stages import Part, gain_limit, holds, mixed
from app.core.predict.corrections import Calibration
from app.core.types.advice import Effect, Recommendation
from app.core.types.predicted_time import Stages
from app.core.types.prediction import Prediction
from app.core.types.text import Text, phrase
from app.core.types.units import format_bytes, format_share
from app.core.types.workload import Workload

IDLE_CORES = 0.85
"""Cores that are used less than this have room for more workers."""


@dataclass(frozen=True)
class _Own:
    """A change of a pipeline, and the stages that it leaves: at best, likely, and at worst those of today."""

    id: str
    title: Text
    why: Text
    best: Stages
    likely: Stages
    basis: Text
    how: Text
    part: Part
    """What is relieved, whose bound is the bound of the gain."""
    changes_result: bool = False


def input_advice(
    workload: Workload, now: Prediction, cost: SampleCost | None, taught: Calibration | None
) -> tuple[Recommendation, ...]:
    """Changes of a user's own pipeline, counted on the stages of the step."""
    stages = now.time.stages
    if stages is None or cost is None or stages.waiting_share < WORTH_WAITING:
        return ()
    ways = (
        _more_workers(workload, stages, taught),
        _augmenting(workload, stages, cost),
        _on_card(workload, now, stages, cost),
        _uint8(workload, now, stages, cost),
        _smaller_files(stages, cost),
    )
    return tuple(_recommendation(way, now, stages) for way in ways if way is not None)


def _recommendation(way: _Own, now: Prediction, stages: Stages) -> Recommendation:
    """A change with its effect."""
    return Recommendation(
        way.id,
        way.title,
        way.why,
        {},
        effect_of(now),
        after_stages(now, way.best, way.likely, stages),
        way.changes_result,
        basis=way.basis,
        how=way.how,
        gain_limit=gain_limit(stages, way.part),
    )


def after_stages(now: Prediction, low: Stages, middle: Stages, high: Stages) -> Effect:
    """The effect of other stages on time; memory stays."""
    time, stages = now.time, now.time.stages
    memory = now.memory.allocator_peak_bytes
    if time.epoch_s is None or stages is None or not stages.step_s:
        return Effect(memory, None)
    best, likely, worst = (time.epoch_s * one.step_s / stages.step_s for one in (low, middle, high))
    return Effect(memory, likely, best, worst, likely * now.plan.epochs)


def _more_workers(workload: Workload, stages: Stages, taught: Calibration | None) -> _Own | None:
    """A user's own pipeline whose run left cores idle can decode faster, by as much as they were idle at most.

    Files that a benchmark reads itself are decoded on all cores already.
    """
    run, data = taught.stages if taught else None, workload.dataset
    busy = run.host_busy if run else None
    ours = data is not None and data.real and data.kind != "code"
    if ours or workload.plan.input_workers is not None or stages.decode_s < stages.disk_s:
        return None
    if busy is None or busy >= IDLE_CORES:
        return None
    best = replace(stages, decode_s=stages.decode_s * busy)
    return _Own(
        "workers",
        phrase("Decode and augment on all cores"),
        phrase(
            "the processor was used to {busy} while the device waited: at best decoding takes {busy} of its time",
            busy=format_share(busy),
        ),
        best,
        best,
        basis=phrase("use of the processor in your run"),
        how=phrase(
            "a generator on one thread: give fit a PyDataset with workers and use_multiprocessing, or tf.data with "
            "num_parallel_calls=tf.data.AUTOTUNE, and prefetch"
        ),
        part="cpu",
    )


def _augmenting(workload: Workload, stages: Stages, cost: SampleCost) -> _Own | None:
    """Augmentation by layers of the model's front, on the card."""
    if stages.contention or not cost.augment_core_s:
        return None
    batch = workload.plan.batch_size
    augment_s = batch * cost.augment_core_s / stages.workers
    usual = replace(stages, decode_s=max(0.0, stages.decode_s - augment_s))
    best = replace(stages, decode_s=max(0.0, stages.decode_s - 2 * augment_s))
    return _Own(
        "augment_on_device",
        phrase("Augment on the card instead of the processor"),
        phrase(
            "flips, shifts and rotations of a whole batch cost the card next to nothing, and a cache of decoded "
            "images then leaves the host nothing to do; how much of its work is augmentation was not measured, "
            "half is assumed"
        ),
        best,
        usual,
        basis=phrase("stages of your run"),
        how=phrase("keras.layers.RandomFlip, RandomRotation, RandomTranslation … as the model's first layers"),
        part="cpu",
    )


def _on_card(workload: Workload, now: Prediction, stages: Stages, cost: SampleCost) -> _Own | None:
    """Decoded samples that stay on the card: as much as it has left, which random sampling hits as often."""
    data, spare = workload.dataset, now.fit.headroom_bytes
    samples = data.samples if data else None
    if samples is None or not spare or spare < 0 or stages.contention or not cost.from_files:
        return None
    in_ram = holds(cost.held_bytes, samples, cache_room_bytes(now.machine))
    if in_ram and stages.copy_s < WORTH_WAITING * stages.step_s:
        return None
    share = min(1.0, spare / (samples * max(1.0, cost.cached_bytes)))
    augment_s = workload.plan.batch_size * cost.augment_core_s / stages.workers
    there = replace(stages, disk_s=0.0, decode_s=augment_s, copy_s=0.0)
    after = mixed(there, stages, share)
    after = replace(after, copy_s=(1 - share) * stages.copy_s)
    return _Own(
        "cache_on_device",
        phrase("Keep {share} of the decoded data on the card", share=format_share(share)),
        phrase(
            "{spare} of its memory are left, the data takes {samples}; of samples drawn by chance "
            "{share} are there already",
            spare=format_bytes(spare),
            samples=format_bytes(samples * cost.cached_bytes),
            share=format_share(share),
        ),
        after,
        after,
        basis=phrase("what the prediction leaves free on the card"),
        how=phrase('tf.data: .apply(tf.data.experimental.copy_to_device("/gpu:0")).cache() after decoding'),
        part="ram",
    )


def _uint8(workload: Workload, now: Prediction, stages: Stages, cost: SampleCost) -> _Own | None:
    """A cache of floats that has no room may have it as bytes."""
    data, room = workload.dataset, cache_room_bytes(now.machine)
    samples = data.samples if data else None
    if samples is None or room is None or holds(cost.held_bytes, samples, room) or cost.compact:
        return None
    whole = samples * cost.held_bytes
    if whole / FLOAT32_BYTES > room:
        return None
    best = replace(stages, decode_s=0.0, disk_s=0.0)
    return _Own(
        "cache_uint8",
        phrase("Cache images as uint8 instead of float32"),
        phrase(
            "if your loader keeps float32, {whole} become {whole2}, which fits into the {room} that are free",
            whole=format_bytes(whole),
            whole2=format_bytes(whole / FLOAT32_BYTES),
            room=format_bytes(room),
        ),
        best,
        best,
        basis=phrase("K measured on your files"),
        how=phrase("keep what the decoder gives; cast to float after the cache"),
        part="ram",
    )


def _smaller_files(stages: Stages, cost: SampleCost) -> _Own | None:
    """Files of half the size, where the disk is what is waited for."""
    if stages.disk_s < stages.decode_s or not cost.read_bytes:
        return None
    half = replace(stages, disk_s=stages.disk_s / 2)
    return _Own(
        "smaller_files",
        phrase("Store smaller files: resized to what the network takes, or compressed more"),
        phrase(
            "files of half the size are read in half the time; many small ones in a few TFRecord files are read at "
            "the disk's sequential rate, about twice as fast"
        ),
        half,
        half,
        basis=phrase("stages of the step"),
        how=phrase("resize once before training; tf.io.TFRecordWriter"),
        part="disk",
        changes_result=True,
    )


def effect_of(now: Prediction) -> Effect:
    """Memory and time of a prediction."""
    time = now.time
    ratio = time.epoch_s / time.step_s if time.epoch_s and time.step_s else None
    low = None if ratio is None or time.low_s is None else time.low_s * ratio
    high = None if ratio is None or time.high_s is None else time.high_s * ratio
    return Effect(now.memory.allocator_peak_bytes, time.epoch_s, low, high, time.total_s)
