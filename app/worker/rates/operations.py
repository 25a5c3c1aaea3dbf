"""Operations of every kind and size, timed alone: what `app.core.timing.op_times` prices a step with."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from app.core.timing.signatures import Signature
from app.core.timing.step_signatures import UPDATE
from app.core.types.machine import TimedOperation
from app.core.types.text import phrase
from app.worker.rates.affinity import can_pin, one_core
from app.worker.rates.clock import OpClock, Timing, add_constant
from app.worker.rates.trials import Trial, few_trials, trials

if TYPE_CHECKING:
    from app.worker.channel import Channel

ALL, ONE = phrase("all cores"), phrase("one core")
PASSES = 2
PIECES = 3
"""Every third of the ordinary operations comes first, so that an interrupted measurement knows all sorts."""
PRECISIONS = {"mixed_bfloat16": "bfloat16", "mixed_float16": "float16"}
UPDATED_BYTES = (1 << 10, 64 << 10, 1 << 20, 8 << 20, 64 << 20)
UPDATE_CHAIN, UPDATE_TRAFFIC = 12, 30
"""Operations of Adam's update of a weight, and how often they read or write one number of it."""
COMPILED_CHAIN = 6


def measure(name: str, channel: Channel, known: Collection[Sort] = ()) -> Iterator[list[dict[str, Any]]]:
    """Time everything on one device, piece by piece, what tells most first; `TimedOperation` as JSON.

    Args:
        name: TensorFlow's name of the device.
        channel: To the parent.
        known: What was timed before and is left out.
    """
    import tensorflow as tf

    clock = OpClock(name)
    with tf.Graph().as_default():
        ordinary: list[_Chosen] = [(trial, "") for trial in trials(tf)]
        special = [(trial, plan) for plan, dtype in PRECISIONS.items() for trial in few_trials(tf, dtype)]
    pieces: list[Callable[[], Iterable[Prepared]]] = [lambda: _updates(tf, name)]
    pieces += [partial(_prepared, clock, ordinary[turn::PIECES], known) for turn in range(PIECES)]
    pieces += [partial(_prepared, clock, special, known), lambda: _compiled(tf, name)]
    for number, piece in enumerate(pieces):
        prepared = [(one, timing) for one, timing in piece() if sort_of(one) not in known]
        if prepared:
            _run(prepared, clock.idles(), channel)
            channel.progress(0.3 + 0.7 * (number + 1) / len(pieces), phrase("timing operations"))
            yield [described(one, timing) for one, timing in prepared]


def _run(prepared: Sequence[Prepared], idles: Sequence[Timing], channel: Channel) -> None:
    """The passes of a piece."""
    for turn in range(PASSES):
        for series, manner in _series(turn):
            with manner:
                for idle in idles:
                    idle.run(series)
                for _, timing in prepared:
                    channel.check()
                    timing.run(series)


def _prepared(clock: OpClock, chosen: Iterable[_Chosen], known: Collection[Sort]) -> Iterator[Prepared]:
    """Trials that are not known and that this build can run."""
    for trial, variant in chosen:
        new = sort_of(_timed_operation(trial.signature, variant)) not in known
        if new and (timed := prepare(clock, trial, variant)) is not None:
            yield timed


def _series(turn: int) -> list[tuple[str, contextlib.AbstractContextManager[None]]]:
    """What a pass times: with all cores, and every other time with one."""
    with_all: list[tuple[str, contextlib.AbstractContextManager[None]]] = [(ALL, contextlib.nullcontext())]
    return [*with_all, (ONE, one_core())] if turn % 2 == 0 and can_pin() else with_all


Prepared = tuple[TimedOperation, Timing]
"""An operation whose seconds are not known yet, and the clock that runs it."""

Sort = tuple[str, tuple[float, ...], str]
"""Family, dimensions and variant: what is the same operation to a clock."""
_Chosen = tuple[Trial, str]


def sort_of(one: TimedOperation) -> Sort:
    """What an operation is to a clock."""
    return one.family, tuple(one.dimensions), one.variant


def described(one: TimedOperation, timing: Timing) -> dict[str, Any]:
    """An operation with what was timed in the series `ALL` and `ONE`, as JSON."""
    single = timing.seconds(ONE) if can_pin() else None
    return dataclasses.asdict(dataclasses.replace(one, seconds=timing.seconds(ALL), one_thread_s=single))


