"""A run as a document: HTML in one file, Markdown, JSON, and a page for paper.

The HTML needs nothing else: styles and drawings are inside, and nothing is fetched.  Texts of users are escaped.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jinja2
import msgspec

from app import __version__
from app.catalog.paths import resource_path
from app.core.errors import StoreError
from app.services.history import Run
from app.services.report_view import PLOT_HEIGHT, PLOT_WIDTH, view_of
from app.services.whole_write import write_whole

REPORT_SCHEMA = 1
_MARKDOWN_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|#"})


def report_html(run: Run) -> str:
    """The report as one HTML file."""
    return _render("report.html.j2", run)


def report_print_html(run: Run) -> str:
    """The report in the plain HTML that Qt's text documents can draw, to be printed as PDF."""
    return _render("report_print.html.j2", run)


def report_markdown(run: Run) -> str:
    """The report as Markdown."""
    return _render("report.md.j2", run)


def report_json(run: Run) -> str:
    """Everything that was stored of the run."""
    document = {"schema": REPORT_SCHEMA, "program_version": __version__, "run": run}
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


FORMATS: dict[str, Callable[[Run], str]] = {
    ".html": report_html,
    ".htm": report_html,
    ".md": report_markdown,
    ".json": report_json,
}
"""What writes a file of each ending."""


def write_report(run: Run, path: Path) -> None:
    """Write a report, whole or not at all, in the format of the file's ending, which is a key of `FORMATS`.

    Raises:
        StoreError: The file cannot be written.
    """
    text = FORMATS[path.suffix.lower()](run)
    try:
        write_whole(path, text.encode(), private=False)
    except OSError as error:
        raise StoreError(f"cannot write {path}", received=error.strerror or str(error)) from error


def escape_markdown(text: object) -> str:
    """Text that Markdown shows as it is, on one line."""
    return " ".join(str(text).split()).translate(_MARKDOWN_SIGNS)


def _render(template: str, run: Run) -> str:
    """Fill a template with what there is to say of a run."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resource_path("templates")),
        autoescape=lambda name: name is not None and ".html" in name,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = escape_markdown
    page = environment.get_template(template)
    return page.render(view=view_of(run), version=__version__, plot_width=PLOT_WIDTH, plot_height=PLOT_HEIGHT)
