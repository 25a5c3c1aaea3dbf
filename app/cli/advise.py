"""``willittrain advise``: what to change, what to buy or rent, each with its gain and its cost."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.bench import exit_code, measure, refuse_other_machines
from app.cli.exit_codes import DOES_NOT_FIT
from app.cli.options import (
    MachineOptions,
    OthersOptions,
    RunOptions,
    TypedPlan,
    WorkloadOptions,
    machine_from,
    refuse_refining_elsewhere,
)
from app.core.types.errors import UsageError
from app.core.types.text import phrase


def advise(
    workload_options: WorkloadOptions,
    typed: TypedPlan,
    machine_options: MachineOptions,
    options: RunOptions,
    others: OthersOptions,
    bench: Annotated[
        float | None, typer.Option(min=1, max=3600, metavar="SECONDS", help="Measure first, for so many seconds.")
    ] = None,
    measured: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A run of this workload on that machine: what `bench --json` printed there."),
    ] = None,
    psu_watts: Annotated[float | None, typer.Option(min=1, help="Only cards that this power supply can feed.")] = None,
) -> None:
    """Name the changes and upgrades that help most; uses the newest run of the same model, if there is one."""
    from app.cli.measured_file import read_measured
    from app.cli.session import asked, listen, live, open_advisor, prepare

    refuse_refining_elsewhere(options, machine_options, typed.plan)
    if bench is not None:
        refuse_other_machines(machine_options)
    if bench is not None and measured is not None:
        raise UsageError(
            phrase("a run is either made now or read from a file"),
            received="--bench --measured",
            hint=phrase("leave one of them out"),
        )
    recorded = read_measured(measured, typed.plan.batch_size) if measured is not None else None
    advisor = open_advisor(options.python, options.timeout)
    heard = listen(advisor, others)
    workload = asked(advisor, workload_options, typed)
    machine = machine_from(advisor, machine_options)
    run = None if bench is None else measure(advisor, workload, machine, bench)
    with live(phrase("advising")) as state:
        # A run has prepared everything already; asking again would start another child.
        graph = prepare(advisor, workload, machine, state) if run is None else advisor.predictor.graph(workload)
        if options.refine:
            advisor.predictor.refine(workload, machine, state.on_event, state.cancel)
        advisor.advice.prepare(workload, machine, state.on_event, state.cancel)
    advice = advisor.advice.advise(workload, machine, graph, measured=recorded, psu_watts=psu_watts)
    prediction = advice.prediction or advisor.predictor.predict(workload, machine, graph)
    if options.json:
        from app.cli.output import advise_json, print_json

        print_json(advise_json(prediction, advice) | heard)
    else:
        from app.cli.text import show
        from app.presentation.advice import advice_blocks
        from app.presentation.layout import BLANK
        from app.presentation.run import ending_lines, result_blocks

        if run is not None:
            show(*ending_lines(run), *result_blocks(run), BLANK)
        show(*advice_blocks(prediction, advice))
    advisor.predictor.graphs.simulations.keep()
    code = exit_code(run.result, check=False) if run is not None else 0
    if code == 0 and options.check and advice.fit.verdict == "does_not_fit":
        code = DOES_NOT_FIT
    if code:
        raise typer.Exit(code)
