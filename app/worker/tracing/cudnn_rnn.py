"""What cuDNN takes for a recurrent layer besides its results: a workspace, and notes for the backward pass.

cuDNN tells both sizes (``cudnnGetRNNTempSpaceSizes``, which ``CudnnRNNV3`` of core/kernels/cudnn_rnn_ops.cc obeys) and
gives no formula.  The formulas here reproduce its answers to within 500 bytes for layers of 1 to 300 features, 8 to 512
units, 10 to 200 steps and 1 to 256 sequences in float32, float16 and bfloat16 (20 KB for one step); an A100 answers as
a T4 does (cuDNN 9.28).

TensorFlow 2.21 asks cuDNN for no bfloat16, though: it computes such a layer in float32.  Workspace and notes are those
of float32, and every operand and result has a copy in float32 while the operation runs, in the backward pass the notes
as well (allocations of ``CudnnRNNForwardOp`` and ``CudnnRNNBackwardOp``, traced one by one).
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

BFLOAT16 = 14
"""``DT_BFLOAT16`` of core/framework/types.proto."""

FLOAT32_BYTES = 4

FORWARD_COPIED, BACKWARD_COPIED = (0, 1, 2, 3), (0, 1, 2, 3, 5, 6, 7, 8, 9, 10)
"""Inputs that hold numbers of the layer: not the sequences' lengths, nor the notes."""

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
    return sequences * steps * units * cell.noted * _computed_bytes(attributes, item_bytes)


def scratch_pieces(
    kind: str, attributes: Any, inputs: Sequence[Shape | None], outputs: Sequence[Shape | None], item_bytes: int
) -> tuple[tuple[int, ...], ...]:
    """All that the operation takes beside its results, piece by piece, in parts as `workspace_parts` has them."""
    workspace = workspace_parts(attributes, inputs, item_bytes)
    if _computed_bytes(attributes, item_bytes) == item_bytes:
        return (workspace,)
    forward = kind == FORWARD
    copied = [inputs[at] for at in (FORWARD_COPIED if forward else BACKWARD_COPIED)]
    copied += outputs[:RESERVE_OUTPUT] if forward else outputs
    copies = [(FLOAT32_BYTES * math.prod(shape),) for shape in copied if shape is not None]
    notes = () if forward else ((reserve_bytes(attributes, inputs, item_bytes),),)
    return (*copies, *notes, workspace)


def workspace_parts(attributes: Any, inputs: Sequence[Shape | None], item_bytes: int) -> tuple[int, int]:
    """The workspace: what does not depend on the batch, and what grows with it."""
    item_bytes = _computed_bytes(attributes, item_bytes)
    cell, (sequences, steps, features, units) = _read(attributes, inputs)
    wider = max(0, features - units)
    fixed = FIXED_BYTES + (features + units) * cell.gates * units * item_bytes
    of_step = (cell.gates + 1) * units + cell.of_input * features + cell.widened * wider
    of_sequence = cell.of_sequence * units + (units if wider and cell.gates == 4 else 0)
    return fixed, sequences * ((steps * of_step + of_sequence) * item_bytes + LENGTH_BYTES)


def _computed_bytes(attributes: Any, item_bytes: int) -> int:
    """Of a number as cuDNN gets it."""
    return FLOAT32_BYTES if attributes["T"].type == BFLOAT16 else item_bytes


def _read(attributes: Any, inputs: Sequence[Shape | None]) -> tuple[_Cell, tuple[int, int, int, int]]:
    """The cell, and how many sequences, steps, features and units there are."""
    given, state = inputs[0], inputs[1]
    if given is None or state is None:
        return _CELLS[b"lstm"], (0, 0, 0, 0)
    first, second, features = given
    sequences, steps = (second, first) if attributes["time_major"].b else (first, second)
    return _CELLS[attributes["rnn_mode"].s], (sequences, steps, features, math.prod(state) // sequences)
