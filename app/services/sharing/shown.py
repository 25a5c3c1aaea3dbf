"""What of a run or an answer may be shown to anybody: chosen field by field, so that nothing new slips in.

What says who, where or what exactly is not taken over: paths, names of files, functions and data that are not the
catalog's, notes, layers, messages and warnings, the numbers of cards, versions of the system.  The rest is our own
words and numbers; what leaves out user and host of a report (`app.services.reports.redaction`) goes over it once more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from app.catalog.datasets import load_datasets
from app.catalog.models import load_models
from app.core.simulate.device import TargetDevice, choose_device
from app.core.types.errors import InvalidWorkload
from app.core.types.machine import Cpu, Gpu, Machine, Ram
from app.core.types.measurement import Measurement, Problem, RunResult
from app.core.types.plan import Plan
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.text import Text, phrase
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.reports.redaction import HIDDEN, own_names, redacted

OWN_MODEL, OWN_DATA = phrase("A model of one's own"), phrase("data of one's own")
LEFT_OUT = phrase(
    "folders and files, the names of your own models, data and layers, notes, names of user and host, and the cards' "
    "own numbers"
)
FRAMEWORKS = ("python", "tensorflow", "keras", "jax", "torch", "numpy", "xla", "data")
"""What is told of a run's environment: versions, whether XLA compiled it, and whether the data was real."""
_VERSION = re.compile(r"[\w.+-]{1,40}|made up")
_PATTERN = re.compile(r"[\w*?.\[\]-]{1,60}")
"""Layers of a network of the catalog."""


@dataclass(frozen=True)
class Shown:
    """A run, or an answer, of which nothing is left that must not be shown.

    Attributes:
        run: Without anything that says who or where; an answer has an empty result.
        measured: It is a run, not an answer only.
        number: Of the run in its own history; 0 for an answer.
    """

    run: Run
    measured: bool
    number: int = 0

    @property
    def prediction(self) -> Prediction | None:
        """What was estimated."""
        return self.run.prediction

    @property
    def card(self) -> Gpu | None:
        """The card that trains; None for the processor."""
        return self.run.machine.gpus[0] if self.run.machine.gpus else None


def shown_run(run: Run) -> Shown:
    """What may be shown of a run."""
    return _shown(run, measured=True)


def shown_answer(prediction: Prediction, workload: Workload, asked_at: str) -> Shown:
    """What may be shown of an answer.

    Args:
        prediction: The answer.
        workload: What was asked about.
        asked_at: When, in ISO 8601.
    """
    asked = replace(workload, plan=prediction.plan)
    return _shown(Run(0, asked_at, asked, prediction.machine, prediction, RunResult("succeeded")), measured=False)


def _shown(run: Run, *, measured: bool) -> Shown:
    """A run with what may be shown of it alone."""
    workload, answer = run.workload, run.prediction
    device = _device(run)
    machine = _machine(run.machine, device)
    model, data, plan = _model(workload.model), _data(workload.dataset), _plan(workload, device)
    chosen = Run(
        run_id=0,
        created_at=run.created_at[:10],
        workload=Workload(model, data, plan, workload.input_shape, workload.classes),
        machine=machine,
        prediction=None if answer is None else _prediction(answer, model, plan, machine),
        result=_result(run.result),
    )
    told = redacted(chosen, own_names() | _own_words(workload))
    return Shown(_with_plain_names(told, model, data), measured, run.run_id)


def _with_plain_names(run: Run, model: ModelRef, data: Dataset | None) -> Run:
    """The catalog's names as they are: no user who is called Lena, and no folder, takes a part out of one."""
    told = run.prediction
    if told is not None:
        told = replace(told, model=replace(told.model, name=model.name))
    return replace(run, prediction=told, workload=replace(run.workload, model=model, dataset=data))


def _device(run: Run) -> TargetDevice:
    """The device that trains: the one that the answer speaks of, else the one that the plan means."""
    told = run.prediction
    if told is not None:
        return TargetDevice(told.fit.device_name, told.card)
    try:
        return choose_device(run.machine, run.workload.plan.device)
    except InvalidWorkload:
        return TargetDevice("CPU")


