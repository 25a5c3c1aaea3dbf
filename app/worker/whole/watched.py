"""A ``fit`` with somebody who looks on: Keras's own loop, with marks where a phase ends."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from app.worker.whole.phase_log import PhaseLog


def watched(model: Any, log: PhaseLog, callbacks: list[Any], on_epoch: Callable[[int], None]) -> list[Any]:
    """The callbacks of a ``fit`` with a first and a last one that mark its phases.

    Args:
        model: Who is trained; how often its steps are traced is counted from now on.
        log: Is filled.
        callbacks: The training's own.
        on_epoch: Hears the number of each epoch that has ended.
    """
    import keras

    traces = count_traces(model)

    class First(keras.callbacks.Callback):  # type: ignore[misc, name-defined, unused-ignore]
        """Called before all others."""

        def __init__(self) -> None:
            super().__init__()
            self.steps, self.epoch = 0, 0

        def on_train_begin(self, logs: Any = None) -> None:
            """Everything is prepared."""
            log.mark("prepare", times=1)

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            """Which one it is."""
            self.epoch = epoch

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
            """A step has ended, as far as the device has been waited for by those who read its metrics."""
            self.steps += 1
            if self.steps == 1:
                log.mark("first_step", times=1)
            else:
                log.mark("later" if self.epoch else "training", times=batch == 0 and self.epoch > 0)

        def on_test_end(self, logs: Any = None) -> None:
            """A validation has ended, which began where the last step did."""
            log.mark("validation", times=1)

    class Last(keras.callbacks.Callback):  # type: ignore[misc, name-defined, unused-ignore]
        """Called after all others."""

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            """The epoch has ended, with whatever is saved at its end."""
            log.mark("saving", times=1)
            log.end_epoch(traces())
            on_epoch(epoch)

    return [First(), *callbacks, Last()]


def count_traces(model: Any) -> Callable[[], int]:
    """Counts how often a model's steps are traced: each trace calls its Python once.

    A model that runs eagerly calls it at every step, which is no tracing.
    """
    counted = [0]

    def counting(step: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(step)
        def counted_step(*values: Any, **named: Any) -> Any:
            counted[0] += not model.run_eagerly
            return step(*values, **named)

        return counted_step

    for name in ("train_step", "test_step"):
        object.__setattr__(model, name, counting(getattr(model, name)))
    return lambda: counted[0]
