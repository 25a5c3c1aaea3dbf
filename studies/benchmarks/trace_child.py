"""In a fresh process: what Keras itself, or our tracer, needs to build a network and trace its training step.

``python -m studies.benchmarks.trace_child keras|ours NAME`` prints the processor seconds after the import of
TensorFlow, the elapsed seconds, and the process's largest resident size before and after.
``NAME`` is a catalog name or ``dense:PARAMETERS``, one layer of that many weights.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from typing import Any

from app.core.types.workload import ModelRef
from app.worker.models.built import BuiltModel, InputSpec


def main() -> None:
    """Answer the command line."""
    way, name = sys.argv[1:3]
    import keras  # noqa: F401 - the import is nobody's work here
    import tensorflow as tf

    from app.worker.models.build import apply_plan  # noqa: F401
    from app.worker.tracing.trace import trace_built  # noqa: F401

    tf.config.set_visible_devices([], "GPU")
    before = _resident_bytes()
    wall, processor = time.perf_counter(), time.process_time()
    weights = {"keras": trace_with_keras, "ours": trace_with_ours}[way](name)
    answer = {
        "cpu_s": time.process_time() - processor,
        "wall_s": time.perf_counter() - wall,
        "weights_bytes": weights,
        "resident_before_bytes": before,
        "resident_bytes": _resident_bytes(),
    }
    print(json.dumps(answer))


def trace_with_keras(name: str) -> int:
    """What the first call of ``fit`` does before its first step: build, compile, trace the step with its update."""
    import keras
    import tensorflow as tf

    built = build(name)
    built.model.compile(optimizer=keras.optimizers.Adam(), loss=built.loss, jit_compile=False)
    specs = tuple(
        tuple(tf.TensorSpec((8, *s.shape), s.dtype) for s in group) for group in (built.input_specs, built.target_specs)
    )
    x, y = (group[0] if len(group) == 1 else group for group in specs)

    def step(x: Any, y: Any) -> Any:
        return built.model.train_step((x, y))

    built.model._symbolic_build(data_batch=_symbolic(built))
    tf.function(step).get_concrete_function(x, y)
    return 4 * int(built.model.count_params())


def trace_with_ours(name: str) -> int:
    """What the ``trace`` job does after its imports, its answer as JSON included."""
    from app.worker.models.build import apply_plan
    from app.worker.models.weightless import weightless
    from app.worker.tracing.trace import to_json, trace_built

    with weightless():
        built = build(name)
        apply_plan(built.model)
        graph = trace_built(built, precision="float32", mode="train")
    json.dumps(to_json(graph))
    return sum(variable.size_bytes for variable in graph.variables)


def build(name: str) -> BuiltModel:
    """A network of the catalog, or one dense layer of so many weights."""
    import keras

    from app.worker.models.build import build as build_network

    if not name.startswith("dense:"):
        return build_network(ModelRef("catalog", name))
    side = round(float(name.partition(":")[2]) ** 0.5)
    model = keras.Sequential([keras.Input((side,)), keras.layers.Dense(side, use_bias=False)])
    spec = InputSpec((side,))
    return BuiltModel(model, "mse", (spec,), (spec,))


def _symbolic(built: BuiltModel) -> Any:
    """A batch without values, as Keras's ``fit`` makes one to build the optimizer and the metrics."""
    import keras

    groups = [
        [keras.KerasTensor((8, *s.shape), s.dtype) for s in group] for group in (built.input_specs, built.target_specs)
    ]
    return tuple(group[0] if len(group) == 1 else group for group in groups)


def _resident_bytes() -> int:
    """The largest resident size so far (Linux counts it in kilobytes)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
