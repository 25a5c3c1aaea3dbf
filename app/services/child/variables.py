"""What the framework below Keras asks of the parent: the child's variables, who traces, which cards it can use."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.util import find_spec

from app.core.types.machine import GpuSupport
from app.core.types.workload import ModelRef

_NOT_FOR_SCRIPTS = frozenset(
    "TMPDIR TEMP TMP CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES DISPLAY WAYLAND_DISPLAY MPLBACKEND".split()
)
"""A child has its own place for temporary files, sees the device that it was given, and opens no window."""


def child_variables(backend: str, device: str) -> dict[str, str]:
    """All variables that a child of a backend needs to see one device only; the arguments are `backend_variables`'s."""
    return {**device_variables(device), **backend_variables(backend, device)}


def device_variables(device: str) -> dict[str, str]:
    """Variables that hide the GPUs where the CPU was asked for.

    Keras takes XLA as soon as TensorFlow *sees* a GPU, so that hiding it later would not do.
    """
    return {"CUDA_VISIBLE_DEVICES": "-1", "HIP_VISIBLE_DEVICES": "-1"} if device == "cpu" else {}


def backend_variables(backend: str, device: str) -> dict[str, str]:
    """The child's variables for a backend on a device.

    Keras reads its backend from the environment, and what the user's shell says there shall not decide what is
    measured.  JAX would take three quarters of a card at once, from other programs too, and what it holds would say
    nothing: it grows as needed here, and the run's environment says so.

    Args:
        backend: Of `app.core.types.backends.BACKENDS`.
        device: ``auto``, ``cpu`` or ``gpu:N``.
    """
    made = {"KERAS_BACKEND": backend}
    if backend == "jax":
        made["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
        if device == "cpu":
            made["JAX_PLATFORMS"] = "cpu"
    if backend == "torch" and device == "cpu":
        made["KERAS_TORCH_DEVICE"] = "cpu"  # Keras would take Apple's or Intel's GPU, which no variable hides
    return made


def script_variables(model: ModelRef) -> dict[str, str]:
    """The variables of a child that runs a script: those of the user's shell, as the script would have them.

    Args:
        model: What the child builds; any other model gets none of them.
    """
    if model.kind != "script":
        return {}
    kept = {name: value for name, value in os.environ.items() if name not in _NOT_FOR_SCRIPTS}
    return {"MPLBACKEND": "Agg", "KERAS_BACKEND": "", **kept, "PYTHONSAFEPATH": ""}


def tracing_interpreter(backend: str, interpreter: str | None) -> str | None:
    """Whose TensorFlow traces: for another backend this program's own if it has one, for theirs need not."""
    if backend == "tensorflow" or find_spec("tensorflow") is None:
        return interpreter
    return None


def usable_cards(support: Iterable[GpuSupport], interpreters: tuple[str | None, ...]) -> dict[str, frozenset[int]]:
    """Indices of the cards that each framework of an interpreter can use; a framework that was not asked is left out.

    Args:
        support: What `doctor` answered.
        interpreters: Names of the interpreter that counts.
    """
    asked = [s for s in support if s.interpreter in interpreters]
    return {
        name: frozenset(s.gpu_index for s in asked if s.framework == name and s.usable)
        for name in {s.framework for s in asked}
    }
