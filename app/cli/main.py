"""The command line: one verb per file; text for people, ``--json`` for scripts.

Verbs import what they need when they run, so that ``--help`` answers at once.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from app import __version__
from app.cli import accuracy, advise, bench, cache, catalog_verbs, doctor, estimate, report, runs, runtime, share, trust
from app.cli.exit_codes import INTERRUPTED, USAGE
from app.cli.next_command import problem_message, usage_message
from app.cli.options import grouped
from app.core.types.errors import Cancelled, WillItTrainError
from app.core.types.text import phrase, verbatim
from app.presentation.streams import say, tell, told
from app.services.whole_write import cannot_write, is_full

COLLECT_AFTER = 2_000_000
"""Objects; a large network's graph and all that is simulated of it have half as many."""

_HELP = """Will it train? Says whether a training fits this machine, how long it takes and what it waits for.

Without a command, the window opens. Add --debug to any command to see where an error comes from, and what the
training process says.

Exit codes: 0 done, 1 does not fit (with --check), 2 usage, 3 bad model or dataset, 4 the training process failed."""


def run(arguments: Sequence[str]) -> int:
    """Carry out a command.

    Args:
        arguments: The words after the program's name; ``--debug`` may stand anywhere.

    Returns:
        The exit code: 0 done, 1 "does not fit" with ``--check``, 2 usage, 3 bad model or dataset,
        4 worker failed, 130 interrupted.
    """
    _accept_any_text()
    words = [word for word in arguments if word != "--debug"]
    debug = len(words) < len(arguments)
    try:
        with told("app.worker") if debug else contextlib.nullcontext():
            code = command_line()(words, prog_name="willittrain", standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        if debug:
            raise
        return _fail(usage_message(error, words), USAGE)
    except (Cancelled, KeyboardInterrupt, typer.Abort):
        return _fail(phrase("stopped"), INTERRUPTED)
    except WillItTrainError as error:
        if debug:
            raise
        return _fail(problem_message(error, words), error.exit_code)
    except OSError as error:
        if not isinstance(error, BrokenPipeError) and not is_full(error):
            raise
        # The reader of our output left, as in `willittrain models | head`, or the file that it goes to does not take it
        # all; Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        problem = cannot_write(Path("standard output"), error)
        return _fail(str(problem), problem.exit_code)
    return code if isinstance(code, int) else 0


def collect_rarely() -> None:
    """Let Python look for cycles every so many objects: nearly all that an answer makes lives until the program ends.

    To walk the objects of a traced graph again and again takes a sixth of an answer.
    """
    gc.set_threshold(COLLECT_AFTER)


def collect_no_more() -> None:
    """Let Python end without its last look for cycles, which takes up to a tenth of an answer and frees what is gone.

    It comes when a command has done its work: whatever had to be closed or removed has been.
    """
    gc.freeze()


def end_with_signals() -> None:
    """Let a request to end, or the end of the terminal, pass through every ``finally`` as Ctrl+C does.

    What was started and made for a time goes with this program then.  A signal that is ignored stays so (nohup).
    """

    def end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # a second one would interrupt the clearing up
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


def command_line() -> typer.Typer:
    """All verbs."""
    cli = typer.Typer(
        cls=_Verbs,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help=_HELP,
        no_args_is_help=True,
    )
    cli.callback()(_root)
    cli.command()(doctor.doctor)
    for rows in (catalog_verbs.models, catalog_verbs.datasets, catalog_verbs.gpus, catalog_verbs.clouds):
        cli.command()(rows)
    for question in (grouped(estimate.estimate), grouped(bench.bench), grouped(advise.advise)):
        cli.command()(question)
    cli.add_typer(runs.runs, name="runs")
    cli.command()(report.report)
    cli.command()(share.share)
    cli.command()(accuracy.accuracy)
    cli.add_typer(runtime.runtime, name="runtime")
    cli.command()(cache.cache)
    cli.add_typer(trust.trust, name="trust")
    return cli


class _Verbs(TyperGroup):
    """All verbs; a Ctrl+C where no work listens to it is told, which Typer would end without a word."""

    def invoke(self, ctx: Any) -> Any:  # what Typer's own says, whose type of a context has no public name
        """Carry out the verb.

        Raises:
            Cancelled: Ctrl+C.
        """
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            raise Cancelled(verbatim("cancelled")) from interrupt


def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", is_eager=True, callback=lambda on: _show_version(on))
    ] = False,
) -> None:
    """Hold the options that stand before a verb."""


def _show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        say(f"willittrain {__version__}")
        raise typer.Exit


def _fail(message: str, code: int) -> int:
    """Say one line on stderr."""
    from app.cli.language import said

    tell(" ".join(said(phrase("error: {message}", message=message)).split()))
    return code


def _accept_any_text() -> None:
    """Let a console that lacks a character show a substitute instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
