"""Arrays that a program makes tensors of: each is brought into TensorFlow's allocator, as most are anyway.

An array that becomes a tensor is first copied by NumPy (tensorflow/python/framework/constant_op.py,
``convert_to_eager_tensor``).  Where that copy happens to start at a multiple of 64 bytes it is used as it lies; all
others are copied once more, into the allocator (tensorflow/c/tf_tensor.cc, ``TF_NewTensor``).  Memory for arrays starts
at multiples of 16 bytes, so that one of four is used as it lies, but those of 32 MiB and more: they always start 16
bytes behind a page (malloc(3), ``M_MMAP_THRESHOLD``).  Of six runs of one script with an array of 12 MiB, four held it
in the allocator.
"""

from __future__ import annotations

import functools
from typing import Any

USED_AS_IT_LIES = 64
"""Bytes: where an address is a multiple of it, TensorFlow does not copy (Eigen's EIGEN_MAX_ALIGN_BYTES)."""
STARTS_AT = 16
"""Bytes: where memory for an array starts, malloc's own alignment."""
ALWAYS_COPIED_BYTES = 32 << 20
NOTED_BYTES = 64 << 10
"""Smaller ones make no difference."""


class ArrayCopies:
    """What was brought there that another run may use as it lies.

    Attributes:
        noted_bytes: Of all arrays so far, whether a tensor of them is still alive or not.
    """

    def __init__(self) -> None:
        self.noted_bytes = 0

    def watch(self, constant_op: Any) -> None:
        """Bring every array there; ``constant_op`` is TensorFlow's module of this name."""
        own = constant_op.convert_to_eager_tensor

        @functools.wraps(own)
        def convert(value: Any, *values: Any, **named: Any) -> Any:
            return own(self._elsewhere(value), *values, **named)

        constant_op.convert_to_eager_tensor = convert

    def _elsewhere(self, value: Any) -> Any:
        """An array whose copy starts where most do; everything else as it is."""
        import numpy as np

        if type(value) is not np.ndarray or value.dtype.kind not in "biufc":
            return value
        if not NOTED_BYTES <= value.nbytes < ALWAYS_COPIED_BYTES:
            return value
        self.noted_bytes += value.nbytes
        return value.view(_kind())


@functools.cache
def _kind() -> Any:
    """The class of such arrays; NumPy is imported by the program, not by us."""
    import numpy as np

    class StartsElsewhere(np.ndarray):
        """Its copies start where TensorFlow does not use them as they lie."""

        def copy(self, order: Any = "C") -> Any:
            room = np.empty(self.nbytes + 2 * USED_AS_IT_LIES, np.uint8)
            start = -room.ctypes.data % USED_AS_IT_LIES + STARTS_AT
            copied = room[start : start + self.nbytes].view(self.dtype).reshape(self.shape)
            copied[...] = self
            return copied

    return StartsElsewhere
