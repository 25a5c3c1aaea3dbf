import math
from dataclasses import replace

import pytest

from app.core.simulate.precision import cast_graph
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.xla.card import GEMM_WORKSPACE_BYTES, CardCompiler
from app.core.simulate.xla.card_costs import V100
from app.core.simulate.xla.card_regions import fuse_for_card
from app.core.simulate.xla.lowering import lower, spatial_rank
from app.core.types.stepgraph import Layer, Operation, PerBatch, Variable
from tests.core.graphs import chain_graph

GRAPH = chain_graph()
TURING, AMPERE = CardCompiler((7, 5)), CardCompiler((8, 6))
VOLTA = CardCompiler((7, 0), V100)
IMAGE, SMALL, FILTER = PerBatch(0, 64_000), PerBatch(0, 16_000), PerBatch(9_216)


def module_of(operations, sizes, *, variables=(), optimizer="sgd", card=None, batch_size=16, **graph):
    given = replace(GRAPH, operations=operations, sizes=sizes, variables=variables, **graph)
    program = build_program(given, optimizer, LoweringOptions(kernels="xla"))
    return lower(program, given, batch_size=batch_size, card=card)


def test_every_variable_has_one_new_value():
    scaled = cast_graph(GRAPH, "mixed_float16")
    module = lower(build_program(scaled, "adam", LoweringOptions(kernels="xla")), scaled, batch_size=16)
    assert sorted(n.updates for n in module.instructions if n.updates is not None) == list(range(2 * 3))


def opcodes(module):
    return [instruction.opcode for instruction in module.instructions]


def test_the_gradient_of_a_maximum_pooling_needs_an_index_array_for_each_dimension():
    sizes = (IMAGE, SMALL, SMALL, IMAGE)
    module = module_of((Operation("MaxPoolGrad", (0, 1, 2), (3,), "backward"),), sizes, input_tensors=(0, 1, 2))
    arrays = [n for n in module.instructions if n.opcode == "spread" and n.size == IMAGE]
    assert len(arrays) == 4 + 1  # and the zeros that the gradient is added into
    assert [n.size for n in module.instructions if n.opcode == "copy"][:1] == [PerBatch(0, 4 * SMALL.per_sample)]
    volume = module_of((Operation("MaxPool3DGrad", (0, 1, 2), (3,), "backward"),), sizes, input_tensors=(0, 1, 2))
    assert len(volume.instructions) == len(module.instructions) + 2


def filter_gradients(kind="Conv2DBackpropFilter", **how):
    sizes = (IMAGE, SMALL, SMALL, FILTER, FILTER)
    operations = (
        Operation(kind, (0, 1), (3,), "backward", layer=0),
        Operation(kind, (0, 2), (4,), "backward", layer=0),
    )
    variables = (
        Variable("dw/kernel", (3, 3, 256, 1), "float32", 9_216, True, 3, 0),
        Variable("dw2/kernel", (3, 3, 256, 1), "float32", 9_216, True, 4, 0),
    )
    return module_of(operations, sizes, variables=variables, input_tensors=(0, 1, 2), **how)


def test_two_filters_over_one_image_share_its_transposed_copy():
    copies = [n for n in filter_gradients().instructions if n.opcode == "copy" and n.size.per_sample]
    assert [c.size for c in copies].count(IMAGE) == 1
    assert [c.size for c in copies].count(SMALL) == 2


def test_a_card_transposes_nothing_for_a_filter_gradient_but_images_that_come_with_the_channels_last():
    module = filter_gradients(card=TURING)
    copied = [n.operands for n in module.instructions if n.opcode == "copy"]
    assert all(operand < module.resident for (operand,) in copied)
    assert len(copied) == len(set(copied))
    assert "copy" not in opcodes(filter_gradients(card=TURING, precision="mixed_float16"))


def test_a_depthwise_filters_gradient_is_made_for_every_pair_of_channels():
    dense = [n for n in filter_gradients("DepthwiseConv2dNativeBackpropFilter").instructions if n.opcode == "call"]
    assert {n.size.fixed for n in dense} == {9_216 * 256}


