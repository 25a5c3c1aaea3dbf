"""A shown run or answer as a file that another person's program reads: what was trained where, sizes and times.

JSON in plain words, so that a paper's script can read it too; fields may be added, never renamed.  How such a file of
somebody else is read: `app.services.sharing.shared_reading`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from app import __version__
from app.catalog import typed_json
from app.core.types.machine import Machine
from app.core.types.measurement import Measurement
from app.core.types.plan import Plan
from app.core.types.prediction import Prediction
from app.core.types.text import Text
from app.core.types.visible import visible_json
from app.core.types.workload import Dataset
from app.services.sharing.shown import Shown

FORMAT, SCHEMA = "willittrain-shared", 1
ENDING = ".willittrain.json"

Shape = tuple[int | None, ...]


@dataclass(frozen=True)
class SharedMachine:
    """Where it ran."""

    os: str | None = None
    cpu: str | None = None
    usable_cores: float | None = None
    ram_bytes: int | None = None
    card: str | None = None
    card_vendor: str | None = None
    card_memory_bytes: int | None = None
    compute_capability: tuple[int, int] | None = None
    onednn: bool | None = None
    """TensorFlow used oneDNN's kernels on the processor."""
    simulated: bool = False
    """Nobody has that machine: an answer for another one."""


@dataclass(frozen=True)
class SharedModel:
    """What was trained; without a name where it is not the catalog's."""

    name: str | None = None
    params: int | None = None
    trainable_params: int | None = None
    input_shape: tuple[int, ...] | None = None
    classes: int | None = None


@dataclass(frozen=True)
class SharedData:
    """On what; without a name where it is not the catalog's."""

    name: str | None = None
    samples: int | None = None
    sample_shape: Shape | None = None
    classes: int | None = None
    chosen: bool = True
    """False where no data was named and the values were random."""


@dataclass(frozen=True)
class SharedEstimate:
    """What was estimated, for a reader; another program does not use it."""

    verdict: str
    allowed_bytes: int | None
    peak_bytes: int
    low_bytes: int
    high_bytes: int
    memory_basis: str
    step_s: float | None
    step_low_s: float | None
    step_high_s: float | None
    time_basis: str
    max_batch_size: int | None


@dataclass(frozen=True)
class SharedMeasured:
    """What was measured."""

    step_s: float
    step_low_s: float
    step_high_s: float
    steps: int
    samples_per_s: float
    epoch_s: float | None = None
    allocator_peak_bytes: int | None = None
    held_bytes: int | None = None
    device_bytes: int | None = None
    host_bytes: int | None = None
    input_share: float | None = None
    copy_share: float | None = None
    compute_share: float | None = None
    doubts: tuple[str, ...] = ()
    """Their kinds."""


@dataclass(frozen=True)
class SharedRun:
    """One file."""

    format: str
    schema: int
    kind: str
    """``run`` or ``estimate``."""
    program_version: str
    day: str
    outcome: str
    model: SharedModel
    data: SharedData
    plan: Plan
    machine: SharedMachine
    measured: SharedMeasured | None = None
    estimate: SharedEstimate | None = None
    frameworks: dict[str, str] = field(default_factory=dict)


def shared_document(shown: Shown) -> bytes:
    """The file of a shown run or answer."""
    run, told = shown.run, shown.prediction
    workload, facts = run.workload, told.model if told is not None else None
    model, data = workload.model, workload.dataset
    document = SharedRun(
        format=FORMAT,
        schema=SCHEMA,
        kind="run" if shown.measured else "estimate",
        program_version=__version__,
        day=run.created_at,
        outcome=run.result.outcome if shown.measured else "",
        model=SharedModel(
            name=None if isinstance(model.name, Text) else model.name,
            params=facts.params if facts else None,
            trainable_params=facts.trainable_params if facts else None,
            input_shape=workload.input_shape,
            classes=workload.classes,
        ),
        data=_data(data),
        plan=workload.plan,
        machine=_machine(run.machine),
        measured=_measured(run.result.measurement),
        estimate=_estimate(told),
        frameworks=dict(run.result.environment),
    )
    text = msgspec.json.format(typed_json.encode_english(document), indent=2).decode()
    return (visible_json(text) + "\n").encode()


def _data(data: Dataset | None) -> SharedData:
    """What was trained on."""
    if data is None:
        return SharedData(chosen=False)
    name = None if isinstance(data.name, Text) else data.name
    return SharedData(name, data.samples, data.sample_shape, data.classes)


def _machine(machine: Machine) -> SharedMachine:
    """Where."""
    card = machine.gpus[0] if machine.gpus else None
    return SharedMachine(
        os=machine.os,
        onednn=machine.onednn,
        cpu=machine.cpu.name,
        usable_cores=machine.cpu.usable_cores,
        ram_bytes=machine.ram.total_bytes,
        card=card.name if card else None,
        card_vendor=card.vendor if card else None,
        card_memory_bytes=card.memory_total_bytes if card else None,
        compute_capability=card.compute_capability if card else None,
        simulated=bool(machine.simulated),
    )


def _estimate(told: Prediction | None) -> SharedEstimate | None:
    """What was estimated."""
    if told is None:
        return None
    memory, time = told.memory, told.time
    return SharedEstimate(
        verdict=told.fit.verdict,
        allowed_bytes=told.fit.allowed_bytes,
        peak_bytes=memory.allocator_peak_bytes,
        low_bytes=memory.low_bytes,
        high_bytes=memory.high_bytes,
        memory_basis=memory.basis,
        step_s=time.step_s,
        step_low_s=time.low_s,
        step_high_s=time.high_s,
        time_basis=time.basis,
        max_batch_size=told.fit.max_batch_size,
    )


def _measured(found: Measurement | None) -> SharedMeasured | None:
    """What was measured."""
    if found is None:
        return None
    step, memory, shares = found.step, found.memory, found.shares
    return SharedMeasured(
        step_s=step.median_s,
        step_low_s=step.low_s,
        step_high_s=step.high_s,
        steps=step.n,
        samples_per_s=found.samples_per_s,
        epoch_s=found.epoch_s,
        allocator_peak_bytes=memory.allocator_peak_bytes,
        held_bytes=memory.held_bytes,
        device_bytes=memory.device_bytes,
        host_bytes=memory.host_bytes,
        input_share=shares.input,
        copy_share=shares.copy,
        compute_share=shares.compute,
        doubts=tuple(doubt.kind for doubt in found.doubts),
    )
