"""What a person is told on standard output and error beside the answers; what came from outside is made visible."""

from __future__ import annotations

import contextlib
import logging
import sys
import traceback
from collections.abc import Iterator
from types import TracebackType

from app.core.types.visible import visible


def say(text: str) -> None:
    """One line on standard output."""
    sys.stdout.write(f"{visible(text)}\n")


def tell(text: str) -> None:
    """One line on standard error, as all that follows."""
    sys.stderr.write(f"{visible(text)}\n")
    sys.stderr.flush()


def tell_error(text: str) -> None:
    """One line of why there is no answer."""
    tell(f"error: {' '.join(text.split())}")


def keep_visible() -> None:
    """Let what Python itself writes there, logs and tracebacks, be visible too; called once by the program's entry."""
    handler = logging.StreamHandler()
    handler.setFormatter(VisibleFormatter("%(levelname)s: %(message)s"))
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)
    sys.excepthook = _tell_traceback


@contextlib.contextmanager
def told(part: str) -> Iterator[None]:
    """Within this scope all that a part of the program logs is told, whatever its level.

    Args:
        part: Name of a package or module.
    """
    log, handler = logging.getLogger(part), _Teller()
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


class _Teller(logging.Handler):
    """Tells each record of a log."""

    def emit(self, record: logging.LogRecord) -> None:
        """One line."""
        tell(record.getMessage())


class VisibleFormatter(logging.Formatter):
    """Writes a record of a log in characters that can be seen."""

    def format(self, record: logging.LogRecord) -> str:
        """The record's lines."""
        return visible(super().format(record), "\n")


def _tell_traceback(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """As Python tells of an error that nobody caught."""
    sys.stderr.write(visible("".join(traceback.format_exception(kind, error, trace)), "\n"))
