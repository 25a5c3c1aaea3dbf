"""Plans that make sense, and those that do not."""

import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.types.errors import InvalidWorkload
from app.core.types.options import options_of
from app.core.types.plan_values import MAX_SIDE, read_image_size, read_sequence_length, why_not_int8
from app.core.types.plans import plan_from_json
from app.core.types.workload import ModelRef, Plan, Workload


def test_8_bit_weights_need_inference_or_lora():
    assert Plan(int8=True, mode="inference").int8
    assert Plan(int8=True, lora_rank=4).int8
    with pytest.raises(InvalidWorkload, match=r"cannot be trained.*--lora-rank"):
        Plan(int8=True)
    with pytest.raises(InvalidWorkload, match="float16"):
        Plan(int8=True, mode="inference", precision="mixed_float16")
    assert why_not_int8("inference", "mixed_bfloat16", None) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"lora_rank": 0},
        {"sequence_length": 0},
        {"image_size": (0, 5)},
        {"sequence_length": MAX_SIDE + 1},
        {"sequence_length": (("a", 5), ("b", 0))},
    ],
)
def test_impossible_variants_are_refused(wrong):
    with pytest.raises(InvalidWorkload, match="impossible"):
        Plan(**wrong)


@pytest.mark.parametrize("option", [o for o in options_of(Plan) if o.kind in ("whole", "number")], ids=lambda o: o.name)
def test_a_number_that_no_float_can_hold_is_refused(option):
    with pytest.raises(InvalidWorkload, match="impossible"):
        Plan(**{option.name: 10**400})


@given(st.integers(1, MAX_SIDE), st.integers(1, MAX_SIDE), st.sampled_from(["x", "X", "×", " x ", ","]))
def test_a_written_image_size_is_read(height, width, times):
    assert read_image_size(f"{height}{times}{width}") == (height, width)
    assert read_image_size(str(height)) == (height, height)


@pytest.mark.parametrize("text", ["", "x", "48x", "4x5x3", "-1", "big", "1.5"])
def test_what_is_no_image_size(text):
    with pytest.raises(InvalidWorkload, match="480x640"):
        read_image_size(text)


@given(st.integers(1, MAX_SIDE), st.integers(1, MAX_SIDE))
def test_a_written_sequence_length_is_read(source, target):
    assert read_sequence_length(f" {source} ") == source
    assert read_sequence_length(f"enc = {source}, dec/2={target}") == (("enc", source), ("dec/2", target))


@pytest.mark.parametrize("text", ["", "x", "enc", "enc=", "=5", "enc=5,", "enc=5,enc=6", "enc=-1", "1.5", "5,6"])
def test_what_is_no_sequence_length(text):
    with pytest.raises(InvalidWorkload, match="encoder=59,decoder=16"):
        read_sequence_length(text)


@pytest.mark.parametrize("length", [128, (("encoder", 59), ("decoder", 16))])
def test_a_plan_comes_back_from_json_with_what_stands_beside_it(length):
    plan = Plan(8, freeze=("conv*",), lora_rank=4, image_size=(48, 64), sequence_length=length)
    assert plan_from_json({**json.loads(json.dumps(asdict(plan))), "model": "vgg16"}) == plan


def test_only_what_changes_the_step_counts_as_traced():
    assert Plan(512, "sgd", jit=True, epochs=9, accumulate=2, cache="ram").traced == Plan().traced
    assert len({Plan(lora_rank=n).traced for n in (None, 4, 8)}) == 3


def test_another_model_forgets_sizes_and_keeps_the_rest():
    first = Workload(ModelRef("catalog", "gru_1"), None, Plan(8, sequence_length=50, lora_rank=2), (200,), 3)
    then = first.with_model(ModelRef("catalog", "vgg16"))
    assert then == Workload(ModelRef("catalog", "vgg16"), None, Plan(8, lora_rank=2))
