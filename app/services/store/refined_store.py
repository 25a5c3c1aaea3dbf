"""Refined answers on disk, found again by what they were made from."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
from pathlib import Path
from typing import Annotated, Any

import msgspec

import app
from app.catalog import typed_json
from app.core.predict.refined import Refined
from app.core.simulate.device import TargetDevice
from app.core.simulate.optimizers import UpdateOptions
from app.core.simulate.recorded_trace import StepPeaks
from app.core.types.plausible import check_plausible
from app.core.types.text import phrase
from app.core.types.workload import Plan
from app.services.store.compressed_store import CompressedStore

_MADE_BY = (
    "worker/refining/*.py",
    "worker/recording/requests.py",
    "worker/recording/xspace.py",
    "worker/recording/messages.py",
    "services/predictor/refine.py",
    "core/predict/refining_time.py",
    "core/simulate/allocation_trace.py",
    "core/simulate/recorded_trace.py",
    "core/simulate/survival.py",
    "core/simulate/bfc.py",
)
"""Files whose change makes stored answers worthless: what is run, for how many steps, how it is read and replayed."""

SMALLEST_PROBE, LARGEST_PROBE = 2, 4096
PROBED_SHARE = 4
"""A probe runs a quarter of the batch that is asked about: tiny steps end in another order than large ones, and
less than a quarter of the memory is a price worth paying.  (Errors at 4 times, 8 and 16: studies/accuracy/refine.)"""


def probes_nearest_first(batch_size: int) -> tuple[int, ...]:
    """Batch sizes that may have been probed, those nearest to the best one for ``batch_size`` first."""
    best = max(SMALLEST_PROBE, batch_size / PROBED_SHARE)
    every = [SMALLEST_PROBE << n for n in range((LARGEST_PROBE // SMALLEST_PROBE).bit_length())]
    return tuple(sorted(every, key=lambda probe: abs(math.log2(probe / best))))


class RefinedStore(CompressedStore[Refined]):
    """Answers of the ``refine`` job under a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, lambda text: refined_from_json(msgspec.json.decode(text)))


def refined_key(graph_key: str, plan: Plan, device: TargetDevice, *, probe: int | None) -> str:
    """A name for everything an answer depends on: the graph, the optimizer, the device and this program.

    Args:
        graph_key: Name of the traced graph (`app.services.store.graph_key`).
        plan: Its batch size counts only for a compiled step.
        device: The device that ran or compiled; on the host its threads and its kernels count too.
        probe: The batch size that was run; None for a compiled step.
    """
    threads = device.host_threads if device.gpu is None else None
    batch = plan.batch_size if probe is None else probe
    step = dataclasses.replace(
        plan,
        batch_size=batch,
        jit=probe is None,
        epochs=1,
        device="auto",
        data="pipeline",
        clipnorm=None,
        global_clipnorm=None,
        clipvalue=None,
        weight_decay=None,
    )
    update = dataclasses.astuple(UpdateOptions.of(plan))
    described = [graph_key, _maker_digest(), typed_json.plain(step), update, device.name, threads, device.onednn]
    return hashlib.sha256(typed_json.encode_english(described)).hexdigest()[:32]


def refined_from_json(answer: dict[str, Any]) -> Refined:
    """Read the answer of the ``refine`` job.

    Raises:
        ValueError: A field is missing or of another type, or the numbers cannot be.
    """
    told = typed_json.convert(answer, _Told)
    refined = Refined(
        compiled=told.compiled,
        batch_sizes=told.batch_sizes,
        peaks=told.peaks,
        unmatched_share=told.unmatched_share,
        cap_share=told.cap_share,
        framework=told.framework,
        seconds=told.seconds,
    )
    check_plausible(refined)
    _check_whole(refined)
    return refined


def _check_whole(refined: Refined) -> None:
    """Raise `ValueError` unless every batch that the answer speaks for has a peak, or lies on a line through two."""
    batches = [peaks.batch_size for peaks in refined.peaks]
    known = {*refined.batch_sizes} <= {*batches} if refined.compiled else len(batches) > 1
    if not known or not refined.batch_sizes or batches != sorted({*batches}):
        raise ValueError(phrase("peaks of the batches {batches}", batches=batches))
    if min(*batches, *refined.batch_sizes) < 1 or not all(peaks.later_bytes for peaks in refined.peaks):
        raise ValueError(phrase("a batch of nothing, or one that was not run"))


class _Told(msgspec.Struct):
    """The answer as it stands in JSON, without the operations that were timed besides."""

    compiled: bool
    batch_sizes: tuple[int, ...]
    peaks: tuple[StepPeaks, ...]
    unmatched_share: Annotated[float, msgspec.Meta(ge=0, le=1)]
    cap_share: Annotated[float, msgspec.Meta(ge=0, le=1e6)]
    framework: str
    seconds: Annotated[float, msgspec.Meta(ge=0)]


@functools.cache
def _maker_digest() -> str:
    """Changes whenever the code that records does."""
    root = Path(app.__file__).parent
    digest = hashlib.sha256()
    for pattern in _MADE_BY:
        for path in sorted(root.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()
