"""Time calls: in two passes spread over a measurement, so that a machine that drifts shows in the spread."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.core.types.text import phrase
from app.worker.backends.tensorflow import synchronise

if TYPE_CHECKING:
    from app.worker.channel import Channel

PASSES = 2


Trial = tuple[str, float, Callable[[], Any]]
"""Kind, amount of work in one call, call."""


def rates_of(
    trials: Sequence[Trial], channel: Channel, at_least_s: float, progress: float
) -> tuple[dict[str, float], float | None]:
    """What a second achieves of each kind, the median over its trials and passes, and the spread between the passes.

    Args:
        trials: What is timed; it stops where the user cancels.
        channel: To the parent.
        at_least_s: How long each is timed in a pass.
        progress: The share of the whole measurement that this is, from a tenth of it on.
    """
    seen: dict[str, list[float]] = {}
    for number in range(PASSES):
        for position, (kind, amount, function) in enumerate(trials):
            if channel.cancelled():
                break
            seen.setdefault(kind, []).append(amount / seconds_per_call(function, at_least_s))
            share = (number * len(trials) + position + 1) / (PASSES * len(trials))
            channel.progress(0.1 + progress * share, phrase("measuring {kind}", kind=kind))
    return {kind: statistics.median(values) for kind, values in seen.items()}, spread_of(seen)


def launch_trial(tf: Any) -> Trial:
    """The cost of one tiny operation inside a graph."""
    tiny = tf.constant(1.0)
    count = 400

    @tf.function(autograph=False)  # type: ignore[untyped-decorator]
    def chain(x: Any) -> Any:
        for _ in range(count // 2):
            x = tf.atan(tf.exp(-x))
        return x

    return "launch", float(count), bind(chain, tiny)


def bind(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[[], Any]:
    """A call without arguments."""
    return lambda: function(*args, **kwargs)


def seconds_per_call(function: Callable[[], Any], at_least_s: float) -> float:
    """Mean time of a call, after one call to warm up; at the end the device is waited for, and nothing is copied."""
    function()
    synchronise()
    calls, elapsed = 1, 0.0
    while elapsed < at_least_s:
        started = time.perf_counter()
        for _ in range(calls):
            function()
        synchronise()
        elapsed = time.perf_counter() - started
        if elapsed < at_least_s:
            calls *= 2
    return elapsed / calls


def spread_of(seen: Mapping[str, Sequence[float]]) -> float | None:
    """Median relative difference between the passes: the machine's own noise."""
    changes = []
    for values in seen.values():
        half = len(values) // 2
        for first, second in zip(values[:half], values[half:], strict=False):
            changes.append(abs(second / first - 1))
    return statistics.median(changes) if changes else None
