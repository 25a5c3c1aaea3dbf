from dataclasses import replace

import pytest

from app.core.simulate.precision import cast_graph
from app.core.simulate.program_builder import build_program
from app.core.simulate.xla.fusion import fuse_instructions
from app.core.simulate.xla.lowering import Lowering, lower
from app.core.simulate.xla.memory import CompiledMemory
from app.core.types.stepgraph import Layer, Line, Operation, Variable
from tests.core.graphs import WEIGHT_BYTES, chain_graph

GRAPH = replace(chain_graph(), layers=(Layer("layer", "Dense", 1, 1), Layer("norm", "BatchNormalization", 1, 1)))
WIDE, HALF, MASK = Line(0, 64_000), Line(0, 32_000), Line(0, 16_000)
BATCH = 16


def module_of(*operations, sizes, precision="mixed_bfloat16", on_host=True, variables=()):
    given = replace(
        GRAPH, precision=precision, operations=operations, sizes=sizes, variables=variables, input_tensors=(0,)
    )
    return lower(build_program(given, "sgd", kernels="xla"), given, batch_size=BATCH, on_host=on_host)


def written(module):
    """Sizes of what is written to memory, besides parameters."""
    module.roots.add(len(module.nodes) - 1)
    kernels = fuse_instructions(module, batch_size=BATCH)
    return [k.node.size for i, k in kernels.items() if i >= module.resident]


RELU = (Operation("Cast", (0,), (1,), layer=0), Operation("Relu", (1,), (2,), layer=0))
RELU_SIZES = (WIDE, HALF, HALF)


def test_bfloat16_is_computed_in_float32_and_rounded():
    module = module_of(*RELU, sizes=RELU_SIZES)
    assert [(n.opcode, n.size) for n in module.nodes[1:]] == [
        ("costly", HALF),
        ("map", WIDE),
        ("map", WIDE),
        ("costly", HALF),
    ]


def test_float16_is_computed_as_it_is_and_rounded_cheaply():
    module = module_of(*RELU, sizes=RELU_SIZES, precision="mixed_float16")
    assert [(n.opcode, n.size) for n in module.nodes[1:]] == [("map", HALF), ("map", HALF)]


@pytest.mark.parametrize("precision", ["mixed_bfloat16", "mixed_float16"])
def test_a_card_computes_in_16_bits(precision):
    module = module_of(*RELU, sizes=RELU_SIZES, precision=precision, on_host=False)
    assert [n.size for n in module.nodes[1:]] == [HALF, HALF]
    assert {n.item_bytes for n in module.nodes} == {4}


SHARED = (
    *RELU,
    Operation("MaxPool", (2,), (3,), layer=0),
    Operation("GreaterEqual", (2,), (4,), layer=0),
    Operation("AddV2", (3, 4), (5,), layer=0),
)
SHARED_SIZES = (*RELU_SIZES, HALF, MASK, HALF)


def test_what_a_pooling_shares_with_another_reader_is_written_in_both_widths():
    sizes = written(module_of(*SHARED, sizes=SHARED_SIZES))
    assert sizes.count(HALF) >= 2  # the rounded input of the pooling, and the sum
    assert sizes.count(WIDE) == 2  # the same widened, and what the pooling makes


@pytest.mark.parametrize("kind", ["MatMul", "Conv2D"])
def test_products_and_convolutions_are_in_float32_with_float16_too(kind):
    sizes = (WIDE, HALF, Line(4_000), Line(2_000), HALF)
    operations = (
        Operation("Cast", (0,), (1,), layer=0),
        Operation("ReadVariableOp", (), (2,), variable=0),
        Operation("Cast", (2,), (3,), layer=0),
        Operation(kind, (1, 3), (4,), layer=0),
    )
    variables = (Variable("layer/kernel", (1000,), "float32", 4_000, True, None, 0),)
    module = module_of(*operations, sizes=sizes, precision="mixed_float16", variables=variables)
    call = next(n for n in module.nodes if n.opcode == "call")
    assert call.size == WIDE
    assert {module.nodes[o].size for o in call.operands} == {WIDE, Line(4_000)}


@pytest.mark.parametrize(("kind", "unrounded"), [("Conv2D", True), ("MatMul", False)])
def test_a_cast_to_float32_takes_the_result_before_rounding_but_for_a_product(kind, unrounded):
    sizes = (WIDE, HALF, HALF, HALF, WIDE, WIDE)
    operations = (
        Operation("Cast", (0,), (1,), layer=0),
        Operation("Neg", (1,), (2,), layer=0),
        Operation(kind, (1, 2), (3,), layer=0),
        Operation("Cast", (3,), (4,), layer=1),
        Operation("Exp", (4,), (5,), layer=1),
    )
    module = module_of(*operations, sizes=sizes)
    read = module.nodes[module.nodes[-1].operands[0]]
    assert (read.opcode == "call") is unrounded