def test_equal_zeros_are_one_array_and_copied_for_each_scatter():
    sizes = (PerBatch(0, 400), FILTER, FILTER)
    operations = tuple(Operation("UnsortedSegmentSum", (0,), (n,), "backward") for n in (1, 2))
    both = module_of(operations, sizes, input_tensors=(0,))
    assert opcodes(both).count("spread") == 1
    assert len({n.in_place for n in both.instructions if n.in_place is not None}) == 2
    alone = module_of(operations[:1], sizes, input_tensors=(0,))
    target = next(n.in_place for n in alone.instructions if n.in_place is not None)
    assert alone.instructions[target].opcode == "spread"


def test_a_scatter_that_is_added_to_something_is_a_scatter_over_it():
    sizes = (PerBatch(0, 400), IMAGE, IMAGE, IMAGE)
    operations = (Operation("UnsortedSegmentSum", (0,), (2,)), Operation("AddN", (2, 1), (3,)))
    module = module_of(operations, sizes, input_tensors=(0, 1))
    last = module.instructions[-1]
    assert last.opcode == "scatter"
    assert module.instructions[last.in_place].opcode == "parameter"


def test_a_view_of_a_scatter_is_added_as_the_scatter_is():
    sizes = (PerBatch(0, 400), IMAGE, IMAGE, IMAGE, IMAGE)
    operations = (
        Operation("UnsortedSegmentSum", (0,), (2,)),
        Operation("Reshape", (2,), (3,)),
        Operation("AddN", (3, 1), (4,)),
    )
    last = module_of(operations, sizes, input_tensors=(0, 1)).instructions[-1]
    assert last.opcode == "scatter"


def test_an_operation_that_reads_something_unknown_still_has_a_result():
    module = module_of((Operation("Conv2D", (0, 1), (2,)),), (IMAGE, FILTER, SMALL), input_tensors=(0,))
    assert [n.size for n in module.instructions if n.opcode == "call"] == [SMALL]


def test_bilinear_upsampling_gathers_nine_places_for_each_pixel():
    operations = (Operation("ResizeBilinear", (0,), (1,)), Operation("ResizeBilinearGrad", (1,), (2,), "backward"))
    instructions = module_of(operations, (SMALL, IMAGE, SMALL), input_tensors=(0,)).instructions
    nine = PerBatch(0, 9 * IMAGE.per_sample)
    assert [n.opcode for n in instructions if n.size == nine] == ["gather", "copy", "call", "copy"]


@pytest.mark.parametrize(("precision", "laid_out"), [("float32", "call"), ("mixed_float16", "copy")])
def test_a_cards_kernel_weighs_the_places_of_an_upsampling_itself(precision, laid_out):
    """With the channels first its gradient is written anew."""
    operations = (Operation("ResizeBilinear", (0,), (1,)), Operation("ResizeBilinearGrad", (1,), (2,), "backward"))
    module = module_of(operations, (SMALL, IMAGE, SMALL), input_tensors=(0,), card=TURING, precision=precision)
    assert max(n.size.per_sample for n in module.instructions) == IMAGE.per_sample
    kernels = [opcode for opcode in opcodes(module) if opcode in ("gather", "copy", "call", "scatter")]
    assert kernels[:2] == ["gather", laid_out]
    assert "scatter" in kernels


def test_on_a_card_swish_multiplies_by_no_one():
    sizes = (IMAGE, PerBatch(4), IMAGE, IMAGE, IMAGE)
    operations = (
        Operation("Const", (), (1,)),
        Operation("Mul", (1, 0), (2,)),
        Operation("Sigmoid", (2,), (3,)),
        Operation("Mul", (0, 3), (4,)),
    )
    module = module_of(operations, sizes, input_tensors=(0,), outputs=(4,), card=AMPERE)
    assert opcodes(module).count("multiply") == 1


def test_on_a_card_what_is_squared_is_the_difference_that_the_gradient_reads():
    mean = PerBatch(400)
    sizes = (IMAGE, mean, IMAGE, IMAGE)
    operations = (Operation("SquaredDifference", (1, 0), (2,)), Operation("Sub", (0, 1), (3,), "backward"))
    module = module_of(operations, sizes, input_tensors=(0, 1), outputs=(2, 3), card=AMPERE)
    assert sum(n.opcode == "map" and n.size == IMAGE for n in module.instructions) == 1


