"""The update of a volume's filter on a card: its gradient is turned, and all that meets it.

Grappler lays volumes out with channels first, and takes for such a volume what ``Conv3DBackpropFilterV2`` makes, too,
which is a filter, but has as many dimensions.  So what is computed from that gradient element by element is computed on
turned copies, and turned back before a variable takes it (read off graphs as TensorFlow runs them;
``IsLayoutAgnosticOp`` in core/grappler/optimizers/generic_layout_optimizer_transposer.cc).  A copy of a slot waits for
nothing: it is there from the beginning of the step on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.core.simulate.update_notation import UpdateOperation
from app.core.types.stepgraph import StepGraph

VOLUME_GRADIENT = "Conv3DBackpropFilterV2"
"""What makes such a gradient."""

Stages = Sequence[Sequence[UpdateOperation]]


def turned_gradients(graph: StepGraph) -> Iterator[int]:
    """The tensors of a card's step that hold such gradients: those of filters over volumes with channels first."""
    for operation in graph.operations:
        asked = operation.convolution
        if operation.kind == VOLUME_GRADIENT and asked is not None and not asked.channels_last:
            yield operation.outputs[0]


def with_turned_gradient(stages: Stages) -> tuple[tuple[UpdateOperation, ...], ...]:
    """The stages of an update whose gradient ``g`` is turned wherever something is computed from it."""
    turning = _Turning()
    return tuple(tuple(made for operation in stage for made in turning.operations(operation)) for stage in stages)


class _Turning:
    """What is turned so far.

    Of a name of the notation ``_copies`` holds the one of its turned copy; names in ``_turned`` are turned themselves.
    """

    def __init__(self) -> None:
        self._copies: dict[str, str] = {}
        self._turned: set[str] = set()
        self._small: set[str] = set()

    def operations(self, operation: UpdateOperation) -> Iterator[UpdateOperation]:
        """An operation, after the copies that it needs."""
        if operation.kind.startswith("Assign"):
            variable, *values = operation.inputs
            yield from self._copy(values, self._turned, "{} back")
            self._copies.pop(variable, None)
            yield self._reading(operation, (variable,), values, self._turned)
            return
        sources = [name for name in operation.inputs if name not in self._small]
        turns = any(name == "g" or name in self._turned for name in sources)
        as_they_are = set(sources) - self._turned if turns else set()
        yield from self._copy(operation.inputs, as_they_are, "{} turned")
        yield self._reading(operation, (), operation.inputs, as_they_are)
        self._note(operation, turns)

    def _copy(self, names: Sequence[str], wanted: set[str], named: str) -> Iterator[UpdateOperation]:
        """Copies of those names that are wanted and not there."""
        for name in names:
            if name in wanted and name not in self._copies:
                self._copies[name] = named.format(name)
                yield UpdateOperation("Transpose", (name,), self._copies[name])

    def _reading(
        self, operation: UpdateOperation, before: tuple[str, ...], names: Sequence[str], wanted: set[str]
    ) -> UpdateOperation:
        """The operation with copies in the place of what is wanted as one."""
        inputs = (self._copies[name] if name in wanted else name for name in names)
        return UpdateOperation(operation.kind, (*before, *inputs), operation.output, operation.size)

    def _note(self, operation: UpdateOperation, turns: bool) -> None:
        """How the result lies."""
        made = operation.output
        if made is None:
            return
        self._copies.pop(made, None)
        if operation.size != "weight":
            self._small.add(made)
        elif turns:
            self._turned.add(made)
        else:
            self._turned.discard(made)
