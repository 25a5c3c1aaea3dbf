"""The ``whole`` job: Keras's own ``fit``, with validation and saving, for some short epochs or in full."""

from __future__ import annotations

import dataclasses
import os
import tempfile
import time
from typing import Any

from app.core.types.backends import TITLES
from app.core.types.plans import plan_from_json
from app.core.types.text import phrase
from app.core.types.whole import Length, MeasuredWhole
from app.worker.backends.base import load, readable, take_device
from app.worker.backends.keras_calls import compile_model, set_seed
from app.worker.benchmark.environment import describe_environment
from app.worker.channel import Channel, JobFailed
from app.worker.failures import OUT_OF_MEMORY_HINT, cause_of, first_line, is_out_of_memory
from app.worker.models.build import build_for, dataset_among
from app.worker.whole.fit_arguments import fit_arguments
from app.worker.whole.phase_log import PhaseLog
from app.worker.whole.watched import watched


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Train as ``arguments`` say and tell what each phase needed.

    Args:
        arguments: As those of ``bench``, with ``length`` (`Length`): how much of each phase is run.
        channel: To the parent.

    Returns:
        ``whole`` (`MeasuredWhole` as JSON) and ``environment``.
    """
    begun_s = time.perf_counter()
    channel.phase("import")
    plan = plan_from_json(arguments)
    length = Length(**arguments["length"])
    channel.progress(0.0, phrase("loading {titles}", titles=TITLES[plan.backend]))
    backend = load(plan.backend)
    dataset, _ = readable(dataset_among(arguments))
    device = take_device(backend, plan, arguments.get("room_bytes"))
    set_seed(0)
    log = PhaseLog(backend.memory(device), begun_s)
    channel.phase("build")
    channel.progress(0.05, phrase("building the model"))
    built = build_for(arguments, plan)
    compile_model(built, plan)
    channel.check()
    with tempfile.TemporaryDirectory(prefix="willittrain-whole-") as folder:
        given = fit_arguments(built, plan, dataset, length, os.path.join(folder, "checkpoint.keras"))

        def on_epoch(epoch: int) -> None:
            channel.check()
            channel.progress(0.2 + 0.8 * (epoch + 1) / length.epochs, phrase("epoch {epoch}", epoch=epoch + 1))

        given["callbacks"] = watched(built.model, log, given["callbacks"], on_epoch)
        channel.phase("measure")
        channel.progress(0.2, phrase("training, validating and saving"))
        try:
            built.model.fit(**given)
        except BaseException as error:
            channel.partial = {"whole": _told(log, length, folder)}
            if is_out_of_memory(error):
                hint = OUT_OF_MEMORY_HINT
                raise JobFailed(cause_of(error) or "out_of_memory", first_line(error), hint=hint) from error
            raise
        whole = _told(log, length, folder)
    channel.phase("done")
    return {"whole": whole, "environment": describe_environment(backend, device)}


def _told(log: PhaseLog, length: Length, folder: str) -> dict[str, Any]:
    """What has been found so far, as JSON values."""
    saved = [entry.stat().st_size for entry in os.scandir(folder)]
    found = MeasuredWhole(
        log.phases(), tuple(log.epochs), length.steps, length.validation_steps, max(saved, default=None)
    )
    return dataclasses.asdict(found)
