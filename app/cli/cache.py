"""``willittrain cache``: what is kept to answer faster, and how much room it takes."""

from __future__ import annotations

from typing import Annotated

import typer

from app.core.types.text import phrase


def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove it; runs and settings stay.")] = False,
    traces: Annotated[bool, typer.Option("--traces", help="With --clear: the raw profiles of runs too.")] = False,
    limit: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="Let traced models and refined answers take this much, such as 256MB; the oldest go."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """Show what is kept only to answer faster, clear it, or limit its size."""
    from dataclasses import asdict, replace

    from app.cli.text import show
    from app.core.types.errors import UsageError
    from app.core.types.units import format_bytes, format_count, parse_bytes
    from app.presentation.layout import BLANK, Line, Table
    from app.services.settings import Settings
    from app.services.store.cache import cache_parts, clear_cache, trim_cache

    if traces and not clear:
        raise UsageError(
            phrase("--traces says what --clear removes"), received="--traces alone", hint=phrase("add --clear")
        )
    settings = Settings.load()
    freed = 0
    if limit is not None:
        settings = replace(settings, cache_limit_bytes=parse_bytes(limit)).save(settings)
        freed += trim_cache(settings)
    if clear:
        freed += clear_cache(settings)
        freed += clear_cache(settings, frozenset({"traces"})) if traces else 0
    parts = cache_parts(settings)
    if json:
        from app.cli.output import print_json

        print_json(
            {
                "schema": 1,
                "limit_bytes": settings.cache_limit_bytes,
                "freed_bytes": freed,
                "parts": [asdict(part) for part in parts],
            }
        )
        return
    rows = tuple((part.title, format_count(part.files), format_bytes(part.bytes)) for part in parts)
    room = format_bytes(settings.cache_limit_bytes)
    show(
        Table((phrase("Kept"), phrase("Files"), phrase("Size")), rows, (1, 2)),
        BLANK,
        Line(phrase("Traced models and refined answers may take {room} together.", room=room)),
        Line(phrase("They lie in {folder}.", folder=settings.cache_dir)),
    )
    if clear or limit is not None:
        show(Line(phrase("Freed {size}.", size=format_bytes(freed))))
