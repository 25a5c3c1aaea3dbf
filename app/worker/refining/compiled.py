"""XLA on: compile the step without running it, and ask XLA how it placed its buffers.

XLA puts all temporaries of a step into one block, updates variables in place and asks TensorFlow's
allocator for that block and for the outputs.  The sizes stand in the compiler's own answer: HloProto
field 3, ``BufferAssignmentProto`` (xla/service/hlo.proto).  What the allocator makes of them depends on
what was asked of it before, so the build is recorded as it happens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.core.simulate.recorded_trace import RecordedRun, RecordedTrace, number_chunks, of_one_run
from app.core.types.text import phrase
from app.core.types.workload import Plan
from app.worker.channel import JobFailed
from app.worker.models.built import input_of
from app.worker.recording.messages import parse

if TYPE_CHECKING:
    from app.worker.backends.base import Device
    from app.worker.channel import Channel

STEPS = 3
_LONGEST_WORDS = 300


@dataclass(frozen=True)
class CompiledStep:
    """A step that is ready to run.

    ``requests`` are the sizes that each step asks for, in order; ``batch`` the addresses and sizes of its
    inputs; ``shared`` the addresses of variables' buffers with the sizes of the variables that share them.
    """

    requests: tuple[int, ...]
    batch: tuple[tuple[int, int], ...]
    shared: dict[int, tuple[int, ...]]


def record(
    build: Callable[[], Any], plan: Plan, channel: Channel, device: Device, *, hollow: bool = False
) -> RecordedTrace:
    """Build and compile, then write down what the first three steps would ask for.

    Args:
        build: Makes the model.
        plan: How it is trained; the batch size counts.
        channel: To the parent.
        device: Where.
        hollow: Give weights memory without touching it.

    Raises:
        JobFailed: XLA cannot compile the model.
    """
    from app.worker.recording.requests import Log, recorded

    log = Log()
    with recorded(log, on_gpu=device.on_gpu), _hollow() if hollow else nullcontext():
        channel.phase("build")
        channel.progress(0.1, phrase("building the model"))
        built = build()
        channel.check()
        step, alive = _compile(built, plan, channel, hollow=hollow)
        channel.check()
    events, origins = number_chunks([(r.taken, r.address) for r in log.requests])
    sizes = [r.size_bytes for r in log.requests if r.taken]
    live: dict[int, int] = {}
    for event, origin in zip(events, origins, strict=True):
        if event >= 0:
            live[log.requests[origin].address] = event
        else:
            live.pop(log.requests[origin].address, None)
    del alive
    return with_steps(step, list(events), sizes, live)


def with_steps(step: CompiledStep, events: list[int], sizes: list[int], live: dict[int, int]) -> RecordedTrace:
    """Append the requests of three steps to those of the build.

    In the first step variables that share a buffer (Adam's slots of one shape start as the same zeros)
    cannot be updated in place: each gets a buffer of its own when the block is there, and the shared one
    goes (``CreateResultShapedBuffer`` in the executables of xla/service).
    """

    def take(size: int) -> int:
        sizes.append(size)
        events.append(len(sizes) - 1)
        return len(sizes) - 1

    batch = [live[address] for address, _ in step.batch if address in live]
    starts = []
    for number in range(STEPS):
        starts.append(len(events))
        if number:
            batch = [take(size) for _, size in step.batch]
        block = [take(size) for size in step.requests]
        if number == 0:
            for copies in step.shared.values():
                for size in copies:
                    take(size)
        events += [~chunk for chunk in reversed(block)]
        if number == 0:
            events += [~live[address] for address in step.shared if address in live]
        events += [~chunk for chunk in batch]
    keys = ((-1, ""),) * len(sizes)
    return of_one_run(RecordedRun(0, tuple(events), tuple(sizes), keys, tuple(starts)))


def buffer_requests(hlo: bytes) -> tuple[int, ...]:
    """Sizes of the outputs and of the block of temporaries, in the order of XLA's table.

    Raises:
        ValueError: There is no buffer assignment in it.
    """
    answer = parse("HloProto", hlo)
    if not answer.HasField("buffer_assignment"):
        raise ValueError(phrase("the compiler's answer holds no buffer assignment"))
    return tuple(
        int(a.size)
        for a in answer.buffer_assignment.buffer_allocations
        if not (a.is_thread_local or a.is_entry_computation_parameter or a.is_constant)
    )


def _compile(built: Any, plan: Plan, channel: Channel, *, hollow: bool) -> tuple[CompiledStep, Any]:
    """Compile the step as `keras.Model.train_on_batch` would on its first call."""
    import tensorflow as tf

    from app.worker.refining.slots import make_slots

    model = built.model
    _prepare(built, plan)
    specs = [
        [tf.TensorSpec((plan.batch_size, *s.shape), s.dtype) for s in part]
        for part in (built.input_specs, built.target_specs)
    ]
    packed = input_of(built.arranged(*specs)) if plan.mode == "inference" else built.arranged(*specs)

    def one_step(*flat: Any) -> Any:
        given = tf.nest.pack_sequence_as(packed, flat)
        if plan.mode == "inference":
            return model.predict_step((given, None, None))
        return model.train_step(given) if plan.mode == "train" else model.test_step(given)

    flat = tf.nest.flatten(packed)
    step = tf.function(one_step, jit_compile=True, reduce_retracing=True, autograph=False)
    channel.phase("compile")
    channel.progress(0.3, phrase("tracing the step"))
    make_slots(model, plan, hollow=hollow)
    concrete = step.get_concrete_function(*flat)
    channel.check()
    inputs = [_empty(spec.shape.num_elements() * spec.dtype.size) for spec in flat]
    channel.progress(0.5, phrase("compiling the step, without running it"))
    try:
        answer = step.experimental_get_compiler_ir(*flat)(stage="optimized_hlo_proto_serialized")
    except (ValueError, tf.errors.OpError) as error:
        raise _not_compilable(str(error)) from error
    shared = _shared(model, concrete)
    batch = tuple(
        (_address(tensor), spec.shape.num_elements() * spec.dtype.size)
        for tensor, spec in zip(inputs, flat, strict=True)
    )
    return CompiledStep(buffer_requests(answer), batch, shared), (inputs, model, concrete)


def _not_compilable(text: str) -> JobFailed:
    """The failure that tells what XLA said, its first line without what TensorFlow puts around it."""
    said = text.removeprefix("Failed getting HLO text: '").splitlines() or [""]
    return JobFailed(
        "error",
        phrase("XLA cannot compile this model"),
        expected=phrase("operations that XLA knows"),
        received=said[0].partition("{{")[0].strip()[:_LONGEST_WORDS],
        hint=phrase("try it with XLA off (--no-jit)"),
    )


def _prepare(built: Any, plan: Plan) -> None:
    """Compile the Keras model and build what Keras builds before it traces a step, not the optimizer."""
    from app.worker.backends.tensorflow import StepRunner

    StepRunner(built, plan)
    if plan.mode == "train":
        built.model.reset_metrics()


def _shared(model: Any, concrete: Any) -> dict[int, tuple[int, ...]]:
    """Buffers that several updated variables share: their addresses, and the variables' sizes."""
    import tensorflow as tf

    optimizer = getattr(model, "optimizer", None)
    known = [*model.variables, *model.metrics_variables, *(optimizer.variables if optimizer is not None else ())]
    by_handle = {id(v.value.handle): v.value for v in known}
    sizes: dict[int, list[int]] = {}
    for outer, inner in concrete.graph.captures:
        variable = by_handle.get(id(outer))
        if variable is None or all(use.type == "ReadVariableOp" for use in inner.consumers()):
            continue
        value = tf.raw_ops.ReadVariableOp(resource=variable.handle, dtype=variable.dtype)
        sizes.setdefault(_address(value), []).append(value.shape.num_elements() * value.dtype.size)
    return {address: tuple(found) for address, found in sizes.items() if len(found) > 1}


def _empty(size: int) -> Any:
    """Memory that nobody touches.  Two dimensions: a one-dimensional shape wraps at 2**32 elements."""
    import tensorflow as tf

    return tf.raw_ops.Empty(shape=[-(-size // 256), 256], dtype=tf.uint8, init=False)


def _address(tensor: Any) -> int:
    """Where a tensor lies, on the host or on a card: the first field of a DLManagedTensor (dlpack.h)."""
    import ctypes

    import tensorflow as tf

    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    managed = pointer_of(tf.experimental.dlpack.to_dlpack(tensor), b"dltensor")
    return ctypes.c_void_p.from_address(managed).value or 0


@contextmanager
def _hollow() -> Iterator[None]:
    """Within this scope Keras variables of some size get memory that nobody fills: pages are never touched.

    An initializer's two temporaries are asked for and given back as the real one does
    (keras/src/backend/tensorflow/random.py, ``uniform``); slots of one shape share one buffer, as zeros do.
    """
    import tensorflow as tf
    from keras.src.backend.tensorflow.core import Variable
    from tensorflow.python.ops.resource_variable_ops import UninitializedVariable

    from app.worker.refining.slots import initialized_by

    original: Callable[[Any, Any], None] = Variable._initialize_with_initializer
    zeros: dict[tuple[Any, ...], Any] = {}

    def initialize(variable: Any, initializer: Any) -> None:
        shape, dtype = tuple(variable._shape), tf.as_dtype(variable._dtype)
        if Counter(shape)[1] == len(shape):
            original(variable, initializer)
            return
        with tf.init_scope():
            made = UninitializedVariable(
                shape=shape, dtype=dtype, trainable=variable.trainable, name=variable.name.replace("/", "_")
            )
            variable._initialize(made)
            if "Zeros" in type(initializer).__name__:
                key = (shape, dtype)
                if key not in zeros:
                    zeros[key] = tf.raw_ops.Empty(shape=shape, dtype=dtype, init=False)
                made.assign(zeros[key])
            else:
                temporaries = [tf.raw_ops.Empty(shape=shape, dtype=dtype, init=False) for _ in range(2)]
                made.assign(tf.raw_ops.Empty(shape=shape, dtype=dtype, init=False))
                del temporaries

    with initialized_by(initialize):
        yield
