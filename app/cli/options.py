"""The options that verbs share, declared once, and how they become a plan, a workload and a machine."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from app.core.types.backends import Backend, why_impossible
from app.core.types.errors import BadDataset, BadModel, InvalidWorkload, UsageError
from app.core.types.text import phrase, verbatim
from app.core.types.units import parse_bytes
from app.core.types.workload import (
    MAX_THREADS,
    OPTIMIZERS,
    Cache,
    Data,
    Mode,
    Plan,
    Precision,
    Workload,
    read_image_size,
    why_not_int8,
)

if TYPE_CHECKING:
    from app.core.types.machine import Machine
    from app.services.advisor import Advisor

_CODE = re.compile(r"\.py:[A-Za-z_]\w*$")
_BYTES_PER_MB = 1e6


@dataclass(frozen=True)
class WorkloadOptions:
    """What to train, on what, and how."""

    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A catalog name, a .keras/.h5/.json file, or file.py:function.")
    ]
    dataset: Annotated[
        str | None, typer.Option(help="A catalog name, a folder or file of yours, or file.py:function.")
    ] = None
    input_shape: Annotated[str | None, typer.Option(help="One sample, for example 224x224x3.")] = None
    classes: Annotated[int | None, typer.Option(min=1, help="Number of classes, if the dataset does not say.")] = None
    batch_size: Annotated[int, typer.Option(min=1, help="Samples in a step.")] = 32
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the data.")] = 1
    optimizer: Annotated[str, typer.Option(help=f"One of {', '.join(OPTIMIZERS)}.")] = "adam"
    precision: Annotated[Precision, typer.Option(help="Number format of the computation.")] = "float32"
    jit: Annotated[bool | None, typer.Option("--jit/--no-jit", help="XLA on or off; else Keras decides.")] = None
    accumulate: Annotated[int, typer.Option(min=1, help="Steps whose gradients are added before an update.")] = 1
    remat: Annotated[bool, typer.Option("--remat", help="Recompute activations instead of keeping them.")] = False
    freeze: Annotated[
        list[str] | None, typer.Option(help="Layers not to train, by a pattern such as 'conv*'; may be given again.")
    ] = None
    mode: Annotated[Mode, typer.Option(help="Train the model or only use it.")] = "train"
    cache: Annotated[
        Cache,
        typer.Option(
            help="What is kept after the first epoch: decoded data in RAM or on disk, or encoded files in RAM."
        ),
    ] = "none"
    device: Annotated[str, typer.Option(help="auto, cpu or gpu:N.")] = "auto"
    ema: Annotated[bool, typer.Option("--ema", help="Keep a moving average of the weights.")] = False
    clipnorm: Annotated[float | None, typer.Option(help="Limit the norm of each gradient.")] = None
    global_clipnorm: Annotated[float | None, typer.Option(help="Limit the norm of all gradients together.")] = None
    clipvalue: Annotated[float | None, typer.Option(help="Limit every value of the gradients.")] = None
    weight_decay: Annotated[float | None, typer.Option(help="Shrink the weights a little at every update.")] = None
    data: Annotated[Data, typer.Option(help="How fit gets the data: a pipeline, or one array kept on the device.")] = (
        "pipeline"
    )
    lora_rank: Annotated[
        int | None, typer.Option(min=1, help="Train LoRA weights of this rank and the head; freeze the rest.")
    ] = None
    int8: Annotated[
        bool,
        typer.Option(
            "--int8", help="Hold weights as 8-bit integers, to use the model or to train LoRA weights beside them."
        ),
    ] = False
    sequence_length: Annotated[int | None, typer.Option(min=1, help="Tokens or time steps of a sample.")] = None
    image_size: Annotated[
        str | None, typer.Option(metavar="N|HxW", help="Height and width of the images, such as 160 or 480x640.")
    ] = None
    leave_out: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN", help="Layers to do without, such as one of two LSTM layers; may be given again."
        ),
    ] = None
    threads: Annotated[
        int | None, typer.Option(min=1, max=MAX_THREADS, help="Threads of the processor; else one for each core.")
    ] = None
    cache_share: Annotated[float, typer.Option(min=0.01, max=1, help="Share of the samples to cache.")] = 1.0
    input_workers: Annotated[
        int | None, typer.Option(min=1, max=MAX_THREADS, help="Samples read and decoded at once; else as many as help.")
    ] = None
    prefetch: Annotated[bool, typer.Option("--prefetch/--no-prefetch", help="Make batches ahead of the step.")] = True
    trust: Annotated[bool, typer.Option("--trust", help="Allow files of model and data to run their code.")] = False


@dataclass(frozen=True)
class MachineOptions:
    """Which machine to answer for; without any of these, this one."""

    on: Annotated[str | None, typer.Option("--on", metavar="GPU", help="Another GPU, such as 'RTX 3060 12GB'.")] = None
    ram: Annotated[str | None, typer.Option(help="Another amount of RAM, such as 32GB.")] = None
    disk_mbps: Annotated[float | None, typer.Option(min=0.001, help="Another disk, by its read rate in MB/s.")] = None
    machine: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="What `doctor --json` printed on another machine, or a file written by hand."
        ),
    ] = None

    def given(self) -> tuple[str, ...]:
        """The options that make the machine another one, as typed."""
        names = {"on": "--on", "ram": "--ram", "disk_mbps": "--disk-mbps", "machine": "--machine"}
        return tuple(option for name, option in names.items() if getattr(self, name) is not None)


@dataclass(frozen=True)
class RunOptions:
    """How to answer."""

    json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 if it does not fit.")] = False
    python: Annotated[str | None, typer.Option(metavar="PATH", help="The Python that trains, if it is another.")] = None
    backend: Annotated[
        Backend, typer.Option(help="The framework below Keras: its benchmark, and what is known of its memory.")
    ] = "tensorflow"
    refine: Annotated[
        bool,
        typer.Option(
            "--refine",
            help="Spend seconds on a sharper answer: compile the step without running it, or probe it at small ones.",
        ),
    ] = False


def grouped(function: Callable[..., None]) -> Callable[..., None]:
    """Let a verb take dataclasses of options; on the command line each field is an option of its own."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint) and isinstance(hint, type)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in groups:
            parameters += _parameters_of(groups[name])
        else:
            plain = parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
            parameters.append(plain)

    @functools.wraps(function)
    def verb(**values: Any) -> None:
        arguments = {
            name: group(**{f.name: values.pop(f.name) for f in fields(group)}) for name, group in groups.items()
        }
        function(**arguments, **values)

    signature = inspect.Signature(parameters)
    del verb.__wrapped__  # inspect would follow it to the ungrouped signature
    verb.__signature__ = signature  # type: ignore[attr-defined]
    verb.__annotations__ = {p.name: p.annotation for p in parameters}
    return verb


