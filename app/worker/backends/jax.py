"""Keras on JAX: one compiled program per step, its state handed from step to step.

Memory: the compiler's own plan of the step says what it needs (``memory_analysis``: arguments, results that are not
written over arguments, temporaries).  On a GPU JAX's allocator counts as well (``Device.memory_stats``), but its peak
cannot be reset: it holds what the compiler tried out (701 MiB for a network that needs 30, on an H100), so that it
counts only where nothing was compiled.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from app.core.types.plan import Plan
from app.core.types.text import phrase
from app.worker.backends.array_batches import TakesArrays
from app.worker.backends.base import Backend, Device, Needed, Runner, median_s, no_such_card
from app.worker.backends.keras_calls import compile_model
from app.worker.backends.memory_readings import AllocatorReading

COUNTED = phrase("JAX's allocator (memory_stats), highest since the process began: JAX cannot reset its peak")
PLANNED = phrase("XLA's plan of the compiled step (memory_analysis): arguments + new results + temporaries")
NOBODY_COUNTS = phrase("not available: JAX keeps no count on a CPU, and a step that is not compiled has no plan")


class Jax(TakesArrays):
    """A `app.worker.backends.base.Backend`."""

    name = "jax"
    compiler = "xla"
    profiles = False

    def choose_device(self, plan: Plan) -> Device:
        """Make one device JAX's default."""
        import jax

        wanted = plan.device
        cards = [] if wanted == "cpu" else [d for d in jax.devices() if d.platform != "cpu"]
        if wanted == "cpu" or (wanted == "auto" and not cards):
            jax.config.update("jax_default_device", jax.devices("cpu")[0])
            return Device("CPU:0", "CPU")
        number = int(wanted.partition(":")[2] or 0)
        if number >= len(cards):
            raise no_such_card("JAX", wanted, len(cards))
        jax.config.update("jax_default_device", cards[number])
        return Device(f"GPU:{number}", str(cards[number].device_kind))

    def make_room(self, room_bytes: int) -> None:
        """Nothing: its peak counts from the beginning of the process, and would hold the room."""

    def memory(self, device: Device) -> JaxMemory:
        """The count of JAX's default device."""
        return JaxMemory()

    def runner(self, built: Any, plan: Plan) -> Runner:
        """Trains or predicts."""
        return TrainRunner(built, plan) if plan.mode == "train" else PredictRunner(built, plan)

    def needed(self, runner: Runner, batch: Any, peak_bytes: int | None) -> Needed:
        """The compiler's plan, or of a step that is not compiled the allocator's peak."""
        planned = runner.planned_bytes(batch) if isinstance(runner, _JaxRunner) else None
        if planned is not None:
            return Needed(planned, PLANNED)
        return Needed(peak_bytes, NOBODY_COUNTS if peak_bytes is None else COUNTED)

    def synchronise(self) -> None:
        """JAX has no such call for a device; what was put on its queue last is waited for."""
        import jax

        jax.block_until_ready(jax.device_put(0.0) + 0.0)

    def copy_s(self, batch: Any, repeats: int = 5) -> float:
        """To the default device."""
        import jax

        return median_s(lambda: jax.block_until_ready(jax.device_put(batch)), repeats)

    def multiplication(self, size: int) -> Callable[[], object]:
        """A compiled product, waited for."""
        import jax

        matrix = jax.random.uniform(jax.random.key(0), (size, size))
        multiply = jax.jit(lambda m: m @ m)
        return lambda: jax.block_until_ready(multiply(matrix))

    def describe(self) -> dict[str, str]:
        """Versions of both halves."""
        import jax
        import jaxlib

        return {"jax": str(jax.__version__), "jaxlib": str(jaxlib.__version__)}


class JaxMemory:
    """What JAX's allocator counts; nothing on a processor."""

    def read(self) -> AllocatorReading | None:
        """Bytes in use, the peak and what the pool holds."""
        found = self._stats()
        if "bytes_in_use" not in found or "peak_bytes_in_use" not in found:
            return None
        held = found.get("pool_bytes")
        return AllocatorReading(int(found["bytes_in_use"]), int(found["peak_bytes_in_use"]), held)

    def reset_peak(self) -> None:
        """JAX cannot."""

    def limit_bytes(self) -> int | None:
        """The share of the card that the allocator may take."""
        limit = self._stats().get("bytes_limit")
        return int(limit) if limit else None

    def _stats(self) -> dict[str, Any]:
        import jax

        return jax.config.jax_default_device.memory_stats() or {}


