"""Ways out of "out of memory" (case S2): changes of the plan that make a step smaller.

Each is only a proposal; `app.core.advising.recommend` asks the predictor what it really saves.  In-place activations
are missing on purpose: TensorFlow's executor already writes a result over an input that nobody else needs
(core/framework/op_kernel.cc, ``forward_input``), so there is nothing to switch on.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.core.types.advice import Proposal
from app.core.types.machine import Gpu
from app.core.types.plan import Plan
from app.core.types.plan_values import Precision
from app.core.types.prediction import Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.text import phrase, verbatim

STATE_WORTH_A_WORD = 0.15
"""Share of the peak from which a leaner optimizer is worth trying."""

SMALLEST_SIDE = 64
SHORTEST_SEQUENCE = 16

_DIRECTIONS = ("forward_", "backward_")

_LEANER: tuple[tuple[str, str], ...] = (
    ("adafactor", phrase("keeps row and column means instead of whole moments")),
    ("sgd", phrase("no optimizer state is kept; expect to tune the learning rate")),
)


def ways_out(plan: Plan, now: Prediction, graph: StepGraph) -> Iterable[Proposal]:
    """Everything that makes a step smaller, cheapest for the user first.

    Args:
        plan: What does not fit.
        now: The prediction for it.
        graph: Its traced step.
    """
    yield from _smaller_batch(plan, now)
    if plan.data == "array":
        yield Proposal(
            "data_pipeline",
            phrase("Stream the data instead of holding it as one array"),
            phrase("only the batches at hand are on the device"),
            {"data": "pipeline"},
            False,
        )
    yield from _half_precision(plan, now)
    if graph.mode == "train":
        yield from _recompute(plan)
        yield from _leaner_optimizer(plan, now)
        yield from _frozen(plan, graph)
    yield from _smaller_inputs(plan, graph)
    yield from _smaller_network(plan, graph)


def half_precision(gpu: Gpu | None) -> Precision | None:
    """The mixed precision that a card gains by; None without units for it.  BF16 came with Ampere."""
    if gpu is None or not gpu.tensor_fp16_flops_per_s:
        return None
    newer = gpu.compute_capability is not None and gpu.compute_capability >= (8, 0)
    return "mixed_bfloat16" if newer else "mixed_float16"


def recurrent_layers(graph: StepGraph) -> tuple[str, ...]:
    """Names of the recurrent layers, in the order of their weights: owners of a cell.

    Keras writes a cell's weight as ``lstm/lstm_cell/kernel``, behind a direction as
    ``bidirectional/forward_lstm/lstm_cell/kernel``.
    """
    found = []
    for path in _paths(graph):
        match path:
            case [owner, cell, _weight] if cell.endswith("_cell"):
                found.append(owner)
            case [owner, way, cell, _weight] if cell.endswith("_cell") and way.startswith(_DIRECTIONS):
                found.append(owner)
    return tuple(dict.fromkeys(found))


def _paths(graph: StepGraph) -> list[list[str]]:
    """Paths of the weights that learn, within the model: a sequential model's begin with its own name."""
    paths = [variable.path.split("/") for variable in graph.variables if variable.trainable]
    if len({path[0] for path in paths}) != 1 or min(map(len, paths)) <= 2:
        return paths
    within = [path[1:] for path in paths]
    one_layer = any(path[0].endswith("_cell") or path[0].startswith(_DIRECTIONS) for path in within)
    return paths if one_layer else within


