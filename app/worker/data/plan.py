"""A ``tf.data`` pipeline as the plan wants it: how much at once, how far ahead, what is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.core.types.workload import Plan


def calls_at_once(plan: Plan) -> int | None:
    """``num_parallel_calls`` of a map: as many as help, so many, or None for one after the other in the step's turn."""
    import tensorflow as tf

    if plan.input_workers is None:
        return int(tf.data.AUTOTUNE)
    return plan.input_workers if plan.prefetch or plan.input_workers > 1 else None


def ahead(batches: Any, plan: Plan) -> Any:
    """The batches made ahead of the step, if the plan wants it; no more threads than it wants."""
    import tensorflow as tf

    if plan.prefetch:
        batches = batches.prefetch(tf.data.AUTOTUNE)
    if plan.prefetch and plan.input_workers is None:
        return batches
    options = tf.data.Options()
    if not plan.prefetch:
        options.experimental_optimization.inject_prefetch = False
    if plan.input_workers is not None:
        options.threading.private_threadpool_size = plan.input_workers
    return batches.with_options(options)


def decoded(
    raw: Any,
    count: int | None,
    read: Callable[..., Any],
    decode: Callable[..., Any],
    plan: Plan,
    *,
    skip_broken: bool = False,
) -> Any:
    """Samples from elements that still have to be read and decoded.

    Encoded elements, or a part of the decoded ones, are cached here, where the two can be told apart; a cache of
    all decoded samples is `kept`'s.

    Args:
        raw: Elements such as paths and labels.
        count: How many; None if nobody knows, then a part cannot be cached.
        read: From an element to its encoded bytes.
        decode: From those to a sample.
        plan: Cache, share and workers.
        skip_broken: Leave out what cannot be read or decoded.
    """
    import tensorflow as tf

    calls = calls_at_once(plan)
    unordered = False if calls is not None else None

    def mapped(part: Any, function: Callable[..., Any]) -> Any:
        done = part.map(function, num_parallel_calls=calls, deterministic=unordered)
        return done.ignore_errors() if skip_broken else done

    def fresh(part: Any) -> Any:
        return mapped(part, lambda *item: decode(*read(*item)))

    def cached(part: Any) -> Any:
        if plan.cache == "encoded":
            return mapped(mapped(part, read).cache(), decode)
        return fresh(part).cache() if plan.cache_share < 1 else fresh(part)

    if plan.cache == "none":
        return fresh(raw)
    if plan.cache_share == 1 or count is None:
        return cached(raw)
    some = max(1, round(plan.cache_share * count))
    weights = [some / count, 1 - some / count]
    both = [cached(raw.take(some)), fresh(raw.skip(some))]
    return tf.data.Dataset.sample_from_datasets(both, weights=weights, stop_on_empty_dataset=False)


def kept(samples: Any, plan: Plan, cache_dir: str | None) -> Any:
    """All decoded samples in a cache, in RAM or in a file of ``cache_dir``, if the plan wants that."""
    if plan.cache_share < 1 or plan.cache in ("none", "encoded"):
        return samples
    return samples.cache(str(Path(cache_dir) / "samples")) if plan.cache == "disk" and cache_dir else samples.cache()
