"""What a training process takes of the host's memory besides its tensors.

A process that has loaded TensorFlow takes the same whatever it trains, and a probe measures that once.  What it takes
besides grows with the *program* and not with the batch: Keras and TensorFlow keep every operation of the step many
times over, as symbolic tensors and graph nodes in Python, in function definitions, in Grappler's copies and as kernels
of the executors; compiling a step holds XLA's and LLVM's forms of it as well.
"""

from __future__ import annotations

from app.core.types.machine import DeviceProbe
from app.core.types.units import KIB, MIB

HOST_PROCESS_BYTES = 650 * MIB
"""A child that has loaded TensorFlow 2.21 and Keras and traced a small model (resident size, measured); a probe
replaces it."""

OPERATION_BYTES = 31 * KIB
UPDATE_BYTES = 162 * KIB
"""For each operation of the traced step, and for each of an optimizer's update as it is left in the end.  An update
costs more, because Keras writes it with casts, reads and conversions around each operation, which are optimised away
only after all of them have been made.  From two runs of MobileNetV2 (3,089 operations, 158 weights) with SGD, whose
update has 2 operations, and Adam, whose update has 12: 144 and 394 MiB of resident size beyond a tiny network's and
beyond the tensors (TensorFlow 2.21)."""

COMPILER_BYTES = 120 * MIB
COMPILED_BYTES = 100 * KIB
"""What XLA adds by itself, and for each of all these operations: a CNN of seven layers took 143 MiB more with XLA,
ViT-S 481, ResNet50 575 and MobileNetV2 764 MiB (all with Adam)."""


def bytes_of_program(operations: int, updates: int, *, compiled: bool) -> int:
    """What the program of a step takes: its graph, and what compiling it took.

    Args:
        operations: Of the traced step.
        updates: Operations of the updates of all weights.
        compiled: Does XLA compile it?
    """
    graph = operations * OPERATION_BYTES + updates * UPDATE_BYTES
    return graph + (COMPILER_BYTES + COMPILED_BYTES * (operations + updates) if compiled else 0)


def host_process_bytes(probe: DeviceProbe | None) -> int:
    """What the process takes before it has a network: as measured here, else as usual."""
    measured = probe.host_process_bytes if probe else None
    return HOST_PROCESS_BYTES if measured is None else measured
