"""Which backend a child takes, and whose errors mean that memory ran out; no framework is loaded."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from app.core.runs.oom_text import requested_bytes
from app.core.types.workload import Dataset
from app.worker.backends import base
from app.worker.backends.base import NO_READER, load, readable
from app.worker.channel import JobFailed
from app.worker.failures import cause_of, is_out_of_memory

REAL = Dataset("mine", "npz", "/data/mine.npz", samples=8, real=True)


def test_a_framework_that_is_not_there_is_told_by_its_name(monkeypatch):
    monkeypatch.setattr(base, "find_spec", lambda name: None)
    with pytest.raises(JobFailed, match="JAX is not installed") as caught:
        load("jax")
    assert "--python" in caught.value.fields["hint"]


def test_keras_cannot_change_its_backend(monkeypatch):
    monkeypatch.setattr(base, "find_spec", lambda name: object())
    monkeypatch.setenv("KERAS_BACKEND", "tensorflow")
    with pytest.raises(JobFailed, match="another framework"):
        load("torch")


def test_without_tensorflow_real_data_is_made_up_and_that_is_told(monkeypatch):
    monkeypatch.setattr(base, "find_spec", lambda name: None)
    found, notes = readable(REAL)
    assert found is not None
    assert (found.real, found.samples, notes) == (False, 8, [NO_READER])
    assert readable(None) == (None, [])
    monkeypatch.setattr(base, "find_spec", lambda name: object())
    assert readable(REAL) == (REAL, [])


class CardRanOut(RuntimeError):
    pass


@pytest.fixture
def torch(monkeypatch):
    module = ModuleType("torch")
    module.cuda = SimpleNamespace(OutOfMemoryError=CardRanOut)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", module)


@pytest.fixture
def jax(monkeypatch):
    module = ModuleType("jax")
    module.errors = SimpleNamespace(JaxRuntimeError=CardRanOut)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "jax", module)


@pytest.mark.parametrize(
    ("text", "size"),
    [("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 12.00 GiB", 2 * 1024**3)],
)
def test_torch_out_of_memory_on_a_card(torch, text, size):
    assert is_out_of_memory(CardRanOut(text))
    assert requested_bytes(text) == size


def test_torch_out_of_memory_on_a_processor_is_a_plain_error_with_a_text(torch):
    text = (
        "[enforce fail at alloc_cpu.cpp:124] . DefaultCPUAllocator: can't allocate memory: you tried to allocate "
        "4503599627370496 bytes. Error code 12 (Cannot allocate memory)"
    )
    assert is_out_of_memory(RuntimeError(text))
    assert requested_bytes(text) == 4503599627370496
    assert not is_out_of_memory(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))


class NotCompiled(RuntimeError):
    pass


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (RuntimeError("CUDA error: device-side assert triggered"), "device_failed"),
        (RuntimeError("cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"), "device_failed"),
        (RuntimeError("\"slow_conv2d_cpu\" not implemented for 'Half'"), "missing_op"),
        (NotImplementedError("Could not run 'aten::_fft_c2c' with arguments from the 'CUDA' backend."), "missing_op"),
        (NotCompiled("backend='inductor' raised: no C++ compiler"), "compile_failed"),
        (NotCompiled("backend='inductor' raised: CUDA out of memory."), "out_of_memory"),
        (RuntimeError("my own layer failed to compile"), None),  # words of XLA's, but PyTorch does not speak
    ],
)
def test_torch_raises_plain_errors_that_its_words_explain(torch, monkeypatch, error, kind):
    dynamo = ModuleType("torch._dynamo.exc")
    dynamo.TorchDynamoException = NotCompiled  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch._dynamo.exc", dynamo)
    assert cause_of(error) == kind


def test_jax_raises_one_type_for_everything(jax):
    assert cause_of(CardRanOut("UNIMPLEMENTED: no kernel for this")) == "missing_op"
    assert cause_of(CardRanOut("INTERNAL: ptxas exited with 1")) == "xla_failed"
    text = "RESOURCE_EXHAUSTED: Out of memory while trying to allocate 4.00TiB."
    assert is_out_of_memory(CardRanOut(text))
    assert requested_bytes(text) == 4 * 1024**4
    assert not is_out_of_memory(CardRanOut("INVALID_ARGUMENT: shapes"))
