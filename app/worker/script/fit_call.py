"""One call of ``fit``, or a step of a loop: who trains, on what, for how long, and from which line of the user's."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

from app.core.types.notebook import place_of
from app.worker.whose_file import is_installed

MADE_BY_AUTOGRAPH = "__autograph_generated_file"
"""Begins the names of files with code that TensorFlow has made of the user's."""


@dataclass(frozen=True)
class FitCall:
    """What ``fit`` was given, as Keras's own ``fit`` reads it.

    Attributes:
        model: The compiled model.
        arguments: By name, defaults included.
        file: Whose line called, as far as it is the user's own code; of a notebook with the cell behind it.
        line: Of that file.
        batch: That of a loop of the author's own, of which this is one step; None of a ``fit``.
    """

    model: Any
    arguments: dict[str, Any]
    file: str | None
    line: int | None
    batch: Any = None

    @staticmethod
    def of(fit: Callable[..., Any], model: Any, values: tuple[Any, ...], named: dict[str, Any]) -> FitCall:
        """The call that is under way in this thread.

        Args:
            fit: Keras's own function, for its signature.
            model: Who trains.
            values: As they were passed.
            named: Likewise.

        Raises:
            TypeError: Keras would not take these arguments.
        """
        bound = inspect.signature(fit).bind(model, *values, **named)
        bound.apply_defaults()
        file, line = users_line()
        return FitCall(model, dict(bound.arguments), file, line)

    @property
    def is_loop(self) -> bool:
        """Is it a step of a loop of the author's own?"""
        return self.batch is not None

    @property
    def epochs(self) -> int:
        """How many are trained; nobody knows how often a loop goes round."""
        if self.is_loop:
            return 1
        first = getattr(self.model, "_initial_epoch", None) or self.arguments["initial_epoch"]
        return max(1, int(self.arguments["epochs"]) - int(first))


def users_line() -> tuple[str | None, int | None]:
    """The innermost line of the call that stands in no installed package."""
    for frame in _callers(sys._getframe(1)):
        name = frame.f_code.co_filename
        file, _ = place_of(name)
        made = os.path.basename(name).startswith(MADE_BY_AUTOGRAPH)
        if file and os.path.isfile(file) and not made and not is_installed(os.path.realpath(file)):
            return name, frame.f_lineno
    return None, None


def _callers(frame: FrameType | None) -> Iterator[FrameType]:
    """A frame and those that called it, innermost first."""
    while frame is not None:
        yield frame
        frame = frame.f_back
