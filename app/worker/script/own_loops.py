"""Loops that train without ``fit``: seen when they update weights, or in the source where nothing has reached them.

They are let run for a while, for a ``fit`` may follow: some programs make an optimizer's slots by an update of zeros.
A loop whose steps are all of one kind is answered by one of them, once enough were done that another kind would have
come; one that trains two networks in turn is told by what was found.
"""

from __future__ import annotations

import ast
import functools
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from app.core.types.errors import BadModel
from app.core.types.notebook import place_of
from app.core.types.source_text import Unreadable, parsed
from app.core.types.text import Text, phrase, verbatim
from app.worker.script.fit_call import users_line
from app.worker.script.step_calls import StepCall, StepCalls

ENOUGH_STEPS = 16
"""After so many steps of one kind there is no other: nobody trains a critic so often before the generator's turn."""
GRACE_S = 20.0
"""So long a program may train by itself before it is ended."""
_TRAINS = ("train_on_batch", "apply_gradients", "GradientTape")
"""What stands in a loop of one's own, the most telling first."""


class OwnLoops:
    """Listens to updates of weights.

    Args:
        on_long: Called, in a thread, once a program has trained by itself for `GRACE_S`.
        on_step: Called with a step that stands for all, and the line of the user's that does it.

    Attributes:
        steps: What hears the steps.
    """

    def __init__(
        self, on_long: Callable[[BadModel], None], on_step: Callable[[StepCall, str | None, int | None], None]
    ) -> None:
        self._on_long = on_long
        self._on_step = on_step
        self._done: Counter[int] = Counter()
        self._last: StepCall | None = None
        self._line: tuple[str | None, int | None] = None, None
        self._waited = False
        self.steps = StepCalls(self._step)
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
        self._place = self._last = None
        self._waited = False
        self._done.clear()
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

    def answer(self) -> None:
        """Hand on the step that all those since the last ``fit`` were, if they were of one kind."""
        if self._last is not None and len(self._done) == 1:
            self._on_step(self._last, *self._line)

    def _step(self, step: StepCall) -> None:
        """A step is about to be done."""
        if self._ours:
            return
        if not self._done:
            self._line = users_line()
        self._last = step
        self._done[id(step.owner)] += 1
        if self._waited or self._done[id(step.owner)] == ENOUGH_STEPS:
            self.answer()

    def _note(self, name: str) -> None:
        """The first update of a loop: where it is, and from when on its time runs."""
        if self._place is not None:
            return
        file, line = users_line()
        path, cell = place_of(file)
        where = os.path.basename(path or "")
        told = f"{where}:{line}" if cell is None else f"{where}, cell {cell}, line {line}"
        self._place = phrase("{what} in {where}", what=name, where=told) if file else verbatim(name)
        self._start_timer()

    def _start_timer(self) -> None:
        """From now on the time runs."""
        self._timer = threading.Timer(GRACE_S, self._too_long)
        self._timer.daemon = True
        self._timer.start()

    def _too_long(self) -> None:
        """No ``fit`` has come: the next step answers, if there is another of the same kind soon."""
        if len(self._done) == 1 and not self._waited:
            self._waited = True
            self._start_timer()
            return
        loop = self.found()
        if loop is not None and not self._ours:
            self._on_long(loop)


def unreached_loop(source: str) -> BadModel | None:
    """What the text of a program that has not trained says of a loop of its own."""
    try:
        nodes = list(ast.walk(parsed(source)))
    except Unreadable:
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
