"""What a card reaches, and what the host takes that launches its kernels.

Kernels are timed only where one of them takes many times as long as a call, for a call returns before its kernel has
begun: products of `PRODUCT_SIDE` numbers a side, and an addition of `ADDED_BYTES`.  Small ones would tell how fast the
host calls, which is told by itself, by steps of ``fit`` (`training_steps`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.core.types.text import phrase
from app.worker.rates.calls import Trial, rates_of

if TYPE_CHECKING:
    from app.worker.channel import Channel

PRODUCT_SIDE = 4096
"""137 GFLOP: a third of a millisecond of an H100's tensor cores."""
ADDED_BYTES = 256 << 20
"""Read, and as many written: 0.17 ms at an H100's 3 TB/s, and several times its cache."""
SMALLEST_SHARE = 8
"""Of the allocator's room an operand takes at most so small a part: three are there at once."""
SECONDS_PER_SIZE = 0.05


def measure_card(name: str, channel: Channel, room_bytes: int | None) -> dict[str, Any]:
    """Rates of a card as `core.types.machine.DeviceRates` has them, those that are known of cards.

    Args:
        name: TensorFlow's name of it in this process.
        channel: To the parent.
        room_bytes: What the allocator may take of it; None if nobody limits it.
    """
    import tensorflow as tf

    from app.worker.rates.training_steps import launch_s, train_overhead_s

    room = room_bytes or ADDED_BYTES * SMALLEST_SHARE
    with tf.device(name):
        trials = _kernels(tf, min(ADDED_BYTES, room // SMALLEST_SHARE))
        rates, spread = rates_of(trials, channel, SECONDS_PER_SIZE, 0.6)
    channel.check()
    channel.progress(0.8, phrase("measuring {kind}", kind="launch"))
    overhead_s = train_overhead_s()
    return {
        "matmul_flops_per_s": rates["matmul"],
        "half_matmul_flops_per_s": rates["matmul in float16"],
        "elementwise_bytes_per_s": rates["element-wise"],
        "launch_s": launch_s(overhead_s),
        "train_overhead_s": overhead_s,
        "spread": spread,
    }


def _kernels(tf: Any, added_bytes: int) -> list[Trial]:
    """Kernels that take far longer than a call."""
    work = 2.0 * PRODUCT_SIDE**3
    a = tf.random.normal((PRODUCT_SIDE, PRODUCT_SIDE))
    half = tf.cast(a, tf.float16)
    x = tf.random.normal((added_bytes // 4,))
    return [
        ("matmul", work, lambda: tf.linalg.matmul(a, a)),
        (phrase("matmul in float16"), work, lambda: tf.linalg.matmul(half, half)),
        ("element-wise", 2.0 * added_bytes, lambda: tf.add(x, x)),
    ]
