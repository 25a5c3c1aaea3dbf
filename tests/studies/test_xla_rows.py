import ast

from studies.accuracy.memory_xla import TRUTHS
from studies.accuracy.xla_rows import NETWORKS_FILE, rows


def networks(group):
    return {r.network for r in rows() if r.group == group}


def test_no_network_is_in_both_halves_and_the_held_one_has_enough():
    assert not networks("open") & networks("held")
    assert len(networks("held")) >= 8


def test_every_network_of_the_file_is_used():
    tree = ast.parse(NETWORKS_FILE.read_text(encoding="utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert defined <= networks("open") | networks("held")


def test_no_configuration_stands_twice():
    keys = [r.key for r in rows()]
    assert len(keys) == len(set(keys))


def test_stored_truths_belong_to_rows_and_the_first_step_takes_no_less():
    keys = {r.key for r in rows()}
    for key, answer in TRUTHS.load().items():
        assert key in keys
        assert 0.9 * int(answer["peak_bytes"]) <= int(answer["first_step_bytes"])
