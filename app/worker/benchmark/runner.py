"""What a benchmark asks of whoever runs its steps."""

from __future__ import annotations

from typing import Any, Protocol


class Runner(Protocol):
    """Runs steps of a compiled model on the batches ``(x, y)`` of an iterator."""

    @property
    def jit(self) -> bool:
        """Is the step compiled?"""
        ...

    def first_of(self, batches: Any) -> float:
        """The first step, which traces and compiles; returns its time, seconds."""
        ...

    def step_of(self, batches: Any) -> float:
        """One step on the next batch; returns its time, the wait for the batch and the device included.

        Raises:
            StopIteration: There is no further batch.
        """
        ...

    def loss(self) -> float | None:
        """Mean loss since `forget_loss`; None for inference."""
        ...

    def forget_loss(self) -> None:
        """Let the mean loss begin anew."""
        ...