@pytest.mark.parametrize(("card", "size"), [(CardCompiler((8, 6)), IMAGE), (CardCompiler((9, 0)), IMAGE.times(1 / 2))])
def test_only_a_card_that_adds_bfloat16_rounds_what_it_computes_on_with(card, size):
    half = IMAGE.times(1 / 2)
    operations = (Operation("Cast", (0,), (1,)), Operation("Neg", (1,), (2,)), Operation("Sum", (2,), (3,)))
    how = {"input_tensors": (0,), "outputs": (3,), "precision": "mixed_bfloat16"}
    module = module_of(operations, (IMAGE, half, half, PerBatch(400)), card=card, **how)
    assert module.instructions[2].size == size


def test_equal_operations_are_one():
    sizes = (IMAGE, IMAGE, IMAGE, IMAGE)
    twice = (Operation("Sigmoid", (0,), (1,)), Operation("Sigmoid", (0,), (2,), "backward"))
    assert opcodes(module_of(twice, sizes, input_tensors=(0,))).count("costly") == 1


def test_one_sample_needs_no_product_for_a_weights_gradient():
    sizes = (PerBatch(0, 400), PerBatch(0, 40), PerBatch(4_000))
    operations = (Operation("MatMul", (0, 1), (2,), "backward"),)
    variable = (Variable("w", (100, 10), "float32", 4_000, True, 2, 0),)
    one = module_of(operations, sizes, variables=variable, input_tensors=(0, 1), batch_size=1)
    some = module_of(operations, sizes, variables=variable, input_tensors=(0, 1), batch_size=2)
    assert "multiply" in opcodes(one)
    assert "call" not in opcodes(one)
    assert "call" in opcodes(some)


def test_weight_decay_is_on_the_way_to_the_new_weight():
    program = build_program(GRAPH, "adamw", LoweringOptions(kernels="xla"))
    module = lower(program, GRAPH, batch_size=16)
    updated = [n.updates for n in module.instructions if n.updates is not None]
    assert sorted(updated) == sorted(set(updated))
    assert set(updated) == set(range(2 * 3))


def loop(*, read_back):
    """A loop of 50 turns that keeps its state and a weight for the backward pass."""
    sizes = (
        PerBatch(0, 8),
        PerBatch(4_000),
        PerBatch(),
        PerBatch(0, 400),
        PerBatch(),
        PerBatch(4_000),
        PerBatch(0, 8),
        PerBatch(0, 400),
        PerBatch(),
    )
    operations = (
        Operation("ReadVariableOp", (), (1,), variable=0),
        Operation("EmptyTensorList", (), (2,)),
        Operation("TensorListPushBack", (2, 0), (3,)),
        Operation("TensorListPushBack", (2, 1), (4,)),
        Operation("LoopEnd", (3, 4), (7, 8)),
        Operation("TensorListPopBack", (8,), (), "backward"),
        Operation("Placeholder", (), (5,), "backward", control=(5,)),
        *((Operation("MatMul", (0, 5), (6,), "backward"), Operation("LoopEnd", (6,), ())) if read_back else ()),
    )
    variables = (Variable("w", (100, 10), "float32", 4_000, True, None, 0),)
    return module_of(operations, sizes, variables=variables, input_tensors=(0,))


def test_a_weight_that_a_loop_reads_is_kept_once_for_each_turn():
    arrays = [n.size for n in loop(read_back=True).instructions if n.in_place is not None]
    assert PerBatch(50 * 4_000) in arrays


def test_an_array_that_nobody_reads_back_is_not_wanted():
    found = loop(read_back=False)
    assert not found.roots
    assert loop(read_back=True).roots


@pytest.mark.parametrize(("shape", "rank"), [((3, 8, 8), 1), ((3, 3, 8, 8), 2), ((3, 3, 3, 8, 8), 3)])
def test_the_weights_of_convolutions_tell_the_rank_of_the_images(shape, rank):
    variable = Variable("kernel", shape, "float32", 4, True, None, 0)
    graph = replace(GRAPH, variables=(variable,), layers=(Layer("c", "Conv", 1, 1),))
    assert spatial_rank(graph) == rank
    assert spatial_rank(GRAPH) == 1


def test_a_cards_reduce_window_makes_the_indices_of_a_pooling_itself():
    sizes = (IMAGE, SMALL, SMALL, IMAGE)
    operations = (Operation("MaxPoolGrad", (0, 1, 2), (3,), "backward"),)
    module = module_of(operations, sizes, input_tensors=(0, 1, 2), card=TURING)
    assert [n.size for n in module.instructions if n.opcode == "spread"] == [IMAGE]  # the zeros
    assert [n.size for n in module.instructions if n.opcode == "windows"] == [SMALL.times(4)]


