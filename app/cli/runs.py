"""``willittrain runs``: every benchmark made here — list, show, compare, note, export, delete, restore."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.core.types.errors import UsageError
from app.core.types.text import phrase

if TYPE_CHECKING:
    from app.core.types.run import Run
    from app.services.store.history import History

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="Number of a run, or 'last'.")]
RunsArgument = Annotated[list[str], typer.Argument(metavar="RUN...", help="Numbers of runs, or 'last'.")]

runs = typer.Typer(
    help="List, show, compare, export and delete the benchmarks made here.",
    invoke_without_command=True,
    no_args_is_help=False,
    rich_markup_mode=None,
)


@runs.callback()
def list_runs(
    context: typer.Context,
    text: Annotated[str, typer.Option("--filter", help="Show only runs that hold these words.")] = "",
    deleted: Annotated[bool, typer.Option("--deleted", help="Show the deleted runs instead.")] = False,
    json: JsonFlag = False,
) -> None:
    """List, show, compare, export and delete the benchmarks made here."""
    if context.invoked_subcommand is not None:
        return
    history = _history()
    rows, record = history.list(text, deleted=deleted), history.track_record()
    if json:
        from app.cli.output import print_json, runs_json

        print_json(runs_json(rows, record))
    else:
        from app.cli.text import show
        from app.presentation.history import SHORT_LIST, record_lines, runs_table
        from app.presentation.layout import BLANK, Line

        if record is not None:
            show(*(Line(line, "soft") for line in record_lines(record)), BLANK)
        none = Line(phrase("No runs yet. `willittrain bench MODEL` makes one."))
        show(runs_table(rows).pick(SHORT_LIST) if rows else none)


@runs.command()
def show(run: RunArgument, json: JsonFlag = False) -> None:
    """Show one run."""
    found = find_run(_history(), run)
    if json:
        from app.cli.output import bench_json, print_json

        print_json(bench_json(found))
    else:
        from app.cli.text import show
        from app.presentation.profile import profile_blocks
        from app.presentation.run import ending_lines, result_blocks, run_facts

        show(*ending_lines(found), run_facts(found), *result_blocks(found), *profile_blocks(found))


@runs.command()
def compare(run: RunsArgument, json: JsonFlag = False) -> None:
    """Show two or more runs side by side: what differs, and what was measured."""
    history = _history()
    chosen = [find_run(history, one) for one in run]
    if len(chosen) < 2:
        raise UsageError(phrase("comparing needs two runs or more"), received=f"{len(chosen)}")
    if json:
        from app.cli.output import SCHEMA, bench_json, print_json
        from app.cli.output_profile import peaks_json

        print_json({"schema": SCHEMA, "runs": [bench_json(one) for one in chosen], "peaks": peaks_json(chosen)})
    else:
        from app.cli.text import show
        from app.presentation.history import side_by_side
        from app.presentation.profile import peaks_blocks

        show(side_by_side(chosen), *peaks_blocks(chosen))


@runs.command()
def note(run: RunArgument, text: Annotated[str, typer.Argument(help="The note; empty to remove it.")]) -> None:
    """Write a note to a run."""
    history = _history()
    history.set_note(find_run(history, run).run_id, text)


@runs.command()
def export(
    run: Annotated[list[str] | None, typer.Argument(metavar="[RUN...]", help="All runs if none is named.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A file (with --trace a folder); stdout if not given.")
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="The raw trace of the profiled step instead, for XProf and Perfetto.")
    ] = False,
) -> None:
    """Write runs in full, as JSON, or the traces of their profiled steps."""
    from app.services.whole_write import write_export

    history = _history()
    if trace:
        _export_traces(history, run or ["last"], output or Path())
        return
    numbers = [find_run(history, one).run_id for one in run] if run else None
    document = history.export(numbers)
    if output is None:
        sys.stdout.write(f"{document}\n")
        return
    write_export(output, (document + "\n").encode())


def _export_traces(history: History, chosen: list[str], target: Path) -> None:
    """Write traces to a folder and say how to open them."""
    from app.cli.text import show_lines
    from app.services.store.traces import HOW_TO_OPEN

    for one in chosen:
        for path in history.traces.export(find_run(history, one).run_id, target):
            show_lines(phrase("Wrote {path}", path=path))
    show_lines(phrase("To look at it, {how} {folder}", how=HOW_TO_OPEN, folder=target))


@runs.command()
def delete(run: RunsArgument) -> None:
    """Delete runs; `restore` brings them back."""
    from app.cli.text import show_lines

    history = _history()
    for found in [find_run(history, one) for one in run]:
        history.delete(found.run_id)
        text = phrase(
            "Run {run_id} is deleted; `willittrain runs restore {run_id}` brings it back.", run_id=found.run_id
        )
        show_lines(text)


@runs.command()
def restore(run: RunsArgument) -> None:
    """Bring deleted runs back."""
    history = _history()
    for found in [find_run(history, one) for one in run]:
        history.restore(found.run_id)


def find_run(history: History, text: str) -> Run:
    """A run by its number, or the last one.

    Raises:
        UsageError: There is no such run.
    """
    if text.lower() == "last":
        newest = history.list(limit=1)
        if not newest:
            raise UsageError(phrase("there are no runs yet"), hint=phrase("`willittrain bench MODEL` makes one"))
        return history.get(newest[0].run_id)
    if not text.isdecimal():
        raise UsageError(phrase("not a run"), expected=phrase("a number or 'last'"), received=text)
    return history.get(int(text))


def _history() -> History:
    """This user's history."""
    from app.cli.session import warn
    from app.services.settings import Settings
    from app.services.store.history import History

    return History(Settings.load().history_path, on_notice=warn)
