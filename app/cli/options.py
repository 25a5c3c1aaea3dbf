"""The options that verbs share, besides those of the plan, and how they become a workload and a machine."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from app.cli.plan_options import plan_from, plan_parameters
from app.core.types.errors import BadDataset, BadModel, UsageError
from app.core.types.plan import Plan, plan_options
from app.core.types.text import phrase
from app.core.types.units import parse_bytes
from app.core.types.visible import visible
from app.core.types.workload import ModelRef, Workload

if TYPE_CHECKING:
    from app.core.types.machine import Machine
    from app.services.advisor import Advisor
    from app.services.catalog.catalog import Catalog

_BYTES_PER_MB = 1e6
_CONTEXT = "context"


@dataclass(frozen=True)
class WorkloadOptions:
    """What to train, and on what."""

    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="A catalog name, a .keras/.h5/.json file, file.py:function, or a script that trains: train.py.",
        ),
    ]
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[-- ARGS]", help="The script's own arguments, behind --.")
    ] = None
    module: Annotated[
        bool, typer.Option("-m", help="MODEL is a script's module, as `python -m` takes it, such as package.train.")
    ] = False
    fit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Which of the script's trainings; those before are skipped.")
    ] = None
    count_fits: Annotated[
        bool, typer.Option("--count-fits", help="Run the script to its end, without training, to add up its trainings.")
    ] = False
    sandbox: Annotated[
        bool, typer.Option("--sandbox", help="Run the script on a copy of its folder, where nothing is kept.")
    ] = False
    dataset: Annotated[
        str | None, typer.Option(help="A catalog name, a folder or file of yours, or file.py:function.")
    ] = None
    input_shape: Annotated[str | None, typer.Option(help="One sample, for example 224x224x3.")] = None
    arg: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="An argument of your function, such as num_classes=10; repeatable."),
    ] = None
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
class TypedPlan:
    """The plan, and which of its options stand on the command line; the model's author decides about the others."""

    plan: Plan
    given: frozenset[str] = frozenset()


@dataclass(frozen=True)
class RunOptions:
    """How to answer."""

    json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False
    check: Annotated[bool, typer.Option("--check", help="Exit with 1 if it does not fit.")] = False
    python: Annotated[str | None, typer.Option(metavar="PATH", help="The Python that trains, if it is another.")] = None
    timeout: Annotated[
        float | None,
        typer.Option(min=1, metavar="SECONDS", help="How long the model, or the script up to its training, may take."),
    ] = None
    refine: Annotated[
        bool,
        typer.Option(
            "--refine",
            help="Spend seconds on a sharper answer: compile the step without running it, or probe it at small ones.",
        ),
    ] = False


@dataclass(frozen=True)
class OthersOptions:
    """What other people's runs say."""

    community: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Files of other people's runs (`share`): they count a little where no run of your own does.",
        ),
    ] = None


