"""The ``calibrate`` job: a few tiny steps that show what constants can only guess, then the device's rates.

* A small network is trained as a benchmark trains it; what the process is resident beyond its tensors then is
  the *host process*.
* Two steps whose bytes can be counted by hand (`tape_step`, `dense_step`) show whether this build's allocator hands
  out what is counted: the *slack*.  They are made of hundreds of equal small tensors, so that the ends of the
  allocator's regions, which are handed out whole, weigh little.
* A convolution beside an operation of the same shapes that needs no scratch, and what the dense step took above
  its count, show the *workspace* that kernels are granted.
* On a card the allocator takes a known amount at once (TensorFlow's ``LogicalDeviceConfiguration``); what the driver
  counts above it is the *context*.  The parent asks the driver while this process holds still.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.core.types.machine import TimedOperation
from app.core.types.text import phrase
from app.worker.backends.memory_readings import peak_rss_bytes
from app.worker.backends.tensorflow import Allocator, StepRunner, choose_device, synchronise
from app.worker.rates.host_kernels import probe_host_kernels

if TYPE_CHECKING:
    from app.worker.channel import Channel

TINY_NETWORK = "fashion_mnist_cnn"
TINY_BATCH = 8
TINY_STEPS = 3

SIDE = 256
"""The steps' tensors are square float32 matrices of this side: 256 KiB each."""
TENSOR_BYTES = 4 * SIDE * SIDE
TAPE_DEPTH = 256
DENSE_DEPTH = 96
CONV_SHAPE = (8, 56, 56, 64)
"""The image batch of a middle stage of a residual network; the kernel is 3 by 3."""

