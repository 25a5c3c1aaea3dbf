"""A run as a document: HTML in one file, Markdown, JSON, and a page for paper.

The HTML needs nothing else: styles and drawings are inside, and nothing is fetched.  Texts of users are escaped.
People read it in a language, English by itself; what programs read is the same in all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import jinja2
import msgspec
from markupsafe import Markup

from app import __version__
from app.catalog import typed_json
from app.catalog.paths import resource_path
from app.core.types.advice import Advice
from app.core.types.run import Run
from app.core.types.visible import visible, visible_json
from app.presentation.language import ENGLISH, Language
from app.presentation.layout import Block, said_all
from app.services.reports.redaction import redacted
from app.services.reports.view import report_blocks, report_title
from app.services.whole_write import write_export

REPORT_SCHEMA = 1
_MARKDOWN_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|#"})


def report_html(run: Run, advice: Advice | None = None, language: Language = ENGLISH) -> str:
    """The report as one HTML file, with the same JSON as `report_json` inside for programs."""
    return _render("report.html.j2", run, advice, language)


def report_print_html(run: Run, advice: Advice | None = None, language: Language = ENGLISH) -> str:
    """The report in the plain HTML that Qt can draw, to be printed as PDF (`app.ui.runs.print_pdf`)."""
    return _render("report_print.html.j2", run, advice, language)


def report_markdown(run: Run, advice: Advice | None = None, language: Language = ENGLISH) -> str:
    """The report as Markdown."""
    return _render("report.md.j2", run, advice, language)


def report_json(run: Run, advice: Advice | None = None) -> str:
    """Everything that was stored of the run, and the advice."""
    return msgspec.json.format(_document(run, advice), indent=2).decode() + "\n"


FORMATS: dict[str, Callable[[Run, Advice | None, Language], str]] = {
    ".html": report_html,
    ".htm": report_html,
    ".md": report_markdown,
    ".json": lambda run, advice, language: report_json(run, advice),
}
"""What writes a file of each ending."""


def told(run: Run, advice: Advice | None, *, redact: bool) -> tuple[Run, Advice | None]:
    """What a report is made of: everything, or what tells neither who nor where."""
    return (redacted(run), redacted(advice)) if redact else (run, advice)


def write_report(run: Run, path: Path, advice: Advice | None = None, language: Language = ENGLISH) -> None:
    """Write a report, whole or not at all, in the format of the file's ending, which is a key of `FORMATS`.

    Raises:
        StoreError: The file cannot be written.
    """
    write_export(path, FORMATS[path.suffix.lower()](run, advice, language).encode())


def escape_markdown(text: object) -> str:
    """Text that Markdown shows as it is, on one line."""
    return " ".join(visible(str(text), "\n").split()).translate(_MARKDOWN_SIGNS)


def _document(run: Run, advice: Advice | None) -> bytes:
    """What programs read of a report."""
    document = {"schema": REPORT_SCHEMA, "program_version": __version__, "written_at": _today(), "run": run}
    return visible_json(typed_json.encode_english(document | {"advice": advice}).decode()).encode()


def _today() -> str:
    """The day on which a report is written, in UTC."""
    return datetime.now(UTC).date().isoformat()


def blocks_markdown(title: str, blocks: Sequence[Block], language: Language, *, picture: tuple[str, str]) -> str:
    """Blocks below a title as Markdown.

    Args:
        title: In the language already.
        blocks: What stands there.
        language: How to say it.
        picture: Above all, a picture: what it says in words, and the name of its file.
    """
    said = said_all(tuple(blocks), language.say)
    page = _templates().get_template("report.md.j2")
    return page.render(title=title, blocks=said, t=language.phrase, picture=picture)


def _render(template: str, run: Run, advice: Advice | None, language: Language) -> str:
    """Fill a template with what there is to say of a run."""
    page = _templates().get_template(template)
    inside = _document(run, advice).decode().replace("<", "\\u003c")  # nothing in it can end the element around it
    blocks = report_blocks(run, advice, language, version=__version__, written_at=_today())
    title = language.say(report_title(run))
    return page.render(
        title=title, blocks=blocks, language=language.code, t=language.phrase, document=Markup(inside), picture=None
    )


def _templates() -> jinja2.Environment:
    """The reports' templates."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resource_path("templates")),
        autoescape=lambda name: name is not None and ".html" in name,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = escape_markdown
    return environment
