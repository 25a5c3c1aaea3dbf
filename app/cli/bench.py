"""``willittrain bench``: train for some seconds in a child process and tell what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.bench_modes import ModeOptions, refuse_mixed_modes
from app.cli.exit_codes import BAD_INPUT, DOES_NOT_FIT, INTERRUPTED, WORKER_FAILED
from app.cli.options import MachineOptions, RunOptions, TypedPlan, WorkloadOptions, machine_from
from app.core.types.errors import UsageError
from app.core.types.faults import BAD_DATA
from app.core.types.text import phrase

if TYPE_CHECKING:
    from app.core.types.machine import Machine
    from app.core.types.measurement import RunResult
    from app.core.types.run import Run
    from app.core.types.workload import Workload
    from app.services.advisor import Advisor

ProfileFlag = Annotated[
    bool | None,
    typer.Option(
        "--profile/--no-profile",
        help="Profile one step afterwards: what fills the memory, where the time"
        " goes. By default if that takes less than a tenth of the time.",
    ),
]


def bench(
    workload_options: WorkloadOptions,
    typed: TypedPlan,
    machine_options: MachineOptions,
    options: RunOptions,
    modes: ModeOptions,
    seconds: Annotated[float, typer.Option(min=1, max=3600, help="How long to measure (each variant).")] = 20,
    profile: ProfileFlag = None,
    low_priority: Annotated[bool, typer.Option("--low-priority", help="Let every other program go first.")] = False,
) -> None:
    """Train for some seconds in a process of its own, and compare the estimate with what was measured."""
    from app.cli.session import asked, open_advisor

    refuse_other_machines(machine_options)
    refuse_mixed_modes(modes, typed.plan)
    if options.refine:
        raise UsageError(
            phrase("a benchmark measures, which is sharper than any refined estimate"),
            received="--refine",
            hint=phrase("leave --refine out, or use `estimate --refine`"),
        )
    advisor = open_advisor(options.python, options.timeout)
    workload = asked(advisor, workload_options, typed)
    machine = machine_from(advisor, machine_options)
    if modes.given():
        finish(in_mode(advisor, workload, machine, modes, options, seconds))
        return
    run = measure(advisor, workload, machine, seconds, profile, low_priority=low_priority, whole=modes.whole)
    if options.json:
        from app.cli.output import bench_json, print_json

        print_json(bench_json(run))
    else:
        from app.cli.text import show
        from app.presentation.run import ending_lines, result_blocks

        show(*ending_lines(run), *result_blocks(run))
    finish(exit_code(run.result, check=options.check))


def finish(code: int) -> None:
    """Leave with a code that is not 0."""
    if code:
        raise typer.Exit(code)


def in_mode(
    advisor: Advisor, workload: Workload, machine: Machine, modes: ModeOptions, options: RunOptions, seconds: float
) -> int:
    """Compare variants or find the batch, and print what was found; returns the exit code."""
    from app.cli import bench_batch, bench_compare

    if modes.find_batch:
        return bench_batch.find_batch(advisor, workload, machine, modes, json=options.json, check=options.check)
    return bench_compare.compare(advisor, workload, machine, modes, seconds, json=options.json)


def refuse_other_machines(options: MachineOptions) -> None:
    """A benchmark runs here, whatever the wish.

    Raises:
        UsageError: An option asks for hardware that is not here.
    """
    if options.given():
        hint = phrase("use `estimate` or `advise` for other hardware")
        raise UsageError(phrase("a benchmark runs on this machine only"), received=" ".join(options.given()), hint=hint)


def measure(
    advisor: Advisor,
    workload: Workload,
    machine: Machine,
    seconds: float,
    profile: bool | None = None,
    *,
    low_priority: bool = False,
    whole: bool = False,
) -> Run:
    """Trace (for the estimate to compare with), then run.

    Raises:
        BadModel: The model cannot be built.
        Cancelled: The user cancelled before the run began.
    """
    from app.cli.session import live, prepare_if_possible

    with live(phrase("measuring")) as state:
        prepare_if_possible(advisor, workload, machine, state)
        return advisor.benchmarks.bench(
            workload,
            machine,
            seconds=seconds,
            profile=profile,
            low_priority=low_priority,
            whole=whole,
            on_event=state.on_event,
            cancel=state.cancel,
        )


def exit_code(result: RunResult, *, check: bool) -> int:
    """The exit code of a run.  Out of memory is an answer, not a failure, unless ``--check`` asks."""
    if result.outcome == "out_of_memory":
        return DOES_NOT_FIT if check else 0
    if result.outcome == "cancelled":
        return INTERRUPTED
    if result.outcome == "succeeded":
        return 0
    bad_input = result.problem is not None and result.problem.kind in {"bad_model", "needs_consent", *BAD_DATA}
    return BAD_INPUT if bad_input else WORKER_FAILED
