"""The options that verbs share, besides those of the plan, and how they become a workload and a machine."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from app.cli.plan_options import plan_from, plan_parameters
from app.core.types.errors import BadDataset, BadModel, UsageError
from app.core.types.text import phrase
from app.core.types.units import parse_bytes
from app.core.types.workload import Plan, Workload

if TYPE_CHECKING:
    from app.core.types.machine import Machine
    from app.services.advisor import Advisor

_CODE = re.compile(r"\.py:[A-Za-z_]\w*$")
_BYTES_PER_MB = 1e6


@dataclass(frozen=True)
class WorkloadOptions:
    """What to train, and on what."""

    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="A catalog name, a .keras/.h5/.json file, or file.py:function.")
    ]
    dataset: Annotated[
        str | None, typer.Option(help="A catalog name, a folder or file of yours, or file.py:function.")
    ] = None
    input_shape: Annotated[str | None, typer.Option(help="One sample, for example 224x224x3.")] = None
    classes: Annotated[int | None, typer.Option(min=1, help="Number of classes, if the dataset does not say.")] = None
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
    refine: Annotated[
        bool,
        typer.Option(
            "--refine",
            help="Spend seconds on a sharper answer: compile the step without running it, or probe it at small ones.",
        ),
    ] = False


def grouped(function: Callable[..., None]) -> Callable[..., None]:
    """Let a verb take a plan and dataclasses of options; on the command line each field is an option of its own."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint) and isinstance(hint, type)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if name in groups:
            parameters += plan_parameters() if groups[name] is Plan else _parameters_of(groups[name])
        else:
            plain = parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
            parameters.append(plain)

    @functools.wraps(function)
    def verb(**values: Any) -> None:
        arguments: dict[str, Any] = {}
        for name, group in groups.items():
            given = {f.name: values.pop(f.name) for f in fields(group)}
            arguments[name] = plan_from(given) if group is Plan else group(**given)
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


def parse_shape(text: str) -> tuple[int, ...]:
    """Read a shape such as ``224x224x3``, ``224,224,3`` or ``128``.

    Raises:
        UsageError: It is no list of positive whole numbers.
    """
    parts = re.split(r"\s*[x×,]\s*", text.strip("()[] "), flags=re.IGNORECASE)
    if not all(re.fullmatch(r"[1-9]\d{0,9}", part) for part in parts):
        raise UsageError(phrase("not a shape"), expected="positive sizes such as 224x224x3", received=text)
    return tuple(int(part) for part in parts)


def workload_from(advisor: Advisor, options: WorkloadOptions, plan: Plan) -> Workload:
    """The workload that the options describe; asks before code of a file may run."""
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


def refuse_refining_elsewhere(options: RunOptions, machine: MachineOptions, plan: Plan) -> None:
    """Compiling and probing happen here and with TensorFlow, so they say nothing about another device or backend.

    Raises:
        UsageError: ``--refine`` together with another card, machine or backend.
    """
    if options.refine and plan.backend != "tensorflow":
        raise UsageError(
            phrase("an estimate can be refined only for TensorFlow, whose step is compiled or probed"),
            received=f"--refine --backend {plan.backend}",
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
