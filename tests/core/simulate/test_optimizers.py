from itertools import product

import pytest

from app.core.simulate.optimizer_recipes import RECIPES, recipe
from app.core.simulate.optimizers import UpdateOptions, operands, slot_bytes, slots, update_stages
from app.core.types.errors import InvalidWorkload
from app.core.types.plan import Plan
from app.core.types.plan_values import OPTIMIZERS, VARIANTS

SHAPES = [(20, 10), (10, 20), (20,), (3, 3, 8, 16)]
OPTIONS = [
    UpdateOptions(),
    UpdateOptions(ema=True),
    UpdateOptions(clip="norm"),
    UpdateOptions(clip="unit_norm"),
    UpdateOptions(clip="global_norm", decay=True),
    UpdateOptions(clip="value", ema=True),
]


def test_every_optimizer_of_a_plan_has_a_recipe():
    assert set(OPTIMIZERS) == {name for name in RECIPES if "+" not in name}
    for optimizer, variants in VARIANTS.items():
        for chosen in product((False, True), repeat=len(variants)):
            assert Plan(optimizer=optimizer, **dict(zip(variants, chosen, strict=True))).rule in RECIPES


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", sorted(RECIPES))
def test_updates_name_only_what_exists_and_change_everything_that_is_kept(name, options, shape):
    kept = {slot.name for slot in slots(name, shape, ema=options.ema)}
    known = {"g", "w", *kept}
    changed = set()
    for stage in update_stages(name, shape, "", options, loss_scaled=True):
        for operation in stage:
            assert set(operation.inputs) <= known, operation
            if operation.output:
                known.add(operation.output)
            else:
                changed.add(operation.inputs[0])
    assert changed == {"w", *kept}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_weight_has_the_same_number_of_stages(name, options):
    assert len({len(update_stages(name, shape, "", options)) for shape in SHAPES}) == 1


def test_adam_keeps_two_moments():
    assert slot_bytes("adam", (10, 20), 4) == (800, 800)


def test_a_momentum_is_one_more_value_for_each_weight():
    assert slot_bytes("sgd", (10, 20), 4) == ()
    assert slot_bytes("sgd+momentum", (10, 20), 4) == (800,)
    assert slot_bytes("rmsprop+momentum+centered", (10, 20), 4) == (800, 800, 800)
    assert slot_bytes("adam+amsgrad", (10, 20), 4) == (800, 800, 800)


def test_a_moving_average_is_one_more_copy_of_the_weight():
    assert slot_bytes("adam", (10, 20), 4, ema=True) == (800, 800, 800)
    assert slot_bytes("sgd", (10, 20), 2, ema=True) == (400,)


@pytest.mark.parametrize(
    ("rule", "count"), [("sgd", 3), ("adam", 18), ("sgd+momentum", 8), ("adafactor", 17), ("muon", 51)]
)
def test_an_update_passes_over_what_is_as_large_as_the_weight(rule, count):
    assert operands(rule) == count


def test_adafactor_keeps_rows_and_columns_of_matrices_only():
    assert slot_bytes("adafactor", (10, 20), 4) == (40, 80, 800)
    assert slot_bytes("adafactor", (3, 3, 8, 16), 4) == (3 * 3 * 8 * 4, 3 * 3 * 16 * 4, 3 * 3 * 8 * 16 * 4)
    assert slot_bytes("adafactor", (20,), 4) == (80,)


def test_muon_orthogonalises_matrices_and_treats_the_rest_as_adam():
    assert len(slot_bytes("muon", (10, 20), 4)) == 1
    assert len(slot_bytes("muon", (3, 3, 8, 8), 4)) == 2
    assert len(slot_bytes("muon", (1000, 20), 4, "token_embedding/embeddings")) == 2


def test_muon_turns_a_matrix_that_has_more_rows_than_columns():
    tall, wide = (sum(o.kind == "Transpose" for o in recipe("muon", s).update) for s in ((20, 10), (10, 20)))
    assert (tall, wide) == (2, 0)


def test_nothing_is_scaled_before_the_norm_of_all_gradients_is_known():
    stages = update_stages("sgd", (10, 20), "", UpdateOptions(clip="global_norm"))
    assert [o.kind for o in stages[0]] == ["Square", "Sum"]
    assert stages[1][0].output == "g"


def test_the_options_of_a_plan_say_what_the_optimizer_does():
    assert UpdateOptions.of(Plan()) == UpdateOptions()
    assert UpdateOptions.of(Plan(clipnorm=1.0)).clip == "unit_norm"
    assert UpdateOptions.of(Plan(clipnorm=2.0)) == UpdateOptions.of(Plan(clipnorm=3.0))
    assert UpdateOptions.of(Plan(clipvalue=0.5, ema=True)) == UpdateOptions(ema=True, clip="value")
    assert UpdateOptions.of(Plan(weight_decay=0.1)) == UpdateOptions(decay=True)


def test_an_unknown_optimizer_is_refused_with_the_known_ones():
    with pytest.raises(InvalidWorkload, match=r"expected .*adam.* received 'adamant'"):
        recipe("adamant")


def test_accumulation_adds_up_without_updating_and_then_takes_the_mean():
    waiting = update_stages("adam", (10, 20), "", accumulating=True, updating=False)
    done = [(o.kind, o.inputs) for stage in waiting for o in stage]
    assert done == [("Add", ("g", "acc")), ("Assign", ("acc", "a1"))]
    updating = update_stages("adam", (10, 20), "", accumulating=True)
    assert [o.kind for o in updating[0]] == ["Add", "Div"]
    assert updating[1] == recipe("adam").update


def test_a_moving_average_is_updated_in_every_step_of_a_round():
    waiting = update_stages("sgd", (10,), "", UpdateOptions(ema=True), accumulating=True, updating=False)
    assert waiting[-1][-1].inputs[0] == "ema"
