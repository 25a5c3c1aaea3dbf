"""Read how much memory was asked for from what frameworks say when they do not get it.

The kind of an error is told by its type; only the size stands nowhere but in the text.
"""

from __future__ import annotations

import math
import re

from app.core.types.units import GIB, KIB, MIB, TIB

_ITEM_BYTES = {
    "float": 4,
    "double": 8,
    "half": 2,
    "bfloat16": 2,
    "int32": 4,
    "int64": 8,
    "uint8": 1,
    "int8": 1,
    "bool": 1,
    "int16": 2,
    "uint16": 2,
    "uint32": 4,
    "uint64": 8,
    "complex64": 8,
    "complex128": 16,
}
_UNITS = {"bytes": 1, "B": 1, "KiB": KIB, "MiB": MIB, "GiB": GIB, "TiB": TIB}
_TENSOR = re.compile(r"tensor with shape ?\[([\d, ]*)\] and type (\w+)")
_SIZE = re.compile(r"allocat\w* (\d+(?:\.\d+)?) ?(bytes|B|[KMGT]iB)\b")


def requested_bytes(text: str) -> int | None:
    """Bytes that the refused allocation asked for, or None if the text does not tell.

    Understands TensorFlow (``OOM when allocating tensor with shape[512,1024] and type float``,
    tensorflow/core/framework/op_kernel.cc), XLA (``Out of memory while trying to allocate 4.78GiB``) and
    NumPy (``Unable to allocate 37.3 GiB for an array``).
    """
    tensor = _TENSOR.search(text)
    if tensor and tensor[2] in _ITEM_BYTES:
        return math.prod(int(n) for n in tensor[1].split(",") if n.strip()) * _ITEM_BYTES[tensor[2]]
    size = _SIZE.search(text)
    return int(float(size[1]) * _UNITS[size[2]]) if size else None
