from dataclasses import replace

from app.core.predict.textbook import rule_of_thumb_bytes, textbook_bytes, why_textbook_differs
from app.core.types.stepgraph import Layer, Operation, PerBatch
from tests.core.graphs import chain_graph

GRAPH = chain_graph(sample_bytes=400)


def test_the_formula_by_hand():
    # two layers of 1 M parameters and 100 outputs: 4 B x 2 M x 4 + 4 B x 8 x 200 x 2 + 8 x 400 B
    assert textbook_bytes(GRAPH, batch_size=8, optimizer="adam") == 32_000_000 + 12_800 + 3_200
    assert textbook_bytes(GRAPH, batch_size=8, optimizer="sgd") == 16_000_000 + 12_800 + 3_200


def test_the_case_of_2021():
    # S1: 112,906 outputs and 562,474 parameters, batch 4096 on 28x28x1
    layers = (Layer("all", "Conv2D", 562_474, 112_906),)
    model = replace(GRAPH.model, params=562_474)
    graph = replace(GRAPH, layers=layers, model=model, sizes=(PerBatch(0, 784 * 4), *GRAPH.sizes[1:]))
    assert textbook_bytes(graph, batch_size=4096, optimizer="adam") == 8_999_584 + 3_699_703_808 + 12_845_056


def test_the_rule_of_thumb_needs_the_size_on_disk():
    assert rule_of_thumb_bytes(37_500_000) == 1_312_500_000
    assert rule_of_thumb_bytes(None) is None


def test_a_difference_of_more_than_a_third_has_a_reason():
    assert why_textbook_differs(GRAPH, 100, 110, "adam") == ""
    assert "output" in why_textbook_differs(GRAPH, 200, 100, "adam")
    assert "temporaries" in why_textbook_differs(GRAPH, 50, 100, "adam")
    frozen = replace(GRAPH, model=replace(GRAPH.model, trainable_params=10))
    assert "frozen" in why_textbook_differs(frozen, 200, 100, "adam")
    attention = replace(GRAPH, operations=(Operation("Einsum", (), ()), Operation("Softmax", (), ())))
    assert "attention" in why_textbook_differs(attention, 50, 100, "adam")
    recurrent = replace(GRAPH, operations=(Operation("TensorListPushBack", (), ()),))
    assert "time step" in why_textbook_differs(recurrent, 50, 100, "adam")