def _own_words(workload: Workload) -> set[str]:
    """Names that the user gave, so that no text of ours repeats one."""
    model, data = workload.model, workload.dataset
    names: set[str | None] = {model.name, model.path, model.function} if model.kind != "catalog" else set()
    kept = _data(data)
    if data is not None and kept is not None and kept.name != data.name:
        names |= {data.name, data.path, data.function}
    parts = {part for name in names if name for part in (name, *re.split(r"[\\/:]", name))}
    return parts | {part.rpartition(".")[0] for part in parts if "." in part}


def _model(model: ModelRef) -> ModelRef:
    """The plain name of a network of the shipped catalog, and of no other."""
    known = model.kind == "catalog" and any(model.name == entry.name for entry in load_models())
    return ModelRef("catalog", model.name) if known else ModelRef("file", OWN_MODEL)


def _data(data: Dataset | None) -> Dataset | None:
    """Likewise for data; of one's own the sizes that a step depends on."""
    if data is None:
        return None
    known = any(data.name == row.name for row in load_datasets()) and data.kind in ("catalog", "keras")
    name = data.name if known else OWN_DATA
    return Dataset(name, "described", None, data.samples, data.sample_shape, data.dtype, data.classes, real=data.real)


def _plan(workload: Workload, device: TargetDevice) -> Plan:
    """The plan; patterns of layers only where the layers are the catalog's, and a card is the first of its machine."""
    plan, ours = workload.plan, workload.model.kind == "catalog"

    def patterns(given: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one if ours and _PATTERN.fullmatch(one) else HIDDEN for one in given)

    place = "cpu" if device.gpu is None else "gpu:0"
    return replace(plan, freeze=patterns(plan.freeze), leave_out=patterns(plan.leave_out), device=place)


def _machine(machine: Machine, device: TargetDevice) -> Machine:
    """Processor, RAM, and the card that trains."""
    cpu, card = machine.cpu, device.gpu
    gpus: tuple[Gpu, ...] = ()
    if card is not None:
        gpus = (
            Gpu(
                vendor=card.vendor,
                name=card.name,
                memory_total_bytes=card.memory_total_bytes,
                unified=card.unified,
                compute_capability=card.compute_capability,
                power_limit_w=card.power_limit_w,
                simulated=card.simulated,
            ),
        )
    return Machine(
        os=machine.os,
        wsl=machine.wsl,
        cpu=Cpu(cpu.name, cpu.vendor, cpu.microarchitecture, cpu.physical_cores, cpu.logical_cores, cpu.usable_cores),
        ram=Ram(total_bytes=machine.ram.total_bytes),
        gpus=gpus,
        nvidia_driver=machine.nvidia_driver if gpus else None,
        simulated=machine.simulated,
    )


def _prediction(told: Prediction, model: ModelRef, plan: Plan, machine: Machine) -> Prediction:
    """The numbers of an answer."""
    return Prediction(
        model=replace(told.model, name=model.name, source=Text(), assumptions=(), captured=None),
        plan=plan,
        machine=machine,
        memory=replace(told.memory, dominant_assumption=Text(), largest_layers=(), timeline=(), explanation=()),
        fit=replace(told.fit, reasons=(), explanation=()),
        time=replace(told.time, dominant_assumption=Text(), explanation=()),
        textbook_bytes=told.textbook_bytes,
        xla=told.xla,
    )


def _result(result: RunResult) -> RunResult:
    """How a run ended, and what it measured."""
    found, problem = result.measurement, result.problem
    words = {name: result.environment[name] for name in FRAMEWORKS if name in result.environment}
    return RunResult(
        result.outcome,
        None if found is None else _measurement(found),
        None if problem is None else Problem(problem.kind, Text(), problem.phase),
        environment={name: word for name, word in words.items() if _VERSION.fullmatch(word)},
    )


def _measurement(found: Measurement) -> Measurement:
    """The figures of a run; its doubts are sentences of ours."""
    return Measurement(
        step=found.step,
        first_step_s=found.first_step_s,
        samples_per_s=found.samples_per_s,
        epoch_s=found.epoch_s,
        memory=found.memory,
        shares=found.shares,
        bound_by=found.bound_by,
        build_s=found.build_s,
        cpu_percent=found.cpu_percent,
        gpu_percent=found.gpu_percent,
        reference_move=found.reference_move,
        doubts=found.doubts,
    )
