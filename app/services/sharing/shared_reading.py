"""Reads the file of a run that somebody else shared, and trusts nothing in it.

It is decoded into typed fields, every number must be possible by itself and beside the others, and what was estimated
on the other machine is not used at all: `app.core.predict.strangers` weighs what was measured.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from app.catalog import typed_json
from app.core.types.errors import InvalidWorkload
from app.core.types.machine import Cpu, Gpu, Machine, Ram
from app.core.types.measurement import Doubt, MeasuredMemory, MeasuredShares, MeasuredStep, Measurement, RunResult
from app.core.types.plausible import Implausible, check_plausible
from app.core.types.run import Run
from app.core.types.text import Text
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.sharing.shared_run import FORMAT, SharedMachine, SharedMeasured, SharedRun

LONGEST_WORD = 200
"""Characters of a name; the longest of a card has 60."""
CONSISTENT = 10.0
"""Samples per second and step time may differ by so much: what beginning an epoch costs counts in the one alone."""


class NotShared(ValueError):
    """A file that is no shared run of ours."""


class Impossible(NotShared):
    """A file of which a number or a choice cannot be, by itself or beside the others."""


def read_shared(content: bytes) -> Run | None:
    """The run in a file as one of our own, to be weighed by the machine and model that it names.

    Returns:
        The run; None where the file is sound, but nobody measured anything that could be compared.

    Raises:
        NotShared: It is no such file.
        Impossible: Something in it cannot be.
    """
    try:
        found = typed_json.decode(content, SharedRun)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotShared(str(error)) from error
    except (OverflowError, InvalidWorkload) as error:
        raise Impossible(str(error)) from error
    if found.format != FORMAT or found.schema < 1:
        raise NotShared(found.format)
    try:
        check_plausible(found)
    except Implausible as error:
        raise Impossible(str(error)) from error
    _check(found)
    if found.measured is None or found.kind != "run" or found.outcome != "succeeded" or found.model.name is None:
        return None
    if found.machine.simulated:
        return None
    data, model = found.data, found.model
    dataset = Dataset(data.name or "", samples=data.samples, sample_shape=data.sample_shape, classes=data.classes)
    plan = replace(found.plan, device="gpu:0" if found.machine.card else "cpu")
    named = ModelRef("catalog", found.model.name)
    workload = Workload(named, dataset if data.chosen else None, plan, model.input_shape, model.classes)
    result = RunResult("succeeded", _as_measured(found.measured), environment=found.frameworks)
    return Run(0, found.day, workload, _as_machine(found.machine), None, result)


def _check(found: SharedRun) -> None:
    """What no single number shows.

    Raises:
        NotShared: A name is too long.
        Impossible: Numbers contradict each other.
    """
    if any(len(word) > LONGEST_WORD for word in _words(msgspec.to_builtins(found))):
        raise NotShared("a name is too long")
    measured, batch = found.measured, found.plan.batch_size
    if measured is None:
        return
    if not 0 < measured.step_low_s <= measured.step_s <= measured.step_high_s or measured.steps < 1:
        raise Impossible("step time")
    if not 1 / CONSISTENT <= measured.samples_per_s * measured.step_s / batch <= CONSISTENT:
        raise Impossible("samples per second do not go with the step time")
    if measured.allocator_peak_bytes is not None and measured.allocator_peak_bytes <= 0:
        raise Impossible("no memory was needed")


def _words(value: Any) -> list[str]:
    """Every text in plain values."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [word for one in inner for word in _words(one)]


def _as_machine(machine: SharedMachine) -> Machine:
    """The same as one of ours."""
    card = Gpu(
        vendor=machine.card_vendor,
        name=machine.card or "",
        memory_total_bytes=machine.card_memory_bytes,
        compute_capability=machine.compute_capability,
    )
    cpu = Cpu(machine.cpu, usable_cores=machine.usable_cores)
    cards = (card,) if machine.card else ()
    return Machine(machine.os, onednn=machine.onednn, cpu=cpu, ram=Ram(machine.ram_bytes), gpus=cards)


def _as_measured(found: SharedMeasured) -> Measurement:
    """The same as one of ours."""
    return Measurement(
        step=MeasuredStep(found.step_s, found.step_low_s, found.step_high_s, found.steps),
        first_step_s=found.step_s,
        samples_per_s=found.samples_per_s,
        epoch_s=found.epoch_s,
        memory=MeasuredMemory(found.allocator_peak_bytes, found.held_bytes, found.device_bytes, found.host_bytes),
        shares=MeasuredShares(found.input_share, found.copy_share, found.compute_share),
        doubts=tuple(Doubt(kind, Text()) for kind in found.doubts),
    )
