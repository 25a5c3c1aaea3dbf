"""What the author of a model compiled it with, as options of a plan."""

from __future__ import annotations

import functools
import inspect
from collections import Counter
from collections.abc import Sequence
from typing import Any

from app.core.types.captured import Captured, Setting
from app.core.types.plan_values import CLIPPING, OPTIMIZERS, PRECISIONS, VARIANTS
from app.core.types.text import Text, phrase

_BY_SLOTS = ("sgd", "rmsprop", "adam")
"""An optimizer of the author's own is counted as the one that keeps as many values for each weight, or nearly."""
_OPTION_OF = {"use_ema": "ema", "gradient_accumulation_steps": "accumulate", "weight_decay": "weight_decay"}


def captured_of(model: Any, used: Sequence[Any] = ()) -> Captured:
    """What a model's author says of training.

    Args:
        model: A Keras model, compiled or not.
        used: The optimizers that its step uses, where they are known; else those that it has.
    """
    settings: dict[str, Setting] = {"precision": _precision(model)}
    told: list[Text] = []
    optimizers = [getattr(one, "inner_optimizer", one) for one in used] or _optimizers(model)
    if optimizers:
        settings |= _settings_of_optimizer(optimizers[0], model, told)
    kinds = {type(one).__name__ for one in optimizers}
    if len(kinds) > 1:
        told.append(phrase("several optimizers ({kinds}): all counted as the first", kinds=", ".join(sorted(kinds))))
    wished = getattr(model, JIT_WISH, "auto")
    if isinstance(wished, bool):
        settings["jit"] = wished
    return Captured(settings=tuple(settings.items()), told=tuple(told))


JIT_WISH = "_willittrain_jit_wish"
"""Attribute of a model that holds what ``compile`` was told of XLA (`remember_jit_wish`)."""


def remember_jit_wish(trainer: Any) -> None:
    """Let every model remember what its author says of XLA: Keras keeps only what "auto" means on the device at hand.

    Args:
        trainer: The module ``keras.src.trainers.trainer``.
    """
    compile_model = trainer.Trainer.compile
    signature = inspect.signature(compile_model)

    @functools.wraps(compile_model)
    def compile_and_remember(model: Any, *values: Any, **named: Any) -> Any:
        done = compile_model(model, *values, **named)
        wish = signature.bind(model, *values, **named).arguments.get("jit_compile", "auto")
        object.__setattr__(model, JIT_WISH, wish)
        return done

    trainer.Trainer.compile = compile_and_remember


def hold_precision(policy: str) -> None:
    """Compute by this policy whatever the author's code asks for."""
    import keras
    from keras.src.backend.common import global_state

    keras.config.set_dtype_policy(policy)
    remember = global_state.set_global_attribute

    def remember_others(name: str, value: Any) -> None:
        if name != "dtype_policy":
            remember(name, value)

    global_state.set_global_attribute = remember_others


def _optimizers(model: Any) -> list[Any]:
    """Those of a model, the one that ``compile`` keeps first."""
    import keras

    listed = [getattr(model, "optimizer", None), *vars(model).values()]
    inner = [getattr(one, "inner_optimizer", one) for one in listed if isinstance(one, keras.optimizers.Optimizer)]
    return list({id(one): one for one in inner}.values())


def _settings_of_optimizer(optimizer: Any, model: Any, told: list[Text]) -> dict[str, Setting]:
    """Its name and what it does besides its rule."""
    name = type(optimizer).__name__.lower()
    settings: dict[str, Setting] = {}
    options = _OPTION_OF | {option: option for option in VARIANTS.get(name, ())}
    if name not in OPTIMIZERS or type(optimizer).__module__.partition(".")[0] != "keras":
        counted = _nearest(optimizer, model)
        written = type(optimizer).__name__
        told.append(phrase("the optimizer {name} is counted as {counted}", name=written, counted=counted))
        name, options = counted, _OPTION_OF
    settings["optimizer"] = name
    limits = {limit: getattr(optimizer, limit, None) for limit in CLIPPING}
    settings |= {limit: float(value) for limit, value in limits.items() if value}
    usual = inspect.signature(type(optimizer).__init__).parameters
    for theirs, ours in options.items():
        value = getattr(optimizer, theirs, None)
        if value and not (theirs in usual and usual[theirs].default == value):
            settings[ours] = value
    return settings


def _nearest(optimizer: Any, model: Any) -> str:
    """The optimizer of Keras that keeps as many values for each weight."""
    trained = list(model.trainable_variables)
    if not optimizer.built:
        optimizer.build(trained)
    shapes = Counter(tuple(v.shape) for v in optimizer.variables)
    largest = max((tuple(v.shape) for v in trained), key=lambda shape: len(shape), default=())
    alike = sum(tuple(v.shape) == largest for v in trained)
    return _BY_SLOTS[min(2, shapes[largest] // max(1, alike))]


def _precision(model: Any) -> str:
    """The policy that most of its layers with weights compute by."""
    names = [layer.dtype_policy.name for layer in model._flatten_layers() if layer._trainable_variables]
    policy = Counter(names).most_common(1)[0][0] if names else model.dtype_policy.name
    return str(policy) if policy in PRECISIONS else "float32"
