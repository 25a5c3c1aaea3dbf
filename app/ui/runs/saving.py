"""Writes runs to files, in a thread: a report of one run in the window's language, or everything about several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.types.errors import UsageError
from app.core.types.text import phrase

if TYPE_CHECKING:
    from app.core.types.advice import Advice
    from app.core.types.run import Run
    from app.services.advisor import Advisor

MOST_SHOWN = 100_000
"""Characters of a preview: more than anybody reads."""


@dataclass(frozen=True)
class Preview:
    """What a file of these runs would say: without what tells who and where, and whole."""

    run_ids: tuple[int, ...]
    ending: str
    redacted: str
    whole: str


def preview_runs(advisor: Advisor, run_ids: Sequence[int], ending: str) -> Preview:
    """Both texts, of a report in whatever form its words."""
    from app.services.reports.report import report_markdown
    from app.ui.kit.speech import speaker

    def text(redact: bool) -> str:
        if ending == ".json":
            return _data(advisor, run_ids, redact=redact)
        return report_markdown(*_told(advisor, run_ids, redact=redact), speaker())

    return Preview(tuple(run_ids), ending, text(True)[:MOST_SHOWN], text(False)[:MOST_SHOWN])


def save_runs(advisor: Advisor, run_ids: Sequence[int], path: Path, *, redact: bool = True) -> str:
    """Write runs and give the path.

    Args:
        advisor: Has them in its history, and knows what would be better.
        run_ids: One run for a report; several only as JSON.
        path: Its ending says how: ``.html``, ``.pdf``, ``.md`` or ``.json``.
        redact: Leave out what tells who and where.

    Raises:
        UsageError: The ending is another, or a report of several runs was asked for.
        StoreError: The file cannot be written.
    """
    from app.services.reports.report import FORMATS, report_print_html, write_report
    from app.services.whole_write import write_export
    from app.ui.kit.speech import speaker
    from app.ui.runs.print_pdf import pdf_of

    ending = path.suffix.lower()
    if ending not in {*FORMATS, ".pdf"}:
        raise UsageError(phrase("unknown kind of report"), expected=".html, .pdf, .md or .json", received=path.name)
    if ending == ".json":
        write_export(path, _data(advisor, run_ids, redact=redact).encode())
        return str(path)
    run, advice = _told(advisor, run_ids, redact=redact)
    if ending == ".pdf":
        write_export(path, pdf_of(report_print_html(run, advice, speaker())))
    else:
        write_report(run, path, advice, speaker())
    return str(path)


def _data(advisor: Advisor, run_ids: Sequence[int], *, redact: bool) -> str:
    """Everything about runs, as JSON."""
    from app.services.reports.redaction import redacted

    told: Callable[[Run], Run] | None = redacted if redact else None
    return advisor.history.export(run_ids, told)


def _told(advisor: Advisor, run_ids: Sequence[int], *, redact: bool) -> tuple[Run, Advice | None]:
    """What a report of a run is made of.

    Raises:
        UsageError: There are several.
    """
    from app.services.reports.report import told

    if len(run_ids) != 1:
        raise UsageError(
            phrase("a report is about one run"),
            received=phrase("{count} runs", count=len(run_ids)),
            hint=phrase("save several as .json"),
        )
    run = advisor.history.get(run_ids[0])
    return told(run, advisor.advice.after(run), redact=redact)
