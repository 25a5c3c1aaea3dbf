"""Options, read and refused."""

import io
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cli.options import (
    MachineOptions,
    RunOptions,
    WorkloadOptions,
    may_run_code,
    parse_device,
    parse_shape,
    plan_from,
    refuse_refining_elsewhere,
)
from app.core.types.errors import BadModel, UsageError
from app.core.types.workload import Plan


def test_without_options_the_plan_is_the_default_plan():
    assert plan_from(WorkloadOptions("resnet50")) == Plan()


def test_every_option_of_the_plan_arrives():
    options = WorkloadOptions(
        "resnet50",
        batch_size=64,
        epochs=3,
        optimizer="sgd",
        precision="mixed_float16",
        jit=False,
        accumulate=4,
        remat=True,
        freeze=["block1*", "stem"],
        mode="inference",
        cache="ram",
        device="GPU:1",
        ema=True,
        global_clipnorm=1.5,
        weight_decay=0.1,
        data="array",
        lora_rank=8,
        sequence_length=64,
        image_size="48x64",
    )
    expected = Plan(
        64,
        "sgd",
        "mixed_float16",
        False,
        4,
        True,
        ("block1*", "stem"),
        "inference",
        "ram",
        "gpu:1",
        3,
        ema=True,
        global_clipnorm=1.5,
        weight_decay=0.1,
        data="array",
        lora_rank=8,
        sequence_length=64,
        image_size=(48, 64),
    )
    assert plan_from(options) == expected
    assert plan_from(replace(options, precision="float32", int8=True)).int8
    assert plan_from(WorkloadOptions("resnet50", clipnorm=2.0)) == Plan(clipnorm=2.0)
    assert plan_from(WorkloadOptions("resnet50", clipvalue=0.5)) == Plan(clipvalue=0.5)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"int8": True}, "cannot be trained"),
        ({"int8": True, "mode": "inference", "precision": "float16"}, "float16"),
        ({"image_size": "48x"}, "480x640"),
        ({"image_size": "big"}, "not an image size"),
    ],
)
def test_variants_of_a_model_that_cannot_be(wrong, words):
    with pytest.raises(UsageError, match=words):
        plan_from(WorkloadOptions("resnet50", **wrong))


def test_an_unknown_optimizer_names_the_known_ones():
    with pytest.raises(UsageError, match=r"adam.*received adamm"):
        plan_from(WorkloadOptions("resnet50", optimizer="adamm"))


@pytest.mark.parametrize(("text", "device"), [("auto", "auto"), ("CPU", "cpu"), ("gpu", "gpu:0"), ("gpu:3", "gpu:3")])
def test_device(text, device):
    assert parse_device(text) == device


@pytest.mark.parametrize("text", ["", "gpu:", "gpu:x", "tpu", "cuda:0", "gpu:-1"])
def test_not_a_device(text):
    with pytest.raises(UsageError):
        parse_device(text)


@pytest.mark.parametrize(
    ("text", "shape"),
    [("224x224x3", (224, 224, 3)), ("28,28,1", (28, 28, 1)), ("(28, 28)", (28, 28)), ("128", (128,)), ("4X4", (4, 4))],
)
def test_shape(text, shape):
    assert parse_shape(text) == shape


@pytest.mark.parametrize("text", ["", "x", "0x3", "-1", "3x", "a,b", "1.5", "224x224x", "1e3"])
def test_not_a_shape(text):
    with pytest.raises(UsageError, match="224x224x3"):
        parse_shape(text)


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=6), st.sampled_from(["x", ",", " x ", ", "]))
def test_a_written_shape_is_read_back(shape, separator):
    assert parse_shape(separator.join(map(str, shape))) == tuple(shape)


def test_a_catalog_name_needs_no_consent():
    assert may_run_code("resnet50", False) is False
    assert may_run_code("model.keras", True) is True


def test_code_is_not_run_where_nobody_can_be_asked(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    with pytest.raises(BadModel, match="--trust"):
        may_run_code("net.py:build", False)
    assert may_run_code("net.py:build", True) is True


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("answer", ["y\n", "n\n"])
def test_on_a_terminal_the_user_decides(monkeypatch, answer):
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stderr", Terminal())
    if answer == "y\n":
        assert may_run_code(r"C:\nets\net.py:build", False) is True
    else:
        with pytest.raises(BadModel, match="not run"):
            may_run_code(r"C:\nets\net.py:build", False)
    assert "net.py" in sys.stderr.getvalue()


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_what_another_backend_cannot_do_is_refused(backend):
    for wrong in ({"data": "array"}, {"cache": "disk"}):
        assert plan_from(WorkloadOptions("resnet50", **wrong)).backend == "tensorflow"
        with pytest.raises(UsageError):
            plan_from(WorkloadOptions("resnet50", **wrong), backend)
    with pytest.raises(UsageError, match="TensorFlow"):
        refuse_refining_elsewhere(RunOptions(refine=True, backend=backend), MachineOptions())
    assert plan_from(WorkloadOptions("resnet50"), backend).backend == backend


@pytest.mark.parametrize("machine", [MachineOptions(on="RTX 3060"), MachineOptions(machine="other.json")])
def test_another_machine_cannot_be_refined_here(machine):
    refuse_refining_elsewhere(RunOptions(), machine)
    with pytest.raises(UsageError, match="--refine"):
        refuse_refining_elsewhere(RunOptions(refine=True), machine)


def test_this_machine_with_another_amount_of_ram_can_be_refined():
    refuse_refining_elsewhere(RunOptions(refine=True), MachineOptions(ram="32GB"))


def test_given_names_the_options_that_make_another_machine():
    assert MachineOptions().given() == ()
    assert MachineOptions(on="RTX 3060", disk_mbps=500).given() == ("--on", "--disk-mbps")
