"""Refined answers on disk, found again by what they were made from."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from pathlib import Path
from typing import Any

import msgspec

import app
from app.core.device import TargetDevice
from app.core.optimizers import UpdateOptions
from app.core.recording import Recording
from app.core.refined import Refined
from app.core.stepgraph import Line
from app.core.workload import Plan
from app.services.compressed_store import CompressedStore

_MADE_BY = ("worker/refine*.py", "core/recording.py")
"""Files whose change makes stored answers worthless."""


class RefinedStore(CompressedStore[Refined]):
    """Answers of the ``refine`` job under a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, refined_from_json, "the refined answer")


def refined_key(graph_key: str, plan: Plan, device: TargetDevice, *, compiled: bool) -> str:
    """A name for everything an answer depends on: the graph, the optimizer, the device and this program.

    Args:
        graph_key: Name of the traced graph (`app.services.graph_store`).
        plan: Its batch size counts only for a compiled step.
        device: The device that ran or compiled; on the host the number of its threads counts too.
        compiled: XLA is on.
    """
    batch = plan.batch_size if compiled else None
    threads = device.host_threads if device.gpu is None else None
    update = [plan.optimizer, plan.accumulate, dataclasses.astuple(UpdateOptions.of(plan))]
    described = [graph_key, _maker_digest(), update, compiled, batch, device.name, threads]
    return hashlib.sha256(msgspec.json.encode(described)).hexdigest()[:32]


def refined_from_json(answer: dict[str, Any]) -> Refined:
    """Read the answer of the ``refine`` job.

    Raises:
        KeyError: A field is missing.
        IndexError: The sizes of chunks do not stand in it.
    """
    recording = answer["recording"]
    kinds = [Line(*pair) for pair in recording["kinds"]]
    return Refined(
        compiled=answer["compiled"],
        batch_sizes=tuple(answer["batch_sizes"]),
        recording=Recording(
            events=tuple(recording["events"]),
            sizes=tuple(kinds[kind] for kind in recording["size_of"]),
            starts=tuple(recording["starts"]),
            unmatched_share=recording["unmatched_share"],
        ),
        framework=answer["framework"],
        seconds=answer["seconds"],
        window=answer["window"],
    )


@functools.cache
def _maker_digest() -> str:
    """Changes whenever the code that records does."""
    root = Path(app.__file__).parent
    digest = hashlib.sha256()
    for pattern in _MADE_BY:
        for path in sorted(root.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()
