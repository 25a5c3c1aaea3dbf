"""Who reads what kernels make, those of several results each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.core.simulate.xla.fusion import Kernel
from app.core.types.stepgraph import PerBatch


class Result(NamedTuple):
    """One of several results of a kernel: what it takes, who reads it, and is it a weight's new value."""

    size: PerBatch
    readers: tuple[int, ...]
    stays: bool


Results = Mapping[int, tuple[Result, ...]]
"""Of kernels with several results, each of them."""


def users_of(kernels: dict[int, Kernel]) -> dict[int, list[int]]:
    """Who reads each kernel's result."""
    users: dict[int, list[int]] = {i: [] for i in kernels}
    for index, kernel in kernels.items():
        for operand in kernel.operands:
            users[operand].append(index)
    return users
