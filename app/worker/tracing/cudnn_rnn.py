"""What cuDNN takes for a recurrent layer besides its results: a workspace, and notes for the backward pass.

cuDNN tells both sizes (``cudnnGetRNNTempSpaceSizes``, which ``CudnnRNNV3`` of core/kernels/cudnn_rnn_ops.cc obeys) and
gives no formula.  The formulas here reproduce its answers to within 500 bytes for layers of 1 to 300 features, 8 to 512
units, 10 to 200 steps and 1 to 256 sequences in float32, float16 and bfloat16 (20 KB for one step); an A100 answers as
a T4 does (cuDNN 9.28).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Shape = tuple[int, ...]

FORWARD = "CudnnRNNV3"
KINDS = frozenset({FORWARD, "CudnnRNNBackpropV3"})
RESERVE_OUTPUT = 3
"""Which output of the forward pass holds the notes; TensorFlow does not tell its shape."""

FIXED_BYTES = 8 * 1024**2 + 256
LENGTH_BYTES = 8
"""For each sequence, its length among them."""


@dataclass(frozen=True)
class _Cell:
    """Numbers that a cell keeps, in units of what a layer has."""

    gates: int
    noted: int
    """For each unit in each step, for the backward pass."""
    of_sequence: int
    """For each unit of each sequence."""
    of_input: int
    """Copies of the features of each step."""
    widened: int
    """Those of what the features are more than the units."""


_CELLS = {b"lstm": _Cell(4, 5, 10, 1, 2), b"gru": _Cell(3, 6, 5, 2, 1)}


def reserve_bytes(attributes: Any, inputs: Sequence[Shape | None], item_bytes: int) -> int:
    """The notes for the backward pass."""
    cell, (sequences, steps, _, units) = _read(attributes, inputs)
    return sequences * steps * units * cell.noted * item_bytes


def workspace_parts(attributes: Any, inputs: Sequence[Shape | None], item_bytes: int) -> tuple[int, int]:
    """The workspace: what does not depend on the batch, and what grows with it."""
    cell, (sequences, steps, features, units) = _read(attributes, inputs)
    wider = max(0, features - units)
    fixed = FIXED_BYTES + (features + units) * cell.gates * units * item_bytes
    of_step = (cell.gates + 1) * units + cell.of_input * features + cell.widened * wider
    of_sequence = cell.of_sequence * units + (units if wider and cell.gates == 4 else 0)
    return fixed, sequences * ((steps * of_step + of_sequence) * item_bytes + LENGTH_BYTES)


def _read(attributes: Any, inputs: Sequence[Shape | None]) -> tuple[_Cell, tuple[int, int, int, int]]:
    """The cell, and how many sequences, steps, features and units there are."""
    given, state = inputs[0], inputs[1]
    if given is None or state is None:
        return _CELLS[b"lstm"], (0, 0, 0, 0)
    first, second, features = given
    sequences, steps = (second, first) if attributes["time_major"].b else (first, second)
    return _CELLS[attributes["rnn_mode"].s], (sequences, steps, features, math.prod(state) // sequences)