@pytest.mark.parametrize(("side", "compared"), [(16, 3), (32, 0)])
def test_a_relu_shares_a_poolings_zeros_where_an_image_is_as_long_in_every_dimension(side, compared):
    channels, kernel = 16, PerBatch(9 * 16 * 16 * 4)
    image, pooled = (PerBatch(0, n * n * channels * 4) for n in (side, side // 2))
    operations = (
        Operation("ReadVariableOp", (), (1,), variable=0),
        Operation("Conv2D", (0, 1), (2,), layer=0),
        Operation("Relu", (2,), (3,)),
        Operation("MaxPool", (3,), (4,)),
        Operation("MaxPoolGrad", (3, 4, 4), (5,), "backward"),
        Operation("ReluGrad", (5, 3), (6,), "backward"),
        Operation("Conv2DBackpropFilter", (0, 6), (7,), "backward", layer=0),
    )
    weights = Variable("conv/kernel", (3, 3, channels, channels), "float32", int(kernel.fixed), True, 7, 0)
    sizes = (image, kernel, image, image, pooled, image, image, kernel)
    given = {"variables": (weights,), "layers": (Layer("c", "Conv2D", 1, 1),), "input_tensors": (0,)}
    module = module_of(operations, sizes, card=TURING, **given)
    zeros = {i for i, n in enumerate(module.instructions) if n.opcode == "spread" and n.size == image}
    assert len([n for n in module.instructions if n.opcode == "map" and zeros & set(n.operands)]) == compared


def convolution_with_relu(*readers):
    """A convolution, its bias, ReLU, and one more reader for each tensor that is named."""
    sizes = (IMAGE, PerBatch(9_216), PerBatch(64), SMALL, SMALL, SMALL, *[SMALL] * len(readers))
    more = (Operation("Tanh", (tensor,), (6 + n,)) for n, tensor in enumerate(readers))
    return (
        Operation("Conv2D", (0, 1), (3,)),
        Operation("BiasAdd", (3, 2), (4,)),
        Operation("Relu", (4,), (5,)),
        *more,
    ), sizes


@pytest.mark.parametrize(("readers", "kernels"), [((5,), 4), ((4, 5), 6), ((3, 5), 8)])
def test_a_card_convolves_adds_and_cuts_off_in_one_call_unless_somebody_reads_what_lies_between(readers, kernels):
    operations, sizes = convolution_with_relu(*readers)
    given = {"input_tensors": (0, 1, 2), "outputs": tuple(range(6, 6 + len(readers)))}
    card, host = (module_of(operations, sizes, card=card, **given) for card in (TURING, None))
    assert len(card.instructions) - card.resident == kernels
    assert len(host.instructions) - host.resident >= 3 + len(readers)


def test_relus_gradient_on_a_card_reads_what_went_in_so_that_the_convolution_stays_without_it():
    sizes = (IMAGE, PerBatch(9_216), SMALL, SMALL, SMALL, SMALL)
    operations = (
        Operation("Conv2D", (0, 1), (2,)),
        Operation("Relu", (2,), (3,)),
        Operation("ReluGrad", (4, 3), (5,), "backward"),
    )
    module = module_of(operations, sizes, card=TURING, input_tensors=(0, 1, 4), outputs=(5,))
    convolution = opcodes(module).index("call")
    assert sum(convolution in n.operands for n in module.instructions) == 2  # ReLU, and where it lets through
    wide = module_of(operations, sizes, card=AMPERE, input_tensors=(0, 1, 4), outputs=(5,), precision="mixed_bfloat16")
    assert sum(opcodes(wide).index("call") in n.operands for n in wide.instructions) == 2


def added(*more, kept=(6,)):
    """A convolution to which a shortcut is added, and whatever else there is."""
    sizes = (IMAGE, PerBatch(9_216), SMALL, SMALL, SMALL, SMALL, SMALL)
    operations = (
        Operation("Conv2D", (0, 1), (2,)),
        Operation("Abs", (3,), (4,)),
        Operation("AddV2", (4, 2), (5,)),
        *more,
        Operation("Abs", (5,), (6,)),
    )
    return module_of(operations, sizes, card=TURING, input_tensors=(0, 1, 3), outputs=kept)


def test_a_shortcut_is_added_by_the_convolution_that_reads_it():
    module = added()
    wanted = [module.instructions[i] for i in sorted(module.wanted())]
    (convolution,) = [n for n in wanted if n.opcode == "call"]
    shortcut = next(i for i, n in enumerate(module.instructions) if n.opcode == "map")
    assert shortcut in convolution.operands
    assert len(convolution.operands) == 3


def test_a_shortcut_is_added_by_a_kernel_where_somebody_else_reads_the_convolution():
    module = added(kept=(2, 6))
    wanted = [module.instructions[i] for i in sorted(module.wanted())]
    assert [len(n.operands) for n in wanted if n.opcode == "call"] == [2]


@pytest.mark.parametrize(("side", "alone"), [(1, True), (3, False)])
def test_a_gradient_that_comes_past_single_points_is_added_by_their_convolution(side, alone):
    operations = (
        Operation("ReadVariableOp", (), (1,), variable=0),
        Operation("Conv2DBackpropInput", (1, 0), (2,), "backward", layer=0),
        Operation("Abs", (3,), (4,), "backward"),
        Operation("AddN", (2, 4), (5,), "backward"),
        Operation("Abs", (5,), (6,), "backward"),
    )
    shape = (side, side, 16, 16)
    kernel = Variable("conv/kernel", shape, "float32", math.prod(shape) * 4, True, None, 0)
    sizes = (IMAGE, PerBatch(kernel.size_bytes), IMAGE, IMAGE, IMAGE, IMAGE, IMAGE)
    given = {"variables": (kernel,), "layers": (Layer("c", "Conv2D", 1, 1),), "input_tensors": (0, 3), "outputs": (6,)}
    module = module_of(operations, sizes, card=TURING, **given)
    wanted = [module.instructions[i] for i in sorted(module.wanted())]
    assert [len(n.operands) for n in wanted if n.opcode == "call"] == [3 if alone else 2]


def product(card, batch_size=16):
    sizes = (PerBatch(0, 4_000), PerBatch(8_000_000), PerBatch(0, 4_000))
    module = module_of((Operation("MatMul", (0, 1), (2,)),), sizes, input_tensors=(0, 1), outputs=(2,), card=card)
    return next(n for n in module.instructions if n.opcode == "call")


def test_cublas_may_lay_both_operands_out_anew_within_a_limit_and_triton_needs_nothing():
    assert product(AMPERE).scratch is None
    assert product(None).scratch is None
    assert product(TURING).scratch.at(16) == pytest.approx(GEMM_WORKSPACE_BYTES, abs=100)
    sizes = (PerBatch(0, 4_000), PerBatch(8_000), PerBatch(0, 4_000))
    small = module_of((Operation("MatMul", (0, 1), (2,)),), sizes, input_tensors=(0, 1), outputs=(2,), card=TURING)
    assert small.instructions[-1].scratch.at(16) == pytest.approx(16 * 4_000 + 8_000, abs=100)


@pytest.mark.parametrize("number_bytes", [4, 2])
def test_a_card_writes_the_bits_of_a_mask_in_float32_and_the_mask_itself_in_16_bits(number_bytes):
    sizes = (IMAGE, PerBatch(0, 16_000), PerBatch(0, 16_000 * number_bytes), IMAGE)
    operations = (
        Operation("StatelessRandomUniformV2", (), (2,)),
        Operation("GreaterEqual", (2,), (1,)),
        Operation("SelectV2", (1, 0), (3,)),
    )
    module = module_of(operations, sizes, input_tensors=(0,), outputs=(3,), card=TURING)
    wanted = [module.instructions[i] for i in sorted(module.wanted())]
    made = {n.opcode: n.size for n in wanted if n.opcode in ("call", "mask")}
    mask = {"mask": PerBatch(0, 16_000), "call": PerBatch(0, 64_000)}
    assert made == (mask if number_bytes == 4 else {"call": PerBatch(0, 16_000)})


@pytest.mark.parametrize(("card", "opcode"), [(AMPERE, "costly"), (TURING, "reduce")])
def test_a_softmax_is_one_kernel_of_tritons_or_one_more_for_each_sum(card, opcode):
    module = module_of((Operation("Softmax", (0,), (1,)),), (IMAGE, IMAGE), input_tensors=(0,), outputs=(1,), card=card)
    assert opcodes(module)[1] == opcode


def test_a_softmax_divides_by_the_sum_of_its_exponentials():
    operations = (Operation("Softmax", (0,), (1,)),)
    module = module_of(operations, (IMAGE, IMAGE), input_tensors=(0,), outputs=(1,), card=VOLTA)
    assert [n.cycles for n in module.instructions if n.size == IMAGE and n.cycles] == [6, 79, 21]


@pytest.mark.parametrize(("kind", "rows"), [("Sparse", 1), ("", 0)])
def test_of_labels_that_are_numbers_a_row_for_each_is_made(kind, rows):
    labels = PerBatch(0, 4) if rows else IMAGE
    operations = (Operation(f"{kind}SoftmaxCrossEntropyWithLogits", (0, 1), (2, 3)),)
    sizes = (IMAGE, labels, PerBatch(0, 4), IMAGE)
    module = module_of(operations, sizes, input_tensors=(0, 1), outputs=(2, 3), card=TURING)
    made = [n for n in module.instructions if n.cycles and n.size == IMAGE]
    assert len(made) == 6 + rows  # shifted, exponentials, below their logarithm, times the labels, shares, gradient


@pytest.mark.parametrize(("kind", "filters"), [("Conv2D", 2.0**2), ("DepthwiseConv2dNative", None)])
def test_a_card_writes_filters_with_all_their_padding_where_a_gradient_has_fewer_places(kind, filters):
    """3 x 3 filters by twos over 4 x 4 places: the gradient has four."""
    channels, kernel = 64, PerBatch(9 * 64 * 64 * 4)
    if filters is None:
        kernel = PerBatch(9 * 64 * 4)
    sizes = (kernel, PerBatch(0, 2 * 2 * channels * 4), PerBatch(0, 4 * 4 * channels * 4))
    shape = (3, 3, channels, channels if filters else 1)
    variables = (Variable("layer/kernel", shape, "float32", int(kernel.fixed), True, None, 0),)
    operation = Operation(f"{kind}BackpropInput", (0, 1), (2,), "backward", layer=0)
    layers = (Layer("layer", kind, 1, 1),)
    module = module_of(
        (operation,), sizes, input_tensors=(0, 1), outputs=(2,), variables=variables, layers=layers, card=TURING
    )
    padded = [n.size for n in module.instructions if n.opcode == "slice" and n.size.fixed]
    assert padded == [kernel.times(filters or 1)]  # those of a channel by itself are reversed


def test_a_card_reads_its_filters_from_one_copy_in_both_passes():
    sizes = (IMAGE, FILTER, SMALL, SMALL, IMAGE)
    operations = (Operation("Conv2D", (0, 1), (2,)), Operation("Conv2DBackpropInput", (1, 3), (4,), "backward"))
    module = module_of(operations, sizes, input_tensors=(0, 1, 3), outputs=(2, 4), card=TURING)
    copies = [i for i, n in enumerate(module.instructions) if n.opcode == "copy" and n.size == FILTER]
    assert len(copies) == 1
    assert sum(copies[0] in n.operands for n in module.instructions) == 2


def test_on_a_card_what_is_scattered_into_is_filled_with_zeros_and_not_copied():
    sizes = (PerBatch(0, 400), FILTER, FILTER)
    operations = tuple(Operation("UnsortedSegmentSum", (0,), (n,), "backward") for n in (1, 2))
    both = module_of(operations, sizes, input_tensors=(0,), card=TURING)
    targets = {n.in_place for n in both.instructions if n.in_place is not None}
    assert [both.instructions[t].opcode for t in targets] == ["spread", "spread"]
    assert [both.instructions[t].operands for t in targets] == [(), ()]


def test_on_a_card_a_weights_update_reads_the_filters_as_convolutions_do_and_is_turned_back():
    sizes = (IMAGE, FILTER, SMALL, FILTER)
    operations = (
        Operation("ReadVariableOp", (), (1,), variable=0),
        Operation("Conv2D", (0, 1), (2,), layer=0),
        Operation("Conv2DBackpropFilter", (0, 2), (3,), "backward", layer=0),
    )
    kernel = Variable("conv/kernel", (3, 3, 256, 1), "float32", int(FILTER.fixed), True, 3, 0)
    module = module_of(operations, sizes, variables=(kernel,), input_tensors=(0,), card=TURING)
    new = [n for n in module.instructions if n.updates is not None and n.role == "weights"]
    assert [n.opcode for n in new] == ["copy"]
    made = module.instructions[new[0].operands[0]]
    assert any(module.instructions[o].opcode == "copy" for o in made.operands)


def test_on_a_card_a_truth_value_takes_a_byte():
    sizes = (IMAGE, IMAGE, IMAGE, IMAGE)
    operations = (Operation("Relu", (0,), (1,)), Operation("ReluGrad", (2, 1), (3,), "backward"))
    module = module_of(operations, sizes, card=TURING, input_tensors=(0, 2), outputs=(1, 3))
    (mask,) = (n for n in module.instructions if n.item_bytes == 1)
    assert mask.size == IMAGE.times(1 / 4)
    assert "spread" not in opcodes(module)


def test_what_is_chosen_of_two_constants_is_a_number_and_its_cast_half_of_one():
    sizes = (IMAGE, PerBatch(1), PerBatch(), PerBatch(4), PerBatch(2))
    operations = (
        Operation("IsFinite", (0,), (1,)),
        Operation("Const", (), (2,)),
        Operation("SelectV2", (1, 2, 2), (3,)),
        Operation("Cast", (3,), (4,)),
    )
    module = module_of(operations, sizes, card=TURING, input_tensors=(0,), outputs=(4,))
    assert [(n.size.fixed, n.item_bytes) for n in module.instructions[-2:]] == [(4, 4), (2, 2)]
    assert fuse_for_card(module, batch_size=16, speed=TURING.speed).kernels


def test_rows_that_replace_others_are_scattered_in_place():
    sizes = (PerBatch(0, 400), FILTER, FILTER)
    operations = (Operation("Fill", (), (1,)), Operation("TensorScatterUpdate", (1, 0), (2,)))
    for card, turned in ((None, 0), (TURING, 1)):
        module = module_of(operations, sizes, input_tensors=(0,), outputs=(2,), card=card)
        (found,) = (n for n in module.instructions if n.opcode == "scatter")
        assert module.instructions[found.in_place].opcode == "spread"
        assert opcodes(module).count("call") == turned


def test_what_others_use_is_copied_before_rows_of_it_are_replaced():
    sizes = (PerBatch(0, 400), FILTER, FILTER, FILTER)
    operations = (Operation("Fill", (), (1,)), *(Operation("TensorScatterUpdate", (1, 0), (n,)) for n in (2, 3)))
    module = module_of(operations, sizes, input_tensors=(0,), outputs=(2, 3))
    targets = [n.in_place for n in module.instructions if n.opcode == "scatter"]
    assert len(set(targets)) == len(targets)
    given = module_of((Operation("TensorScatterUpdate", (1, 0), (2,)),), sizes, input_tensors=(0, 1), outputs=(2,))
    (found,) = (n for n in given.instructions if n.opcode == "scatter")
    assert given.instructions[found.in_place].opcode == "call"


@pytest.mark.parametrize(("window", "images"), [(3, 1), (9, 2)])
def test_a_filters_gradient_reads_the_layers_padded_image_only_where_one_end_has_no_padding(window, images):
    image, result = PerBatch(0, 4 * 64 * 64 * 4), PerBatch(0, 4 * 32 * 32 * 8)
    kernel = Variable("conv/kernel", (window, window, 4, 8), "float32", 4 * window**2 * 32, True, 3, 0)
    sizes = (image, PerBatch(kernel.size_bytes), result, PerBatch(kernel.size_bytes))
    operations = (
        Operation("ReadVariableOp", (), (1,), variable=0),
        Operation("Conv2D", (0, 1), (2,), layer=0),
        Operation("Conv2DBackpropFilter", (0, 2), (3,), "backward", layer=0),
    )
    module = module_of(operations, sizes, variables=(kernel,), input_tensors=(0,), card=TURING)
    assert opcodes(module).count("slice") == images


def scaled_loss():
    """A step under a scaled loss, on a card."""
    scaled = cast_graph(GRAPH, "mixed_float16")
    program = build_program(scaled, "adam", LoweringOptions(kernels="xla"))
    return lower(program, scaled, batch_size=16, card=TURING), sum(v.trainable for v in scaled.variables)


def test_one_kernel_knows_whether_all_gradients_are_finite_and_every_new_value_is_chosen_by_it():
    module, trained = scaled_loss()
    made = module.instructions
    asked = [i for i, n in enumerate(made) if n.operands and all(made[o].opcode == "reduce" for o in n.operands)]
    (verdict,) = (i for i in asked if made[i].opcode == "call")
    assert len(made[verdict].operands) == trained
    (spread,) = {i for i, n in enumerate(made) if verdict in n.operands}
    assert [n for n in made if spread in n.operands] == [n for n in made if n.updates is not None]


@pytest.mark.parametrize(
    ("optimizer", "precision", "copied"), [("sgd", "float32", 0), ("adam", "float32", 2), ("adam", "mixed_bfloat16", 3)]
)
def test_new_values_that_are_turned_as_they_are_made_are_written_beside_the_variable_and_copied(
    optimizer, precision, copied
):
    """Of filters read with the filters first: the moments, which the update reads as they are, and in 16 bits all."""
    sizes = (IMAGE, FILTER, IMAGE, FILTER, IMAGE)
    operations = (
        Operation("ReadVariableOp", (), (1,), variable=0),
        Operation("Conv2D", (0, 1), (2,), layer=0),
        Operation("Conv2DBackpropFilter", (0, 4), (3,), "backward", layer=0),
    )
    variables = (Variable("layer/kernel", (3, 3, 16, 16), "float32", int(FILTER.fixed), True, 3, 0),)
    layers = (Layer("layer", "Conv2D", 1, 1),)
    graph = replace(
        GRAPH,
        operations=operations,
        sizes=sizes,
        variables=variables,
        layers=layers,
        input_tensors=(0, 4),
        outputs=(2,),
    )
    graph = graph if precision == "float32" else cast_graph(graph, precision)
    module = lower(build_program(graph, optimizer, LoweringOptions(kernels="xla")), graph, batch_size=16, card=TURING)
    beside = [n.becomes for n in module.instructions if n.becomes is not None]
    assert len(beside) == copied
    new = [n for n in module.instructions if n.updates is not None]
    assert {n.updates for n in new if n.opcode == "call"} == set(beside)


def test_a_constant_kernel_of_a_convolution_belongs_to_no_variable():
    operations = (Operation("Const", (), (1,)), Operation("Conv2D", (0, 1), (2,), layer=0))
    layers = (Layer("layer", "Conv2D", 1, 1),)
    module = module_of(operations, (IMAGE, FILTER, IMAGE), input_tensors=(0,), outputs=(2,), layers=layers, card=TURING)
    assert not any(n.becomes for n in module.instructions)


def test_a_gradient_that_is_a_sum_is_no_norm_of_all():
    """The gradients of a normalisation's scale and offset are sums; under a scaled loss no update waits for them."""
    sizes = (IMAGE, PerBatch(64), PerBatch(64))
    operations = (Operation("ReadVariableOp", (), (2,), variable=0), Operation("Sum", (0,), (1,), "backward", layer=0))
    variables = (Variable("layer/gamma", (16,), "float32", 64, True, 1, 0),)
    layers = (Layer("layer", "BatchNormalization", 1, 1),)
    module = module_of(
        operations,
        sizes,
        input_tensors=(0,),
        outputs=(2,),
        variables=variables,
        layers=layers,
        card=TURING,
        precision="mixed_float16",
    )
    gradient = next(i for i, n in enumerate(module.instructions) if n.opcode == "reduce")
    assert not [n for n in module.instructions if n.opcode == "call" and n.operands == (gradient,)]


def test_a_sum_reads_what_it_adds_in_the_order_in_which_it_was_written():
    operations = (
        Operation("Exp", (0,), (1,)),
        Operation("Tanh", (0,), (2,)),
        Operation("AddN", (1, 2), (3,), written=(1, 0)),
    )
    module = module_of(operations, (IMAGE,) * 4, card=TURING, input_tensors=(0,), outputs=(3,))
    exponential, tangent, _ = range(len(module.instructions) - 3, len(module.instructions))
    assert module.instructions[-1].operands == (tangent, exponential)
