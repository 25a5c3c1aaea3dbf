"""The order of inputs that Grappler sorts, by arithmetic and in a real trace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.worker.tracing.written_order import written_places
from tests.worker.tracing.test_trace import Spec, traced


@given(st.lists(st.sampled_from("abcdef"), max_size=8))
def test_every_input_comes_back_to_where_it_was_written(written):
    given_ = sorted(written)
    assert [given_[place] for place in written_places(given_, written)] == written


def test_what_has_replaced_an_input_is_taken_for_the_one_that_is_missing():
    assert written_places(["a", "b/cast", "c"], ["c", "b", "a"]) == [2, 1, 0]


def test_other_inputs_than_were_written_stay_as_they_are():
    assert written_places(["a", "b"], ["b"]) == [0, 1]


def two_branches():
    """An image that two layers read, whose names stand the other way round in the alphabet."""
    import keras

    image = keras.Input((8, 8, 4))
    shared = keras.layers.Conv2D(4, 1, name="first")(image)
    main = keras.layers.Conv2D(4, 1, name="z_main")(shared)
    beside = keras.layers.Conv2D(4, 1, name="b_beside")(shared)
    return keras.Model(image, keras.layers.Add()([main, beside]))


@pytest.mark.worker
def test_a_sum_of_gradients_is_told_as_it_was_written():
    graph = traced(two_branches, inputs=(Spec((8, 8, 4)),), targets=(Spec((8, 8, 4)),))
    maker = {t: operation for operation in graph.operations for t in operation.outputs}
    (sum_,) = (operation for operation in graph.operations if operation.kind == "AddN")
    sorted_ = [graph.layers[maker[t].layer].name for t in sum_.inputs]
    assert sorted_ == ["b_beside", "z_main"]
    assert [sorted_[place] for place in sum_.written] == ["z_main", "b_beside"]
