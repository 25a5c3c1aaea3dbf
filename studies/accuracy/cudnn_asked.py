"""Ask cuDNN which kernel it proposes first for a convolution, and how much scratch that one wants.

cuDNN's backend interface by ctypes (``cudnn_backend.h``, whose numbers stand here), asked as TensorFlow asks where it
does not try kernels: heuristics of mode B, then the fallback, and the first proposal of which a plan can be made
(``GetFirstWorkingExecutionPlan`` in xla/stream_executor/cuda/cuda_dnn.cc).  It runs where CUDA's libraries and a
card are, or an emulated one: a card that computes nothing is asked the same.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from ctypes import byref, c_bool, c_float, c_int, c_int64, c_void_p

from app.core.types.convolution import Convolution, Direction

FLOAT, HALF = 0, 2
"""``cudnnDataType_t``."""
_CONVOLUTION, _CONFIG, _HEURISTICS, _PLAN, _GRAPH, _TENSOR = 1, 3, 4, 5, 15, 17
"""``cudnnBackendDescriptorType_t``, as those of the three operations below."""
_OPERATIONS: dict[Direction, tuple[int, int]] = {"forward": (10, 700), "filter": (11, 712), "image": (12, 706)}
"""The type of each operation, and its first attribute: alpha, beta, convolution, filter, image, result."""
_HANDLE_TYPE, _DATA_TYPE, _BOOLEAN, _INT64, _FLOAT, _CONVOLUTION_MODE, _HEURISTIC_MODE = 0, 1, 2, 3, 4, 7, 8
_DESCRIPTOR = 15
"""``cudnnBackendAttributeType_t``."""
_CROSS_CORRELATION = 1
_MODE_B, _FALLBACK = 1, 2
_ALIGNMENT = 32


class Cudnn:
    """cuDNN on the first card.

    Raises:
        OSError: Its library is not there.
        RuntimeError: It finds no card.
    """

    def __init__(self) -> None:
        ctypes.CDLL("libcudart.so.12").cudaFree(None)
        self._library = ctypes.CDLL("libcudnn.so.9")
        self._library.cudnnGetVersion.restype = ctypes.c_size_t
        self._handle = c_void_p()
        self._check(self._library.cudnnCreate(byref(self._handle)), "a handle")

    @property
    def version(self) -> int:
        """Such as 92800 for 9.28.0."""
        return int(self._library.cudnnGetVersion())

    def scratch_bytes(self, asked: Convolution, numbers: int) -> int | None:
        """What its first proposal for a convolution wants; None if it proposes nothing that works.

        Args:
            asked: The convolution; how many images is ``asked.images``.
            numbers: `FLOAT` or `HALF`.
        """
        with ExitStack() as alive:
            graph = self._graph(asked, numbers, alive)
            for mode in (_MODE_B, _FALLBACK):
                for config in self._proposals(graph, mode, alive):
                    plan = self._made(_PLAN, alive)
                    self._set(plan, 400, _HANDLE_TYPE, c_void_p, [self._handle])
                    self._set(plan, 401, _DESCRIPTOR, c_void_p, [config])
                    if self._library.cudnnBackendFinalize(plan) == 0:
                        return self._number(plan, 402)
        return None

    def _graph(self, asked: Convolution, numbers: int, alive: ExitStack) -> c_void_p:
        """A graph of the one operation."""
        images, sides = asked.images, len(asked.kernel)
        shapes = (
            (asked.filters, asked.channels // asked.groups, *asked.kernel),
            (images, asked.channels, *asked.image),
            (images, asked.filters, *asked.result),
        )
        last = asked.channels_last
        tensors = [self._tensor(n, shape, numbers, alive, last=last) for n, shape in enumerate(shapes, start=1)]
        how = self._made(_CONVOLUTION, alive)
        self._set(how, 100, _DATA_TYPE, c_int, [FLOAT])
        self._set(how, 101, _CONVOLUTION_MODE, c_int, [_CROSS_CORRELATION])
        self._set(how, 102, _INT64, c_int64, asked.dilations)
        self._set(how, 103, _INT64, c_int64, asked.strides)
        self._set(how, 104, _INT64, c_int64, asked.padding)
        self._set(how, 105, _INT64, c_int64, asked.padding)
        self._set(how, 106, _INT64, c_int64, [sides])
        self._finish(how, "a convolution")
        kind, first = _OPERATIONS[asked.direction]
        operation = self._made(kind, alive)
        self._set(operation, first, _FLOAT, c_float, [1.0])
        self._set(operation, first + 1, _FLOAT, c_float, [0.0])
        for attribute, value in enumerate((how, *tensors), start=first + 2):
            self._set(operation, attribute, _DESCRIPTOR, c_void_p, [value])
        self._finish(operation, "an operation")
        graph = self._made(_GRAPH, alive)
        self._set(graph, 800, _HANDLE_TYPE, c_void_p, [self._handle])
        self._set(graph, 801, _DESCRIPTOR, c_void_p, [operation])
        self._finish(graph, "a graph")
        return graph

    def _tensor(self, number: int, shape: Sequence[int], numbers: int, alive: ExitStack, *, last: bool) -> c_void_p:
        """A tensor of the shape images, channels, sides, with the channels last in memory or not."""
        tensor = self._made(_TENSOR, alive)
        order = (0, *range(2, len(shape)), 1) if last else range(len(shape))
        inner = {dimension: math.prod(shape[d] for d in order[place + 1 :]) for place, dimension in enumerate(order)}
        self._set(tensor, 900, _INT64, c_int64, [_ALIGNMENT])
        self._set(tensor, 901, _DATA_TYPE, c_int, [numbers])
        self._set(tensor, 902, _INT64, c_int64, shape)
        self._set(tensor, 903, _INT64, c_int64, [inner[dimension] for dimension in range(len(shape))])
        self._set(tensor, 906, _INT64, c_int64, [number])
        self._set(tensor, 907, _BOOLEAN, c_bool, [False])
        self._finish(tensor, "a tensor")
        return tensor

    def _proposals(self, graph: c_void_p, mode: int, alive: ExitStack) -> Iterator[c_void_p]:
        """What the heuristics propose, the best first."""
        heuristics = self._made(_HEURISTICS, alive)
        self._set(heuristics, 200, _HEURISTIC_MODE, c_int, [mode])
        self._set(heuristics, 201, _DESCRIPTOR, c_void_p, [graph])
        if self._library.cudnnBackendFinalize(heuristics):
            return
        configs = [self._made(_CONFIG, alive) for _ in range(self._fill(heuristics, 202, []))]
        yield from configs[: self._fill(heuristics, 202, configs)]

    def _made(self, kind: int, alive: ExitStack) -> c_void_p:
        """A new descriptor, destroyed with the others."""
        made = c_void_p()
        self._check(self._library.cudnnBackendCreateDescriptor(kind, byref(made)), "a descriptor")
        alive.callback(self._library.cudnnBackendDestroyDescriptor, made)
        return made

    def _set(self, descriptor: c_void_p, attribute: int, kind: int, of: type, values: Sequence[object]) -> None:
        """One attribute of a descriptor."""
        given = (of * len(values))(*values)  # type: ignore[operator] # a ctypes type times a number is an array's
        answer = self._library.cudnnBackendSetAttribute(descriptor, attribute, kind, c_int64(len(values)), given)
        self._check(answer, f"attribute {attribute}")

    def _number(self, descriptor: c_void_p, attribute: int) -> int:
        """A whole number that a descriptor tells."""
        value, count = c_int64(), c_int64()
        read = self._library.cudnnBackendGetAttribute
        self._check(
            read(descriptor, attribute, _INT64, c_int64(1), byref(count), byref(value)), f"attribute {attribute}"
        )
        return value.value

    def _fill(self, descriptor: c_void_p, attribute: int, made: Sequence[c_void_p]) -> int:
        """Fill descriptors with those that another one holds; how many those are, where there are none to fill."""
        count, given = c_int64(), (c_void_p * len(made))(*made)
        read = self._library.cudnnBackendGetAttribute
        answer = read(descriptor, attribute, _DESCRIPTOR, c_int64(len(made)), byref(count), given if made else None)
        self._check(answer, f"attribute {attribute}")
        return count.value

    def _finish(self, descriptor: c_void_p, what: str) -> None:
        """A descriptor is complete."""
        self._check(self._library.cudnnBackendFinalize(descriptor), what)

    def _check(self, answer: int, what: str) -> None:
        if answer:
            raise RuntimeError(f"cuDNN does not make {what}: status {answer}")
