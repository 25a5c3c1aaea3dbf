"""``willittrain doctor``: this machine, the frameworks in it, which card each can use, and why not."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from app.core.types.text import phrase


def doctor(
    python: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="Ask this Python too; may be given again.")
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Show all readings, and why some are not available.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Show this machine, its frameworks, and which card each framework can use."""
    from app.cli.session import checked_interpreter, live, open_advisor

    named = tuple(checked_interpreter(path) for path in python or ())
    interpreters = (sys.executable, *named) if named else ()
    advisor = open_advisor()
    with live(phrase("asking the frameworks")) as state:
        found = advisor.machine.doctor(interpreters, state.cancel)
    if json:
        from app.cli.output import doctor_json, print_json

        print_json(doctor_json(found))
    else:
        from app.cli.text import show
        from app.cli.text_machine import doctor_blocks

        show(*doctor_blocks(found, details=details))
