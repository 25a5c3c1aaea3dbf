"""What of a stranger's source may be given to Python's parser by a process that has to go on."""

from __future__ import annotations

import ast
import importlib.util
import io
import re
import tokenize

MAX_CODE_BYTES = 1024**2
"""Of one file, and of all cells of a notebook: more is no code that a person wrote and read, and a parser takes nearly
a thousand times the room of a source that is made for that."""
_PARTS = 100
_LONG_NAME = re.compile(rf"\b[^\W\d]\w*+(?:(?:\s|\\)*+\.(?:\s|\\)*+[^\W\d]\w*+){{{_PARTS}}}")
"""CPython joins the parts of an imported name one by one and keeps each text (Parser/action_helpers.c,
``_PyPegen_join_names_with_dot``): 200 kB of ``import a.a.a…`` take 10 GB."""
_ENCODINGS = re.compile(r"utf-?8|ascii|latin|iso|cp\d|koi8|mac|gb|big5|euc|shift|johab|hz$|tis|windows", re.IGNORECASE)
"""Tables of characters.  Others turn text into other text, so that code looks like a comment (``unicode_escape``,
``utf-7``), or take a time that grows with the square of it (``punycode``, ``idna``)."""


class Unreadable(ValueError):
    """A source that Python's parser refuses, or that it had better not be given."""


class Hiding(ValueError):
    """A source in an encoding that hides what it says."""


def text_of(source: bytes) -> str:
    """What a source says to Python, whose first lines may name an encoding; what is no text to it has odd characters.

    Raises:
        Hiding: It does not say what it seems to.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        if not _ENCODINGS.match(encoding):
            raise Hiding(encoding)
        return importlib.util.decode_source(source)
    except (SyntaxError, UnicodeError, LookupError):  # Python will not run it
        return source.decode("utf-8", errors="replace")


def parsed(text: str) -> ast.Module:
    """The syntax of a source; nothing is run.

    Raises:
        Unreadable: It is no Python, or nothing that a person wrote.
    """
    check(text)
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(str(error)) from error


def check(text: str) -> None:
    """Refuse what is hard to parse.

    Raises:
        Unreadable: It is too long, or a name has a hundred parts.
    """
    if len(text) > MAX_CODE_BYTES:
        raise Unreadable(f"{len(text):,} characters")
    if found := _LONG_NAME.search(text):
        raise Unreadable(f"{found[0][:20]}…")