def test_a_sum_adds_up_what_was_not_rounded():
    sizes = (WIDE, HALF, HALF, Line(20))
    operations = (*RELU, Operation("Sum", (2,), (3,), layer=0))
    module = module_of(*operations, sizes=sizes)
    total = next(n for n in module.nodes if n.opcode == "reduce")
    assert total.size == Line(40)
    read = module.nodes[total.operands[0]]
    assert (read.opcode, read.size) == ("map", WIDE)
    assert module.nodes[read.operands[0]].size == WIDE  # the maximum itself, not what was widened again


def test_what_is_widened_and_rounded_again_is_what_it_was():
    given = replace(
        GRAPH, precision="mixed_bfloat16", operations=RELU, sizes=RELU_SIZES, variables=(), input_tensors=(0,)
    )
    lowering = Lowering(build_program(given, "sgd", kernels="xla"), given, BATCH, True)
    half = lowering.halves.rounded(0, HALF)
    assert lowering.halves.rounded(lowering.halves.widened(half), HALF) == half


def test_new_weights_of_16_bits_are_rounded():
    pure = cast_graph(chain_graph(), "bfloat16")
    module = lower(build_program(pure, "sgd", kernels="xla"), pure, batch_size=BATCH, on_host=True)
    updates = [n for n in module.nodes if n.updates is not None]
    assert {(n.opcode, n.item_bytes) for n in updates} == {("costly", 2)}


def test_a_weights_gradient_in_16_bits_on_a_card_is_not_taken_for_many_of_a_bias():
    chain = chain_graph()
    biases = tuple(Variable("layer/bias", (1000,), "float32", 4000, True, None, layer) for layer in range(2))
    mixed = cast_graph(replace(chain, variables=(*chain.variables, *biases)), "mixed_bfloat16")
    module = lower(build_program(mixed, "sgd", kernels="xla"), mixed, batch_size=BATCH, on_host=False)
    gradients = [n.size for n in module.nodes if n.opcode == "call" and n.size.fixed]
    assert gradients == [Line(WEIGHT_BYTES / 2)] * 2


def test_bfloat16_can_need_more_on_a_processor_than_float32():
    chain = chain_graph()
    blocks = {
        precision: CompiledMemory(cast_graph(chain, precision), "adam").block_bytes(BATCH)
        for precision in ("float32", "mixed_bfloat16")
    }
    assert blocks["mixed_bfloat16"] > blocks["float32"]


STATE, ELEMENT, TURNS = Line(0, 4), Line(2_000), 50


def loop(precision):
    """A loop of 50 turns that keeps a weight in 16 bits for the backward pass, which reads it back."""
    states = Line(0, 200)
    sizes = (Line(0, 8), STATE, Line(4_000), ELEMENT, Line(), states, Line(), states, Line(), ELEMENT, STATE)
    operations = (
        Operation("Cast", (0,), (1,), layer=0),
        Operation("ReadVariableOp", (), (2,), variable=0),
        Operation("Cast", (2,), (3,), layer=0),
        Operation("EmptyTensorList", (), (4,)),
        Operation("TensorListPushBack", (4, 1), (5,)),
        Operation("TensorListPushBack", (4, 3), (6,)),
        Operation("LoopEnd", (5, 6), (7, 8)),
        Operation("TensorListPopBack", (8,), (), "backward"),
        Operation("Placeholder", (), (9,), "backward", control=(7,)),
        Operation("MatMul", (1, 9), (10,), "backward"),
        Operation("LoopEnd", (10,), ()),
    )
    variables = (Variable("w", (100, 10), "float32", 4_000, True, None, 0),)
    return module_of(*operations, sizes=sizes, precision=precision, variables=variables)


def test_an_array_that_a_loop_reads_is_widened_before_the_loop_and_there_until_its_end():
    module = loop("mixed_bfloat16")
    wide = [i for i, n in enumerate(module.nodes) if n.size == Line(TURNS * 4_000)]
    assert [module.nodes[i].opcode for i in wide] == ["call"]
    last = module.nodes[max(module.roots)]
    assert wide[0] in last.operands
    product = next(i for i, n in enumerate(module.nodes) if n.opcode == "call" and n.size == STATE.times(2))
    assert any(product in module.nodes[o].operands for o in last.operands)


def test_an_array_of_float16_is_read_as_it_is():
    sizes = [n.size for n in loop("mixed_float16").nodes]
    assert Line(TURNS * 2_000) in sizes
    assert Line(TURNS * 4_000) not in sizes
