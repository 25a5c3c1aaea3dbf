"""``willittrain estimate``: does it fit, how long, what does it wait for — before anything is allocated."""

from __future__ import annotations

import typer

from app.cli.exit_codes import DOES_NOT_FIT
from app.cli.options import (
    MachineOptions,
    RunOptions,
    TypedPlan,
    WorkloadOptions,
    machine_from,
    refuse_refining_elsewhere,
)
from app.core.types.text import phrase


def estimate(
    workload_options: WorkloadOptions, typed: TypedPlan, machine_options: MachineOptions, options: RunOptions
) -> None:
    """Say whether a training fits, how long it takes and what it waits for; runs nothing."""
    from app.cli.session import asked, live, open_advisor, prepare

    refuse_refining_elsewhere(options, machine_options, typed.plan)
    advisor = open_advisor(options.python)
    workload = asked(advisor, workload_options, typed)
    machine = machine_from(advisor, machine_options)
    with live(phrase("estimating")) as state:
        graph = prepare(advisor, workload, machine, state)
        if options.refine:
            advisor.predictor.refine(workload, machine, state.on_event, state.cancel)
    prediction = advisor.predictor.predict(workload, machine, graph, chart=False)
    if options.json:
        from app.cli.output import estimate_json, print_json

        print_json(estimate_json(prediction))
    else:
        from app.cli.text import show
        from app.presentation.estimate import estimate_blocks

        show(*estimate_blocks(prediction))
    advisor.predictor.graphs.simulations.keep()
    if options.check and prediction.fit.verdict == "does_not_fit":
        raise typer.Exit(DOES_NOT_FIT)
