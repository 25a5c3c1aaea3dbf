"""``willittrain report``: a run as a document to keep or to send."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.core.types.errors import UsageError
from app.core.types.text import phrase
from app.presentation.language import ENGLISH, Language

if TYPE_CHECKING:
    from app.core.types.advice import Advice
    from app.core.types.run import Run


def report(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Number of a run, or 'last'.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="FILE.html, .pdf, .md or .json.")],
    redact: Annotated[
        bool, typer.Option("--redact/--no-redact", help="Leave out what tells who and where, such as folders.")
    ] = True,
) -> None:
    """Write a run as a report: HTML, PDF, Markdown or JSON, by the file's ending."""
    from app.cli.language import terminal_language
    from app.cli.runs import find_run
    from app.cli.session import open_advisor, tell
    from app.services.reports.redaction import LEFT_OUT
    from app.services.reports.report import FORMATS, told, write_report

    ending = output.suffix.lower()
    if ending not in {*FORMATS, ".pdf"}:
        raise UsageError(phrase("unknown kind of report"), expected=".html, .pdf, .md or .json", received=output.name)
    advisor = open_advisor()
    found = find_run(advisor.history, run)
    found, advice = told(found, advisor.advice.after(found), redact=redact)
    if ending == ".pdf":
        write_pdf(found, output, advice, terminal_language())
    else:
        write_report(found, output, advice, terminal_language())
    if redact:
        tell(phrase("Wrote {path}. Left out: {what}; --no-redact keeps them.", path=output, what=LEFT_OUT))
    else:
        tell(phrase("Wrote {path}. Nothing was left out.", path=output))


def write_pdf(run: Run, output: Path, advice: Advice | None = None, language: Language = ENGLISH) -> None:
    """Render the report for paper and print it to a file.

    Raises:
        MachineUnavailable: Qt cannot be loaded here.
        StoreError: The file cannot be written.
    """
    from app.cli.drawing import PRINTER, drawn
    from app.services.reports.report import report_print_html
    from app.services.whole_write import write_export

    page = report_print_html(run, advice, language).encode()
    write_export(output, drawn(PRINTER, page, phrase("the PDF could not be written")))
