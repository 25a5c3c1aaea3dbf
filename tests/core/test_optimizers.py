import pytest

from app.core.errors import InvalidWorkload
from app.core.optimizers import RECIPES, recipe, slot_bytes
from app.core.workload import OPTIMIZERS


def test_every_optimizer_of_a_plan_has_a_recipe():
    assert set(OPTIMIZERS) == set(RECIPES)


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_recipes_name_only_what_exists_and_change_the_weight_once(name):
    known = {"g", "w", *recipe(name).slots}
    for operation in recipe(name).update:
        assert set(operation.inputs) <= known, operation
        if operation.output:
            known.add(operation.output)
    changed = [o.inputs[0] for o in recipe(name).update if o.kind.startswith("Assign")]
    assert "w" in changed
    assert set(recipe(name).slots) <= set(changed)


def test_adam_keeps_two_moments():
    assert slot_bytes("adam", (10, 20), 4) == (800, 800)


def test_adafactor_keeps_rows_and_columns_of_matrices_only():
    assert slot_bytes("adafactor", (10, 20), 4) == (800, 40, 80)
    assert slot_bytes("adafactor", (20,), 4) == (80,)


def test_muon_orthogonalises_matrices_and_treats_the_rest_as_adam():
    assert len(slot_bytes("muon", (10, 20), 4)) == 1
    assert len(slot_bytes("muon", (3, 3, 8, 8), 4)) == 2


def test_an_unknown_optimizer_is_refused_with_the_known_ones():
    with pytest.raises(InvalidWorkload, match=r"expected .*adam.* received 'adamant'"):
        recipe("adamant")
