from app.core.simulate.xla.card import CardCompiler
from app.core.types.units import MIB
from studies.accuracy.card_orders import NAMES, TOLD, Orders, needs, orders_table
from studies.accuracy.card_rows import CardRow
from tests.core.graphs import chain_graph

ROW = CardRow("mlp", "T4", 32, "adam", "float32", "auto")


def test_the_schedulers_lines_are_read():
    said = (
        "I0000 hlo_memory_scheduler.cc:712] Min-memory post order sequence: 43.63MiB\n] Chose min-memory list sequence"
    )
    assert TOLD.findall(said) == [("post order", "43.63", "MiB")]


def test_each_order_of_a_graph_has_a_need_and_none_less_than_its_weights():
    found = needs(chain_graph(), CardCompiler(), ROW)
    assert tuple(found) == NAMES
    assert min(found.values()) > sum(v.size_bytes for v in chain_graph().variables)


def test_of_equal_orders_the_first_is_taken():
    equal = dict.fromkeys(NAMES, 5.0 * MIB)
    assert Orders(ROW, equal, {**equal, "list": 4.0 * MIB}).same
    assert not Orders(ROW, equal, {**equal, "dfs": 4.0 * MIB}).same
    assert "5.000" in orders_table([Orders(ROW, equal, equal)])