def _parameters_of(group: type) -> list[inspect.Parameter]:
    """The fields of a group as keyword parameters."""
    hints = get_type_hints(group, include_extras=True)
    empty = inspect.Parameter.empty
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=getattr(group, field.name, empty),
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]


def plan_from(options: WorkloadOptions, backend: Backend = "tensorflow") -> Plan:
    """The plan that the options describe.

    Raises:
        UsageError: An option has an impossible value.
    """
    if options.optimizer not in OPTIMIZERS:
        raise UsageError(phrase("unknown optimizer"), expected=", ".join(OPTIMIZERS), received=options.optimizer)
    problem = why_not_int8(options.mode, options.precision, options.lora_rank) if options.int8 else None
    problem = problem or why_impossible(backend, data=options.data, cache=options.cache, threads=options.threads)
    if problem:
        raise UsageError(verbatim(problem[0]), hint=verbatim(problem[1]))
    return Plan(
        batch_size=options.batch_size,
        optimizer=options.optimizer,
        precision=options.precision,
        jit=options.jit,
        accumulate=options.accumulate,
        remat=options.remat,
        freeze=tuple(options.freeze or ()),
        mode=options.mode,
        cache=options.cache,
        device=parse_device(options.device),
        epochs=options.epochs,
        ema=options.ema,
        clipnorm=options.clipnorm,
        global_clipnorm=options.global_clipnorm,
        clipvalue=options.clipvalue,
        weight_decay=options.weight_decay,
        data=options.data,
        lora_rank=options.lora_rank,
        int8=options.int8,
        sequence_length=options.sequence_length,
        image_size=_image_size(options.image_size) if options.image_size is not None else None,
        leave_out=tuple(options.leave_out or ()),
        threads=options.threads,
        backend=backend,
        cache_share=options.cache_share,
        input_workers=options.input_workers,
        prefetch=options.prefetch,
    )


