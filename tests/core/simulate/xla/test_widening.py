from dataclasses import replace

import pytest

from app.core.simulate.precision import cast_graph
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.xla.card import HOPPER, CardCompiler
from app.core.simulate.xla.compiled import CompiledSteps
from app.core.simulate.xla.lowering import lower
from app.core.simulate.xla.memory import BLOCK_ABOVE, BLOCK_BELOW, CompiledMemory
from app.core.simulate.xla.widening import AS_TRACED, widening
from app.core.types.stepgraph import Layer, Operation, PerBatch, Variable
from tests.core.graphs import WEIGHT_BYTES, chain_graph

WIDE, HALF = PerBatch(0, 64_000), PerBatch(0, 32_000)
GRAPH = replace(chain_graph(), layers=(Layer("layer", "Dense", 1, 1),))
BATCH = 16
HOPPER_COMPILER = CardCompiler(HOPPER)
"""It computes numbers of 16 bits as they are."""


@pytest.mark.parametrize("precision", ["mixed_bfloat16", "mixed_float16"])
@pytest.mark.parametrize("on_host", [True, False])
def test_16_bits_are_lowered_as_they_were_traced(precision, on_host):
    operations = (Operation("Cast", (0,), (1,), layer=0), Operation("Neg", (1,), (2,), layer=0))
    given = replace(
        GRAPH, precision=precision, operations=operations, sizes=(WIDE, HALF, HALF), variables=(), input_tensors=(0,)
    )
    module = lower(
        build_program(given, "sgd", LoweringOptions(kernels="xla")),
        given,
        batch_size=BATCH,
        card=None if on_host else HOPPER_COMPILER,
    )
    assert [n.size for n in module.instructions[1:]] == [HALF, HALF]


@pytest.mark.parametrize("on_host", [True, False])
def test_a_weights_gradient_in_16_bits_is_not_taken_for_many_of_a_bias(on_host):
    chain = chain_graph()
    biases = tuple(Variable("layer/bias", (1000,), "float32", 4000, True, None, layer) for layer in range(2))
    mixed = cast_graph(replace(chain, variables=(*chain.variables, *biases)), "mixed_bfloat16")
    module = lower(
        build_program(mixed, "sgd", LoweringOptions(kernels="xla")),
        mixed,
        batch_size=BATCH,
        card=None if on_host else CardCompiler(),
    )
    gradients = [n.size for n in module.instructions if n.opcode == "call" and n.size.fixed]
    assert gradients == [PerBatch(WEIGHT_BYTES / 2)] * 2


@pytest.mark.parametrize(("precision", "on_host"), [("float32", True), ("mixed_bfloat16", False), ("float16", False)])
def test_neither_float32_nor_a_card_is_widened(precision, on_host):
    assert widening(precision, on_host=on_host) == AS_TRACED


def memories(precision):
    """The step on a card, whose order is the processor's here, and on a processor."""
    mixed = cast_graph(chain_graph(layers=1, sample_bytes=400_000), precision)
    return (CompiledMemory(CompiledSteps(mixed, "adam", card)) for card in (HOPPER_COMPILER, None))


@pytest.mark.parametrize("precision", ["mixed_bfloat16", "bfloat16", "mixed_float16", "float16"])
def test_on_a_processor_the_block_is_as_large_as_in_float32_or_as_traced_or_in_both_widths(precision):
    card, host = memories(precision)
    traced = card.block_bytes(BATCH)
    block, low, high = host._blocks(BATCH)
    assert block == 2 * traced
    assert low == int(traced * (1 - BLOCK_BELOW))
    copied = host.resident_bytes(BATCH) if precision == "mixed_float16" else 0
    assert high == pytest.approx(3 * traced * (1 + BLOCK_ABOVE) + copied, abs=2)


def test_what_is_alive_at_the_worst_moment_is_the_widened_block():
    _, host = memories("mixed_bfloat16")
    everything = host.resident_bytes(BATCH) + host.block_bytes(BATCH)
    assert sum(size.at(BATCH) for size in host.moment(BATCH).roles.values()) == pytest.approx(everything, abs=2)
    assert host.changes(BATCH).max() == pytest.approx(host.block_bytes(BATCH), abs=1)


def test_the_peak_of_a_processor_is_left_open_between_its_bounds():
    _, host = memories("mixed_bfloat16")
    peak = host.peak(100 * BATCH)
    assert peak.low_bytes < peak.peak_bytes < peak.high_bytes
    assert peak.high_bytes - peak.low_bytes > peak.peak_bytes / 2
