"""A child that traces and measures plans of one model, a line of JSON each way.

``python -m studies.accuracy.ways_out_child MODEL_JSON`` with ``TF_CPU_ALLOCATOR_USE_BFC=true``.  A line is
``{"plan": {…}, "do": "trace"}`` or ``"measure"``; the answer is the graph, or the allocator's peak over steps 2
and 3 above what was in use before.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from typing import Any

from app.core.types.plan import Plan
from app.core.types.plans import plan_from_json


def main() -> None:
    """Answer lines until there are no more."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever TensorFlow prints is no answer
    arguments = {"model": json.loads(sys.argv[1])}
    for line in sys.stdin:
        asked = json.loads(line)
        answer = {"trace": trace, "measure": measure}[asked["do"]](arguments, plan_from_json(asked["plan"]))
        out.write(json.dumps(answer) + "\n")
        out.flush()


def trace(arguments: dict[str, Any], plan: Plan) -> Any:
    """The step's graph; the names of layers are counted from one again."""
    import keras

    from app.worker.models.build import build_for
    from app.worker.models.weightless import weightless
    from app.worker.tracing.trace import to_json, trace_built

    keras.backend.clear_session()
    with weightless():
        built = build_for(arguments, plan)
        graph = trace_built(built, precision=plan.precision, mode=plan.mode)
    return to_json(graph)


def measure(arguments: dict[str, Any], plan: Plan) -> Any:
    """The peak of the two steps after the first one; of two updates where steps are accumulated."""
    import keras
    import tensorflow as tf

    from app.worker.data.batches import synthetic_batch
    from app.worker.models.build import build_for

    keras.backend.clear_session()
    gc.collect()
    before = tf.config.experimental.get_memory_info("CPU:0")["current"]
    built = build_for(arguments, plan)
    x, y = synthetic_batch(built, plan.batch_size)
    optimizer = keras.optimizers.get(plan.optimizer)
    if plan.accumulate > 1:
        settings = {**optimizer.get_config(), "gradient_accumulation_steps": plan.accumulate}
        optimizer = type(optimizer).from_config(settings)
    built.model.compile(optimizer=optimizer, loss=built.loss, jit_compile=bool(plan.jit))
    peaks = []
    for _ in range(3):
        for _ in range(plan.accumulate):
            built.model.train_on_batch(x, y)
        peaks.append(tf.config.experimental.get_memory_info("CPU:0")["peak"])
        tf.config.experimental.reset_memory_stats("CPU:0")
    return {"peak_bytes": max(peaks[1:]) - before}


if __name__ == "__main__":
    main()
