"""``willittrain share``: a run as a picture, words and a file for programs, to show to other people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.core.types.text import phrase

if TYPE_CHECKING:
    from app.services.sharing.share import Share
    from app.services.sharing.shown import Shown


def share(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Number of a run, or 'last'.")],
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FOLDER", help="Write the files there; else only show the words.")
    ] = None,
    svg: Annotated[bool, typer.Option("--svg", help="Pictures as SVG instead of PNG.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Show a run to others: a picture (light and dark), Markdown, and a file that --community reads; all redacted."""
    from app.cli.runs import find_run
    from app.cli.session import tell, warn
    from app.services.settings import Settings
    from app.services.sharing.shown import shown_run
    from app.services.store.history import History

    shown = shown_run(find_run(History(Settings.load().history_path, on_notice=warn), run))
    made, files = show_to_others(shown, to, svg=svg, quiet=json)
    if json:
        from app.cli.output import SCHEMA, print_json

        print_json({"schema": SCHEMA, "markdown": made.markdown, "files": [str(path) for path in files]})
    elif to is None:
        tell(phrase("Nothing was written; --to FOLDER writes this text, two pictures and a file for programs."))


def show_to_others(
    shown: Shown, to: Path | None, *, svg: bool = False, quiet: bool = False
) -> tuple[Share, tuple[Path, ...]]:
    """Show the words first, then write the files.

    Args:
        shown: What may be shown.
        to: The folder of the files; None to write none.
        svg: Pictures as SVG.
        quiet: Print nothing.

    Raises:
        MachineUnavailable: The pictures cannot be drawn here.
        StoreError: A file cannot be written.
    """
    from app.cli.drawing import PAINTER, drawn
    from app.cli.language import terminal_language
    from app.cli.session import tell
    from app.presentation.streams import say
    from app.services.sharing.share import share as made_of
    from app.services.sharing.share import write_share
    from app.services.sharing.shown import LEFT_OUT

    made = made_of(shown, terminal_language(), ".svg" if svg else ".png")
    if not quiet:
        for line in made.markdown.splitlines():
            say(line)
        tell(phrase("Left out: {what}.", what=LEFT_OUT))
    failed = phrase("the picture could not be drawn")
    files = () if to is None else write_share(made, to, lambda drawing: drawn(PAINTER, drawing.encode(), failed))
    if not quiet:
        for path in files:
            tell(phrase("Wrote {path}", path=path))
    return made, files
