"""What a benchmark needs of the framework below Keras; one small file per framework.

Nothing here loads a framework: `load` imports the one that is asked for, and of an interpreter nothing but Keras,
NumPy and that framework is needed.
"""

from __future__ import annotations

import importlib
import os
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any, Protocol, cast

from app.core.types.backends import TITLES
from app.core.types.text import phrase
from app.core.types.workload import Dataset, Plan
from app.worker.backends.memory_readings import AllocatorReading
from app.worker.channel import JobFailed

NO_READER = phrase(
    "the data was made up (right shape and type): reading it takes TensorFlow, which this interpreter has not"
)


@dataclass(frozen=True)
class Device:
    """The device that the framework uses in this process."""

    name: str
    """``CPU:0``, ``GPU:0`` and so on; TensorFlow sees one only and calls it ``GPU:0``."""
    description: str

    @property
    def on_gpu(self) -> bool:
        """Is it a GPU?"""
        return self.name.startswith("GPU")


@dataclass(frozen=True)
class Needed:
    """Memory that one step needs, in bytes, and how that is known; None with the reason."""

    peak_bytes: int | None
    basis: str = ""


class Memory(Protocol):
    """A device's allocator, as far as the framework tells."""

    def read(self) -> AllocatorReading | None:
        """Bytes in use, or None if nobody counts."""
        ...

    def reset_peak(self) -> None:
        """Let the peak begin anew, where the framework can."""
        ...

    def limit_bytes(self) -> int | None:
        """The most the allocator may take, if that is known."""
        ...


class Runner(Protocol):
    """Runs steps of a compiled model on the batches ``(x, y)`` of an iterator."""

    @property
    def jit(self) -> bool:
        """Is the step compiled?"""
        ...

    def first_of(self, batches: Any) -> float:
        """The first step, which traces and compiles; returns its time, seconds."""
        ...

    def step_of(self, batches: Any) -> float:
        """One step on the next batch; returns its time, the wait for the batch and the device included.

        Raises:
            StopIteration: There is no further batch.
        """
        ...

    def loss(self) -> float | None:
        """Mean loss since `forget_loss`; None for inference."""
        ...

    def forget_loss(self) -> None:
        """Let the mean loss begin anew."""
        ...


class Backend(Protocol):
    """One framework below Keras, in this process."""

    @property
    def name(self) -> str:
        """As Keras calls it."""
        ...

    @property
    def compiler(self) -> str:
        """Who compiles a step, where somebody does: ``xla`` or ``torch_compile``."""
        ...

    @property
    def profiles(self) -> bool:
        """Can a step be recorded (`app.worker.recording`)?"""
        ...

    def choose_device(self, plan: Plan) -> Device:
        """Take the plan's device and threads, and let a card's memory grow as needed; before anything is computed.

        Raises:
            JobFailed: The GPU asked for is not there.
        """
        ...

    def make_room(self, room_bytes: int) -> None:
        """Let the allocator take so much of the card at once, as it would for ``fit``, where that changes its count."""
        ...

    def memory(self, device: Device) -> Memory:
        """The allocator of a device."""
        ...

    def runner(self, built: Any, plan: Plan) -> Runner:
        """A runner of a built model (`app.worker.models.built.BuiltModel`), compiled as the plan says."""
        ...

    def endless(self, batch: Any) -> Iterable[Any]:
        """One batch of NumPy arrays over and over, as the step takes it."""
        ...

    def leave_card_to_training(self) -> None:
        """Keep who reads data, which is TensorFlow whoever trains, from taking memory of the card."""
        ...

    def batches(self, pipeline: Any) -> Iterable[Any]:
        """The batches of a ``tf.data.Dataset`` as the step takes them; each iterator is one pass."""
        ...

    def needed(self, runner: Runner, batch: Any, peak_bytes: int | None) -> Needed:
        """What a step needs, from the allocator's peak if there is one, else as the framework knows it."""
        ...

    def synchronise(self) -> None:
        """Wait until the device has done what it was given."""
        ...

    def copy_s(self, batch: Any) -> float:
        """Median time of a host-to-device copy of one batch."""
        ...

    def multiplication(self, size: int) -> Callable[[], object]:
        """A product of two square matrices on the device, for `app.worker.rates.reference`."""
        ...

    def describe(self) -> dict[str, str]:
        """Versions and thread counts."""
        ...


def take_device(backend: Backend, plan: Plan, room_bytes: int | None) -> Device:
    """The plan's device, of a card with room for what the training is expected to need, where that is known.

    Raises:
        JobFailed: The GPU asked for is not there.
    """
    device = backend.choose_device(plan)
    if device.on_gpu and room_bytes:
        backend.make_room(room_bytes)
    return device


def load(name: str) -> Backend:
    """The backend of that name.

    Raises:
        JobFailed: Its framework is not installed, or Keras has been loaded with another one.
    """
    if find_spec(name) is None:
        hint = phrase(
            "choose a Python that has {titles} with --python; those that can train: `willittrain runtime`",
            titles=TITLES[name],
        )
        raise JobFailed("missing", phrase("{titles} is not installed for this Python", titles=TITLES[name]), hint=hint)
    chosen = os.environ.setdefault("KERAS_BACKEND", name)
    if chosen != name:
        raise JobFailed(
            "error",
            phrase("Keras was told to use another framework"),
            expected=f"KERAS_BACKEND={name}",
            received=chosen,
        )
    module = importlib.import_module(f"app.worker.backends.{name}")
    return cast("Backend", module.BACKEND)


def readable(dataset: Dataset | None) -> tuple[Dataset | None, list[str]]:
    """The dataset as this interpreter can read it, and what to tell: pipelines are ``tf.data``'s."""
    if dataset is None or not dataset.real or find_spec("tensorflow") is not None:
        return dataset, []
    return replace(dataset, real=False), [NO_READER]


def median_s(work: Callable[[], object], repeats: int) -> float:
    """Median time of something that waits for the device, seconds."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def no_such_card(title: str, wanted: str, cards: int) -> JobFailed:
    """The framework does not see the GPU that was asked for."""
    return JobFailed(
        "missing",
        phrase("{title} sees no GPU {partition}", title=title, partition=wanted.partition(":")[2] or 0),
        expected=phrase("one of ") + (", ".join(f"gpu:{i}" for i in range(cards)) or "cpu"),
        received=wanted,
        hint=phrase("`willittrain doctor` says why a card cannot be used"),
    )
