"""Time calls: in two passes spread over a measurement, so that a machine that drifts shows in the spread."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.worker.backends.tensorflow import synchronise

PASSES = 2


def overhead_trials(tf: Any) -> list[tuple[str, float, Callable[[], Any]]]:
    """The cost of one tiny operation inside a graph, and of calling a graph at all."""
    tiny = tf.constant(1.0)
    count = 400

    @tf.function(autograph=False)  # type: ignore[untyped-decorator]
    def chain(x: Any) -> Any:
        for _ in range(count // 2):
            x = tf.atan(tf.exp(-x))
        return x

    @tf.function(autograph=False)  # type: ignore[untyped-decorator]
    def nothing(x: Any) -> Any:
        return x + 1.0

    return [("launch", float(count), bind(chain, tiny)), ("step", 1.0, bind(nothing, tiny))]


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
