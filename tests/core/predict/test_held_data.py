from dataclasses import replace

from app.core.predict.estimate import Estimator
from app.core.predict.held_data import UNKNOWN_SAMPLES, held_data
from app.core.predict.knowledge import Knowledge
from app.core.types.captured import Captured
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from tests.core.graphs import SAMPLE_BYTES, chain_graph
from tests.core.machines import card, desktop

GRAPH = chain_graph()
SAMPLES = 50_000
ARRAY = Workload(ModelRef("catalog", "chain"), Dataset("d", samples=SAMPLES), Plan(64, data="array"))
PIPELINE = replace(ARRAY, plan=Plan(64))


def predict(workload, machine):
    return Estimator(GRAPH).predict(workload, machine, Knowledge())


def test_a_pipeline_holds_nothing_on_the_device():
    assert held_data(GRAPH, PIPELINE, on_host=False) is None
    assert predict(PIPELINE, desktop()).memory.dataset_bytes == 0


def test_an_array_lies_on_the_device_as_a_whole_whatever_the_batch():
    machine = desktop(card(simulated=True))
    held, streamed = predict(ARRAY, machine).memory, predict(PIPELINE, machine).memory
    size = SAMPLES * SAMPLE_BYTES
    assert held.dataset_bytes == size
    assert held.allocator_peak_bytes - streamed.allocator_peak_bytes == size
    assert held.parts.inputs - streamed.parts.inputs == size
    assert held.high_bytes - streamed.high_bytes == held.device_bytes - streamed.device_bytes == size
    assert held.host_bytes - streamed.host_bytes == 2 * size
    assert sum(vars(held.parts).values()) == held.device_bytes


def test_numbers_of_tokens_stay_on_the_host():
    tokens = replace(GRAPH, model=replace(GRAPH.model, input_dtypes=("int32",)))
    found = held_data(tokens, ARRAY, on_host=False)
    assert (found.device_bytes, found.host_bytes) == (0, SAMPLES * SAMPLE_BYTES)
    assert held_data(tokens, ARRAY, on_host=True).device_bytes == SAMPLES * SAMPLE_BYTES


def test_the_array_leaves_less_room_for_the_batch():
    machine = desktop(card(simulated=True))
    held, streamed = predict(ARRAY, machine).fit, predict(PIPELINE, machine).fit
    assert held.max_batch_size < streamed.max_batch_size
    assert held.headroom_bytes == streamed.headroom_bytes - SAMPLES * SAMPLE_BYTES


def test_a_dataset_of_unknown_size_is_told():
    for data in (None, Dataset("d")):
        found = predict(replace(ARRAY, dataset=data), desktop())
        assert found.memory.dataset_bytes == 0
        assert found.assumptions[0] == UNKNOWN_SAMPLES


def test_what_a_script_was_seen_to_hold_counts_on_a_processor_only():
    author = Captured((("data", "array"),), fit=1, held_bytes=123_456)
    script = replace(GRAPH, model=replace(GRAPH.model, captured=author))
    assert held_data(script, PIPELINE, on_host=True).device_bytes == 123_456
    assert held_data(script, ARRAY, on_host=True).device_bytes == 123_456
    assert held_data(script, ARRAY, on_host=False) == held_data(GRAPH, ARRAY, on_host=False)
    assert held_data(script, PIPELINE, on_host=False) is None
    beside = Estimator(script).predict(PIPELINE, desktop(), Knowledge()).memory
    assert beside.allocator_peak_bytes - predict(PIPELINE, desktop()).memory.allocator_peak_bytes == 123_456


def test_what_a_script_may_not_hold_again_lowers_the_low_end_only():
    held = Captured((("data", "array"),), fit=1, held_bytes=123_456)
    sure, maybe = (
        Estimator(replace(GRAPH, model=replace(GRAPH.model, captured=author))).predict(PIPELINE, desktop(), Knowledge())
        for author in (held, replace(held, maybe_held_bytes=100_000))
    )
    assert sure.memory.low_bytes - maybe.memory.low_bytes == 100_000
    assert replace(maybe.memory, low_bytes=sure.memory.low_bytes) == sure.memory