def _image_size(text: str) -> tuple[int, int]:
    """Read ``--image-size``.

    Raises:
        UsageError: It is no size.
    """
    try:
        return read_image_size(text)
    except InvalidWorkload as error:
        raise UsageError(error.message, expected=error.expected, received=error.received) from error


def parse_device(text: str) -> str:
    """Read a device; ``gpu`` alone is the first card.

    Raises:
        UsageError: It is none of the three forms.
    """
    device = "gpu:0" if text.lower() == "gpu" else text.lower()
    if not re.fullmatch(r"auto|cpu|gpu:\d+", device):
        raise UsageError(phrase("unknown device"), expected="auto, cpu or gpu:N", received=text)
    return device


def parse_shape(text: str) -> tuple[int, ...]:
    """Read a shape such as ``224x224x3``, ``224,224,3`` or ``128``.

    Raises:
        UsageError: It is no list of positive whole numbers.
    """
    parts = re.split(r"\s*[x×,]\s*", text.strip("()[] "), flags=re.IGNORECASE)
    if not all(re.fullmatch(r"[1-9]\d{0,9}", part) for part in parts):
        raise UsageError(phrase("not a shape"), expected="positive sizes such as 224x224x3", received=text)
    return tuple(int(part) for part in parts)


def workload_from(advisor: Advisor, options: WorkloadOptions, backend: Backend = "tensorflow") -> Workload:
    """The workload that the options describe; asks before code of a file may run."""
    plan = plan_from(options, backend)
    input_shape = parse_shape(options.input_shape) if options.input_shape else None

    def may_run(text: str) -> bool:
        return options.trust or advisor.catalog.allows(text)

    model = advisor.catalog.find_model(options.model, trust=may_run_code(options.model, may_run(options.model)))
    data = options.dataset
    dataset = advisor.catalog.find_dataset(data, trust=may_run_code(data, may_run(data), "data")) if data else None
    return Workload(model, dataset, plan, input_shape, options.classes)


def may_run_code(text: str, trust: bool, what: Literal["model", "data"] = "model") -> bool:
    """Has the user allowed the code behind a model or data to run?  Asks if it is a function in a file.

    Raises:
        BadModel: The user said no, or nobody can be asked.
        BadDataset: Likewise, of data.
    """
    if trust or not _CODE.search(text):
        return trust
    refusal = BadModel if what == "model" else BadDataset
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise refusal(
            phrase("this {what} is code, and code runs only with your consent", what=what),
            received=text,
            hint=phrase("add --trust"),
        )
    if not typer.confirm(f"Run the code in {text.rsplit(':', 1)[0]} to make the {what}?", err=True):
        raise refusal(phrase("the code was not run, so there is no {what}", what=what), received=text)
    return True


def machine_from(advisor: Advisor, options: MachineOptions) -> Machine:
    """The machine to answer for: this one, one from a file, or one with parts replaced."""
    from app.cli.machine_file import read_machine

    machine = read_machine(options.machine) if options.machine else advisor.machine.read()
    if options.on is None and options.ram is None and options.disk_mbps is None:
        return machine
    return advisor.machine.simulate(
        machine,
        gpu=options.on,
        ram_bytes=parse_bytes(options.ram) if options.ram else None,
        disk_bytes_per_s=options.disk_mbps * _BYTES_PER_MB if options.disk_mbps else None,
    )


def refuse_refining_elsewhere(options: RunOptions, machine: MachineOptions) -> None:
    """Compiling and probing happen here and with TensorFlow, so they say nothing about another device or backend.

    Raises:
        UsageError: ``--refine`` together with another card, machine or backend.
    """
    if options.refine and options.backend != "tensorflow":
        raise UsageError(
            phrase("an estimate can be refined only for TensorFlow, whose step is compiled or probed"),
            received=f"--refine --backend {options.backend}",
            hint=phrase("leave --refine out, or measure with `bench`"),
        )
    elsewhere = [name for name in machine.given() if name in ("--on", "--machine")]
    if options.refine and elsewhere:
        raise UsageError(
            phrase("an estimate can be refined only for a device of this machine"),
            expected="no option that names another one",
            received=" ".join(["--refine", *elsewhere]),
            hint=phrase("XLA and the kernels lay out memory differently there; leave --refine out"),
        )
