"""A file that the user names and somebody else may have made: read whole, but not without bounds."""

from __future__ import annotations

from pathlib import Path

from app.core.types.errors import UsageError
from app.core.types.text import Text, phrase
from app.core.types.units import MIB, format_bytes

MOST_BYTES = 64 * MIB
"""A hundred times the longest run's."""


def read_given(path: str, hint: Text) -> bytes:
    """What a file holds, a pipe of the shell's included.

    Raises:
        UsageError: It cannot be read, or is longer than any file that we or a person would write.
    """
    try:
        with Path(path).expanduser().open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(
            phrase("cannot read {path}", path=path), received=error.strerror or str(error), hint=hint
        ) from error
    if len(content) > MOST_BYTES:
        raise UsageError(
            phrase("{path} is too long", path=path),
            expected=phrase("at most {most}", most=format_bytes(MOST_BYTES)),
            received=phrase("more"),
            hint=hint,
        )
    return content
