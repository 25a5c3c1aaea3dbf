"""What is changed in Keras for a program that is looked at and not trained, module by module as it is imported."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from app.core.types.backends import BACKENDS
from app.core.types.errors import BadModel
from app.core.types.text import phrase, verbatim
from app.worker.models.own.compiled import hold_precision, remember_jit_wish
from app.worker.script.array_copies import ArrayCopies
from app.worker.script.fit_call import FitCall
from app.worker.script.own_loops import OwnLoops

TRAINERS = {"tensorflow": "TensorFlowTrainer", "jax": "JAXTrainer", "torch": "TorchTrainer"}
"""Whose ``fit`` is replaced, by Keras's name of the backend; every model inherits from one of them."""
OLD_KERAS = ("tf_keras.src.engine.training", "keras.src.engine.training")
"""Where Keras 2 has its ``Model``."""

OnFit = Callable[[Callable[[], FitCall]], Any]
"""Called in place of ``fit`` with a function that says what was called, or why that cannot be told."""


@dataclass
class KerasChanges:
    """The changes, and what was learned while they were made.

    Attributes:
        on_fit: Called in place of ``fit``; what it returns, if it does, is what ``fit`` returns.
        loops: Hears of what trains without ``fit``.
        precision: The policy to compute by, whatever the program asks for; None for the program's own.
        measures: The training is measured: nothing may lie otherwise than it does without us.
        backend: The framework that the program wants below Keras.  The step is traced with TensorFlow all the same.
        copies: The arrays that became tensors.
        passed_over: A training was; from now on nothing is evaluated in full.
    """

    on_fit: OnFit
    loops: OwnLoops
    precision: str | None = None
    measures: bool = False
    backend: str = field(default="tensorflow", init=False)
    copies: ArrayCopies = field(default_factory=ArrayCopies, init=False)
    passed_over: bool = field(default=False, init=False)
    _ours: list[Any] = field(default_factory=list, init=False)

    def by_module(self) -> Mapping[str, Callable[[Any], None]]:
        """What is done with each module (`app.worker.script.imports.when_imported`)."""
        trainers = {
            f"keras.src.backend.{name}.trainer": functools.partial(self._replace_fit, kind)
            for name, kind in TRAINERS.items()
        }
        return {
            **trainers,
            **dict.fromkeys(OLD_KERAS, functools.partial(self._replace_fit, "Model")),
            "keras.src.trainers.trainer": remember_jit_wish,
            "keras.src.optimizers.base_optimizer": self._watch_updates,
            "keras.src.backend.config": self._take_tensorflow,
            "keras": self._hold_precision,
            "tensorflow.python.eager.polymorphic_function.polymorphic_function": self.loops.steps.by_function,
            **({} if self.measures else {"tensorflow.python.framework.constant_op": self.copies.watch}),
            "matplotlib": _no_windows,
        }

    def replaced_by(self) -> str | None:
        """Whose function stands in place of ours, if the program has put one there."""
        fit = getattr(getattr(sys.modules.get("keras"), "Model", None), "fit", None)
        if fit is None or fit in self._ours:
            return None
        code = getattr(fit, "__code__", None)
        return f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}" if code else repr(fit)

    def _replace_fit(self, kind: str, module: Any) -> None:
        """Put ours in place of the trainer's."""
        trainer = getattr(module, kind)
        own = trainer.fit

        @functools.wraps(own)
        def fit(model: Any, *values: Any, **named: Any) -> Any:
            old = module.__name__ in OLD_KERAS
            return self.on_fit(_refuse_old_keras if old else lambda: FitCall.of(own, model, values, named))

        trainer.fit = fit
        self._ours.append(fit)
        trainer.evaluate = self._short(trainer.evaluate)
        trainer.train_on_batch = self.loops.steps.on_batch(self.loops.heard(trainer.train_on_batch))

    def _watch_updates(self, optimizers: Any) -> None:
        """Hear of every update of weights that no ``fit`` of ours has made."""
        kind = optimizers.BaseOptimizer
        kind.apply_gradients, kind.apply = map(self.loops.heard, (kind.apply_gradients, kind.apply))
        kind.apply = self.loops.steps.by_optimizer(kind.apply)

    def _short(self, evaluate: Callable[..., Any]) -> Callable[..., Any]:
        """Keras's own ``evaluate``, which looks at one batch where the model has not learnt what it should have."""
        signature = inspect.signature(evaluate)

        @functools.wraps(evaluate)
        def evaluated(model: Any, *values: Any, **named: Any) -> Any:
            if not self.passed_over:
                return evaluate(model, *values, **named)
            bound = signature.bind(model, *values, **named)
            bound.arguments["steps"] = 1
            return evaluate(*bound.args, **bound.kwargs)

        return evaluated

    def _take_tensorflow(self, config: Any) -> None:
        """Note which framework is wanted, and compute with TensorFlow."""
        if config._BACKEND not in BACKENDS:
            return
        self.backend = config._BACKEND
        config._BACKEND = "tensorflow"

    def _hold_precision(self, keras: Any) -> None:
        """Compute in the precision that was asked for."""
        if self.precision is not None:
            hold_precision(self.precision)


def _no_windows(matplotlib: Any) -> None:
    """Draw for nobody, whatever the program asks for: a window would wait for somebody to close it."""
    matplotlib.use = lambda *_values, **_named: None


def _refuse_old_keras() -> NoReturn:
    """Stands for the ``fit`` of Keras 2, which has other insides."""
    raise BadModel(
        phrase("the script trains with Keras 2"),
        expected="Keras 3",
        received=verbatim("tf_keras"),
        hint=phrase("leave out TF_USE_LEGACY_KERAS, or import keras instead of tf_keras"),
    )
