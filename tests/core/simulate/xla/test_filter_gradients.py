"""Two convolutions over rows or images, with something between: what is known of the first one's filter gradient."""

from collections import Counter
from dataclasses import replace

import pytest

from app.core.simulate.program import FILTER_GRADIENTS
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.xla.card import CardCompiler
from app.core.simulate.xla.filter_gradients import plain_filter_gradients
from app.core.simulate.xla.lowering import lower
from app.core.types.convolution import Convolution
from app.core.types.stepgraph import Operation, PerBatch, Variable
from tests.core.graphs import chain_graph

LENGTH, CHANNELS, FILTERS, ITEM_BYTES = 100, 8, 16, 4
ROW = PerBatch(0, LENGTH * CHANNELS * ITEM_BYTES)
MADE = PerBatch(0, LENGTH * FILTERS * ITEM_BYTES)


class Step:
    """A step of an image or a row, written operation by operation."""

    def __init__(self, window=(5,), channels=CHANNELS, filters=FILTERS):
        self.shape = (*window, channels, filters)
        elements = 1
        for side in self.shape:
            elements *= side
        self.weight = PerBatch(elements * ITEM_BYTES)
        self.sizes, self.operations = [], []
        self.image = self.tensor(ROW)
        self.inputs = [self.image]

    def tensor(self, size=MADE):
        self.sizes.append(size)
        return len(self.sizes) - 1

    def given(self, size=MADE):
        self.inputs.append(self.tensor(size))
        return self.inputs[-1]

    def add(self, kind, *reads, size=MADE, phase="forward", asked=None):
        made = self.tensor(size)
        self.operations.append(Operation(kind, reads, (made,), phase, 0, convolution=asked))
        return made

    def filter_gradient(self, gradient, asked=None, kind="Conv2DBackpropFilter"):
        self.gradient = self.add(kind, self.image, gradient, size=self.weight, phase="backward", asked=asked)

    def lowered(self):
        """The program of the step, and its graph."""
        variable = Variable("conv/kernel", self.shape, "float32", self.weight.fixed, True, self.gradient, 0)
        given = replace(
            chain_graph(),
            operations=tuple(self.operations),
            sizes=tuple(self.sizes),
            variables=(variable,),
            input_tensors=tuple(self.inputs),
        )
        return build_program(given, "sgd", LoweringOptions(kernels="xla")), given

    def is_plain(self):
        program, given = self.lowered()
        (made,) = (op.writes[0] for op in program.ops if op.kind in FILTER_GRADIENTS)
        found = plain_filter_gradients(program, given, ITEM_BYTES)
        assert found <= {made}
        return bool(found)


def row_step(*between, after=(), reader=None, **how):
    """A row goes through a convolution, kinds of operations and the next convolution, and its gradient comes back."""
    step = Step(**how)
    row = step.add("Squeeze", step.add("Conv2D", step.image, step.given(step.weight)))
    rows = [row]
    for kind in between:
        rows.append(step.add(kind, rows[-1]))
    if reader is not None:
        step.add(reader, rows[-1], step.given())
    step.add("Conv2D", step.add("ExpandDims", rows[-1]), step.given(step.weight))
    gradient = step.add("Reshape", step.add("Conv2DBackpropInput", step.given(step.weight), step.given()))
    for kind in after:
        gradient = step.add(kind, gradient, rows[-1], phase="backward")
    step.filter_gradient(step.add("Reshape", gradient, phase="backward"))
    return step


@pytest.mark.parametrize(
    ("between", "after"), [((), ()), (("Relu",), ("ReluGrad",)), (("BiasAdd", "Sigmoid"), ("SigmoidGrad",))]
)
def test_reshapes_sink_below_what_is_computed_element_by_element_and_are_gone(between, after):
    assert row_step(*between, after=after).is_plain()


def test_they_do_not_below_what_chooses_between_its_operand_and_what_it_makes_of_it():
    assert not row_step("Elu", after=("EluGrad",)).is_plain()


def test_they_do_not_if_somebody_else_reads_the_row_as_one():
    assert not row_step("Relu", after=("ReluGrad",), reader="ConcatV2").is_plain()
    assert row_step("Relu", after=("ReluGrad",), reader="Max").is_plain()


def test_what_waits_for_its_own_operand_never_sinks():
    step = Step()
    row = step.add("Squeeze", step.add("Conv2D", step.image, step.given(step.weight)))
    swish = step.add("Mul", row, step.add("Sigmoid", row))
    step.add("Conv2D", step.add("ExpandDims", swish), step.given(step.weight))
    step.filter_gradient(step.add("Reshape", step.add("Mul", swish, step.given())))
    assert not step.is_plain()


def test_a_repetition_takes_any_shape():
    step = Step()
    row = step.add("Squeeze", step.add("Conv2D", step.image, step.given(step.weight)))
    spread = step.add("Tile", step.given(MADE.times(1 / LENGTH)))
    step.filter_gradient(step.add("Reshape", step.add("ReluGrad", spread, row)))
    assert step.is_plain()


def test_a_reshape_of_a_product_is_not_one_of_a_row():
    step = Step()
    flat = step.add("MatMul", step.given(PerBatch(0, 40)), step.given(PerBatch(400)))
    step.filter_gradient(step.add("Reshape", flat))
    assert step.is_plain()


def asked(result, strides=(1, 1), kernel=(3, 3)):
    same = (1,) * len(kernel)
    return Convolution("filter", True, 0, 1, CHANNELS, FILTERS, 1, result, kernel, result, same, strides, same)


@pytest.mark.parametrize(
    ("result", "strides", "kernel", "expected"),
    [
        ((10, 10), (1, 1), (3, 3), False),
        ((2, 50), (1, 1), (3, 3), True),
        ((2, 50), (2, 2), (3, 3), False),
        ((1, 100), (1, 1), (1, 16), True),
    ],
)
def test_a_filter_as_large_as_what_comes_out_is_taken_for_plain_but_for_strides(result, strides, kernel, expected):
    step = Step(window=kernel)
    step.filter_gradient(step.given(), asked(result, strides, kernel))
    assert step.is_plain() == expected


def test_where_the_graph_does_not_say_images_are_square():
    for window, expected in (((3, 3), False), ((10, 10), True)):
        step = Step(window=window)
        step.filter_gradient(step.given())
        assert step.is_plain() == expected
    striding = Step()
    striding.filter_gradient(striding.given(MADE.times(1 / 2)))
    assert not striding.is_plain()


def test_a_depthwise_filter_makes_several_of_each_channel():
    step = Step(window=(10, 10), filters=2)
    step.filter_gradient(step.given(), kind="DepthwiseConv2dNativeBackpropFilter")
    assert step.is_plain()


def test_a_plain_convolution_reads_both_with_samples_and_channels_exchanged():
    copied = []
    for step in (row_step("Relu", after=("ReluGrad",)), row_step("Elu", after=("EluGrad",))):
        module = lower(*step.lowered(), batch_size=16, card=CardCompiler((8, 0)))
        copied.append(Counter(n.size for n in module.instructions if n.opcode == "copy" and n.size.per_sample))
    assert copied[0] - copied[1] == {ROW: 1, MADE: 1}
