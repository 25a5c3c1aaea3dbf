"""What is asked of Keras itself, the same whichever framework computes."""

from __future__ import annotations

from typing import Any

from app.core.types.captured import Captured
from app.core.types.plan import Plan
from app.core.types.plan_values import CLIPPING, VARIANT_OPTIONS
from app.core.types.text import Text, phrase

_OF_OPTIMIZER = ("optimizer", *VARIANT_OPTIONS, "ema", *CLIPPING, "weight_decay", "accumulate")
"""Options of a plan that an optimizer is made from."""


def set_seed(seed: int) -> None:
    """The seed of Python, NumPy and the framework."""
    import keras

    keras.utils.set_random_seed(seed)


def flat(structure: Any) -> list[Any]:
    """The arrays or tensors of a batch."""
    import keras

    return list(keras.tree.flatten(structure))


def describe_keras() -> dict[str, str]:
    """Keras's version, and the framework that it computes with."""
    import keras

    return {"keras": str(keras.__version__), "backend": str(keras.backend.backend())}


def compile_model(built: Any, plan: Plan) -> None:
    """Compile the model as the plan says."""
    jit = "auto" if plan.jit is None else plan.jit
    if plan.mode == "train" and built.compiled:
        if changed_optimizer(built.captured, plan):
            built.model.optimizer = make_optimizer(plan)
        if plan.jit is not None:
            built.model.jit_compile = plan.jit
    elif plan.mode != "inference" and not built.compiled:
        built.model.compile(optimizer=make_optimizer(plan), loss=built.loss, jit_compile=jit)
    elif plan.mode == "inference":
        built.model.compile(jit_compile=jit)
    elif plan.jit is not None:
        built.model.jit_compile = plan.jit


def one_step_in_a_call(model: Any) -> Text:
    """Let each call of a model's training be one step, as figures of a step want it; what its author wrote else.

    Returns:
        In words what was changed; nothing if nothing was.
    """
    steps = getattr(model, "steps_per_execution", 1)
    if steps == 1:
        return Text()
    model.steps_per_execution = 1
    return phrase(
        "its author lets {steps} steps run in one call (steps_per_execution): each was measured in a call of its own",
        steps=steps,
    )


def changed_optimizer(captured: Captured, plan: Plan) -> bool:
    """Does a plan ask for another optimizer than the author compiled, or for other settings of it?"""
    return any(name in _OF_OPTIMIZER for name, _ in captured.changed(plan)) or any(
        captured.get(name) is None and getattr(plan, name) != getattr(Plan(), name) for name in _OF_OPTIMIZER
    )


def make_optimizer(plan: Plan) -> Any:
    """The plan's optimizer: Keras's default settings but for what the plan says.

    By class and not by name, because ``keras.optimizers.get`` of Keras 3.15 does not know "lamb".
    """
    import keras

    classes = {name.lower(): getattr(keras.optimizers, name) for name in dir(keras.optimizers) if name[0].isupper()}
    wished = {
        "use_ema": plan.ema or None,
        "clipnorm": plan.clipnorm,
        "global_clipnorm": plan.global_clipnorm,
        "clipvalue": plan.clipvalue,
        "weight_decay": plan.weight_decay,
        "gradient_accumulation_steps": plan.accumulate if plan.accumulate > 1 else None,
        **{name: getattr(plan, name) for name in plan.variants},
    }
    return classes[plan.optimizer](**{name: value for name, value in wished.items() if value is not None})
