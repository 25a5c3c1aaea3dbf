"""Whether XLA compiles a step."""

from __future__ import annotations

from app.core.simulate.device import TargetDevice
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Plan


def uses_xla(plan: Plan, device: TargetDevice, graph: StepGraph) -> bool:
    """Does XLA compile this step: Keras's own "auto" is XLA on a GPU if every layer supports it.

    With JAX it is so on every device, with PyTorch never (``torch.compile`` is no XLA).
    Source: keras/src/trainers/trainer.py, ``resolve_auto_jit_compile`` and ``model_supports_jit``.
    """
    if plan.backend == "torch":
        return False
    if plan.jit is not None:
        return plan.jit
    if plan.backend == "jax":
        return graph.jit_allowed
    return device.gpu is not None and graph.jit_allowed
