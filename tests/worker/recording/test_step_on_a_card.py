"""A card's profile, written by hand: kernels on streams, requests to ``GPU_0_bfc`` on the host's threads."""

from __future__ import annotations

import struct

import pytest

from app.worker.recording.requests import MARK
from app.worker.recording.step import read_recording

FACTS = "tf_op hlo_op allocator_name addr allocation_bytes bytes_allocated region_type fragmentation".split()


def varint(number: int) -> bytes:
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number: int, value: int | bytes | str | float) -> bytes:
    if isinstance(value, float):
        return varint(number << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def fact(name: str, value: int | str | float) -> bytes:
    place = {float: 2, int: 3, str: 5}[type(value)]
    return field(4, field(1, FACTS.index(name) + 1) + field(place, value))


def plane(name: str, line: str, events: list[tuple[str, int, int, dict[str, int | str | float]]]) -> bytes:
    """One line of events: name, start and duration in microseconds, facts."""
    names = list(dict.fromkeys(event[0] for event in events))
    body = b"".join(
        field(
            4,
            field(1, names.index(title) + 1)
            + field(2, start * 10**6)
            + field(3, length * 10**6)
            + b"".join(fact(key, value) for key, value in facts.items()),
        )
        for title, start, length, facts in events
    )
    made = field(2, name) + field(3, field(1, 7) + field(2, line) + field(3, 5) + body)
    for number, title in enumerate(names, start=1):
        made += field(4, field(1, number) + field(2, field(1, number) + field(2, title)))
    for number, title in enumerate(FACTS, start=1):
        made += field(5, field(1, number) + field(2, field(1, number) + field(2, title)))
    return field(1, made)


def request(kind: str, start: int, allocator: str, address: int, size: int, in_use: int, operation: str = ""):
    facts: dict[str, int | str | float] = {
        "allocator_name": allocator,
        "addr": address,
        "allocation_bytes": size,
        "bytes_allocated": in_use,
        "fragmentation": 0.25,
    }
    return kind, start, 0, {**facts, **({"tf_op": operation, "region_type": "temp"} if operation else {})}


CARD = plane(
    "/device:GPU:0",
    "Stream #13(Compute)",
    [
        ("sm90_xmma_fprop", 20, 30, {"tf_op": "net/conv/Conv2D:Conv2D"}),
        ("loop_fusion", 60, 10, {"tf_op": "Thunk", "hlo_op": "add_relu_fusion.3"}),
        ("MemcpyH2D", 5, 3, {}),
        ("sm90_xmma_fprop", 500, 30, {"tf_op": "net/conv/Conv2D:Conv2D"}),
    ],
)
HOST = plane(
    "/host:CPU",
    "tf_Compute/1",
    [
        (f"{MARK}#step_num=0#", 0, 100, {}),
        ("net/conv/Conv2D:Conv2D", 1, 2, {}),
        request("MemoryAllocation", 2, "GPU_0_bfc", 1, 512, 4608, "net/conv/Conv2D"),
        request("MemoryAllocation", 3, "bfc_cpu_allocator_for_gpu", 2, 256, 256, "net/conv/Conv2D"),
        request("MemoryDeallocation", 90, "GPU_0_bfc", 1, 512, 4096),
    ],
)


def test_kernels_bear_the_operation_that_launched_them():
    step = read_recording(CARD + HOST, on_gpu=True)
    assert [(o.name, o.kind) for o in step.operations] == [
        ("net/conv/Conv2D", "Conv2D"),
        ("add_relu_fusion.3", "add_relu_fusion"),
    ]
    assert step.operations[0].duration_s == pytest.approx(30e-6)
    assert step.operations[0].thread == "Stream #13(Compute)"
    assert step.step_s == pytest.approx(100e-6)


def test_only_the_cards_own_allocator_counts():
    taken, released = read_recording(CARD + HOST, on_gpu=True).requests
    assert (taken.address, taken.size_bytes, taken.in_use_bytes, taken.scratch) == (1, 512, 4608, True)
    assert (released.taken, released.in_use_bytes, released.fragmentation) == (False, 4096, 0.25)


def test_on_the_processor_the_same_profile_says_something_else():
    step = read_recording(CARD + HOST, on_gpu=False)
    assert [request.address for request in step.requests] == [2]
    assert [operation.kind for operation in step.operations] == ["Conv2D"]
    assert step.operations[0].duration_s == pytest.approx(2e-6)