HOLD_S = 1.0
"""On a card: long enough for the parent to ask the driver, which takes milliseconds."""


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Probe one device, and measure its rates if ``rates`` asks for them.

    Args:
        arguments: ``device`` (``cpu`` or ``gpu:N``), ``rates``, ``reserve_bytes`` of a card, and with ``timed`` the
            operations that an interrupted measurement has timed.
        channel: To the parent.

    Returns:
        ``probe`` (`core.machine.DeviceProbe` as JSON, without the context), ``rates`` (`DeviceRates` as JSON or
        None), and ``reserved_bytes``, what the allocator has taken of a card.
    """
    started = time.perf_counter()
    channel.phase("import")
    channel.progress(0.02, phrase("loading TensorFlow"))
    import keras  # noqa: F401 - TensorFlow with it: what every training begins with

    import_s = time.perf_counter() - started
    from app.worker.rates.measure import measure

    device = str(arguments.get("device", "cpu"))
    name, reserved_bytes = _take(device, arguments.get("reserve_bytes"))
    allocator = Allocator(name)
    channel.phase("probe")
    channel.progress(0.05, phrase("training a tiny network"))
    host_process_bytes = _host_process_bytes(device, allocator)
    channel.check()
    channel.progress(0.1, phrase("tiny steps of known size"))
    probe = _probe(device, name, allocator)
    if name.startswith("GPU"):
        channel.phase("hold")
        time.sleep(HOLD_S)
    channel.check()
    found = {**probe, "host_process_bytes": host_process_bytes, "import_s": import_s}
    answer: dict[str, Any] = {"probe": found, "rates": None, "reserved_bytes": reserved_bytes}
    timed = [TimedOperation(**{**one, "dimensions": tuple(one["dimensions"])}) for one in arguments.get("timed", ())]
    for rates in measure(device, f"/{name}", channel, timed, reserved_bytes) if arguments.get("rates", True) else ():
        answer["rates"] = rates
        channel.partial = answer
    return answer


def tape_step(tf: Any) -> tuple[Callable[[Any], Any], int]:
    """A chain of element-wise operations and its gradient, and its peak beside the input, in bytes.

    Every output is kept for the backward pass, which writes each gradient over an output that is used for the
    last time (TensorFlow's ``forward_input_or_allocate_output``): all outputs and one gradient.
    """

    @tf.function(autograph=False, jit_compile=False)  # type: ignore[untyped-decorator]
    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(TAPE_DEPTH):
                y = tf.tanh(y)
            loss = tf.reduce_sum(y)
        return tape.gradient(loss, x)

    return step, (TAPE_DEPTH + 1) * TENSOR_BYTES


def dense_step(tf: Any) -> tuple[Callable[[Any, Any], Any], int]:
    """A stack of dense layers and the gradients of their weights, and its peak beside inputs and weights, in bytes.

    The outputs are kept, and for each one that the backward pass lets go it makes a gradient of a weight: all
    outputs, the gradient that flows back, and that which is being made of it.
    """

    @tf.function(autograph=False, jit_compile=False)  # type: ignore[untyped-decorator]
    def step(x: Any, weights: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(weights)
            y = x
            for weight in weights:
                y = tf.tanh(tf.matmul(y, weight))
            loss = tf.reduce_sum(y)
        return tape.gradient(loss, weights)

    return step, (DENSE_DEPTH + 2) * TENSOR_BYTES


def _take(device: str, reserve_bytes: int | None) -> tuple[str, int | None]:
    """Let TensorFlow see one device, of a card with a fixed piece of its memory.

    Returns:
        The device's name in this process, and the size of the piece.
    """
    import tensorflow as tf

    name = choose_device(device).name
    if not name.startswith("GPU") or not reserve_bytes:
        return name, None
    piece_mib = reserve_bytes >> 20
    card = tf.config.get_visible_devices("GPU")[0]
    tf.config.experimental.set_memory_growth(card, False)
    tf.config.set_logical_device_configuration(card, [tf.config.LogicalDeviceConfiguration(memory_limit=piece_mib)])
    return name, piece_mib << 20


def _host_process_bytes(device: str, allocator: Allocator) -> int | None:
    """Resident size of a process that has trained a tiny network, less the tensors in it.

    None where Keras trains with another framework than the one whose allocator is read.
    """
    import keras

    from app.core.types.workload import ModelRef, Plan
    from app.worker.data.batches import synthetic_batch
    from app.worker.models.build import build

    if keras.config.backend() != "tensorflow":
        return None
    built = build(ModelRef("catalog", TINY_NETWORK))
    batch = synthetic_batch(built, TINY_BATCH)
    runner = StepRunner(built, Plan(batch_size=TINY_BATCH, device=device))
    runner.first(batch)
    for _ in range(TINY_STEPS - 1):
        runner.step(batch)
    resident, tensors = peak_rss_bytes(), allocator.read()
    if resident is None:
        return None
    on_host = device == "cpu" and tensors is not None
    return resident - (tensors.peak_bytes if on_host and tensors is not None else 0)


def _probe(device: str, name: str, allocator: Allocator) -> dict[str, Any]:
    """Slack and workspace; None where the allocator keeps no count."""
    import tensorflow as tf

    found: dict[str, Any] = {"device": device, "framework": f"tensorflow {tf.__version__}"}
    if device == "cpu":
        found |= probe_host_kernels()
    if allocator.read() is None:
        return found
    with tf.device(f"/{name}"):
        x = tf.random.normal((SIDE, SIDE))
        weights = [tf.random.normal((SIDE, SIDE), stddev=SIDE**-0.5) for _ in range(DENSE_DEPTH)]
        (tape, tape_bytes), (dense, dense_bytes) = tape_step(tf), dense_step(tf)
        tape_peak = _peak_bytes(allocator, tape, x)
        dense_peak = _peak_bytes(allocator, dense, x, weights)
        image, kernel = tf.random.normal(CONV_SHAPE), tf.random.normal((3, 3, CONV_SHAPE[-1], CONV_SHAPE[-1]))
        granted = _peak_bytes(allocator, _convolution(tf), image, kernel) - _peak_bytes(allocator, _copy(tf), image)
    slack = (tape_peak / tape_bytes, dense_peak / dense_bytes)
    workspace = max(0, granted, dense_peak - int(min(slack) * dense_bytes))
    return {**found, "workspace_bytes": workspace, "slack_low": min(slack), "slack_high": max(slack)}


def _convolution(tf: Any) -> Callable[..., Any]:
    """A convolution that keeps its input's shape."""
    return tf.function(lambda x, kernel: tf.nn.conv2d(x, kernel, 1, "SAME"), autograph=False, jit_compile=False)  # type: ignore[no-any-return]


def _copy(tf: Any) -> Callable[..., Any]:
    """An operation of the same shapes that needs no scratch."""
    return tf.function(lambda x: tf.exp(x), autograph=False, jit_compile=False)  # type: ignore[no-any-return]


def _peak_bytes(allocator: Allocator, step: Callable[..., Any], *inputs: Any) -> int:
    """What a step takes at its worst beside what is there before it, the second time it runs."""
    peak = 0
    for _ in range(2):
        before = allocator.read()
        allocator.reset_peak()
        step(*inputs)
        synchronise()
        after = allocator.read()
        peak = after.peak_bytes - before.current_bytes if before and after else 0
    return peak
