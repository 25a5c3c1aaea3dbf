"""Loops that train without ``fit``: seen when they update weights, or in the source where nothing has reached them.

They are let run for a while, for a ``fit`` may follow: some programs make an optimizer's slots by an update of zeros.
"""

from __future__ import annotations

import ast
import functools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.notebook import place_of
from app.core.types.text import Text, phrase, verbatim
from app.worker.script.fit_call import users_line

GRACE_S = 20.0
"""So long a program may train by itself before it is ended."""
_TRAINS = ("train_on_batch", "apply_gradients", "GradientTape")
"""What stands in a loop of one's own, the most telling first."""


class OwnLoops:
    """Listens to updates of weights.

    Args:
        on_long: Called, in a thread, once a program has trained by itself for `GRACE_S`.
    """

    def __init__(self, on_long: Callable[[BadModel], None]) -> None:
        self._on_long = on_long
        self._place: Text | None = None
        self._ours = 0
        self._timer: threading.Timer | None = None

    def heard(self, own: Callable[..., Any]) -> Callable[..., Any]:
        """A method of Keras's that updates weights, which is noted."""

        @functools.wraps(own)
        def updates(*values: Any, **named: Any) -> Any:
            if not self._ours:
                self._note(own.__name__)
            return own(*values, **named)

        return updates

    @contextmanager
    def not_now(self) -> Iterator[None]:
        """Within this scope updates are ours, and no time runs out."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._place = None
        self._ours += 1
        try:
            yield
        finally:
            self._ours -= 1

    def found(self) -> BadModel | None:
        """What has trained since the last ``fit``."""
        if self._place is None:
            return None
        return _loop(phrase("the script trains by a loop of its own ({place}), not by fit", place=self._place))

    def _note(self, name: str) -> None:
        """The first update of a loop: where it is, and from when on its time runs."""
        if self._place is not None:
            return
        file, line = users_line()
        path, cell = place_of(file)
        where = os.path.basename(path or "")
        told = f"{where}:{line}" if cell is None else f"{where}, cell {cell}, line {line}"
        self._place = phrase("{what} in {where}", what=name, where=told) if file else verbatim(name)
        self._timer = threading.Timer(GRACE_S, self._too_long)
        self._timer.daemon = True
        self._timer.start()

    def _too_long(self) -> None:
        """No ``fit`` has come."""
        loop = self.found()
        if loop is not None and not self._ours:
            self._on_long(loop)


def unreached_loop(source: str) -> BadModel | None:
    """What the text of a program that has not trained says of a loop of its own."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    named = [(getattr(n, "attr", getattr(n, "id", "")), n) for n in nodes if isinstance(n, ast.Attribute | ast.Name)]
    for name in _TRAINS:
        line = min((node.lineno for found, node in named if found == name), default=None)
        if line is not None:
            what = phrase("{what} in line {line}", what=name, line=str(line))
            return _loop(
                phrase("the script ended without fit, and without reaching the loop of its own ({place})", place=what)
            )
    return None


def _loop(message: Text) -> BadModel:
    """What can be done about it."""
    return BadModel(
        message,
        expected=phrase("a call of fit"),
        hint=phrase(
            "write the step as train_step of a keras.Model and call fit, or name a function that returns the model: "
            "train.py:function"
        ),
    )
