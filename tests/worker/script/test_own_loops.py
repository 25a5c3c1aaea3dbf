"""Programs that train without ``fit``: they are told what was found, where, and what to do."""

from __future__ import annotations

import pytest

from app.core.types.messages import Failed
from app.worker.script import own_loops
from app.worker.script.own_loops import OwnLoops, unreached_loop
from tests.worker.script.scripts import captured, ran

MODEL = """import keras, tensorflow as tf
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4)])
model.compile("adam", "mse")
x, y = tf.zeros((16, 8)), tf.zeros((16, 4))
@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    weights = model.trainable_weights
    model.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
"""
LOOPS = {
    "tape": ("for k in range(3):\n    step()\n", "apply_gradients in train.py:12"),
    "batches": ("for k in range(3):\n    model.train_on_batch(x, y)\n", "train_on_batch in train.py:12"),
}


@pytest.mark.worker
@pytest.mark.parametrize("kind", LOOPS)
def test_a_loop_of_its_own_is_told_by_its_line(tmp_path, kind):
    source, told = LOOPS[kind]
    answer = ran(tmp_path, MODEL + source)
    assert isinstance(answer, Failed)
    assert (answer.kind, told in answer.message, "train_step" in answer.hint) == ("bad_model", True, True)


@pytest.mark.worker
def test_an_update_before_fit_does_not_hide_it(tmp_path):
    found = captured(ran(tmp_path, MODEL + "step()\nmodel.fit(x, y, epochs=4)"))
    assert (found["line"], found["epochs"]) == (12, 4)


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (MODEL + "print('done')", "apply_gradients in line 10"),
        ("with tf.GradientTape() as tape:\n    pass", "GradientTape in line 1"),
        ("print(1)", None),
        ("def f(:", None),
    ],
)
def test_a_loop_that_was_not_reached_is_found_in_the_source(source, told):
    found = unreached_loop(source)
    assert (found is None) == (told is None)
    assert found is None or told in found.message


def test_a_loop_that_goes_on_is_ended_and_one_before_a_fit_is_not(monkeypatch):
    monkeypatch.setattr(own_loops, "GRACE_S", 0.05)
    ended: list[str] = []
    loops = OwnLoops(lambda found: ended.append(found.message))  # type: ignore[arg-type, return-value]

    def apply() -> None:
        """Stands for an optimizer's."""

    updates = loops.heard(apply)
    updates()
    with loops.not_now():
        updates()
    assert loops.found() is None
    assert loops._timer is None
    updates()
    assert loops._timer is not None
    loops._timer.join()
    assert len(ended) == 1
    assert "apply in test_own_loops.py" in ended[0]
