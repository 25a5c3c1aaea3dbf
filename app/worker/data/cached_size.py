"""Memory that a sample takes in ``tf.data``'s cache, from caching some of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from app.worker.backends.tensorflow import Allocator

MOST_CACHED_BYTES = 256 * 1024**2
FEWEST_CACHED = 16
"""So few samples tell nothing of what each takes."""


def cached_sample_bytes(samples: Any, samples_per_s: float, seconds: float, check: Callable[[], None]) -> float | None:
    """What each of some samples takes in the cache; nothing else of the pipeline is kept.

    The host's allocator counts the tensors.  The process's size would count its notes about small ones too, some
    hundred bytes each, which a training with TensorFlow's usual allocator does not keep.

    Args:
        samples: A ``tf.data.Dataset`` of single samples in the form in which a cache keeps them.
        samples_per_s: How fast they come.
        seconds: Time to use; twice as much at most.
        check: Called often; may raise to stop.

    Returns:
        Bytes, or None where there are too few samples, the time was up or the allocator keeps no count.
    """
    import tensorflow as tf

    allocator = Allocator("CPU:0")
    most = int(min(samples_per_s * seconds / 2, MOST_CACHED_BYTES / _bytes_of(samples.element_spec)))
    before = allocator.read()
    if before is None:
        return None
    until, count = time.perf_counter() + 2 * seconds, 0
    with tf.device("CPU:0"):
        cached = samples.take(max(FEWEST_CACHED, most)).cache()
        for _ in cached:
            count += 1
            check()
            if time.perf_counter() > until:
                return None
    after = allocator.read()
    if count < FEWEST_CACHED or after is None:
        return None
    return max(0.0, (after.current_bytes - before.current_bytes) / count)


def _bytes_of(specification: Any) -> float:
    """Bytes of the tensors of one sample; at least 1."""
    import tensorflow as tf

    specs = tf.nest.flatten(specification)
    return max(1.0, float(sum(spec.dtype.size * (spec.shape.num_elements() or 1) for spec in specs)))