def _timed_operation(signature: Signature, variant: str) -> TimedOperation:
    """A signature without a batch as something that will be timed."""
    dimensions = tuple(line.fixed for line in signature.dimensions)
    return TimedOperation(signature.family, dimensions, signature.work.fixed, 0.0, variant=variant)


def prepare(clock: OpClock, trial: Trial, variant: str = "") -> Prepared | None:
    """A trial ready to run; None if this build has no kernel for it, or another way of making functions."""
    import tensorflow as tf

    try:
        timing = clock.prepare(trial.node, trial.operands, trial.results_bytes, trial.flops)
    except (tf.errors.OpError, ValueError, TypeError, AttributeError, ImportError):
        return None
    return _timed_operation(trial.signature, variant), timing


def _updates(tf: Any, name: str) -> list[Prepared]:
    """Adam's update of weights of several sizes, operation after operation as Keras writes it."""
    made = []
    nothing = tf.function(lambda x: x + 1.0, autograph=False)
    one = tf.constant(1.0)
    idle = Timing(lambda: nothing(one))
    for size in UPDATED_BYTES:
        sets = max(1, min(4, (16 << 20) // size))
        with tf.device(name):
            held = [[tf.Variable(tf.random.uniform((size // 4,), 0.1, 1.0)) for _ in range(4)] for _ in range(sets)]
            number = tf.constant(0.5)

        @tf.function(autograph=False)  # type: ignore[untyped-decorator]
        def update(held: Any = held, number: Any = number) -> Any:
            last: list[Any] = []
            for weight, m, v, gradient in held:
                with tf.control_dependencies(last):
                    g = gradient.read_value()
                m.assign_add((g - m) * number)
                v.assign_add((tf.square(g) - v) * number)
                step = weight.assign_sub((m * number) / (tf.sqrt(v) + number))
                last = [step]
            return tf.identity(number)

        traffic = float(UPDATE_TRAFFIC * size)
        timed = TimedOperation(UPDATE, (float(UPDATE_TRAFFIC * size // UPDATE_CHAIN), 1.0), traffic, 0.0)
        made.append((timed, Timing(update, sets, idle)))
    return made


def _compiled(tf: Any, name: str) -> list[Prepared]:
    """Products, convolutions and a chain of simple operations in code that XLA made."""
    made: list[Prepared] = []

    nothing = tf.function(lambda x: x + 1.0, jit_compile=True, autograph=False)
    number = tf.constant(1.0)
    idle = Timing(lambda: nothing(number))

    def add(signature: Signature, count: int, function: Callable[..., Any], *shapes: tuple[int, ...]) -> None:
        with tf.device(name):
            operands = [tf.random.uniform(shape, 0.1, 1.0) for shape in shapes]
        compiled = tf.function(function, jit_compile=True, autograph=False)
        timed = _timed_operation(signature, "xla")
        with contextlib.suppress(tf.errors.OpError, ValueError):  # XLA has no such operation here
            made.append((timed, Timing(lambda: compiled(*operands), count, idle)))

    with tf.Graph().as_default():
        ordinary = few_trials(tf, "float32")
    for trial in ordinary:
        shapes = [o.shape for o in trial.operands if o.value is None]
        if trial.node.op == "Mul":
            add(trial.signature, COMPILED_CHAIN, _chain, *shapes)
        else:
            add(trial.signature, 1, _as_function(tf, trial), *shapes)
    return made


def _chain(x: Any, y: Any) -> Any:
    """Operations that XLA fuses into one loop."""
    for _ in range(COMPILED_CHAIN // 2):
        x = x * y + x
    return x


def _as_function(tf: Any, trial: Trial) -> Callable[..., Any]:
    """A trial's node as a function of its operands that have no fixed value."""
    given = [(f"in{number}", operand) for number, operand in enumerate(trial.operands)]
    definition = tf.compat.v1.GraphDef()
    for label, operand in given:
        if operand.value is not None:
            add_constant(tf, definition.node, label, operand)
    node = definition.node.add()
    node.CopyFrom(trial.node)
    del node.input[:]
    node.input.extend(label for label, _ in given)
    node.name, node.device = "timed", ""

    def function(*operands: Any) -> Any:
        free = [f"{label}:0" for label, operand in given if operand.value is None]
        return tf.graph_util.import_graph_def(
            definition, dict(zip(free, operands, strict=True)), return_elements=["timed:0"], name=""
        )[0]

    return function
