"""Run every optimizer of Keras on one network and print what it keeps, what its update is, and its peaks.

``python -m tests.worker.tracing.optimizers_child`` with ``TF_CPU_ALLOCATOR_USE_BFC=true``; the last line of stdout
is the answer: for each case what TensorFlow did beside what the product says.
"""

from __future__ import annotations

import gc
import json
from typing import Any

import numpy as np

from app.core.predict.estimate import Estimator
from app.core.simulate.device import TargetDevice
from app.core.simulate.optimizers import UpdateOptions, slots, update_stages
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.types.plan import Plan
from app.core.types.plan_values import OPTIMIZERS
from app.worker.backends.tensorflow import StepRunner
from app.worker.models.built import BuiltModel, InputSpec
from app.worker.models.weightless import weightless
from app.worker.tracing import step_function, trace

BATCH = 32
HOST = TargetDevice("CPU", None, 2)
EXTRAS: tuple[dict[str, Any], ...] = (
    {"optimizer": "sgd", "momentum": 0.9},
    {"optimizer": "sgd", "momentum": 0.9, "nesterov": True},
    {"optimizer": "rmsprop", "momentum": 0.9},
    {"optimizer": "rmsprop", "centered": True},
    {"optimizer": "rmsprop", "momentum": 0.9, "centered": True},
    {"optimizer": "adam", "amsgrad": True},
    {"optimizer": "adamw", "amsgrad": True},
    {"optimizer": "sgd", "ema": True},
    {"optimizer": "adam", "ema": True},
    {"optimizer": "sgd", "clipnorm": 1.0},
    {"optimizer": "sgd", "clipnorm": 2.0},
    {"optimizer": "sgd", "global_clipnorm": 1.0},
    {"optimizer": "adam", "global_clipnorm": 1.0},
    {"optimizer": "sgd", "clipvalue": 0.5},
    {"optimizer": "sgd", "weight_decay": 0.01},
    {"optimizer": "lion", "weight_decay": 0.01},
)
KINDS = {
    "AddV2": "Add",
    "RealDiv": "Div",
    "AssignVariableOp": "Assign",
    "AssignAddVariableOp": "AssignAdd",
    "AssignSubVariableOp": "AssignSub",
}
FEW = 16
"""Results with as few elements count as numbers."""
CHANGED = "'"
"""Marks a variable that is read after it was changed in this step."""
SAME = ("Identity", "IdentityN", "Reshape", "ExpandDims", "Squeeze", "Cast")


def main() -> None:
    """All optimizers as they are, then the options."""
    cases = [{"optimizer": name} for name in OPTIMIZERS] + list(EXTRAS)
    with weightless():
        estimator = Estimator(trace.trace_built(built(), precision="float32", mode="train"))
    print(json.dumps([{**case, **answer(Plan(BATCH, jit=False, **case), estimator)} for case in cases]))


def built() -> BuiltModel:
    """A network of which most memory is weights: convolutions, a tall and a wide matrix, vectors."""
    import keras

    keras.utils.set_random_seed(0)
    model = keras.Sequential(
        [
            keras.Input((32, 32, 3)),
            keras.layers.Conv2D(32, 3, strides=2, activation="relu", name="conv"),
            keras.layers.Flatten(),
            keras.layers.Dense(512, activation="relu", name="tall"),
            keras.layers.Dense(2048, activation="relu", name="wide"),
            keras.layers.Dense(10, name="head"),
        ]
    )
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return BuiltModel(model, loss, (InputSpec((32, 32, 3)),), (InputSpec((), "int32", high=10),))


def answer(plan: Plan, estimator: Estimator) -> dict[str, Any]:
    """What one plan needs: real and predicted."""
    import keras
    import tensorflow as tf

    gc.collect()
    before = tf.config.experimental.get_memory_info("CPU:0")["current"]
    tf.config.experimental.reset_memory_stats("CPU:0")
    model = built()
    runner = StepRunner(model, plan)
    x, y = np.ones((BATCH, 32, 32, 3), "float32"), np.zeros((BATCH,), "int32")
    peaks = []
    for _ in range(4):
        runner.first((x, y))
        peaks.append(tf.config.experimental.get_memory_info("CPU:0")["peak"] - before)
        tf.config.experimental.reset_memory_stats("CPU:0")
    optimizer = runner.model.optimizer
    step = estimator.steps.step_memory(plan, HOST)
    state = [v for v in optimizer.variables if len(v.shape)]
    found = {
        "state_bytes": sum(v.value.shape.num_elements() * v.value.dtype.size for v in state),
        "predicted_state_bytes": predicted_state(plan, estimator),
        "peak_bytes": max(peaks[1:]),
        "first_step_bytes": peaks[0],
        "predicted_bytes": step.peak_bytes(BATCH),
        "predicted_first_step_bytes": step.first_step_peak_bytes(BATCH),
        "updates": updates(runner.model, plan),
        "expected_updates": {
            v.path.partition("/")[2]: written(plan, tuple(v.shape), v.path)
            for v in runner.model.trainable_variables
            if min(v.shape) > FEW or len(v.shape) > 2
        },
    }
    del runner, model, optimizer, state
    keras.backend.clear_session()
    return found


