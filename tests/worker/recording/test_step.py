"""Reading a step that TensorFlow 2.21 recorded: a small network on two threads, and the same compiled by XLA.

The files in ``recorded/`` were written by ``tf.profiler`` (host tracer level 2) around the fifth step of
Conv 32 - Conv 64 - Conv 64 - MaxPool - Dense 128 - Dense 10 on a batch of 64 images of 28x28, Adam.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from app.core.runs.allocations import alive_at, held_bytes, peak_index
from app.worker.recording.step import Recording, as_trace_events, read_recording

MIB = 1024**2


@cache
def recorded(name: str) -> Recording:
    path = Path(__file__).parent / "recorded" / f"step_{name}.xplane.pb.gz"
    return read_recording(gzip.decompress(path.read_bytes()), on_gpu=False)


def test_requests_are_consistent_with_the_allocators_own_count():
    requests = recorded("op_by_op").requests
    assert len(requests) > 100
    for before, after in pairwise(requests):
        change = after.size_bytes if after.taken else -after.size_bytes
        assert abs(after.in_use_bytes - before.in_use_bytes - change) <= 64 * 1024  # two threads race to the log
    total = requests[0].in_use_bytes - requests[0].size_bytes
    total += sum(request.size_bytes if request.taken else -request.size_bytes for request in requests)
    assert total == requests[-1].in_use_bytes


def test_the_peak_is_the_one_that_tensorflow_reported():
    requests = recorded("op_by_op").requests
    worst = peak_index(requests)
    assert requests[worst].in_use_bytes <= 64_663_552  # get_memory_info's peak of this and the earlier steps
    assert requests[worst].in_use_bytes > 0.95 * 64_663_552
    assert "MaxPoolGrad" in requests[worst].operation
    assert any(request.operation.endswith("conv2d_1/Relu") for request in alive_at(requests, worst))


def test_what_is_held_is_a_sum_of_the_allocators_regions():
    assert held_bytes(recorded("op_by_op").requests) == (2 + 4 + 8 + 16 + 32) * MIB
    assert held_bytes(recorded("compiled").requests) is None


def test_operations_have_their_own_time_only():
    step = recorded("op_by_op")
    names = {operation.name: operation for operation in step.operations}
    assert names["sequential_1/conv2d_1_2/Relu"].kind == "_MklNativeFusedConv2D"
    assert names["sequential_1/conv2d_1_2/Relu"].duration_s == pytest.approx(0.0392, rel=0.01)
    assert not any("__inference" in name for name in names)
    threads = {operation.thread for operation in step.operations}
    for thread in threads:
        assert sum(o.duration_s for o in step.operations if o.thread == thread) <= step.step_s


def test_a_compiled_steps_instructions_last_until_another_thread_ends_them():
    step = recorded("compiled")
    convolutions = [o for o in step.operations if o.kind == "convolution"]
    assert len(convolutions) == 8
    longest = max(convolutions, key=lambda o: o.duration_s)
    assert longest.duration_s > 0.05  # its begin alone took 0.1 ms
    assert {request.operation for request in step.requests} >= {"__inference_one_step_on_data_1700"}


def test_instructions_bear_the_names_of_the_operations_they_came_from():
    step = recorded("compiled")
    convolutions = {operation.name for operation in step.operations if operation.kind == "convolution"}
    assert "sequential_1/conv2d_2_1/convolution" in convolutions
    assert "gradient_tape/sequential_1/conv2d_2_1/convolution/Conv2DBackpropInput" in convolutions
    # XLA turns filter gradients into other convolutions and drops their names.
    named = sum(operation.duration_s for operation in step.operations if "/" in operation.name)
    assert named > 0.4 * sum(operation.duration_s for operation in step.operations)


@pytest.mark.parametrize("name", ["op_by_op", "compiled"])
def test_the_trace_is_valid_per_the_trace_event_format(name: str):
    step = recorded(name)
    events = json.loads(json.dumps(as_trace_events(step), allow_nan=False))
    assert {event["ph"] for event in events} == {"X", "C", "M"}
    threads = {event["tid"] for event in events if event["name"] == "thread_name"}
    last = 0.0
    for event in events:
        assert isinstance(event["name"], str)
        assert isinstance(event["pid"], int)
        assert isinstance(event["tid"], int)
        if event["ph"] == "M":
            assert isinstance(event["args"]["name"], str)
            continue
        assert event["ts"] >= last >= 0
        last = event["ts"]
        if event["ph"] == "X":
            assert event["dur"] >= 0
            assert event["tid"] in threads
        else:
            assert isinstance(event["args"]["bytes"], int)
    assert last <= step.step_s * 1e6


def test_a_file_that_is_no_profile_is_refused():
    with pytest.raises(ValueError, match="no step is marked"):
        read_recording(b"", on_gpu=False)
    with pytest.raises(ValueError, match="message"):
        read_recording(b"\xff\xff\xff", on_gpu=False)
