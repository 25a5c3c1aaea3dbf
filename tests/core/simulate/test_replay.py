"""A training replayed through the allocator."""

from __future__ import annotations

from dataclasses import replace

from app.core.simulate.executor import execute
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.replay import Replay, replayed_peaks, survives
from app.core.simulate.simulated_trace import SETTLE, UPDATE, SimulatedTrace
from app.core.types.stepgraph import Operation, PerBatch
from tests.core.graphs import SAMPLE_BYTES, WEIGHT_BYTES, chain_graph

GRAPH = chain_graph(layers=3)


def simulated(optimizer="adam", **options):
    return SimulatedTrace.of(execute(build_program(GRAPH, optimizer, LoweringOptions(**options))))


def chunk(size_bytes):
    """What the allocator hands out at least."""
    return -(-size_bytes // 256) * 256


def test_slots_of_one_shape_are_one_buffer_of_zeros_until_the_first_update():
    adam = simulated()
    before = Replay(adam, 1).allocator.in_use_bytes
    apart = Replay(adam, 1, shared_zeros=False).allocator.in_use_bytes
    assert apart - before >= 5 * chunk(WEIGHT_BYTES)  # two slots for each of three weights, of which one remains
    assert before >= 4 * chunk(WEIGHT_BYTES)


def test_zeros_of_one_size_but_another_shape_are_another_buffer():
    flat = replace(GRAPH, variables=(replace(GRAPH.variables[0], shape=(1_000_000,)), *GRAPH.variables[1:]))
    step = SimulatedTrace.of(execute(build_program(flat, "adam")))
    more = Replay(step, 1).allocator.in_use_bytes - Replay(simulated(), 1).allocator.in_use_bytes
    assert chunk(WEIGHT_BYTES) <= more < 2 * chunk(WEIGHT_BYTES)


def test_after_one_step_every_slot_has_its_own_buffer():
    adam = simulated()
    replay = Replay(adam, 1)
    replay.run(adam)
    assert replay.allocator.in_use_bytes >= 9 * chunk(WEIGHT_BYTES)


def test_each_step_is_given_a_batch_of_its_own():
    step = simulated("sgd")
    replay = Replay(step, 1000)
    first = replay.allocator.in_use_bytes
    assert first >= 1000 * SAMPLE_BYTES  # it is there before anything is traced
    replay.run(step)
    assert replay.allocator.in_use_bytes <= first - 1000 * SAMPLE_BYTES
    replay.allocator.reset_peak()
    replay.run(step)
    assert replay.allocator.peak_bytes >= first


def test_a_card_is_given_a_batch_when_a_step_runs():
    program = build_program(GRAPH, "sgd", LoweringOptions(kernels="card"))
    step = SimulatedTrace.of(execute(program, on_host=False))
    replay = Replay(step, 1000, on_host=False)
    before = replay.allocator.in_use_bytes
    assert before < 1000 * SAMPLE_BYTES
    replay.run(step)
    assert before <= replay.allocator.in_use_bytes < before + 1000 * SAMPLE_BYTES
    assert replay.allocator.peak_bytes >= 1000 * SAMPLE_BYTES


def test_constants_are_made_once_for_all_steps():
    held = replace(
        GRAPH,
        sizes=(*GRAPH.sizes, PerBatch(3_000_000)),
        operations=(Operation("Const", (), (len(GRAPH.sizes),)), *GRAPH.operations),
        constants=(len(GRAPH.sizes),),
    )
    step = SimulatedTrace.of(execute(build_program(held, "sgd")))
    replay = Replay(step, 1)
    replay.run(step)
    after = replay.allocator.in_use_bytes
    for _ in range(3):
        replay.run(step)
    assert replay.allocator.in_use_bytes == after
    assert step.resident_bytes(1) - simulated("sgd").resident_bytes(1) == 3_000_000


def test_the_outputs_of_a_prediction_are_given_back_after_it():
    outputs = tuple(op.outputs[0] for op in GRAPH.operations if op.kind == "Sigmoid")
    step = SimulatedTrace.of(execute(build_program(replace(GRAPH, mode="inference", outputs=outputs), "sgd")))
    replay = Replay(step, 100)
    replay.run(step)
    after = replay.allocator.in_use_bytes
    replay.run(step)
    assert replay.allocator.in_use_bytes == after


def test_steps_leave_nothing_behind():
    for optimizer in ("sgd", "adam", "rmsprop", "ftrl"):
        step = simulated(optimizer)
        replay = Replay(step, 3)
        replay.run(step)
        held = len(replay._address)
        replay.run(step)
        assert len(replay._address) == held == step.resident - 1  # all but the batch
        assert not replay._others


def test_requests_of_the_smallest_chunk_that_come_and_go_are_left_out():
    small = replace(GRAPH, sizes=(*GRAPH.sizes[:2], PerBatch(4), *GRAPH.sizes[3:]))
    assert len(SimulatedTrace.of(execute(build_program(small, "sgd"))).events) < len(simulated("sgd").events)


def test_the_peak_counts_from_the_second_round_on():
    step = simulated("sgd")
    assert min(replayed_peaks([[(step,)] * 3], 10)[0]) >= step.live_bytes(10)
    assert min(replayed_peaks([[(step,)]], 10)[0]) > 0


def test_trainings_that_begin_alike_end_as_if_each_were_replayed_alone():
    adam, sgd = simulated("adam", threads=2), simulated("adam")
    begins, ends = (adam,), (replace(sgd, events=sgd.events),)
    together = replayed_peaks([[begins, ends], [begins, begins], [ends, begins]], 10)
    alone = [replayed_peaks([rounds], 10)[0] for rounds in ([begins, ends], [begins, begins], [ends, begins])]
    assert list(together) == alone


def test_accumulators_share_new_zeros_after_every_update():
    waiting, updating = simulated("sgd", accumulate=2, updating=False), simulated("sgd", accumulate=2)
    replay = Replay(updating, 1)
    for _ in range(2):
        replay.run(waiting)
        between = replay.allocator.in_use_bytes
        replay.run(updating)
        assert between - replay.allocator.in_use_bytes > 1.9 * WEIGHT_BYTES  # three buffers become one


def test_a_waiting_step_changes_accumulators_only():
    program = build_program(GRAPH, "adam", LoweringOptions(accumulate=4, updating=False))
    assert {op.updates for op in program.ops if op.updates is not None} <= set(range(3, program.resident))
    assert sum(op.updates is not None for op in program.ops) == 3


def test_on_a_card_operations_end_in_the_order_in_which_they_are_launched():
    slow = replace(
        GRAPH,
        operations=tuple(
            replace(op, flops=PerBatch(1e13 * (i % 3), op.flops.per_sample)) for i, op in enumerate(GRAPH.operations)
        ),
    )
    orders = [execute(build_program(g, "sgd"), threads=2, on_host=False).events for g in (GRAPH, slow)]
    assert orders[0] == orders[1]


def test_a_training_survives_in_four_times_its_peak_and_not_in_less_than_what_is_alive():
    adam = simulated()
    peak = max(replayed_peaks([[[adam]] * 3], 8)[0])
    assert survives([[adam]] * 3, 8, 4 * peak + (4 << 20))
    assert not survives([[adam]] * 3, 8, adam.live_bytes(8) - 1)


def test_on_the_host_small_things_open_the_first_region_and_every_variable_has_a_handle():
    step = simulated("sgd")
    host, card = Replay(step, 1), Replay(step, 1, on_host=False)
    assert host.allocator.in_use_bytes - card.allocator.in_use_bytes >= 3 * 256
    smallest = min(host.allocator._used.values())
    assert smallest == 256


def test_two_slots_that_change_at_once_both_leave_the_zeros_they_shared():
    adam = simulated()
    one, two = [c for c, role in enumerate(adam.roles[: adam.resident]) if role == "optimizer_state"][:2]

    def owners_left(*events):
        """How many more slots still share the zeros after a step of nothing but such changes."""
        replay = Replay(adam, 1)
        zeros = replay._address[one]
        before = replay._others[zeros]
        replay.run(replace(adam, events=events, moved={}))
        assert len({replay._address[one], replay._address[two], zeros}) == 3
        return before - replay._others[zeros]

    assert owners_left(one + UPDATE, two + UPDATE, one + SETTLE, two + SETTLE) == 2
    assert owners_left(one + UPDATE, one + SETTLE, two + UPDATE, two + SETTLE) == 2


def test_of_two_slots_that_change_one_after_the_other_the_last_keeps_the_zeros():
    step = simulated("adam")
    slots = [c for c, role in enumerate(step.roles[: step.resident]) if role == "optimizer_state"]
    zeros = Replay(step, 1)._address[slots[0]]

    def homes(*events):
        replay = Replay(step, 1)
        replay._others[zeros] = 1  # two owners
        replay.run(replace(step, events=events, moved={}))
        return [replay._address[slot] for slot in slots[:2]]

    one, two = slots[:2]
    assert homes(one + UPDATE, one + SETTLE, two + UPDATE, two + SETTLE)[1] == zeros
    assert zeros not in homes(one + UPDATE, two + UPDATE, one + SETTLE, two + SETTLE)