def _smaller_batch(plan: Plan, now: Prediction) -> Iterable[Proposal]:
    """Best and largest batch that fit, and accumulation, which keeps the samples of an update."""
    best, largest = now.fit.best_batch_size, now.fit.max_batch_size
    why = phrase("activations shrink in proportion to the batch")
    if best and best < plan.batch_size:
        yield Proposal("batch_smaller", phrase("Batch size {best}", best=best), why, {"batch_size": best}, True)
        steps = -(-plan.batch_size // best)
        yield Proposal(
            "accumulate",
            phrase(
                "Batch size {best}, accumulated over {accumulate} steps", best=best, accumulate=plan.accumulate * steps
            ),
            phrase("the weights still see {steps} samples per update", steps=steps * best * plan.accumulate),
            {"batch_size": best, "accumulate": plan.accumulate * steps},
            False,
        )
    if largest and largest < plan.batch_size and largest != best:
        yield Proposal(
            "batch_largest",
            phrase("Batch size {largest}, the largest that fits", largest=largest),
            why,
            {"batch_size": largest},
            True,
        )


def _half_precision(plan: Plan, now: Prediction) -> Iterable[Proposal]:
    """Activations of 16 bits; worth its memory even on a device that gains no speed by it."""
    if plan.precision != "float32":
        return
    fast = half_precision(now.card)
    why = phrase("products run on tensor cores and activations take half the memory")
    if fast is None:
        why = phrase("activations take half the memory; this device has no units that would make it faster too")
    precision: Precision = fast or "mixed_bfloat16"
    yield Proposal(
        "mixed_precision",
        phrase("Mixed precision ({precision})", precision=precision),
        why,
        {"precision": precision},
        True,
    )


def _recompute(plan: Plan) -> Iterable[Proposal]:
    """Rematerialisation."""
    if not plan.remat:
        yield Proposal(
            "remat",
            phrase("Recompute activations (remat)"),
            phrase("what happens inside a layer is computed again in the backward pass instead of being kept"),
            {"remat": True},
            False,
        )


def _leaner_optimizer(plan: Plan, now: Prediction) -> Iterable[Proposal]:
    """An optimizer with less state."""
    if now.memory.parts.optimizer_state < STATE_WORTH_A_WORD * now.memory.allocator_peak_bytes:
        return
    for name, why in _LEANER:
        if name != plan.optimizer:
            yield Proposal(
                f"optimizer_{name}",
                phrase("{name} instead of {optimizer}", name=name, optimizer=plan.optimizer),
                verbatim(why),
                {"optimizer": name},
                True,
            )


def _frozen(plan: Plan, graph: StepGraph) -> Iterable[Proposal]:
    """Only the last layer learns, as for a network that starts from trained weights."""
    learning = list(dict.fromkeys(path[0] for path in _paths(graph)))
    if len(learning) >= 2 and not plan.freeze:
        why = phrase(
            "frozen weights have no gradients and no optimizer state, and nothing is kept for them; "
            "for a network that starts from trained weights"
        )
        yield Proposal(
            "freeze",
            phrase("Freeze all layers but the last, {learning}", learning=learning[-1]),
            why,
            {"freeze": tuple(learning[:-1])},
            True,
        )


def _smaller_inputs(plan: Plan, graph: StepGraph) -> Iterable[Proposal]:
    """Half the sequence, or images of half the side."""
    if not graph.model.input_shapes:
        return
    shape, dtype = graph.model.input_shapes[0], (graph.model.input_dtypes or ("float32",))[0]
    tokens = len(shape) == 1 and dtype.startswith("int")
    named = dict(plan.sequence_length) if isinstance(plan.sequence_length, tuple) else {}
    longest = max(named.values(), default=(shape[0] if tokens or len(shape) == 2 else 0) or 0)
    if longest >= 2 * SHORTEST_SEQUENCE:
        half = longest // 2
        shorter = tuple((name, half if length == longest else length) for name, length in named.items())
        yield Proposal(
            "shorter_sequence",
            phrase("What if sequences were {half} long instead of {shape}", half=half, shape=longest),
            phrase("what is kept for each time step shrinks in proportion; attention scores to a quarter"),
            {"sequence_length": shorter or half},
            True,
            keeps_model=False,
        )
    if len(shape) == 3 and shape[0] and shape[1] and min(shape[0], shape[1]) >= 2 * SMALLEST_SIDE:
        size = (shape[0] // 2, shape[1] // 2)
        yield Proposal(
            "smaller_images",
            phrase(
                "What if images were {size}×{size2} instead of {shape}×{shape2}",
                size=size[0],
                size2=size[1],
                shape=shape[0],
                shape2=shape[1],
            ),
            phrase("activations shrink to about a quarter"),
            {"image_size": size},
            True,
            keeps_model=False,
        )


def _smaller_network(plan: Plan, graph: StepGraph) -> Iterable[Proposal]:
    """One recurrent layer less."""
    layers = recurrent_layers(graph)
    if len(layers) >= 2 and not plan.leave_out:
        left = phrase("{count} recurrent layer", count=len(layers) - 1) + ("s" if len(layers) > 2 else "")
        yield Proposal(
            "fewer_layers",
            phrase("What if it had {left} instead of {count}", left=left, count=len(layers)),
            phrase("without {layers} its weights and all it keeps for each time step are gone", layers=layers[0]),
            {"leave_out": (layers[0],)},
            True,
            keeps_model=False,
        )
