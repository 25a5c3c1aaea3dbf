"""What XLA does to a program, as far as memory is concerned: element-wise chains become one kernel.

An intermediate result that only the next kernel of a chain reads is never written to memory, so its
buffer vanishes and the chain's last kernel reads the chain's inputs.  XLA then places everything that
is not a weight or an argument into one temporary block.  Some operations become several: they are
listed with what they need on top.  Sources: xla/service/instruction_fusion.cc, buffer_assignment.cc,
copy_insertion.cc, select_and_scatter_expander.cc; what the real compiler answers is known only by
compiling.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.program import IN_PLACE, VIEWS, Buffer, Program, Step
from app.core.stepgraph import Line

FUSIBLE = IN_PLACE | VIEWS | frozenset(
    "Cast Select SelectV2 Tile BroadcastTo Fill ZerosLike OnesLike Less LessEqual Greater GreaterEqual Equal "
    "NotEqual LogicalAnd LogicalOr LogicalNot StatelessRandomUniformV2 StatelessRandomNormalV2 Pad PadV2 Slice "
    "StridedSlice Transpose Range OneHot".split()
)  # fmt: skip
"""Kinds that XLA fuses into their reader (``IsFusible`` minus what is costly to repeat)."""

FUSING_READERS = FUSIBLE | frozenset(
    "Sum Mean Max Min Prod Any All ArgMax BiasAddGrad".split()
)
"""Kinds that take a fusible operand into their own kernel: element-wise ones and reductions."""


POOL_INDICES = 4
"""The gradient of a maximum pooling finds each window's winner: one index array per dimension of the
image, of the image's size, and as many of the result's size (``SelectAndScatterExpander``)."""


def fuse(program: Program, *, on_host: bool) -> Program:
    """The program after element-wise fusion; step order and residents stay.

    Args:
        program: The step.
        on_host: XLA's processor backend, which has no cuDNN and writes the pooling's indices to memory.
    """
    program = _expanded(program, on_host)
    readers: dict[int, list[int]] = {}
    for index, step in enumerate(program.steps):
        for buffer in step.reads:
            readers.setdefault(buffer, []).append(index)
    made = Program(list(program.buffers), [], program.resident, program.inputs, program.kept)
    absorbed: dict[int, tuple[int, ...]] = {}
    merged_after: dict[int, tuple[int, ...]] = {}
    new_index: dict[int, int] = {}
    for index, step in enumerate(program.steps):
        reads = tuple(r for b in step.reads for r in absorbed.get(b, (b,)))
        after = tuple(a for old in step.after for a in merged_after.get(old, (new_index.get(old, -1),)) if a >= 0)
        if _vanishes(program, step, readers):
            absorbed[step.writes[0]] = reads
            merged_after[index] = after
            made.buffers[step.writes[0]] = Buffer(Line(), "activations")
            continue
        new_index[index] = len(made.steps)
        made.steps.append(
            Step(step.kind, tuple(dict.fromkeys(reads)), step.writes, tuple(dict.fromkeys(after)), step.updates,
                 step.scratch, step.layer, step.phase, step.flops)
        )  # fmt: skip
    return made


def _expanded(program: Program, on_host: bool) -> Program:
    """The program with XLA's own copies and scratch.

    A weight is updated in place while the backward pass still reads it, so the old value is copied.  On
    the host a filter's gradient is a convolution over transposed copies of its operands.
    """
    backward = {b for s in program.steps if s.phase == "backward" for b in s.reads}
    steps = []
    for step in program.steps:
        if step.kind == "ReadVariableOp" and step.writes and step.writes[0] in backward:
            weight = program.buffers[step.reads[0]]
            program.buffers[step.writes[0]] = Buffer(weight.size, "activations", weight.layer)
            step = replace(step, kind="Copy")
        elif on_host and step.kind == "Conv2DBackpropFilter":
            step = replace(step, scratch=_total(program, step.reads))
        elif on_host and step.kind == "MaxPoolGrad":
            sizes = _total(program, step.writes * POOL_INDICES + step.reads[-1:] * POOL_INDICES)
            step = replace(step, scratch=sizes)
        steps.append(step)
    return replace(program, steps=steps)


def _total(program: Program, buffers: tuple[int, ...]) -> Line:
    """Their sizes together."""
    return sum((program.buffers[b].size for b in buffers), Line())


def _vanishes(program: Program, step: Step, readers: dict[int, list[int]]) -> bool:
    """Is the step's only result read by one fusing step alone (or by several that can repeat it cheaply)."""
    if step.kind not in FUSIBLE or len(step.writes) != 1 or step.updates is not None:
        return False
    buffer = step.writes[0]
    who = set(readers.get(buffer, ()))
    if not who or buffer in program.kept:
        return False
    return len(who) == 1 and all(program.steps[i].kind in FUSING_READERS or _updates(program.steps[i]) for i in who)


def _updates(step: Step) -> bool:
    """Does the step change a variable; XLA writes it in place."""
    return step.updates is not None