def predicted_state(plan: Plan, estimator: Estimator) -> int:
    """Bytes of the slots by the product's arithmetic."""
    program = build_program(estimator.graph, plan.rule, LoweringOptions(kernels="host", update=UpdateOptions.of(plan)))
    resident = program.buffers[: program.resident]
    return int(sum(buffer.size.at(BATCH) for buffer in resident if buffer.role == "optimizer_state"))


def written(plan: Plan, shape: tuple[int, ...], path: str) -> list[str]:
    """What the recipe of one weight changes, as expressions."""
    options = UpdateOptions.of(plan)
    values: dict[str, Any] = {slot.name: slot.name for slot in slots(plan.rule, shape, path, ema=options.ema)}
    values |= {"g": "g", "w": "w"}
    changes = []
    for operation in (o for stage in update_stages(plan.rule, shape, path, options) for o in stage):
        if operation.output is None:
            target = operation.inputs[0]
            changes.append(f"{operation.kind} {target} {text(values[operation.inputs[1]])}")
            values[target] = target + CHANGED
        else:
            number = operation.size == "scalar"
            values[operation.output] = combined(operation.kind, [values[n] for n in operation.inputs], number=number)
    return sorted(changes)


def combined(kind: str, inputs: list[Any], *, number: bool) -> Any:
    """A result by what it is made of; a number is the set of what it depends on."""
    if number and all(isinstance(i, frozenset) for i in inputs):
        return frozenset().union(*inputs)
    made = f"{kind}({', '.join(sorted(text(i) for i in inputs))})"
    return frozenset((made,)) if number else made


def text(value: Any) -> str:
    """An expression as text."""
    return "{" + " ".join(sorted(value)) + "}" if isinstance(value, frozenset) else str(value)


def updates(model: Any, plan: Plan) -> dict[str, list[str]]:
    """What the traced and optimised step does to each weight and its slots, as expressions."""
    import tensorflow as tf

    specs = tf.TensorSpec((1009, 32, 32, 3)), tf.TensorSpec((1009,), tf.int32)
    step = tf.function(lambda x, y: model.train_step((x, y, None)), autograph=False)
    concrete = step.get_concrete_function(*specs)
    names = tuple(t.op.name for t in concrete.outputs)
    graph = step_function.optimised_graph(step_function.StepFunction(concrete, (), names))
    elements = {op.name: op.outputs[0].shape.num_elements() for op in concrete.graph.get_operations() if op.outputs}
    homes = homes_of(model, plan)
    captured = {p.op.name: homes.get(id(o), ("", "")) for o, p in concrete.graph.captures}
    values: dict[str, Any] = {}
    found: dict[str, list[str]] = {}
    for node in graph.node:
        inputs = [i.partition(":")[0] for i in node.input if not i.startswith("^")]
        given = [values[i] for i in inputs if values.get(i) is not None]
        kind = KINDS.get(node.op, node.op)
        if node.op == "ReadVariableOp":
            later = any("Assign" in name for name in node.input if name.startswith("^"))
            values[node.name] = captured[inputs[0]][1] + CHANGED * later if captured[inputs[0]][1] else None
        elif kind.startswith("Assign"):
            path, name = captured[inputs[0]]
            if path:
                found.setdefault(path, []).append(f"{kind} {name} {text(values[inputs[1]])}")
        elif node.name.startswith(model.optimizer.name + "/"):
            number = (elements.get(node.name) or FEW + 1) <= FEW
            made = combined(kind, given, number=number) if given else None
            values[node.name] = given[0] if node.op in SAME and given else made
        elif node.name.startswith("gradient_tape") and (elements.get(node.name) or 0) > FEW:
            values[node.name] = "g"
    return {path: sorted(lines) for path, lines in found.items()}


def homes_of(model: Any, plan: Plan) -> dict[int, tuple[str, str]]:
    """Weight and name in the recipe of every weight and slot, by the variable's handle."""
    optimizer, found = model.optimizer, {}
    rows = [r for pair in zip(getattr(optimizer, "_r", []), getattr(optimizer, "_c", []), strict=True) for r in pair]
    for index, weight in enumerate(model.trainable_variables):
        prefix = weight.path.replace("/", "_") + "_"
        kept = [v for v in optimizer.variables if v.name.startswith(prefix)]
        if len(weight.shape) > 1:
            kept = rows[2 * index : 2 * index + 2] + kept
        named = slots(plan.rule, tuple(weight.shape), weight.path, ema=plan.ema)
        for variable, slot in zip(kept, named, strict=True):
            found[id(variable.value.handle)] = (weight.path.partition("/")[2], slot.name)
        found[id(weight.value.handle)] = (weight.path.partition("/")[2], "w")
    return found


if __name__ == "__main__":
    main()
