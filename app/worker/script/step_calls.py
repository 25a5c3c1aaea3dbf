"""Hears each step of a loop that trains without ``fit``: ``train_on_batch``, or a ``tf.function`` that updates weights.

Nothing of ours is imported: the studies read peaks of bare programs at the same calls.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StepCall:
    """A step that is about to be done.

    Attributes:
        owner: Whose it is: the model, or the ``tf.function``.
        values: As they were passed.
        named: Likewise.
        updated: The weights that a ``tf.function`` updates; nothing of a model, which knows its own.
    """

    owner: Any
    values: tuple[Any, ...]
    named: dict[str, Any]
    updated: tuple[Any, ...] = ()


class StepCalls:
    """Listens to steps.

    Args:
        on_step: Called before each of them; of a ``tf.function`` from the second on, for only the first tells what
            it updates.
    """

    def __init__(self, on_step: Callable[[StepCall], None]) -> None:
        self._on_step = on_step
        self._trains: dict[int, tuple[Any, list[Any]]] = {}
        self._running = threading.local()

    def on_batch(self, own: Callable[..., Any]) -> Callable[..., Any]:
        """A model's ``train_on_batch``, which is heard."""

        @functools.wraps(own)
        def train_on_batch(model: Any, *values: Any, **named: Any) -> Any:
            self._on_step(StepCall(model, values, named))
            with self._alone():
                return own(model, *values, **named)

        return train_on_batch

    def by_function(self, polymorphic_function: Any) -> None:
        """Every ``tf.function``; ``polymorphic_function`` is TensorFlow's module of this name."""
        kind = polymorphic_function.Function
        own = kind.__call__

        @functools.wraps(own)
        def call(function: Any, *values: Any, **named: Any) -> Any:
            if getattr(self._running, "updated", None) is not None:
                return own(function, *values, **named)  # part of another step
            if id(function) in self._trains:
                _, updated = self._trains[id(function)]
                self._on_step(StepCall(function, values, named, tuple(updated)))
            with self._alone() as updated:
                answer = own(function, *values, **named)
            if updated and id(function) not in self._trains:
                self._trains[id(function)] = (function, updated)
            return answer

        kind.__call__ = call

    def by_optimizer(self, own: Callable[..., Any]) -> Callable[..., Any]:
        """An optimizer's ``apply``, which tells what a step updates while it is traced."""

        @functools.wraps(own)
        def apply(optimizer: Any, grads: Any, trainable_variables: Any = None) -> Any:
            updated = getattr(self._running, "updated", None)
            if updated is not None:
                known = trainable_variables
                updated.extend(optimizer._trainable_variables if known is None else known)
            return own(optimizer, grads, trainable_variables)

        return apply

    def _alone(self) -> _Alone:
        """Within this scope a step is running, whose parts are no steps of their own."""
        return _Alone(self._running)


class _Alone:
    """What the running step updates; a list."""

    def __init__(self, running: threading.local) -> None:
        self._running = running

    def __enter__(self) -> list[Any]:
        self._before = getattr(self._running, "updated", None)
        updated: list[Any] = []
        self._running.updated = updated
        return updated

    def __exit__(self, *_: object) -> None:
        self._running.updated = self._before
