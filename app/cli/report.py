"""``willittrain report``: a run as a document to keep or to send."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import app
from app.core.types.errors import MachineUnavailable, UsageError
from app.core.types.text import phrase

if TYPE_CHECKING:
    from app.core.types.advice import Advice
    from app.services.store.runs import Run

PRINTER = "app.ui.runs.print_pdf"
"""Started by name in a process of its own: the command line loads no Qt."""


def report(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Number of a run, or 'last'.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="FILE.html, .pdf, .md or .json.")],
) -> None:
    """Write a run as a report: HTML, PDF, Markdown or JSON, by the file's ending."""
    from app.cli.runs import find_run
    from app.cli.session import open_advisor
    from app.services.reports.report import FORMATS, write_report

    ending = output.suffix.lower()
    if ending not in {*FORMATS, ".pdf"}:
        raise UsageError(phrase("unknown kind of report"), expected=".html, .pdf, .md or .json", received=output.name)
    advisor = open_advisor()
    found = find_run(advisor.history, run)
    advice = advisor.advice.after(found)
    if ending == ".pdf":
        write_pdf(found, output, advice)
    else:
        write_report(found, output, advice)
    typer.echo(f"Wrote {output}", err=True)


def write_pdf(run: Run, output: Path, advice: Advice | None = None) -> None:
    """Render the report for paper and print it to a file.

    Raises:
        MachineUnavailable: Qt cannot be loaded here.
        StoreError: The file cannot be written.
    """
    from app.services.reports.report import report_print_html

    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        page.write_text(report_print_html(run, advice), encoding="utf-8")
        built = getattr(sys, "frozen", False)
        command = [sys.executable, *(["--print-pdf"] if built else ["-P", "-m", PRINTER]), str(page), str(output)]
        variables = {**os.environ, "PYTHONPATH": str(Path(app.__file__).parents[1])}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=variables)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no word from the printer"]
        hint = phrase("write an .html report and print it from a browser")
        raise MachineUnavailable(phrase("the PDF could not be written"), received=last[0], hint=hint)
