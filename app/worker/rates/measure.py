"""The ``rates`` job: what this machine's device really achieves, measured once in a few seconds.

Each rate of the processor is the median over sizes that training uses, every size timed until it has run for
`SECONDS_PER_SIZE`, in two passes spread over the job so that a drifting machine shows in ``spread``.  Cards have their
own measurement (`app.worker.rates.card`).
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.core.types.machine import TimedOperation
from app.core.types.text import phrase
from app.worker.rates.calls import Trial, bind, launch_trial, rates_of
from app.worker.rates.card import measure_card

if TYPE_CHECKING:
    from app.worker.channel import Channel

SECONDS_PER_SIZE = 0.01

MATMUL_SHAPES = ((128, 512, 512), (256, 1024, 1024), (64, 4096, 1024))
CONV_SHAPES = ((8, 56, 64, 64, 3), (8, 28, 128, 128, 3), (8, 14, 256, 256, 3), (8, 56, 64, 256, 1))
"""(batch, image side, channels in, channels out, kernel side): the stages of a residual network."""
DEPTHWISE_SHAPES = ((8, 56, 96, 3), (8, 14, 384, 3))
ELEMENTWISE_BYTES = (4 << 20, 32 << 20)


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Measure the rates of one device; the result is a `core.machine.DeviceRates` as JSON."""
    channel.phase("import")
    channel.progress(0.05, phrase("loading TensorFlow"))
    import tensorflow  # noqa: F401 - loading it is a phase of its own

    device = str(arguments.get("device", "cpu"))
    name = "/CPU:0" if device == "cpu" else f"/GPU:{device.removeprefix('gpu:')}"
    *_, found = measure(device, name, channel)
    return found


def measure(
    device: str, name: str, channel: Channel, timed: Sequence[TimedOperation] = (), room_bytes: int | None = None
) -> Iterator[dict[str, Any]]:
    """Measure the rates of a device, ever more of them; the last that is told is all.

    Args:
        device: ``cpu`` or ``gpu:N``.
        name: TensorFlow's name of it in this process.
        channel: To the parent.
        timed: Operations that were timed on it before and are part of the answer as they are.
        room_bytes: What the allocator may take of a card; None if nobody limits it.
    """
    import tensorflow as tf

    channel.phase("measure")
    references = [_reference_s(tf, name)]
    found: dict[str, Any] = {"device": device, "framework": f"tensorflow {tf.__version__}"}
    on_host = device == "cpu"
    found |= _families(tf, name, channel) if on_host else measure_card(name, channel, room_bytes)
    for more in _operations(name, channel, timed) if on_host else ({},):
        found |= more
        references.append(_reference_s(tf, name))
        found["reference_s"] = statistics.median_low(references)
        yield found | {"complete": False}
    yield found


def _families(tf: Any, name: str, channel: Channel) -> dict[str, Any]:
    """Rates of the processor by family of operations."""
    with tf.device(name):
        rates, spread = rates_of(_trials(tf), channel, SECONDS_PER_SIZE, 0.2)
    return {
        "matmul_flops_per_s": rates.get("matmul"),
        "conv_flops_per_s": rates.get("convolution"),
        "depthwise_flops_per_s": rates.get("depthwise convolution"),
        "elementwise_bytes_per_s": rates.get("element-wise"),
        "reduction_bytes_per_s": rates.get("reduction"),
        "launch_s": 1 / rates["launch"] if "launch" in rates else None,
        "step_overhead_s": 1 / rates["step"] if "step" in rates else None,
        "spread": spread,
    }


def _operations(name: str, channel: Channel, timed: Sequence[TimedOperation]) -> Iterator[dict[str, Any]]:
    """What is known of the host only: what ``fit`` itself costs, and ever more operations timed alone."""
    from app.worker.rates import operations
    from app.worker.rates.affinity import usable_cores
    from app.worker.rates.training_steps import train_overhead_s

    found = [dataclasses.asdict(one) for one in timed]
    yield {"operations": found, "threads": usable_cores(), "train_overhead_s": train_overhead_s()}
    for piece in operations.measure(name, channel, {operations.sort_of(one) for one in timed}):
        found = [*found, *piece]
        yield {"operations": found}


def _reference_s(tf: Any, name: str) -> float:
    """The work that a benchmark times beside its steps (`app.worker.rates.reference`)."""
    from app.worker.backends.tensorflow import TensorFlow
    from app.worker.rates.reference import Reference

    with tf.device(name):
        return Reference(not name.upper().startswith("/CPU"), TensorFlow()).time_s()


def _trials(tf: Any) -> list[Trial]:
    """(kind, amount of work in one call, call)."""
    trials: list[Trial] = []
    for m, k, n in MATMUL_SHAPES:
        a, b = tf.random.normal((m, k)), tf.random.normal((k, n))
        trials.append(("matmul", 2.0 * m * k * n, bind(tf.linalg.matmul, a, b)))
    for batch, side, c_in, c_out, kernel in CONV_SHAPES:
        trials += _convolution_trials(tf, batch, side, c_in, c_out, kernel)
    for batch, side, channels, kernel in DEPTHWISE_SHAPES:
        image = tf.random.normal((batch, side, side, channels))
        filters = tf.random.normal((kernel, kernel, channels, 1))
        work = 2.0 * batch * side * side * channels * kernel * kernel
        call = bind(tf.nn.depthwise_conv2d, image, filters, (1, 1, 1, 1), "SAME")
        trials.append((phrase("depthwise convolution"), work, call))
    for size in ELEMENTWISE_BYTES:
        x = tf.random.normal((size // 4,))
        trials.append(("element-wise", 3.0 * size, bind(tf.add, x, x)))
        trials.append(("reduction", 1.0 * size, bind(tf.reduce_sum, x)))
    return [*trials, launch_trial(tf), _step_trial(tf)]


def _convolution_trials(tf: Any, batch: int, side: int, c_in: int, c_out: int, kernel: int) -> list[Trial]:
    """A convolution and its two gradients, which have the same number of operations."""
    image = tf.random.normal((batch, side, side, c_in))
    filters = tf.random.normal((kernel, kernel, c_in, c_out))
    result = tf.random.normal((batch, side, side, c_out))
    work = 2.0 * batch * side * side * c_in * c_out * kernel * kernel
    stride, padding = [1, 1, 1, 1], "SAME"
    forward = bind(tf.nn.conv2d, image, filters, stride, padding)
    to_input = bind(
        tf.raw_ops.Conv2DBackpropInput,
        input_sizes=image.shape,
        filter=filters,
        out_backprop=result,
        strides=stride,
        padding=padding,
    )
    to_filter = bind(
        tf.raw_ops.Conv2DBackpropFilter,
        input=image,
        filter_sizes=filters.shape,
        out_backprop=result,
        strides=stride,
        padding=padding,
    )
    return [("convolution", work, call) for call in (forward, to_input, to_filter)]


def _step_trial(tf: Any) -> Trial:
    """The cost of calling a graph at all."""

    @tf.function(autograph=False)  # type: ignore[untyped-decorator]
    def nothing(x: Any) -> Any:
        return x + 1.0

    return "step", 1.0, bind(nothing, tf.constant(1.0))