def grouped(function: Callable[..., None]) -> Callable[..., None]:
    """Let a verb take a plan (`TypedPlan`) and dataclasses of options; each field is an option of the command line."""
    hints = get_type_hints(function, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint) and isinstance(hint, type)}
    parameters = [inspect.Parameter(_CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    for name, parameter in inspect.signature(function).parameters.items():
        if name in groups:
            parameters += plan_parameters() if groups[name] is TypedPlan else _parameters_of(groups[name])
        else:
            plain = parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
            parameters.append(plain)

    @functools.wraps(function)
    def verb(**values: Any) -> None:
        context = values.pop(_CONTEXT)
        arguments: dict[str, Any] = {}
        for name, group in groups.items():
            plan = group is TypedPlan
            typed = {f.name: values.pop(f.name) for f in fields(Plan if plan else group)}
            arguments[name] = TypedPlan(plan_from(typed), _given(context)) if plan else group(**typed)
        function(**arguments, **values)

    signature = inspect.Signature(parameters)
    del verb.__wrapped__  # inspect would follow it to the ungrouped signature
    verb.__signature__ = signature  # type: ignore[attr-defined]
    verb.__annotations__ = {p.name: p.annotation for p in parameters}
    return verb


def _given(context: typer.Context) -> frozenset[str]:
    """The options of the plan that stand on the command line."""
    sources = {one.name: context.get_parameter_source(one.name) for one in plan_options()}
    return frozenset(name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE")


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
        raise UsageError(phrase("not a shape"), expected=phrase("positive sizes such as 224x224x3"), received=text)
    return tuple(int(part) for part in parts)


def workload_from(advisor: Advisor, options: WorkloadOptions, plan: Plan) -> Workload:
    """The workload that the options describe; asks before code of a file may run."""
    from app.services.models.scripts import file_of_module

    input_shape = parse_shape(options.input_shape) if options.input_shape else None
    data = options.dataset
    file = str(file_of_module(options.model)) if options.module else options.model
    if not options.trust:
        ask_for_code(advisor.catalog, file, "model")
        ask_for_code(advisor.catalog, data or "", "data")
    model = advisor.catalog.find_model(
        options.model,
        trust=options.trust,
        arguments=options.arguments or (),
        module=options.module,
        values=options.arg or (),
    )
    model = _as_script(model, options)
    if model.kind == "script":
        refuse_for_script(options, plan)
    dataset = advisor.catalog.find_dataset(data, trust=options.trust) if data else None
    return Workload(model, dataset, plan, input_shape, options.classes)


def _as_script(model: ModelRef, options: WorkloadOptions) -> ModelRef:
    """A script with what is said of its trainings.

    Raises:
        UsageError: It is said of what is no script.
    """
    asked = {"--fit": options.fit, "--count-fits": options.count_fits, "--sandbox": options.sandbox}
    received = [name for name, value in asked.items() if value]
    if received and model.kind != "script":
        raise UsageError(
            phrase("only a script has trainings of its own"),
            expected="train.py --fit 2",
            received=" ".join([options.model, *received]),
        )
    return replace(model, fit=options.fit or 1, count_fits=options.count_fits, sandbox=options.sandbox)


def refuse_for_script(options: WorkloadOptions, plan: Plan) -> None:
    """A script has its own data and its own sizes, which its own arguments change.

    Raises:
        UsageError: An option asks for others.
    """
    asked = {"--dataset": options.dataset, "--input-shape": options.input_shape, "--classes": options.classes}
    asked |= {one.flag: getattr(plan, one.name) != one.default for one in plan_options() if one.of_model}
    asked["--mode"] = plan.mode != "train"
    received = [name for name, value in asked.items() if value]
    if received:
        raise UsageError(
            phrase("a script brings its own data and sizes"),
            received=" ".join(received),
            hint=phrase("change them by the script's own arguments, behind --"),
        )


def ask_for_code(catalog: Catalog, text: str, what: Literal["model", "data"]) -> None:
    """Ask whether the function of a file may run, unless its file was allowed as it is now; a yes is remembered.

    What is remembered is what was read before the question: whatever is written meanwhile is asked about again.

    Raises:
        BadModel: The user said no, or nobody can be asked.
        BadDataset: Likewise, of data.
    """
    own = catalog.own_code(text)
    if own is None or catalog.trust.knows(own):
        return
    refusal = BadModel if what == "model" else BadDataset
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise refusal(
            phrase("this {what} is code, and code runs only with your consent", what=what),
            received=text,
            hint=phrase("add --trust"),
        )
    beside = f" and what it imports of its folder ({', '.join(own.beside)})" if own.beside else ""
    if not typer.confirm(visible(f"Run the code in {own.path}{beside} to make the {what}?"), err=True):
        raise refusal(phrase("the code was not run, so there is no {what}", what=what), received=text)
    catalog.trust.remember(own)


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
            expected=phrase("no option that names another one"),
            received=" ".join(["--refine", *elsewhere]),
            hint=phrase("XLA and the kernels lay out memory differently there; leave --refine out"),
        )
