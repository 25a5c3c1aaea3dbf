"""Versions, device, threads and variables that a later reader of a benchmark needs."""

from __future__ import annotations

import os
import platform
import sys

import numpy as np

from app.worker.backends.base import Backend, Device
from app.worker.backends.keras_calls import describe_keras
from app.worker.rates.affinity import usable_cores

_PREFIXES = tuple(
    "TF_CPU_ TF_CPP_ TF_GPU_ TF_ENABLE_ TF_XLA_ TF_CUDNN_ TF_FORCE_ TF_NUM_ TF_USE_ TF_DETERMINISTIC_ "
    "TF_DISABLE_ XLA_ KERAS_ JAX_ PYTORCH_ CUDA_VISIBLE HIP_VISIBLE NVIDIA_TF32 OMP_ MKL_".split()
)
"""Variables that change what is measured."""


def describe_environment(backend: Backend, device: Device) -> dict[str, str]:
    """The environment of this process as texts."""
    found = {
        "python": platform.python_version(),
        "interpreter": sys.executable,
        "numpy": np.__version__,
        **describe_keras(),
        "device": device.name,
        "device_name": device.description,
        "cores": str(usable_cores()),
        **backend.describe(),
    }
    found.update({name: value for name, value in sorted(os.environ.items()) if name.startswith(_PREFIXES)})
    return found
