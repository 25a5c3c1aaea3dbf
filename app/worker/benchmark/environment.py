"""Versions, device, threads and variables that a later reader of a benchmark needs."""

from __future__ import annotations

import os
import platform
import sys

from app.worker.backends.backend import Backend
from app.worker.benchmark.step import Device

_PREFIXES = tuple(
    "TF_CPU_ TF_CPP_ TF_GPU_ TF_ENABLE_ TF_XLA_ TF_CUDNN_ TF_FORCE_ TF_NUM_ TF_USE_ TF_DETERMINISTIC_ "
    "TF_DISABLE_ XLA_ KERAS_ JAX_ PYTORCH_ CUDA_VISIBLE HIP_VISIBLE NVIDIA_TF32 OMP_ MKL_".split()
)
"""Variables that change what is measured."""


def describe_environment(backend: Backend, device: Device) -> dict[str, str]:
    """The environment of this process as texts."""
    import keras
    import numpy as np

    found = {
        "python": platform.python_version(),
        "interpreter": sys.executable,
        "keras": keras.__version__,
        "numpy": np.__version__,
        "backend": keras.backend.backend(),
        "device": device.name,
        "device_name": device.description,
        "cores": str(usable_cores()),
        **backend.describe(),
    }
    found.update({name: value for name, value in sorted(os.environ.items()) if name.startswith(_PREFIXES)})
    return found


def limit_threads(threads: int | None) -> None:
    """Let TensorFlow use so many threads within an operation and between operations; before its first one.

    XLA's code runs on the threads of the first kind (compiler/jit/xla_device.cc takes the device's worker threads).
    """
    if threads is None:
        return
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(threads)


def usable_cores() -> int:
    """Cores that this process may use, and threads that TensorFlow uses unless it is told otherwise.

    Source: tsl/platform/default/port.cc, ``NumSchedulableCPUs``.
    """
    if sys.platform == "win32" or sys.platform == "darwin":
        return os.cpu_count() or 1
    return len(os.sched_getaffinity(0))
