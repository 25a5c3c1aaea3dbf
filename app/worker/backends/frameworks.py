"""Job ``frameworks``: which frameworks this interpreter has, and which devices each can really use.

Runs in any interpreter, so nothing but the standard library and `app.core` may be needed.  "Really" means
that a small sum was computed on the device, except where the build carries no code for the card: trying
that could take half an hour.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import os
import platform
import sys
from collections.abc import Callable, Mapping
from typing import Any

from app.core.types.machine import FrameworkBuild, Interpreter
from app.core.types.text import phrase
from app.worker.backends.devices import ask_jax, ask_tensorflow, ask_torch, first_line, installed_version
from app.worker.channel import Channel, JobCancelled

FRAMEWORKS = ("tensorflow", "jax", "torch", "keras")
"""In this order: Keras loads one of the others."""

VARIABLES = tuple(
    "CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER NVIDIA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES "
    "ROCR_VISIBLE_DEVICES JAX_PLATFORMS KERAS_BACKEND TF_FORCE_GPU_ALLOW_GROWTH TF_XLA_FLAGS XLA_FLAGS "
    "TF_ENABLE_ONEDNN_OPTS".split()
)
"""Variables that decide which devices are seen, or how they are used."""

_DISTRIBUTIONS = {
    "tensorflow": tuple(
        "tensorflow tensorflow-cpu tensorflow-intel tensorflow-macos tensorflow-rocm tensorflow-cpu-aws "
        "tf-nightly tensorflow-gpu".split()
    ),
    "jax": ("jax",),
    "torch": ("torch",),
    "keras": ("keras", "keras-nightly"),
}


def run(arguments: Mapping[str, Any], channel: Channel) -> dict[str, Any]:
    """Ask this interpreter.

    Args:
        arguments: ``frameworks`` may name the ones to ask, by default all of `FRAMEWORKS`.
        channel: Told before each import, which takes seconds.

    Returns:
        An `Interpreter` as a JSON object.  A framework that is not installed is left out.
    """
    environment = {name: os.environ[name] for name in VARIABLES if name in os.environ}
    wanted = arguments.get("frameworks") or FRAMEWORKS
    present = [name for name in FRAMEWORKS if name in wanted and is_installed(name)]
    _prepare_environment()
    builds = []
    for done, name in enumerate(present):
        channel.check()
        channel.phase(f"import {name}")
        channel.progress(done / len(present), phrase("importing {name}", name=name))
        builds.append(_ask(name))
    found = Interpreter(sys.executable, platform.python_version(), tuple(builds), environment)
    return dataclasses.asdict(found)


def is_installed(name: str) -> bool:
    """Whether ``import name`` would find a real package, not just a folder of that name."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and spec.origin is not None


def _prepare_environment() -> None:
    """Keep the frameworks from taking a whole card, and give Keras a backend that is there."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    if "KERAS_BACKEND" not in os.environ and not is_installed("tensorflow"):
        backend = next((name for name in ("torch", "jax") if is_installed(name)), None)
        if backend is not None:
            os.environ["KERAS_BACKEND"] = backend


def _ask(name: str) -> FrameworkBuild:
    """One framework's answer, or the first line of its failure."""
    askers: dict[str, Callable[[], FrameworkBuild]] = {
        "tensorflow": ask_tensorflow,
        "jax": ask_jax,
        "torch": ask_torch,
        "keras": _ask_keras,
    }
    try:
        return askers[name]()
    except JobCancelled:
        raise
    except Exception as error:  # noqa: BLE001 - a broken installation raises what it likes, also types of its own
        version = installed_version(_DISTRIBUTIONS[name]) or ""
        failed = FrameworkBuild(
            name,
            version,
            problem=phrase("{type}: {first_line}", type=type(error).__name__, first_line=first_line(error)),
        )
        if name == "tensorflow":
            metal = installed_version(("tensorflow-metal",))
            failed = dataclasses.replace(failed, plugins=(f"tensorflow-metal {metal}",) if metal else ())
        return failed


def _ask_keras() -> FrameworkBuild:
    """Keras has no devices of its own; its backend stands in the notes."""
    keras = importlib.import_module("keras")
    backend = getattr(getattr(keras, "backend", None), "backend", None)
    return FrameworkBuild(
        "keras", str(keras.__version__), notes=(phrase("backend {backend}", backend=backend()),) if backend else ()
    )
