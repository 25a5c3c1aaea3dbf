"""The first of some names, and how many there are besides."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.types.text import Text, phrase, verbatim

MOST_NAMED = 3


def named(names: Sequence[str]) -> Text:
    """Names in words; empty without any."""
    rest = len(names) - MOST_NAMED
    said = ", ".join(names[:MOST_NAMED])
    return verbatim(said) if rest <= 0 else phrase("{named} and {n} more", named=said, n=str(rest))
