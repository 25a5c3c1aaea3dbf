"""``willittrain estimate``: does it fit, how long, what does it wait for — before anything is allocated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.deadline import DeadlineOptions
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
from app.core.types.text import phrase

if TYPE_CHECKING:
    from app.core.types.prediction import Prediction
    from app.core.types.workload import Workload


def estimate(
    workload_options: WorkloadOptions,
    typed: TypedPlan,
    machine_options: MachineOptions,
    options: RunOptions,
    strangers: OthersOptions,
    limits: DeadlineOptions,
    share: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write the answer there as `share` writes a run: picture, Markdown, data."),
    ] = None,
) -> None:
    """Say whether a training fits, how long it takes and what it waits for; runs nothing."""
    from app.cli.session import asked, device_key, listen, live, measure_device, open_advisor
    from app.probes.others_load import OthersLoad

    others, deadline_s = OthersLoad(), limits.seconds()
    refuse_refining_elsewhere(options, machine_options, typed.plan)
    advisor = open_advisor(options.python, options.timeout)
    heard = listen(advisor, strangers)
    workload = asked(advisor, workload_options, typed)
    machine = machine_from(advisor, machine_options)
    with live(phrase("estimating")) as state:
        device = device_key(advisor, workload, machine, state)
        graph = advisor.predictor.graph(workload, state.on_event, state.cancel)
    if device is not None and not advisor.machine.measured(device):
        advisor.machine.look()
        if not options.json:
            _show_first(advisor.predictor.predict(workload, machine, graph, chart=False))
    with live(phrase("estimating")) as state:
        measure_device(advisor, device, state)
        if options.refine:
            advisor.predictor.refine(workload, machine, state.on_event, state.cancel)
    prediction = advisor.predictor.predict(workload, machine, graph, chart=False)
    if options.json:
        from app.cli.output import estimate_json, print_json

        now = {"now": {"others_cpu_percent": others.percent()}}
        print_json({**estimate_json(prediction, deadline_s), **now, **heard})
    else:
        from app.cli.text import show
        from app.presentation.estimate import busy_lines, estimate_blocks

        show(*estimate_blocks(prediction, deadline_s), *busy_lines(others.percent()))
    if share is not None:
        _share(prediction, workload, share, quiet=options.json)
    advisor.predictor.graphs.simulations.keep()
    if options.check and prediction.fit.verdict == "does_not_fit":
        raise typer.Exit(DOES_NOT_FIT)


def _share(prediction: Prediction, workload: Workload, folder: Path, *, quiet: bool) -> None:
    """Write the answer for others, and say it as they see it."""
    from datetime import UTC, datetime

    from app.cli.share import show_to_others
    from app.services.sharing.shown import shown_answer

    show_to_others(shown_answer(prediction, workload, datetime.now(UTC).isoformat()), folder, quiet=quiet)


def _show_first(prediction: Prediction) -> None:
    """The answer before anybody has measured the machine, which takes longer than all the rest."""
    from app.cli.text import show
    from app.presentation.estimate import first_lines

    show(*first_lines(prediction))
