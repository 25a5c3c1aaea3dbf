"""The ``rates`` job: what this machine's device really achieves, measured once in a few seconds.

Each rate is the median over sizes that training uses, every size timed until it has run for
`SECONDS_PER_SIZE`, in two passes spread over the job so that a drifting machine shows in ``spread``.
"""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.core.types.machine import TimedOperation
from app.core.types.text import phrase

if TYPE_CHECKING:
    from app.worker.channel import Channel

SECONDS_PER_SIZE = 0.01
PASSES = 2

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


def measure(device: str, name: str, channel: Channel, timed: Sequence[TimedOperation] = ()) -> Iterator[dict[str, Any]]:
    """Measure the rates of a device, ever more of them; the last that is told is all.

    Args:
        device: ``cpu`` or ``gpu:N``.
        name: TensorFlow's name of it in this process.
        channel: To the parent.
        timed: Operations that were timed on it before and are part of the answer as they are.
    """
    import tensorflow as tf

    channel.phase("measure")
    references = [_reference_s(tf, name)]
    with tf.device(name):
        trials = _trials(tf)
        seen: dict[str, list[float]] = {}
        for number in range(PASSES):
            for position, (kind, amount, function) in enumerate(trials):
                if channel.cancelled():
                    break
                seen.setdefault(kind, []).append(amount / _seconds_per_call(function))
                share = (number * len(trials) + position + 1) / (PASSES * len(trials))
                channel.progress(0.1 + 0.2 * share, phrase("measuring {kind}", kind=kind))
    rates = {kind: statistics.median(values) for kind, values in seen.items()}
    found = {
        "device": device,
        "framework": f"tensorflow {tf.__version__}",
        "matmul_flops_per_s": rates.get("matmul"),
        "conv_flops_per_s": rates.get("convolution"),
        "depthwise_flops_per_s": rates.get("depthwise convolution"),
        "elementwise_bytes_per_s": rates.get("element-wise"),
        "reduction_bytes_per_s": rates.get("reduction"),
        "launch_s": 1 / rates["launch"] if "launch" in rates else None,
        "step_overhead_s": 1 / rates["step"] if "step" in rates else None,
        "spread": _spread(seen),
    }
    for more in _operations(name, channel, timed) if device == "cpu" else ({},):
        found |= more
        references.append(_reference_s(tf, name))
        found["reference_s"] = statistics.median_low(references)
        yield found | {"complete": False}
    yield found


def _operations(name: str, channel: Channel, timed: Sequence[TimedOperation]) -> Iterator[dict[str, Any]]:
    """What is known of the host only: what ``fit`` itself costs, and ever more operations timed alone."""
    from app.worker.rates import operations
    from app.worker.rates.affinity import usable_cores

    found = [dataclasses.asdict(one) for one in timed]
    yield {"operations": found, "threads": usable_cores(), "train_overhead_s": operations.train_overhead_s()}
    for piece in operations.measure(name, channel, {operations.sort_of(one) for one in timed}):
        found = [*found, *piece]
        yield {"operations": found}


def _reference_s(tf: Any, name: str) -> float:
    """The work that a benchmark times beside its steps (`app.worker.rates.reference`)."""
    from app.worker.backends.tensorflow import TensorFlow
    from app.worker.rates.reference import Reference

    with tf.device(name):
        return Reference(not name.upper().startswith("/CPU"), TensorFlow()).time_s()


def _trials(tf: Any) -> list[tuple[str, float, Callable[[], Any]]]:
    """(kind, amount of work in one call, call)."""
    trials: list[tuple[str, float, Callable[[], Any]]] = []
    for m, k, n in MATMUL_SHAPES:
        a, b = tf.random.normal((m, k)), tf.random.normal((k, n))
        trials.append(("matmul", 2.0 * m * k * n, _bind(tf.linalg.matmul, a, b)))
    for batch, side, c_in, c_out, kernel in CONV_SHAPES:
        trials += _convolution_trials(tf, batch, side, c_in, c_out, kernel)
    for batch, side, channels, kernel in DEPTHWISE_SHAPES:
        image = tf.random.normal((batch, side, side, channels))
        filters = tf.random.normal((kernel, kernel, channels, 1))
        work = 2.0 * batch * side * side * channels * kernel * kernel
        call = _bind(tf.nn.depthwise_conv2d, image, filters, (1, 1, 1, 1), "SAME")
        trials.append((phrase("depthwise convolution"), work, call))
    for size in ELEMENTWISE_BYTES:
        x = tf.random.normal((size // 4,))
        trials.append(("element-wise", 3.0 * size, _bind(tf.add, x, x)))
        trials.append(("reduction", 1.0 * size, _bind(tf.reduce_sum, x)))
    return [*trials, *_overhead_trials(tf)]


def _convolution_trials(
    tf: Any, batch: int, side: int, c_in: int, c_out: int, kernel: int
) -> list[tuple[str, float, Callable[[], Any]]]:
    """A convolution and its two gradients, which have the same number of operations."""
    image = tf.random.normal((batch, side, side, c_in))
    filters = tf.random.normal((kernel, kernel, c_in, c_out))
    result = tf.random.normal((batch, side, side, c_out))
    work = 2.0 * batch * side * side * c_in * c_out * kernel * kernel
    stride, padding = [1, 1, 1, 1], "SAME"
    forward = _bind(tf.nn.conv2d, image, filters, stride, padding)
    to_input = _bind(
        tf.raw_ops.Conv2DBackpropInput,
        input_sizes=image.shape,
        filter=filters,
        out_backprop=result,
        strides=stride,
        padding=padding,
    )
    to_filter = _bind(
        tf.raw_ops.Conv2DBackpropFilter,
        input=image,
        filter_sizes=filters.shape,
        out_backprop=result,
        strides=stride,
        padding=padding,
    )
    return [("convolution", work, call) for call in (forward, to_input, to_filter)]


def _overhead_trials(tf: Any) -> list[tuple[str, float, Callable[[], Any]]]:
    """The cost of one tiny operation inside a graph, and of calling a graph at all."""
    tiny = tf.constant(1.0)
    count = 400

    @tf.function(autograph=False)  # type: ignore[untyped-decorator]
    def chain(x: Any) -> Any:
        for _ in range(count // 2):
            x = tf.atan(tf.exp(-x))
        return x

    @tf.function(autograph=False)  # type: ignore[untyped-decorator]
    def nothing(x: Any) -> Any:
        return x + 1.0

    return [("launch", float(count), _bind(chain, tiny)), ("step", 1.0, _bind(nothing, tiny))]


def _bind(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[[], Any]:
    """A call without arguments."""
    return lambda: function(*args, **kwargs)


def _seconds_per_call(function: Callable[[], Any]) -> float:
    """Mean time of a call, synchronised at the end, after one call to warm up."""
    _wait(function())
    calls, elapsed = 1, 0.0
    while elapsed < SECONDS_PER_SIZE:
        started = time.perf_counter()
        for _ in range(calls):
            result = function()
        _wait(result)
        elapsed = time.perf_counter() - started
        if elapsed < SECONDS_PER_SIZE:
            calls *= 2
    return elapsed / calls


def _wait(result: Any) -> None:
    """Wait until the device has finished."""
    result.numpy()


def _spread(seen: dict[str, list[float]]) -> float | None:
    """Median relative difference between the passes: the machine's own noise."""
    changes = []
    for values in seen.values():
        half = len(values) // 2
        for first, second in zip(values[:half], values[half:], strict=False):
            changes.append(abs(second / first - 1))
    return statistics.median(changes) if changes else None
