"""Refining in a real child: the step compiled or probed, against truth from a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.errors import UsageError, WorkerFailed
from app.core.workload import ModelRef, Plan, Workload
from app.services.advisor import Advisor
from app.services.history import History
from app.services.settings import Settings
from app.worker.refine_compiled import CompiledStep, buffer_requests, with_steps
from app.worker.refine_wire import fields

ROOT = Path(__file__).parents[2]
CNN = ModelRef("catalog", "fashion_mnist_cnn")
PLAN = Plan(batch_size=64, jit=True, device="cpu")
ON_THE_HOST = """
import keras
import numpy as np
import tensorflow as tf

class Sign(keras.layers.Layer):
    def call(self, x):
        sign = tf.numpy_function(np.sign, [x], x.dtype)
        sign.set_shape(x.shape)
        return x + tf.stop_gradient(sign)

def build():
    return keras.Sequential([keras.Input((8,)), Sign(), keras.layers.Dense(1)]), "mean_squared_error"
"""


@pytest.fixture(scope="module")
def advisor(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        settings = Settings.load()
        yield Advisor(settings, History(settings.history_path))


def measured_bytes(*, jit: bool, batch_size: int = 64) -> int:
    """Highest peak of steps 2 and 3 in a fresh process."""
    program = f"""
import tensorflow as tf
from app.core.workload import ModelRef
from app.worker import data, models
built = models.build(ModelRef("catalog", "fashion_mnist_cnn"))
x, y = data.synthetic_batch(built, {batch_size})
built.model.compile("adam", built.loss, jit_compile={jit})
built.model.train_on_batch(x, y)
tf.config.experimental.reset_memory_stats("CPU:0")
for _ in range(2):
    built.model.train_on_batch(x, y)
