"""``willittrain estimate``: does it fit, how long, what does it wait for — before anything is allocated."""

from __future__ import annotations

import typer

from app.cli.exit_codes import DOES_NOT_FIT
from app.cli.options import (
    MachineOptions,
    RunOptions,
    WorkloadOptions,
    machine_from,
    refuse_refining_elsewhere,
    workload_from,
)
from app.core.types.workload import Plan


def estimate(
    workload_options: WorkloadOptions, plan: Plan, machine_options: MachineOptions, options: RunOptions
) -> None:
    """Say whether a training fits, how long it takes and what it waits for; runs nothing."""
    from app.cli.session import live, open_advisor
    from app.cli.work import prepare

    refuse_refining_elsewhere(options, machine_options, plan)
    advisor = open_advisor(options.python)
    workload = workload_from(advisor, workload_options, plan)
    machine = machine_from(advisor, machine_options)
    with live("estimating") as state:
        graph = prepare(advisor, workload, machine, state)
        if options.refine:
            advisor.predictor.refine(workload, machine, state.on_event, state.cancel)
    prediction = advisor.predictor.predict(workload, machine, graph)
    if options.json:
        from app.cli.output import estimate_json, print_json

        print_json(estimate_json(prediction))
    else:
        from app.cli.text import estimate_text, show

        show(estimate_text(prediction))
    if options.check and prediction.fit.verdict == "does_not_fit":
        raise typer.Exit(DOES_NOT_FIT)
