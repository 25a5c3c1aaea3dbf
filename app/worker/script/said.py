"""The last words of a program, for whoever has to say why it ended: argparse explains itself on standard error."""

from __future__ import annotations

import io
import sys

KEPT_CHARACTERS = 2000


class LastWords:
    """Listens to what the program's Python writes, which goes on to where it went before."""

    def __init__(self) -> None:
        self._said = ""
        sys.stdout = _Heard(sys.stdout, self)
        sys.stderr = _Heard(sys.stderr, self)

    def heard(self, text: str) -> None:
        """Something was written."""
        self._said = (self._said + text)[-KEPT_CHARACTERS:]

    def text(self) -> str:
        """The last of it in one line, warnings of the framework included."""
        return " ".join(self._said.split())


class _Heard(io.TextIOWrapper):
    """A standard stream with a listener."""

    def __init__(self, stream: object, words: LastWords) -> None:
        assert isinstance(stream, io.TextIOWrapper)
        stream.flush()
        super().__init__(
            stream.buffer, encoding=stream.encoding, errors=stream.errors, line_buffering=True, write_through=True
        )
        self._words = words
        self._below = stream  # closes the descriptor when it goes

    def write(self, text: str) -> int:
        """Pass it on."""
        self._words.heard(text)
        return super().write(text)