print(tf.config.experimental.get_memory_info("CPU:0")["peak"])
"""
    variables = {"TF_CPU_ALLOCATOR_USE_BFC": "true", "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env={**os.environ, **variables},
                          capture_output=True, text=True, timeout=120, check=True)  # fmt: skip
    return int(done.stdout.split()[-1])


@pytest.mark.worker
def test_a_compiled_step_is_known_before_it_runs(advisor):
    workload = Workload(CNN, None, PLAN)
    advisor.refine(workload, advisor.machine())
    found = advisor.estimate(workload, advisor.machine(), advisor.graph(workload)).memory
    assert found.basis == "compiled"
    assert found.allocator_peak_bytes == pytest.approx(measured_bytes(jit=True), rel=0.02)
    other = replace(workload, plan=replace(PLAN, batch_size=32))
    assert advisor.estimate(other, advisor.machine(), advisor.graph(other)).memory.basis == "traced"


@pytest.mark.worker
def test_tiny_steps_are_a_second_opinion(advisor):
    workload = Workload(CNN, None, replace(PLAN, jit=False, batch_size=256))
    before = advisor.estimate(workload, advisor.machine(), advisor.graph(workload)).memory
    advisor.refine(workload, advisor.machine())
    found = advisor.estimate(workload, advisor.machine(), advisor.graph(workload)).memory
    truth = measured_bytes(jit=False, batch_size=256)
    assert found.low_bytes <= truth <= found.high_bytes
    assert found.allocator_peak_bytes == pytest.approx(truth, rel=0.1)
    if found.basis == "traced":  # the two disagree: the answer stays and the interval holds both
        assert found.allocator_peak_bytes == before.allocator_peak_bytes
        assert "probe" in found.dominant_assumption
    else:
        assert found.basis == "calibrated"
    adapted = replace(workload, plan=replace(workload.plan, optimizer="sgd"))
    assert advisor.estimate(adapted, advisor.machine(), advisor.graph(adapted)).memory.basis == "traced"


@pytest.mark.worker
def test_weights_too_large_to_fill_are_only_asked_for(advisor, monkeypatch):
    monkeypatch.setattr("app.services.refining.HOLLOW_SHARE", 0.0)
    workload = Workload(CNN, None, replace(PLAN, batch_size=16))
    advisor.refine(workload, advisor.machine())
    hollow = advisor.estimate(workload, advisor.machine(), advisor.graph(workload)).memory
    assert hollow.basis == "compiled"
    assert 20e6 < hollow.allocator_peak_bytes < 60e6


@pytest.mark.worker
def test_a_model_that_xla_cannot_compile_says_so(advisor, tmp_path):
    (tmp_path / "mine.py").write_text(ON_THE_HOST)
    model = ModelRef("code", "mine.py:build", str(tmp_path / "mine.py"), "build", trusted=True)
    workload = Workload(model, None, PLAN)
    with pytest.raises(WorkerFailed, match="XLA cannot compile this model"):
        advisor.refine(workload, advisor.machine())


def test_another_card_cannot_be_refined_here(tmp_path, monkeypatch):
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path))
    settings = Settings.load()
    advisor = Advisor(settings, History(settings.history_path))
    card = advisor.simulate(advisor.machine(), gpu="RTX 2060 6GB")
    with pytest.raises(UsageError, match="device of this machine"):
        advisor.refine(Workload(CNN, None, Plan()), card)


def message(*parts: tuple[int, int | bytes]) -> bytes:
    """A protocol buffer of small fields."""
    made = b""
    for number, value in parts:
        if isinstance(value, int):
            made += varint(number << 3) + varint(value)
        else:
            made += varint(number << 3 | 2) + varint(len(value)) + value
    return made


def varint(value: int) -> bytes:
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*made, value])


def test_fields_of_a_message():
    made = message((1, 300), (2, b"abc"), (200, 1 << 40)) + bytes([0x19]) + b"12345678" + bytes([0x25]) + b"1234"
    assert list(fields(made)) == [(1, 300), (2, b"abc"), (200, 1 << 40), (3, b"12345678"), (4, b"1234")]


@pytest.mark.parametrize("cut", [1, 2, 4, 7])
def test_a_message_that_ends_early_is_refused(cut):
    made = message((1, 300), (2, b"abc"))
    with pytest.raises(ValueError, match=r"ends in the middle|unknown kind"):
        list(fields(made[:-1] if cut == 7 else made[:cut]))


def test_outputs_and_temporaries_are_asked_for_but_not_parameters_and_constants():
    allocations = [
        message((1, 0), (2, 4096), (5, 1), (6, 0), (7, 1)),
        message((1, 1), (2, 368), (7, 1), (11, 1)),
        message((1, 2), (2, 8), (12, 1)),
        message((1, 3), (2, 4), (3, 1)),
        message((1, 4), (2, 1 << 33)),
    ]
    hlo = message((1, b"module"), (3, message(*((3, a) for a in allocations))))
    assert buffer_requests(hlo) == (368, 1 << 33)
    with pytest.raises(ValueError, match="no buffer assignment"):
        buffer_requests(message((1, b"module")))


def test_shared_zeros_are_copied_in_the_first_step_only():
    kib = 1024
    step = CompiledStep((256, 4 * kib), ((200, kib),), {100: (2 * kib, 2 * kib)})
    recording = with_steps(step, [0, 1], [2 * kib, kib], {100: 0, 200: 1})
    first, second, third = recording.step_peaks(1)
    assert first == 2 * kib + kib + 256 + 4 * kib + 4 * kib
    # The block gets the rest of what the zeros, the batch and the first block left: 6 KiB, less than twice its size.
    assert second == third == 4 * kib + kib + 256 + 6 * kib


def test_the_messages_of_both_modes_are_json():
    from app.worker.refine import _to_json

    recording = with_steps(CompiledStep((8,), (), {}), [0], [512], {})
    assert json.loads(json.dumps(_to_json(recording)))["size_of"][0] == 0
