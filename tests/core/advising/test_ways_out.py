"""Case S2: what is proposed when a step does not fit."""

from dataclasses import replace

import pytest

from app.core.advising.recommend import proposals
from app.core.advising.ways_out import recurrent_layers
from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.time import Rates
from app.core.types.workload import ModelRef, Plan, Workload
from tests.core.graphs import chain_graph
from tests.core.machines import HOST_RATES, card, desktop

CHAIN = chain_graph(sample_bytes=4_000_000)
TOKENS = replace(CHAIN, model=replace(CHAIN.model, input_shapes=((200,),), input_dtypes=("int32",)))
IMAGES = replace(CHAIN, model=replace(CHAIN.model, input_shapes=((224, 192, 3),), input_dtypes=("float32",)))
PATHS = ("lstm/lstm_cell/kernel", "lstm_1/lstm_cell/kernel")
RECURRENT = replace(TOKENS, variables=tuple(replace(v, path=p) for v, p in zip(CHAIN.variables, PATHS, strict=True)))


def proposed(graph, machine=None, **plan):
    workload = Workload(ModelRef("catalog", "chain"), None, Plan(**{"batch_size": 4096, **plan}))
    now = Estimator(graph).predict(workload, machine or desktop(card(gib=4)), Knowledge(Rates(HOST_RATES)))
    return {p.id: p for p in proposals(workload, now, graph)}


def test_a_plan_that_fits_is_proposed_no_way_out():
    assert not {"remat", "freeze", "shorter_sequence"} & set(proposed(TOKENS, batch_size=1))


def test_every_way_out_of_the_case_is_tried():
    assert set(proposed(RECURRENT)) >= {
        "batch_smaller",
        "accumulate",
        "mixed_precision",
        "remat",
        "freeze",
        "shorter_sequence",
        "fewer_layers",
    }


def test_changes_are_plans_that_can_be_tried():
    for proposal in proposed(RECURRENT).values():
        assert replace(Plan(batch_size=4096), **proposal.changes) != Plan(batch_size=4096)


def test_other_networks_and_other_data_are_questions_not_advice():
    found = proposed(RECURRENT)
    asked = {name for name, proposal in found.items() if not proposal.keeps_model}
    assert asked == {"shorter_sequence", "fewer_layers"}
    assert all(found[name].title.startswith("What if") for name in asked)


def test_half_the_sequence_and_half_the_side():
    assert proposed(TOKENS)["shorter_sequence"].changes == {"sequence_length": 100}
    named = proposed(TOKENS, sequence_length=(("source", 300), ("target", 16)))["shorter_sequence"]
    assert named.changes == {"sequence_length": (("source", 150), ("target", 16))}
    assert proposed(IMAGES)["smaller_images"].changes == {"image_size": (112, 96)}
    assert "shorter_sequence" not in proposed(IMAGES)
    assert "smaller_images" not in proposed(TOKENS)


def test_a_row_of_numbers_is_no_sequence():
    numbers = replace(TOKENS, model=replace(TOKENS.model, input_dtypes=("float32",)))
    assert "shorter_sequence" not in proposed(numbers)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (("lstm/lstm_cell/kernel", "gru/gru_cell/bias"), ("lstm", "gru")),
        (
            ("bidirectional/forward_lstm/lstm_cell/kernel", "bidirectional/backward_lstm/lstm_cell/bias"),
            ("bidirectional",),
        ),
        (("dense/kernel", "conv/bias"), ()),
        (("sequential/lstm/lstm_cell/kernel", "sequential/gru/gru_cell/bias"), ("lstm", "gru")),
        (("inner/lstm/lstm_cell/kernel", "kernel"), ()),
        (("lstm/lstm_cell/kernel", "lstm/lstm_cell/bias"), ("lstm",)),
    ],
)
def test_recurrent_layers_are_known_by_their_cells(paths, names):
    variables = tuple(replace(v, path=p) for v, p in zip(CHAIN.variables, paths, strict=True))
    assert recurrent_layers(replace(CHAIN, variables=variables)) == names


def test_the_first_of_two_recurrent_layers_is_left_out_once():
    assert proposed(RECURRENT)["fewer_layers"].changes == {"leave_out": ("lstm",)}
    assert "fewer_layers" not in proposed(RECURRENT, leave_out=("lstm_1",))


def test_all_layers_but_the_last_are_frozen():
    assert proposed(RECURRENT)["freeze"].changes == {"freeze": ("lstm",)}


def test_half_precision_saves_memory_even_where_it_gains_no_speed():
    found = proposed(CHAIN, desktop(ram_gib=4, free_gib=3))["mixed_precision"]
    assert found.changes == {"precision": "mixed_bfloat16"}
    assert "no units" in found.why


def test_a_leaner_optimizer_only_where_its_state_counts():
    assert "optimizer_sgd" not in proposed(CHAIN)
    heavy = chain_graph(sample_bytes=4000, layers=60)
    machine = desktop(card(gib=1.7, held_gib=0.5))
    assert {"optimizer_sgd", "optimizer_adafactor"} <= set(proposed(heavy, machine, batch_size=8))
