"""Changes of the plan where a step waits for its data: workers, prefetch, caches.

The predictor answers for them and a run can verify it.  What a plan cannot say is `app.core.advising.input_advice`.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.core.pipeline.input_cost import FLOAT32_BYTES, SampleCost, cache_room_bytes, cores_of
from app.core.pipeline.stages import Part, holds, share_with_room
from app.core.types.advice import Proposal
from app.core.types.machine import Machine
from app.core.types.predicted_time import Stages
from app.core.types.prediction import Prediction
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_bytes, format_number, format_share
from app.core.types.workload import Workload

WORTH_WAITING = 0.05
"""Below this share of waiting no change of the input is worth a sentence."""


SMALLEST_SHARE = 0.05
"""A cache of less than this share of the data is not worth its lines."""


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
