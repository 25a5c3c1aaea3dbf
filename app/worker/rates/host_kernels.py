"""Which kernels TensorFlow uses on the processor, and what they go by: part of the ``calibrate`` job.

What Eigen takes for the third-level cache cannot be asked: it is what the processor says of itself, in a virtual
machine the whole of one of which only a part is there.  It shows in the columns that a convolution in three dimensions
asks for (`app.core.simulate.eigen_kernels`), and those are recorded.
"""

from __future__ import annotations

from typing import Any

from app.core.types.units import KIB
from app.worker.recording.requests import Log, recorded

CHANNELS = 64
SIDE = 4
SAMPLES = 256
"""So many that the columns of the largest cache are below 25 times image and result (4 MiB each)."""
CACHE_STEP_BYTES = 64 * KIB
"""Sizes of caches are multiples of this; what is recorded is rounded up to a sample's 48 KiB."""


def probe_host_kernels() -> dict[str, Any]:
    """The fields ``onednn`` and ``cache_bytes`` of a `app.core.types.machine.DeviceProbe`; None where not known."""
    try:
        from tensorflow.python.util import _pywrap_util_port  # no public function tells

        onednn = bool(_pywrap_util_port.IsMklEnabled())
    except (ImportError, AttributeError):
        return {"onednn": None, "cache_bytes": None}
    return {"onednn": onednn, "cache_bytes": None if onednn else _cache_bytes()}


def _cache_bytes() -> int | None:
    """The third-level cache as Eigen sees it.

    With a kernel of one voxel and as many channels out as in, the three matrices of a sample's product are of equal
    size: columns are a third of what fills the cache.
    """
    import tensorflow as tf

    image = tf.zeros((SAMPLES, SIDE, SIDE, SIDE, CHANNELS))
    log = Log()
    with tf.device("/CPU:0"), recorded(log, on_gpu=False):
        tf.raw_ops.Conv3DBackpropFilterV2(
            input=image,
            filter_sizes=[1, 1, 1, CHANNELS, CHANNELS],
            out_backprop=image,
            strides=[1] * 5,
            padding="VALID",
        ).numpy()
    largest = max((request.size_bytes for request in log.requests if request.taken), default=0)
    filled = 3 * largest // CACHE_STEP_BYTES * CACHE_STEP_BYTES
    return filled or None
