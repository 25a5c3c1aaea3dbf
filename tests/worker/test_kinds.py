"""One small model of each kind and each variant of a plan: the prediction agrees with what training really takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from app.core.types.workload import Plan, Workload
from app.services.child.child_jobs import bench_arguments
from tests.fakes.own_code import own_model
from tests.worker.building import ROOT

pytestmark = pytest.mark.worker

KINDS = Path(__file__).with_name("kinds.py")
TYPICAL = 0.25
FAR_OFF = 0.5
"""Steps of 10 to 60 MB race on two threads, and the truth of one case moves by a quarter from process to process:
a case further off than this has something counted twice or not at all (accuracy is judged in studies/accuracy)."""
TIMEOUT_S = 540


def own(name, *, input_shape=None, **plan):
    model = own_model(KINDS, name, name)
    return Workload(model, None, Plan(16, jit=False, device="cpu", **plan), input_shape)


CASES = {
    "1-D convolutions": own("one_dimension"),
    "3-D convolutions": own("three_dimensions"),
    "several inputs and outputs": own("several_inputs_and_outputs"),
    "shared layers": own("shared_layers"),
    "nested backbone": own("nested_backbone"),
    "frozen backbone": own("frozen_backbone"),
    "custom layer and loss": own("custom_layer_and_loss"),
    "attention": own("attention"),
    "recurrent": own("recurrent"),
    "subclassed": own("subclassed"),
    "called once": own("called_once"),
    "tied weights": own("tied_weights"),
    "own step of one tensor": own("own_step_of_one_tensor"),
    "adversaries": own("adversaries"),
    "LoRA": own("attention", lora_rank=4),
    "LoRA on convolutions": own("shared_layers", lora_rank=4),
    "int8": own("attention", mode="inference", int8=True),
    "int8 and LoRA": own("attention", int8=True, lora_rank=4),
    "a shorter sequence": own("attention", sequence_length=32),
    "smaller images": own("shared_layers", image_size=(24, 32)),
    "recomputed and frozen": own("attention", remat=True, freeze=("embedding*",)),
}


CONVOLUTIONS = ("1-D convolutions", "3-D convolutions", "shared layers", "smaller images")
OTHERS = tuple(kind for kind in CASES if kind not in CONVOLUTIONS)


@pytest.fixture(scope="module")
def pairs():
    """Of every other case what is predicted and what is measured, by the kernels that TensorFlow takes here."""
    return predicted_and_measured({kind: CASES[kind] for kind in OTHERS})


@pytest.fixture(scope="module", params=["0", "1"], ids=["own kernels", "oneDNN"])
def convolutions(request):
    """The same of convolutions, by either kernels."""
    return predicted_and_measured({kind: CASES[kind] for kind in CONVOLUTIONS}, TF_ENABLE_ONEDNN_OPTS=request.param)


def predicted_and_measured(cases, **variables):
    environment = os.environ | {
        "TF_CPU_ALLOCATOR_USE_BFC": "true",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "CUDA_VISIBLE_DEVICES": "-1",
        "PYTHONPATH": str(ROOT),
        **variables,
    }
    asked = json.dumps([bench_arguments(workload, 0) for workload in cases.values()])
    done = subprocess.run(
        [sys.executable, "-m", "tests.worker.kinds_child"],
        input=asked,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return dict(zip(cases, json.loads(done.stdout.splitlines()[-1]), strict=True))


@pytest.mark.parametrize("kind", CONVOLUTIONS)
def test_convolutions_agree_whoever_computes_them(convolutions, kind):
    predicted, measured = convolutions[kind]
    assert predicted == pytest.approx(measured, rel=FAR_OFF), f"{predicted / measured - 1:+.1%}"


@pytest.mark.parametrize("kind", OTHERS)
def test_the_prediction_agrees_with_real_steps(pairs, kind):
    predicted, measured = pairs[kind]
    assert measured > 2**20
    assert predicted == pytest.approx(measured, rel=FAR_OFF), f"{predicted / measured - 1:+.1%}"


def test_the_typical_prediction_is_close(pairs):
    assert median(abs(predicted / measured - 1) for predicted, measured in pairs.values()) <= TYPICAL, pairs


def test_smaller_images_take_less_where_scratch_goes_by_the_image(convolutions, request):
    """TensorFlow's own kernels fill a cache with columns, of however small an image."""
    smaller, larger = convolutions["smaller images"][1], convolutions["shared layers"][1]
    by_onednn = "oneDNN" in request.node.name
    assert smaller < (0.6 if by_onednn else 1) * larger


def test_variants_take_less_than_the_plain_model(pairs):
    assert pairs["int8"][1] < pairs["int8 and LoRA"][1]
    assert pairs["a shorter sequence"][1] < 0.6 * pairs["attention"][1]
    assert pairs["frozen backbone"][1] < pairs["nested backbone"][1]
