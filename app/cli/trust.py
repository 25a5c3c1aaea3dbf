"""``willittrain trust``: which files of the user's may run their code, and which no more."""

from __future__ import annotations

from typing import Annotated

import typer

from app.core.types.text import phrase

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]

trust = typer.Typer(
    help="List the files whose code was allowed to run, or withdraw one.", no_args_is_help=True, rich_markup_mode=None
)


@trust.command("list")
def list_files(json: JsonFlag = False) -> None:
    """Show which files were allowed to run, and the modules of their folders that they may import."""
    from dataclasses import asdict

    from app.cli.output import print_json
    from app.cli.session import open_advisor
    from app.cli.text import show
    from app.presentation.layout import BLANK, Line, Table

    allowed = open_advisor().catalog.trust.all()
    if json:
        print_json({"schema": 1, "allowed": [asdict(one) for one in allowed]})
        return
    if not allowed:
        show(Line(phrase("No file was allowed to run its code.")))
        return
    rows = []
    for one in allowed:
        own, *beside = one.files.items()
        rows.append((one.given, one.path or f"SHA-256 {own[1]}", ", ".join(name for name, _ in beside)))
    show(
        Table((phrase("Allowed"), phrase("File"), phrase("With")), tuple(rows)),
        BLANK,
        Line(phrase("Once changed, a file is asked about again; `willittrain trust withdraw FILE` ends it at once.")),
    )


@trust.command()
def withdraw(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A Python file or a saved model.")], json: JsonFlag = False
) -> None:
    """Let no version of a file run any more; whoever uses it is asked again."""
    from dataclasses import asdict

    from app.cli.output import print_json
    from app.cli.session import open_advisor
    from app.cli.text import show
    from app.presentation.layout import Line

    gone = open_advisor().catalog.trust.withdraw(file)
    if json:
        print_json({"schema": 1, "withdrawn": [asdict(one) for one in gone]})
    else:
        show(Line(phrase("{path} may not run any more.", path=gone[0].path)))
