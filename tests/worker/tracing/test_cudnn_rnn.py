"""Sizes that cuDNN 9.28 told for layers, asked by its own functions (`cudnnGetRNNTempSpaceSizes`)."""

from types import SimpleNamespace

import pytest

from app.worker.tracing.cudnn_rnn import reserve_bytes, workspace_parts

ASKED = (
    ("lstm", 40, 96, 60, 128, 4, 25_064_704, 14_745_856),
    ("lstm", 40, 96, 60, 64, 4, 16_831_232, 7_373_056),
    ("lstm", 192, 96, 60, 128, 4, 35_915_008, 14_745_856),
    ("lstm", 128, 256, 128, 64, 2, 32_572_160, 20_971_776),
    ("lstm", 300, 20, 50, 100, 4, 27_780_064, 2_000_256),
    ("gru", 40, 96, 30, 128, 4, 15_919_360, 8_847_616),
    ("gru", 80, 96, 60, 128, 2, 16_969_984, 8_847_616),
    ("gru", 300, 20, 50, 100, 2, 18_048_064, 1_200_256),
    ("gru", 128, 256, 128, 64, 4, 51_839_744, 50_331_904),
)
"""Cell, features, units, steps, sequences, bytes of a number; workspace and notes for the backward pass."""


@pytest.mark.parametrize(("cell", "features", "units", "steps", "sequences", "item", "workspace", "notes"), ASKED)
@pytest.mark.parametrize("time_major", [False, True])
def test_sizes_are_what_cudnn_asks_for(cell, features, units, steps, sequences, item, workspace, notes, time_major):
    attributes = {"rnn_mode": SimpleNamespace(s=cell.encode()), "time_major": SimpleNamespace(b=time_major)}
    first = (steps, sequences) if time_major else (sequences, steps)
    inputs = [(*first, features), (sequences, 1, units)]
    assert sum(workspace_parts(attributes, inputs, item)) == pytest.approx(workspace, abs=256)
    assert reserve_bytes(attributes, inputs, item) == pytest.approx(notes, abs=256)
