"""What a graph's error means, with a stand-in for TensorFlow's types: what counts here is its text."""

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from app.worker.failures import describe_failure


class OpError(Exception):
    """TensorFlow's base of all errors of operations."""


class UnimplementedError(OpError):
    """One of them."""


class ResourceExhaustedError(OpError):
    """Another."""


GRAPH = """Graph execution error:

Detected at node sequential/on_host/EagerPyFunc defined at (most recent call last):
  File "{mine}", line 20, in call

RuntimeError: the user's layer failed
Traceback (most recent call last):

  File "{mine}", line 30, in raise_in_step
    raise RuntimeError("the user's layer failed")

RuntimeError: the user's layer failed

  [[{{{{node sequential/on_host/EagerPyFunc}}}}]] [Op:__inference_one_step_on_data_508]"""


@pytest.fixture(autouse=True)
def framework(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("tensorflow")
    module.errors = SimpleNamespace(  # type: ignore[attr-defined]
        OpError=OpError, UnimplementedError=UnimplementedError, ResourceExhaustedError=ResourceExhaustedError
    )
    monkeypatch.setitem(sys.modules, "tensorflow", module)


@pytest.mark.parametrize(("part", "kind"), [("model", "bad_model"), ("dataset", "bad_dataset")])
def test_user_code_inside_a_graph_is_found_by_its_line(part: str, kind: str, tmp_path: Path):
    mine = tmp_path / "mine.py"
    arguments = {part: {"path": str(mine)}}
    found = describe_failure(OpError(GRAPH.format(mine=mine)), phase="measure", arguments=arguments)
    assert (found.kind, found.where) == (kind, f"{mine}:30")
    assert found.message == "OpError: RuntimeError: the user's layer failed"


@pytest.mark.parametrize(("function", "kind"), [("raise_in_step", "bad_dataset"), ("batches", "bad_model")])
def test_model_and_data_in_one_file_are_told_apart_by_the_function(function: str, kind: str, tmp_path: Path):
    mine = {"path": str(tmp_path / "mine.py")}
    arguments = {"model": mine, "dataset": {**mine, "function": function}}
    error = OpError(GRAPH.format(mine=mine["path"]))
    assert describe_failure(error, phase="measure", arguments=arguments).kind == kind


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (OpError("Dst tensor is not initialized."), "out_of_memory"),
        (ResourceExhaustedError("whatever"), "out_of_memory"),
        (OpError("CUDNN_STATUS_ALLOC_FAILED"), "workspace"),
        (UnimplementedError("whatever"), "missing_op"),
        (
            OpError(
                "Detected unsupported operations when trying to compile graph f on XLA_CPU_JIT: EagerPyFunc (No"
                " registered 'EagerPyFunc' OpKernel for XLA_CPU_JIT devices)"
            ),
            "xla_failed",
        ),
        (OpError("No OpKernel was registered to support Op 'CudnnRNN'"), "missing_op"),
        (OpError("Incompatible shapes"), "error"),
        (ValueError("Dst tensor is not initialized."), "error"),  # not the framework's words
    ],
)
def test_the_frameworks_words_count_in_its_own_errors_only(error: Exception, kind: str):
    found = describe_failure(error, phase="compile", arguments={})
    assert found.kind == kind
    assert found.hint or kind == "error"
