"""Sizes that cuDNN 9.28 told for layers, asked by its own functions (`cudnnGetRNNTempSpaceSizes`)."""

from types import SimpleNamespace

import pytest

from app.worker.tracing.cudnn_rnn import BFLOAT16, FORWARD, reserve_bytes, scratch_pieces, workspace_parts

FLOAT32 = 1

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
    attributes = attributes_of(cell, time_major=time_major)
    first = (steps, sequences) if time_major else (sequences, steps)
    inputs = [(*first, features), (sequences, 1, units)]
    assert sum(workspace_parts(attributes, inputs, item)) == pytest.approx(workspace, abs=256)
    assert reserve_bytes(attributes, inputs, item) == pytest.approx(notes, abs=256)


def attributes_of(cell, *, time_major=False, kind=FLOAT32):
    return {
        "rnn_mode": SimpleNamespace(s=cell.encode()),
        "time_major": SimpleNamespace(b=time_major),
        "T": SimpleNamespace(type=kind),
    }


LAYER = [(128, 200, 128), (128, 1, 128), (), (99_072,)]
STATES = [(128, 200, 128), (128, 1, 128), ()]
SEQUENCES = (128,)


def test_bfloat16_is_computed_in_float32_with_copies():
    """What a GRU of 128 units over 200 steps at batch 128 was seen to allocate (TensorFlow 2.21, an A100)."""
    attributes = attributes_of("gru", kind=BFLOAT16)
    pieces = scratch_pieces(FORWARD, attributes, [*LAYER, SEQUENCES], [*STATES, (39_321_600,), None], 2)
    *copies, workspace = (sum(piece) for piece in pieces)
    assert [c for c in copies if c > 4] == [13_107_200, 65_536, 396_288, 13_107_200, 65_536]
    assert workspace == pytest.approx(87_753_984, abs=256)
    assert reserve_bytes(attributes, LAYER, 2) == 78_643_200


def test_the_backward_pass_copies_the_notes_as_well():
    attributes = attributes_of("gru", kind=BFLOAT16)
    given = [*LAYER, SEQUENCES, *STATES, *STATES, (39_321_600,), None]
    pieces = scratch_pieces("CudnnRNNBackpropV3", attributes, given, LAYER, 2)
    *copies, notes, workspace = (sum(piece) for piece in pieces)
    assert [c for c in copies if c > 4].count(13_107_200) == 4
    assert [c for c in copies if c > 4].count(396_288) == 2
    assert (notes, workspace) == (78_643_200, pytest.approx(87_753_984, abs=256))


def test_other_numbers_have_no_copies():
    attributes = attributes_of("gru", kind=FLOAT32)
    assert scratch_pieces(FORWARD, attributes, LAYER, STATES, 4) == (workspace_parts(attributes, LAYER, 4),)