class _JaxRunner(ABC):
    """What training and predicting have in common: a jitted function of (state, data) that gives its state back.

    Args:
        built: What `app.worker.models.build` made.
        plan: How to train.
    """

    def __init__(self, built: Any, plan: Plan) -> None:
        self.model = built.model
        self._jitted: Any = None
        self._state: Any = None
        compile_model(built, plan)

    @property
    def jit(self) -> bool:
        """Is the step compiled?"""
        return bool(self.model.jit_compile)

    def first_of(self, batches: Any) -> float:
        """The first step, which traces and compiles."""
        started = time.perf_counter()
        batch = next(batches)
        self._start(batch)
        self._run(batch)
        return time.perf_counter() - started

    def step_of(self, batches: Any) -> float:
        """One step; its state stays with JAX, as in ``fit``."""
        started = time.perf_counter()
        self._run(next(batches))
        return time.perf_counter() - started

    def planned_bytes(self, batch: Any) -> int | None:
        """What the compiled step needs at most; the program is in JAX's cache, so that asking costs nothing."""
        if self._jitted is None or not hasattr(self._jitted, "lower"):
            return None
        found = self._jitted.lower(self._state, self._data(batch)).compile().memory_analysis()
        if found is None:
            return None
        new_results = found.output_size_in_bytes - found.alias_size_in_bytes
        return int(found.argument_size_in_bytes + new_results + found.temp_size_in_bytes)

    @abstractmethod
    def _start(self, batch: Any) -> None:
        """Make the function and its first state."""

    @abstractmethod
    def _data(self, batch: Any) -> Any:
        """A batch as the function takes it."""

    def _run(self, batch: Any) -> None:
        """Run the function."""
        import jax

        found, self._state = self._jitted(self._state, self._data(batch))
        self._keep(found)
        jax.block_until_ready((found, self._state))

    @abstractmethod
    def _keep(self, found: Any) -> None:
        """What the function returned beside its state."""


class TrainRunner(_JaxRunner):
    """Training steps."""

    _logs: Any = None

    def loss(self) -> float | None:
        """Mean loss since `forget_loss`."""
        return None if self._logs is None else float(self._logs["loss"])

    def forget_loss(self) -> None:
        """Let the mean loss begin anew: its counters, the last part of the state, start at zero."""
        import jax

        *rest, metrics = self._state
        self._state = (*rest, [jax.numpy.zeros_like(value) for value in metrics])

    def _start(self, batch: Any) -> None:
        """As ``make_train_function`` and ``fit`` do (keras/src/backend/jax/trainer.py); kept to ask for its plan."""
        import jax

        model = self.model
        model._symbolic_build(data_batch=self._data(batch))
        self._jitted = jax.jit(model.train_step, donate_argnums=0) if self.jit else model.train_step
        self._state = model._get_jax_state(
            trainable_variables=True,
            non_trainable_variables=True,
            optimizer_variables=True,
            metrics_variables=True,
            purge_model_variables=True,
        )

    def _data(self, batch: Any) -> Any:
        return (batch[0], batch[1])

    def _keep(self, found: Any) -> None:
        self._logs = found


class PredictRunner(_JaxRunner):
    """Inference steps."""

    def loss(self) -> float | None:
        """There is none."""
        return None

    def forget_loss(self) -> None:
        """There is none."""

    def _start(self, batch: Any) -> None:
        """As ``make_predict_function`` and ``predict`` do."""
        import jax

        def step(state: Any, data: Any) -> Any:
            outputs, others = self.model.predict_step(state, data)
            return outputs, (state[0], others)

        self._jitted = jax.jit(step, donate_argnums=0) if self.jit else step
        self._state = self.model._get_jax_state(
            trainable_variables=True, non_trainable_variables=True, purge_model_variables=True
        )

    def _data(self, batch: Any) -> Any:
        return (batch[0],)

    def _keep(self, found: Any) -> None:
        """Predictions are of no use to anybody here."""


BACKEND: Backend = Jax()
