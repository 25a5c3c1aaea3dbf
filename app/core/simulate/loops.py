"""What loops hold besides their lists: gradients of a recurrent layer's weights that wait to be added up.

An iteration of such a loop makes a product for each weight, which is added to the sum of those before.  Only the state
is handed on to the next one at once, so iterations run ahead until ``parallel_iterations`` of them are under way, and
the products' operations queue up.  A thread takes its own newest operation first and steals another thread's oldest
(``ExecutorState::ScheduleReady`` in core/common_runtime/executor.cc; Eigen's NonBlockingThreadPool).  So the thread
that runs ahead then works through its queue from the newest product on, none of which can be added before the oldest
one, while threads that have nothing of their own begin with the oldest, which are added and gone.  With as many
loops as threads nobody is left to steal and nearly all products wait; with one loop on two threads both meet in the
middle.  In traces 34 of 64 products of two LSTM layers waited, one after the other, and 31 of 32 of a
bidirectional layer, on two threads.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from app.core.simulate.program import FILTER_GRADIENTS, PRODUCTS, SAME_ELEMENTS
from app.core.types.stepgraph import StepGraph


def products_in_flight(graph: StepGraph, threads: int | None) -> dict[int, float]:
    """How many copies of a tensor are alive at once, for those of which more than one is.

    Args:
        graph: The traced step.
        threads: Threads that run operations.  None where operations are only launched (a card: its kernels count
            as cheap and run at once, in order) or compiled.
    """
    if threads is None:
        return {}
    beside = Counter(loop.stage for loop in graph.loops)
    found = {}
    for op in graph.operations:
        loop = None if op.loop is None else graph.loops[op.loop]
        if loop is None or loop.stage is None or op.kind not in PRODUCTS | FILTER_GRADIENTS:
            continue
        size, copies = graph.sizes[op.outputs[0]], loop.parallel * min(1.0, beside[loop.stage] / threads)
        if copies > 1 and size.fixed and not size.per_sample:
            found[op.outputs[0]] = copies
    return found


def bytes_in_flight(graph: StepGraph, threads: int | None) -> tuple[int, int]:
    """What products that wait take at once beyond one of each, and how much more that may be.

    The threads race: of one layer's 31 products between 4 and 26 waited in successive steps on two threads, and in
    other networks none.  So none may wait, or twice as many as usual, but no more than iterations can be under way.
    """
    copies = products_in_flight(graph, threads)
    usual: Counter[int] = Counter()
    more: Counter[int] = Counter()
    for op in graph.operations:
        loop = None if op.loop is None else graph.loops[op.loop]
        if loop is None or loop.stage is None or not op.outputs or op.outputs[0] not in copies:
            continue
        size, count = graph.sizes[op.outputs[0]].fixed, copies[op.outputs[0]]
        usual[loop.stage] += int(size * (count - 1))
        more[loop.stage] += int(size * min(count, loop.parallel - count))
    return max(usual.values(), default=0), max(more.values(), default=0)


def lists_that_come_in(graph: StepGraph) -> dict[int, tuple[int, ...]]:
    """The lists that loops after the first take their elements from, by the loop: before, they have nothing to work on.

    What a loop notes of its states in its first turn, zeros, could be noted earlier; what it notes in all its turns,
    which is what is counted, cannot.
    """
    made: dict[int, int | None] = {}
    read: dict[int, dict[int, None]] = {}
    one_has_ended = False
    for op in graph.operations:
        one_has_ended |= op.kind == "LoopEnd"
        if op.kind == "TensorListFromTensor" and one_has_ended:
            made[op.outputs[0]] = op.loop
        taken = op.inputs[0] if op.kind == "TensorListGetItem" else None
        if op.loop is not None and taken is not None and made.get(taken, op.loop) != op.loop:
            read.setdefault(op.loop, {})[taken] = None
    return {loop: tuple(lists) for loop, lists in read.items()}


def without_unread_notes(graph: StepGraph) -> StepGraph:
    """A card's step whose loops note nothing that the loop of their gradients takes back and does not read.

    A loop notes whatever its gradient could want.  What is handed to the gradient's loop and goes round in it, read by
    nobody but itself, was not seen to be there (traces of recurrent networks on cards): such as the weights of a layer
    of whose input nobody wants the gradient.  What no loop takes back stays noted, and so does a list that only shares
    another one's elements.
    """
    if not graph.loops:
        return graph
    operations = list(graph.operations)
    readers: dict[int, list[int]] = defaultdict(list)
    elements: dict[int, int] = {}
    after_loop: dict[int, int] = {}
    for index, op in enumerate(operations):
        for tensor in op.inputs:
            readers[tensor].append(index)
        if op.kind == "Placeholder" and op.control:
            elements[op.control[0]] = op.outputs[0]
        if op.kind == "LoopEnd":
            after_loop.update(zip(op.inputs, op.outputs, strict=True))

    def goes_round(made: int) -> bool:
        """Is a list read by the end of its loop alone."""
        return made in after_loop and all(operations[reader].kind == "LoopEnd" for reader in readers[made])

    found = {
        kind: [i for i, op in enumerate(operations) if op.kind == kind and goes_round(op.outputs[0])]
        for kind in ("TensorListPopBack", "TensorListPushBack")
    }
    unread: set[int] = set()
    for index in found["TensorListPopBack"]:
        after = readers[after_loop[operations[index].outputs[0]]]
        if index in elements and not readers[elements[index]] and not after:
            unread.add(index)
    for index in found["TensorListPushBack"]:
        op = operations[index]
        after = readers[after_loop[op.outputs[0]]]
        if after and unread.issuperset(after) and len(op.inputs) <= SAME_ELEMENTS[op.kind]:
            unread.add(index)
    for index in unread:
        op = operations[index]
        operations[index] = replace(op, kind="Identity", inputs=op.inputs[:1], outputs=op.outputs[:1])
    return replace(graph, operations=tuple(operations))
