"""``willittrain accuracy``: how good the predictions of this version are, and others beside them."""

from __future__ import annotations

from typing import Annotated

import typer


def accuracy(json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False) -> None:
    """Show how good the predictions are: what they missed measured runs by, and others beside them."""
    from app.cli.session import open_advisor
    from app.cli.text import show
    from app.presentation.accuracy import accuracy_blocks

    known = open_advisor().catalog.accuracy()
    if json:
        from app.cli.output import accuracy_json, print_json

        print_json(accuracy_json(known))
        return
    show(*accuracy_blocks(known))
