"""The graph of one training step, with every size affine in the batch.

Traced once in the child (`app.worker.tracing.trace`), stored by content, and read everywhere else without a
framework.  The optimizer's update is not part of it: `app.core.simulate.optimizers` appends it, so that one
trace answers for every optimizer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from app.core.types.captured import Captured
from app.core.types.convolution import Convolution
from app.core.types.text import Text

GRAPH_SCHEMA = 8

Phase = Literal["forward", "backward", "other"]


class PerBatch(NamedTuple):
    """A size or an amount of work: ``fixed + per_sample * batch_size``.

    A step has a hundred thousand of them, made, added and compared, so it is a tuple.
    """

    fixed: float = 0
    per_sample: float = 0

    def at(self, batch_size: int) -> float:
        """The value for one batch size."""
        return self.fixed + self.per_sample * batch_size

    def __add__(self, other: PerBatch) -> PerBatch:  # type: ignore[override] # amounts are added, not strung together
        return PerBatch(self.fixed + other.fixed, self.per_sample + other.per_sample)

    def times(self, factor: float) -> PerBatch:
        """So many times as much at every batch size."""
        return self if factor == 1 else PerBatch(self.fixed * factor, self.per_sample * factor)


NOTHING = PerBatch()
"""Most operations' scratch, and many a one's work: thousands of a graph's amounts are this one object."""


@dataclass(frozen=True)
class ModelFacts:
    """What a model is, independent of any plan.  Shapes leave out the batch; None is a free dimension."""

    name: str
    source: Text
    params: int
    trainable_params: int
    input_shapes: tuple[tuple[int | None, ...], ...]
    output_shapes: tuple[tuple[int | None, ...], ...] = ()
    input_dtypes: tuple[str, ...] = ()
    assumptions: tuple[Text, ...] = ()
    """What was adapted or assumed, in words: image size, classes, sequence length, loss."""
    captured: Captured | None = None
    """What its author compiled it with; None for a network of the catalog."""


@dataclass(frozen=True)
class Layer:
    """One layer of the model and what the textbook formula needs of it."""

    name: str
    kind: str
    params: int
    output_elements: int
    """Elements of all outputs for one sample."""
    trainable: bool = True


@dataclass(frozen=True)
class Variable:
    """A weight of the model; ``gradient`` is the tensor of its gradient, or None (frozen, statistics).

    A ``sparse_gradient`` holds only the rows that a batch looked up in an embedding.  ``made`` is its place among the
    weights in the order in which they were made, which need not be the model's: Keras lists layers from the input that
    lies deepest.
    """

    path: str
    shape: tuple[int, ...]
    dtype: str
    size_bytes: int
    trainable: bool
    gradient: int | None = None
    layer: int | None = None
    sparse_gradient: bool = False
    made: int = 0

    @property
    def elements(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    @property
    def item_bytes(self) -> int:
        """Bytes of one of its numbers."""
        return self.size_bytes // max(1, self.elements)


@dataclass(frozen=True)
class Operation:
    """One operation of the step; ``inputs`` and ``outputs`` are indices into `StepGraph.sizes`.

    ``flops`` counts a multiply-add as two.  ``wanted_workspace`` is scratch memory that a card's fast
    kernel would like to have but can do without; ``scratch`` is what a processor's kernel cannot do
    without, ``card_scratch`` the same of a CUDA card's, piece by piece.
    """

    kind: str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    phase: Phase = "forward"
    layer: int | None = None
    flops: PerBatch = PerBatch()
    scratch: PerBatch = PerBatch()
    wanted_workspace: PerBatch = PerBatch()
    control: tuple[int, ...] = ()
    """Operations that must have run before, by index."""
    variable: int | None = None
    """The variable that the operation reads or writes."""
    loop: int | None = None
    """The loop in whose body the operation stands, as an index into `StepGraph.loops`."""
    card_scratch: tuple[PerBatch, ...] = ()
    convolution: Convolution | None = None
    """What a card's library is asked for, if the operation is one that it computes."""
    written: tuple[int, ...] = ()
    """Of a sum or a product whose inputs TensorFlow's graph optimizer has sorted: their places in the order in which
    they were written, which is XLA's."""


@dataclass(frozen=True)
class Loop:
    """A loop of the step, such as a recurrent layer's over time or the one of its gradients.

    Its operations stand in `StepGraph.operations` once; ``flops`` count all iterations.
    """

    trip_count: int
    parallel: int = 1
    """Iterations that may be under way at once: ``parallel_iterations``, 32 in Keras's recurrent layers."""
    stage: int | None = None
    """Of a loop of gradients: how many others must have ended before, one after the other.  Those of one stage can
    run at the same time, such as both directions of a bidirectional layer."""


@dataclass(frozen=True)
class StepGraph:
    """The operations of one step in an order in which they can run.

    ``sizes[i]`` is tensor ``i`` in bytes.  ``input_tensors`` are the step's batch (data and targets);
    ``constants`` live for ever.
    """

    model: ModelFacts
    precision: str
    mode: str
    variables: tuple[Variable, ...]
    layers: tuple[Layer, ...]
    sizes: tuple[PerBatch, ...]
    operations: tuple[Operation, ...]
    input_tensors: tuple[int, ...] = ()
    constants: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    jit_allowed: bool = True
    """Every layer supports XLA on a GPU, so Keras's "auto" takes it there."""
    framework: str = ""
    trace_s: float | None = None
    schema: int = GRAPH_SCHEMA
    notes: tuple[Text, ...] = field(default=())
    loops: tuple[Loop, ...] = ()
    on_cuda: StepGraph | None = None
    """The same step as TensorFlow optimises it for a CUDA card: with recurrent layers in cuDNN, and images turned to
    the layout that the card computes in."""
