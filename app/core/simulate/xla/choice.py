"""Whether XLA compiles a step."""

from __future__ import annotations

from app.core.simulate.device import TargetDevice
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Plan


def uses_xla(plan: Plan, device: TargetDevice, graph: StepGraph) -> bool:
    """Does XLA compile this step: Keras's own "auto" is XLA on a GPU if every layer supports it.

    Whoever asks for it on a GPU gets it on the same condition: with a warning Keras goes on without it, as for layers
    that cuDNN runs there.  With JAX "auto" is XLA on every device, with PyTorch never (``torch.compile`` is no XLA).
    Source: keras/src/trainers/trainer.py, ``jit_compile``, ``resolve_auto_jit_compile`` and ``model_supports_jit``.
    """
    if plan.backend == "torch" or plan.jit is False:
        return False
    if plan.backend == "jax":
        return plan.jit or graph.jit_allowed
    return bool(plan.jit) if device.gpu is None else graph.jit_allowed
