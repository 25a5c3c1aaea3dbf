"""The code of a notebook: its cells as Python, without what only Jupyter understands.

The format is that of nbformat 4 and 3 (a list of cells, each a list of lines or one text); no Jupyter is needed.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass

from app.core.types.errors import BadModel
from app.core.types.source_text import MAX_CODE_BYTES, Unreadable, check
from app.core.types.text import phrase, verbatim

SUFFIX = ".ipynb"
_RUNS_ITS_BODY = frozenset({"%%time", "%%timeit", "%%capture", "%%prun"})
"""Magics of a cell whose other lines are Python that runs in the notebook itself."""
MAX_TRIED_BYTES = 2 * MAX_CODE_BYTES
"""Of all attempts to parse a notebook's cells: each line that only Jupyter understands takes another."""
_BEHIND_THE_ERROR = 20
"""How many times cheaper a character is that is handed over and stands behind the line where parsing ends: CPython 3.11
took 18 ms for 1.1 MB behind an error in the first line, and 0.54 s for 0.6 MB of ``pass`` before one; twice that, as a
short line costs more."""
_ONLY_JUPYTERS = re.compile(r"^\s*(%|!|\?|\w+\s*=\s*[%!]|[\w.]+\?{1,2}\s*$)")
"""A line's magic, a command of the shell, either with a name for its result, or a question for help."""
_NAMED = re.compile(r"^(?P<path>.+\.ipynb) cell (?P<cell>\d+)$", re.IGNORECASE)


@dataclass(frozen=True)
class Cell:
    """A cell with code.

    Attributes:
        number: Among all of the notebook that hold code, from 1.
        source: Python; a line that was skipped is ``pass`` with the same indentation, so that lines keep their numbers.
        skipped: The lines that only Jupyter understands, as they stand there.
    """

    number: int
    source: str
    skipped: tuple[str, ...] = ()

    def name(self, path: str) -> str:
        """What stands for a file's name in its code, in errors and where ``fit`` was called."""
        return f"{path} cell {self.number}"


def cells_of(text: str, path: str) -> tuple[Cell, ...]:
    """The cells of a notebook that hold code, in their order.

    Args:
        text: What the file holds.
        path: Its path, for errors.

    Raises:
        BadModel: It is no notebook, or none of Python, or one that nobody wrote.
    """
    try:
        document = json.loads(text)
        sheets = document.get("worksheets") or [document]
        cells = [cell for sheet in sheets for cell in sheet["cells"] if cell["cell_type"] == "code"]
        sources = [cell["source"] if "source" in cell else cell["input"] for cell in cells]
        texts = [source if isinstance(source, str) else "".join(source) for source in sources]
        "".join(texts).encode()  # half of a character is no text
        language = _language(document)
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        raise BadModel(
            phrase("this is no notebook that can be read"), expected=phrase("a Jupyter notebook"), received=path
        ) from error
    if language not in ("python", "python3", "ipython"):
        raise BadModel(phrase("the notebook is not in Python"), received=verbatim(language), expected="Python")
    try:
        check("\n".join(texts))
    except Unreadable:
        raise _too_long(path) from None
    attempts = _Attempts(path)
    return tuple(_cell(number, text, attempts) for number, text in enumerate(texts, 1))


def program_of(cells: tuple[Cell, ...]) -> str:
    """All cells as one program, for people and for what reads imports.

    Its first two lines are ours: an encoding that the author names there would count, and in a cell it does not.
    """
    return "# notebook\n" + "\n\n".join(f"# cell {cell.number}\n{cell.source}" for cell in cells)


def place_of(name: str | None) -> tuple[str | None, int | None]:
    """The file, and of a notebook the cell, that the name of a piece of code stands for."""
    found = _NAMED.match(name or "")
    return (found["path"], int(found["cell"])) if found else (name, None)


def _language(document: dict[str, dict[str, dict[str, str]]]) -> str:
    """What the notebook is written in; an old one that does not say is Python."""
    told = document.get("metadata", {})
    language = told.get("kernelspec", {}).get("language") or told.get("language_info", {}).get("name") or "python"
    return str(language).lower()


def _too_long(path: str) -> BadModel:
    """A notebook that is made to be hard to read."""
    return BadModel(
        phrase("the notebook holds too much code"),
        expected=phrase("at most {max_code} bytes", max_code=f"{MAX_CODE_BYTES:,}"),
        received=path,
    )


class _Attempts:
    """Parses pieces of one notebook, and counts how much that was."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._left = MAX_TRIED_BYTES

    def stumbles_at(self, lines: list[str]) -> int | None:
        """The line that is no Python, from 0: one that begins like a magic may well be, as the end of a longer one.

        Raises:
            BadModel: All attempts together were too much.
        """
        text = "\n".join(lines)
        try:
            ast.parse(text)
        except SyntaxError as error:
            at = error.lineno - 1 if error.lineno and error.lineno <= len(lines) else None
            before = sum(map(len, lines[:at])) + len(lines[:at])
            self._left -= before + (len(text) + len(lines)) // _BEHIND_THE_ERROR
            if self._left < 0:
                raise _too_long(self._path) from None
            return at
        except (ValueError, RecursionError, MemoryError):
            return None
        return None


def _cell(number: int, text: str, attempts: _Attempts) -> Cell:
    """One cell without what only Jupyter understands."""
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    if first.startswith("%%") and first.split()[0] not in _RUNS_ITS_BODY:
        return Cell(number, "\n" * (len(lines) - 1), (first,))
    if first.startswith("%%"):
        lines[lines.index(first)] = ""
    skipped = [first] if first.startswith("%%") else []
    while (wrong := attempts.stumbles_at(lines)) is not None and _ONLY_JUPYTERS.match(lines[wrong]):
        skipped.append(lines[wrong].strip())
        indentation = len(lines[wrong]) - len(lines[wrong].lstrip())
        goes_on = lines[wrong].endswith("\\")
        lines[wrong] = " " * indentation + "pass"
        while goes_on and wrong + 1 < len(lines):
            wrong += 1
            goes_on, lines[wrong] = lines[wrong].endswith("\\"), ""
    return Cell(number, "\n".join(lines), tuple(skipped))
