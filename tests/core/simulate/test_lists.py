"""Lists of tensors in loops: who holds what, and what comes after what."""

from dataclasses import replace

from app.core.simulate.executor import execute
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.replay import Replay
from app.core.simulate.simulated_trace import SimulatedTrace
from app.core.types.stepgraph import Loop, Operation, PerBatch
from tests.core.graphs import chain_graph

TURNS = 50
STATE, WHOLE = PerBatch(0, 1024), PerBatch(0, TURNS * 1024)


def loop_graph(*, held):
    """A loop that writes its state into a list, and into a second one; ``held``: the reader saw that it is the same."""
    keeper = (2,) if held else ()
    return replace(
        chain_graph(layers=1),
        variables=(),
        layers=(),
        input_tensors=(0,),
        outputs=(7,),
        loops=(Loop(TURNS),),
        sizes=(PerBatch(0, 4), STATE, WHOLE, WHOLE, WHOLE, WHOLE, STATE, WHOLE, WHOLE),
        operations=(
            Operation("Tanh", (0,), (1,), loop=0),
            Operation("TensorListPushBack", (0, 1), (2,), loop=0),
            Operation("TensorListPushBack", (0, 1, *keeper), (3,), loop=0),
            Operation("LoopEnd", (2, 3), (4, 5)),
            Operation("TensorListPopBack", (4,), (8,)),
            Operation("Placeholder", (), (6,), control=(4,)),
            Operation("Tile", (6, 5), (7,)),
        ),
    )


def lists(graph, kernels="host"):
    program = build_program(graph, "sgd", LoweringOptions(kernels=kernels))
    return program, sum(b.size.at(1) == WHOLE.at(1) for b in program.buffers)


def test_what_another_list_holds_already_takes_nothing():
    assert lists(loop_graph(held=False))[1] == lists(loop_graph(held=True))[1] + 1


def test_to_xla_each_list_is_an_array_of_its_own():
    assert lists(loop_graph(held=True), "xla")[1] == lists(loop_graph(held=False), "xla")[1]
    program, _ = lists(loop_graph(held=True), "xla")
    assert all(len(op.reads) <= 2 for op in program.ops if op.kind == "TensorListPushBack")


def test_an_element_comes_before_whoever_uses_it():
    program, _ = lists(loop_graph(held=True))
    number = {op.kind: n for n, op in enumerate(program.ops)}
    assert number["TensorListPopBack"] in program.ops[number["Tile"]].after


def test_a_list_made_anew_in_each_turn_holds_one_element():
    graph = loop_graph(held=False)
    anew = (Operation("TensorListReserve", (), (0,), loop=0), *graph.operations)
    assert lists(replace(graph, operations=anew, input_tensors=()))[1] < lists(graph)[1]


def test_a_list_asks_for_its_elements_one_by_one():
    batch = 1024
    step = SimulatedTrace.of(execute(build_program(loop_graph(held=True), "sgd", LoweringOptions(kernels="host"))))
    assert step.lists
    replay = Replay(step, batch)
    replay.run(step)
    whole = replace(step, lists=frozenset())
    at_once = Replay(whole, batch)
    at_once.run(whole)
    live = step.live_bytes(batch)
    assert live <= replay.allocator.peak_bytes <= 1.2 * live
    assert replay.allocator.peak_bytes <= at_once.allocator.peak_bytes
