"""Keras on PyTorch: op by op, or ``torch.compile`` where the plan asks for it.

Memory: on a card PyTorch's caching allocator counts tensors (``max_memory_allocated``) and what it holds
(``memory_reserved``).  On a processor nobody counts; the process's resident size is all there is.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from app.core.types.plan import Plan
from app.core.types.text import phrase
from app.worker.backends.array_batches import TakesArrays
from app.worker.backends.base import Backend, Device, Needed, Runner, median_s, no_such_card
from app.worker.backends.keras_calls import compile_model, flat
from app.worker.backends.memory_readings import AllocatorReading

COUNTED = phrase("PyTorch's caching allocator (max_memory_allocated)")
NOBODY_COUNTS = phrase("not available: PyTorch keeps no count of tensors on this device")
_COUNTING = ("cuda", "xpu")
"""Kinds of devices whose modules count memory; ROCm's is called ``cuda`` too."""


class Torch(TakesArrays):
    """A `app.worker.backends.base.Backend`; its device is the one that Keras puts tensors on."""

    name = "torch"
    compiler = "torch_compile"
    profiles = False

    def __init__(self) -> None:
        self._kind = "cpu"

    def choose_device(self, plan: Plan) -> Device:
        """Make one card the current one; Keras then means it by ``cuda``."""
        import torch

        kind, wanted = _kind(torch), plan.device
        cards = 0 if kind == "cpu" else 1 if kind == "mps" else getattr(torch, kind).device_count()
        if wanted == "cpu" or (wanted == "auto" and not cards):
            return Device("CPU:0", "CPU")
        number = int(wanted.partition(":")[2] or 0)
        if number >= cards:
            raise no_such_card("PyTorch", wanted, cards)
        self._kind = kind
        if kind not in _COUNTING:
            return Device("GPU:0", kind.upper())
        module = getattr(torch, kind)
        module.set_device(number)
        return Device(f"GPU:{number}", str(module.get_device_name(number)))

    def make_room(self, room_bytes: int) -> None:
        """Nothing: it counts tensors, whatever they lie in."""

    def memory(self, device: Device) -> TorchMemory:
        """The count of the current card."""
        return TorchMemory(self._kind)

    def runner(self, built: Any, plan: Plan) -> Runner:
        """Keras's own train function."""
        return TorchRunner(built, plan, self.synchronise)

    def needed(self, runner: Runner, batch: Any, peak_bytes: int | None) -> Needed:
        """The allocator's peak."""
        return Needed(peak_bytes, NOBODY_COUNTS if peak_bytes is None else COUNTED)

    def synchronise(self) -> None:
        """Wait for the card; a processor's operations return when they are done."""
        import torch

        if self._kind != "cpu":
            getattr(torch, self._kind).synchronize()

    def copy_s(self, batch: Any, repeats: int = 5) -> float:
        """To the current card."""
        import torch

        arrays = [torch.from_numpy(np.ascontiguousarray(a)) for a in flat(batch)]

        def copy() -> None:
            copies = [a.to(self._kind) for a in arrays]
            self.synchronise()
            del copies

        return median_s(copy, repeats)

    def multiplication(self, size: int) -> Callable[[], object]:
        """A product of two matrices."""
        import torch

        matrix = torch.rand((size, size), device=self._kind)
        return lambda: matrix @ matrix

    def describe(self) -> dict[str, str]:
        """PyTorch's version, its CUDA or ROCm, and its threads."""
        import torch

        found = {"torch": str(torch.__version__), "intra_op_threads": str(torch.get_num_threads())}
        platforms = {"cuda": torch.version.cuda, "rocm": getattr(torch.version, "hip", None)}
        return {**found, **{name: str(version) for name, version in platforms.items() if version}}


class TorchMemory:
    """What PyTorch's caching allocator counts; nothing on a processor and on Apple's cards.

    Args:
        kind: PyTorch's name for the kind of device.
    """

    def __init__(self, kind: str) -> None:
        import torch

        self._module = getattr(torch, kind) if kind in _COUNTING else None

    def read(self) -> AllocatorReading | None:
        """Bytes of tensors, their peak, and what is held."""
        if self._module is None:
            return None
        module = self._module
        return AllocatorReading(module.memory_allocated(), module.max_memory_allocated(), module.memory_reserved())

    def reset_peak(self) -> None:
        """Let the peak begin anew."""
        if self._module is not None:
            self._module.reset_peak_memory_stats()

    def limit_bytes(self) -> int | None:
        """PyTorch takes what the card has."""
        return None


class TorchRunner:
    """Runs Keras's own functions.

    Args:
        built: What `app.worker.models.build` made.
        plan: How to train.
        sync: Waits for the device.
    """

    def __init__(self, built: Any, plan: Plan, sync: Callable[[], None]) -> None:
        self.model = built.model
        self._train = plan.mode == "train"
        self._sync = sync
        self._loss: Any = None
        compile_model(built, plan)

    @property
    def jit(self) -> bool:
        """Does ``torch.compile`` make the step?"""
        return bool(self.model.jit_compile)

    def first_of(self, batches: Any) -> float:
        """The first step, which compiles where that was asked for; modes as ``fit`` and ``predict`` set them."""
        started = time.perf_counter()
        batch = next(batches)
        self.model.train(self._train)
        if self._train:
            self._loss = self.model.train_on_batch(batch[0], batch[1])
        else:
            self.model.predict_on_batch(batch[0])
        self._sync()
        return time.perf_counter() - started

    def step_of(self, batches: Any) -> float:
        """One step."""
        started = time.perf_counter()
        batch = next(batches)
        if self._train:
            self._loss = self.model.train_function([(batch[0], batch[1])])["loss"]
        else:
            self.model.predict_function([(batch[0],)])
        self._sync()
        return time.perf_counter() - started

    def loss(self) -> float | None:
        """Mean loss since `forget_loss`; None for inference."""
        if not self._train:
            return None
        loss = self._loss[0] if isinstance(self._loss, list) else self._loss
        return float(loss)

    def forget_loss(self) -> None:
        """Let the mean loss begin anew."""
        if self._train:
            self.model.reset_metrics()


def _kind(torch: Any) -> str:
    """The kind of device that Keras takes (keras/src/backend/torch/core.py, ``DEFAULT_DEVICE``)."""
    from keras.src.backend.torch import core

    return str(core.DEFAULT_DEVICE).partition(":")[0]


BACKEND: Backend = Torch()
