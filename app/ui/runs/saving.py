"""Writes runs to files, in a thread: a report of one run in the window's language, or everything about several."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.types.errors import StoreError, UsageError
from app.core.types.text import phrase

if TYPE_CHECKING:
    from app.services.advisor import Advisor


def save_runs(advisor: Advisor, run_ids: Sequence[int], path: Path) -> str:
    """Write runs and give the path.

    Args:
        advisor: Has them in its history, and knows what would be better.
        run_ids: One run for a report; several only as JSON.
        path: Its ending says how: ``.html``, ``.pdf``, ``.md`` or ``.json``.

    Raises:
        UsageError: The ending is another, or a report of several runs was asked for.
        StoreError: The file cannot be written.
    """
    from app.services.reports.report import FORMATS, report_print_html, write_report
    from app.ui.runs.print_pdf import print_pdf
    from app.ui.runs.report_language import report_language

    ending = path.suffix.lower()
    if ending not in {*FORMATS, ".pdf"}:
        raise UsageError(phrase("unknown kind of report"), expected=".html, .pdf, .md or .json", received=path.name)
    if ending == ".json":
        return _written(path, advisor.history.export(run_ids))
    if len(run_ids) != 1:
        raise UsageError(
            phrase("a report is about one run"),
            received=phrase("{count} runs", count=len(run_ids)),
            hint=phrase("save several as .json"),
        )
    run = advisor.history.get(run_ids[0])
    advice = advisor.advice.after(run)
    if ending != ".pdf":
        write_report(run, path, advice, report_language())
        return str(path)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        page.write_text(report_print_html(run, advice, report_language()), encoding="utf-8")
        try:
            print_pdf(page, path)
        except OSError as error:
            raise StoreError(phrase("cannot write {path}", path=path), received=error.strerror or str(error)) from error
    return str(path)


def _written(path: Path, text: str) -> str:
    """Write a text and give the path.

    Raises:
        StoreError: The file cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(phrase("cannot write {path}", path=path), received=error.strerror or str(error)) from error
    return str(path)
