import math
from dataclasses import replace
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.predict.memory import SLACK_BYTES, StepMemory, predict_memory
from app.core.simulate.executor import execute
from app.core.simulate.optimizers import UpdateOptions
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.types.stepgraph import Operation, PerBatch
from app.core.types.units import MIB
from tests.core.graphs import SAMPLE_BYTES, WEIGHT_BYTES, chain_graph

GRAPH = chain_graph()


def predict(step, batch_size=100):
    return predict_memory(step, batch_size=batch_size, context_bytes=7, host_process_bytes=11, cuda=False)


def test_residents_are_weights_slots_and_the_batch():
    step = StepMemory(GRAPH, "adam")
    assert step.resident_bytes(10) == 2 * WEIGHT_BYTES * 3 + 10 * SAMPLE_BYTES


def test_sgd_keeps_no_state():
    assert predict(StepMemory(GRAPH, "sgd")).parts.optimizer_state == 0
    assert predict(StepMemory(GRAPH, "adam")).parts.optimizer_state == 2 * 2 * WEIGHT_BYTES


@given(
    batch=st.integers(1, 5000),
    layers=st.integers(1, 12),
    sample_bytes=st.integers(4, 10**6),
    optimizer=st.sampled_from(["sgd", "adam", "adafactor"]),
    accumulate=st.sampled_from([1, 4]),
    xla=st.booleans(),
    on_host=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_no_peak_is_above_what_is_promised_without_a_replay(
    batch, layers, sample_bytes, optimizer, accumulate, xla, on_host
):
    graph = chain_graph(layers=layers, sample_bytes=sample_bytes)
    step = StepMemory(graph, optimizer, xla=xla, accumulate=accumulate, on_host=on_host)
    assert step.peak_bytes(batch) <= step.most_bytes(batch)
    assert step.first_step_peak_bytes(batch) <= step.most_bytes(batch)


def test_parts_add_up_to_what_the_device_shows():
    found = predict(StepMemory(GRAPH, "adam"))
    assert sum(vars(found.parts).values()) == found.device_bytes == found.allocator_peak_bytes + 7


def test_a_batch_that_no_memory_holds_is_counted_without_an_overflow():
    sizes = tuple(PerBatch(size.fixed, 2**40) if size.per_sample else size for size in GRAPH.sizes)
    step = StepMemory(replace(GRAPH, sizes=sizes), "adam")
    batch = 2**31 - 1
    assert predict(step, batch).allocator_peak_bytes > 2**60
    assert all(live > 0 for _, live in step.timeline(batch))


def test_every_activation_of_the_forward_pass_lives_until_its_gradient():
    step = StepMemory(GRAPH, "sgd", threads=1)  # input, one output, and the gradients of three tensors
    batch = 1000
    live = step.live_bytes(batch) - 2 * WEIGHT_BYTES
    assert 3 * batch * SAMPLE_BYTES <= live <= 5 * batch * SAMPLE_BYTES + 2 * WEIGHT_BYTES


def test_an_elementwise_result_overwrites_its_only_input():
    sizes = (PerBatch(0, 1000),) * 3
    operations = (Operation("Cast", (0,), (1,)), Operation("Relu", (1,), (2,)))
    graph = replace(GRAPH, sizes=sizes, operations=operations, variables=())
    execution = execute(build_program(graph, "sgd"))
    assert sum(event >= 0 for event in execution.events) == 1


def test_a_variable_that_is_still_being_read_is_copied_before_it_changes():
    sizes = (PerBatch(0, 8), PerBatch(WEIGHT_BYTES), PerBatch(WEIGHT_BYTES), PerBatch(0, 8))
    operations = (
        Operation("ReadVariableOp", (), (1,), variable=0),
        Operation("Conv2DBackpropFilter", (0,), (2,), "backward"),
        Operation("MatMul", (0, 1), (3,), "backward", flops=PerBatch(1e12)),
    )
    variable = replace(GRAPH.variables[0], gradient=2)
    graph = replace(GRAPH, sizes=sizes, operations=operations, variables=(variable,))
    assert execute(build_program(graph, "sgd"), threads=2, order=1).moved
    assert not execute(build_program(replace(graph, operations=operations[:2]), "sgd"), threads=2, order=1).moved


def test_accumulation_keeps_all_gradients_and_one_accumulator_per_weight():
    many = chain_graph(layers=8)
    once, added_up = StepMemory(many, "sgd"), StepMemory(many, "sgd", accumulate=4)
    assert added_up.resident_bytes(1) == once.resident_bytes(1) + 8 * WEIGHT_BYTES
    assert added_up.live_bytes(1) > once.live_bytes(1) + 8 * WEIGHT_BYTES


def test_loss_scaling_waits_for_all_gradients():
    once = StepMemory(chain_graph(layers=8), "sgd")
    scaled = StepMemory(chain_graph(layers=8, precision="mixed_float16"), "sgd")
    assert scaled.live_bytes(1) > once.live_bytes(1)


def test_xla_takes_its_temporaries_as_one_block():
    found = predict(StepMemory(GRAPH, "adam", xla=True))
    assert found.allocator_peak_bytes >= StepMemory(GRAPH, "adam", xla=True).live_bytes(100)
    assert "XLA" in found.dominant_assumption


def test_small_steps_have_wider_intervals():
    small, large = predict(StepMemory(GRAPH, "sgd"), 1), predict(StepMemory(GRAPH, "sgd"), 10_000)

    def width(found):
        return found.high_bytes / found.allocator_peak_bytes

    assert width(small) > width(large)


def test_the_timeline_ends_where_it_began_and_reaches_the_peak():
    step = StepMemory(GRAPH, "sgd")
    timeline = step.timeline(100)
    assert max(size for _, size in timeline) == step.live_bytes(100)
    assert [share for share, _ in timeline] == sorted(share for share, _ in timeline)


def test_the_largest_layers_come_first():
    layers = StepMemory(GRAPH, "adam").largest_layers(1000)
    sizes = [layer.weights_bytes + layer.activation_bytes for layer in layers]
    assert sizes == sorted(sizes, reverse=True)
    assert {layer.name for layer in layers} <= {"layer0", "layer1"}


@given(batch=st.integers(1, 1_000_000), optimizer=st.sampled_from(["sgd", "adam", "rmsprop", "adafactor", "muon"]))
def test_the_interval_contains_the_prediction_and_nothing_is_negative(batch, optimizer):
    found = predict(StepMemory(GRAPH, optimizer), batch)
    assert 0 < found.low_bytes <= found.allocator_peak_bytes <= found.high_bytes
    assert min(vars(found.parts).values()) >= 0


STEP = StepMemory(chain_graph(layers=20), "adam")


def replayed(batch):
    """The mean peak of the trainings, not interpolated."""
    return max(STEP.live_bytes(batch), mean(later for _, later in STEP._model._step(batch)._orders.replayed(batch)))


@given(batch=st.integers(1, 100_000))
def test_between_powers_of_two_the_allocators_overhead_is_interpolated(batch):
    assert STEP.peak_bytes(batch) == pytest.approx(replayed(batch), rel=0.2)
    assert STEP.peak_bytes(batch) >= STEP.live_bytes(batch)


@pytest.mark.parametrize("batch", [1, 64, 4096])
def test_at_powers_of_two_the_replay_is_exact(batch):
    assert STEP.peak_bytes(batch) == pytest.approx(replayed(batch), abs=1)


def lookup_graph(weight_bytes=WEIGHT_BYTES):
    """An embedding of 4 MB of which a batch reads some rows, with a sparse gradient."""
    sizes = (PerBatch(0, 8), PerBatch(weight_bytes), PerBatch(0, 400), PerBatch(0, 400))
    operations = (
        Operation("ReadVariableOp", (), (1,), variable=0),
        Operation("GatherV2", (1, 0), (2,)),
        Operation("Cast", (2,), (3,), "backward"),
    )
    variable = replace(GRAPH.variables[0], size_bytes=weight_bytes, gradient=3, sparse_gradient=True)
    return replace(GRAPH, sizes=sizes, operations=operations, variables=(variable,), input_tensors=(0,))


def test_what_is_made_of_rows_alone_stays_as_small_as_the_rows():
    program = build_program(lookup_graph(), "adagrad")
    square = next(op for op in program.ops if op.kind == "Square")
    assert program.buffers[square.writes[0]].size == PerBatch(0, 400)


def test_loss_scaling_asks_of_rows_alone_and_keeps_a_flag_for_all_of_the_weight():
    program = build_program(replace(lookup_graph(), precision="mixed_float16"), "sgd")
    sizes = {op.kind: program.buffers[op.writes[0]].size for op in program.ops if op.writes}
    shape = GRAPH.variables[0].shape
    assert sizes["TensorScatterUpdate"] == sizes["Fill"] == PerBatch(math.prod(shape))
    assert sizes["IsFinite"] == PerBatch(0, 100)


@pytest.mark.parametrize(("kernels", "casts"), [("card", 2), ("host", 1), ("xla", 1)])
def test_a_card_casts_rows_once_to_look_at_them_and_once_to_use_them(kernels, casts):
    graph = replace(lookup_graph(), precision="mixed_float16")
    program = build_program(graph, "sgd", LoweringOptions(kernels=kernels))
    made = [op for op in program.ops if op.kind == "Cast"]
    assert len(made) == casts
    assert len({op.reads for op in made}) == 1
    looked_at = next(op.reads for op in program.ops if op.kind == "IsFinite")
    assert looked_at == made[0].writes
    used = {buffer for op in program.ops if op.kind != "IsFinite" for buffer in op.reads}
    assert made[-1].writes[0] in used


def test_mixing_rows_with_a_moment_spreads_them_over_the_whole_weight():
    program = build_program(lookup_graph(), "adam")
    spread = [op for op in program.ops if op.kind == "UnsortedSegmentSum"]
    assert len(spread) == 2
    assert all(program.buffers[step.writes[0]].size.fixed == WEIGHT_BYTES for step in spread)


def test_a_weight_whose_rows_change_in_place_is_copied_when_it_is_read():
    kinds = [op.kind for op in build_program(lookup_graph(), "sgd").ops]
    assert "Copy" in kinds
    assert "Copy" not in [op.kind for op in build_program(lookup_graph(), "adam").ops]


def test_host_kernels_need_scratch_that_a_cards_do_not():
    operation = Operation("Conv2DBackpropFilter", (0,), (1,), "backward", scratch=PerBatch(1_000_000))
    graph = replace(GRAPH, sizes=(PerBatch(0, 8), PerBatch(8)), operations=(operation,), variables=())
    host, card = (StepMemory(graph, "sgd", on_host=on_host).live_bytes(1) for on_host in (True, False))
    assert host - card == 1_000_000


@pytest.mark.parametrize("xla", [False, True])
@pytest.mark.parametrize(
    "options",
    [UpdateOptions(ema=True), UpdateOptions(clip="norm"), UpdateOptions(clip="global_norm"), UpdateOptions(decay=True)],
    ids=str,
)
def test_what_is_added_to_an_optimizer_never_takes_less(options, xla):
    plain, more = StepMemory(GRAPH, "sgd", xla=xla), StepMemory(GRAPH, "sgd", xla=xla, options=options)
    assert more.live_bytes(1) >= plain.live_bytes(1)
    average = 2 * WEIGHT_BYTES if options.ema else 0
    assert more.resident_bytes(1) - plain.resident_bytes(1) == average


def test_a_norm_over_all_gradients_keeps_all_of_them_until_it_is_known():
    many = chain_graph(layers=8)
    each = StepMemory(many, "sgd", threads=1).live_bytes(1)
    together = StepMemory(many, "sgd", threads=1, options=UpdateOptions(clip="global_norm")).live_bytes(1)
    assert together - each >= 6 * WEIGHT_BYTES


def test_with_xla_the_first_step_holds_the_zeros_that_new_slots_share():
    step = StepMemory(GRAPH, "adam", xla=True)
    assert step.first_step_peak_bytes(8) - step.peak_bytes(8) == WEIGHT_BYTES
    assert max(step.peak_bytes(8), step.first_step_peak_bytes(8)) == step.first_step_peak_bytes(8)
    sgd = StepMemory(GRAPH, "sgd", xla=True)
    assert sgd.first_step_peak_bytes(8) == sgd.peak_bytes(8)


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_round_of_accumulation_leaves_every_accumulator_its_own_buffer(optimizer):
    step = StepMemory(GRAPH, optimizer, accumulate=4)
    assert step.peak_bytes(64) >= step.resident_bytes(64) > StepMemory(GRAPH, optimizer).resident_bytes(64)


@pytest.mark.parametrize("xla", [False, True])
def test_a_training_survives_in_the_upper_end_of_its_interval_on_the_host(xla):
    step = StepMemory(lookup_graph(), "adam", xla=xla)
    for batch in (1, 64, 4096):
        assert step._model.survives(batch, step.interval_bytes(batch)[1] + MIB)
        assert not step._model.survives(batch, step.resident_bytes(batch) - 1)


@pytest.mark.parametrize("xla", [False, True])
def test_a_cards_upper_end_is_the_peaks_own_and_its_allocator_is_asked_for_a_place(xla):
    step = StepMemory(lookup_graph(), "adam", xla=xla, on_host=False)
    for batch in (1, 64, 4096):
        high = step.interval_bytes(batch)[1]
        assert high <= 1.3 * step.peak_bytes(batch) + 4 * SLACK_BYTES
        assert step.survives_in(batch, 4 * high)
        assert not step.survives_in(batch, step.resident_bytes(batch) - 1)


def test_building_a_wide_table_takes_more_than_a_step_of_sgd():
    step = StepMemory(lookup_graph(64 * WEIGHT_BYTES), "sgd")
    assert step.interval_bytes(1)[1] >= step.first_step_peak_bytes(1) > step.peak_bytes(1)


def test_steps_without_number_before_an_update_are_told_as_soon_as_a_few_and_need_no_more():
    graph = chain_graph(layers=8)
    few, many = (StepMemory(graph, "adam", accumulate=steps) for steps in (16, 2**31 - 1))
    assert many.peak_bytes(32) == few.peak_bytes(32)
