"""Programs that train without ``fit``: they are told what was found, where, and what to do."""

from __future__ import annotations

import pytest

from app.core.types.messages import Done, Failed
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
    "eager": (
        "for k in range(3):\n    model.optimizer.apply(model.trainable_weights, model.trainable_weights)\n",
        "apply in train.py:12",
    ),
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
    loops = OwnLoops(lambda found: ended.append(found.message), pytest.fail)  # type: ignore[arg-type, return-value]

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


DATA = """import keras, numpy as np, tensorflow as tf
def network(width):
    return keras.Sequential([keras.Input((8,)), keras.layers.Dense(width), keras.layers.Dense(8)])
a, b = network(300), network(40)
optimizer, score = keras.optimizers.RMSprop(), keras.metrics.MeanSquaredError()
x, y = np.zeros((16, 8), "float32"), np.zeros((16, 8), "float32")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16).repeat(40)
"""
STEP = """
@tf.function
def step(x, y, scale):
    with tf.GradientTape() as tape:
        loss = scale * tf.reduce_mean((a(x) - y) ** 2)
        if loss > 1e9:
            loss = loss / 2
    gradients = tape.gradient(loss, a.trainable_weights)
    optimizer.apply_gradients(zip(gradients, a.trainable_weights))
    score.update_state(y, a(x))
    return loss
for xs, ys in data:
    last = step(xs, ys, 2.0)
"""
TWO_MODELS = """
class Trainer:
    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(b(a(x)) ** 2)
        weights = a.trainable_weights + b.trainable_weights
        optimizer.apply(tape.gradient(loss, weights), weights)
trainer = Trainer()
for xs, _ in data:
    trainer.step(xs)
"""
ON_BATCHES = """
a.compile(optimizer, "mse", metrics=["mae"])
for k in range({times}):
    a.train_on_batch(x, y)
"""
IN_TURN = """
for model in (a, b):
    model.compile("adam", "mse")
for k in range(20):
    a.train_on_batch(x, y)
    b.train_on_batch(x, y)
"""
OF_ONE, OF_BOTH = 300 * 9 + 8 * 301, 300 * 9 + 8 * 301 + 40 * 9 + 8 * 41


@pytest.mark.worker
@pytest.mark.parametrize(
    ("loop", "params", "line"),
    [
        (STEP, OF_ONE, 20),
        (TWO_MODELS, OF_BOTH, 18),
        (ON_BATCHES.format(times=40), OF_ONE, 11),
        (ON_BATCHES.format(times=2), OF_ONE, 11),
    ],
)
def test_a_loop_whose_steps_are_all_alike_is_answered_by_one_of_them(tmp_path, loop, params, line):
    answer = ran(tmp_path, DATA + loop)
    found = captured(answer)
    told = {name: found[name] for name in ("optimizer", "batch_size", "line", "samples", "fit")}
    assert told == {"optimizer": "rmsprop", "batch_size": 16, "line": line, "samples": None, "fit": 1}
    assert isinstance(answer, Done)
    assert answer.result["model"]["params"] == params
    assert any("a loop of the author's own" in str(words) for words in found["told"])


@pytest.mark.worker
def test_a_loop_that_trains_two_networks_in_turn_is_not_told_by_one_of_them(tmp_path):
    answer = ran(tmp_path, DATA + IN_TURN)
    assert isinstance(answer, Failed)
    assert "train_on_batch in train.py:" in answer.message


@pytest.mark.worker
@pytest.mark.parametrize("loop", [STEP, TWO_MODELS, ON_BATCHES.format(times=3)])
def test_what_a_loop_holds_beside_its_step_is_counted(tmp_path, loop):
    without = captured(ran(tmp_path, DATA + loop))["held_bytes"]
    kept = captured(ran(tmp_path, DATA + "kept = tf.zeros((1 << 20,))\n" + loop))["held_bytes"]
    assert without < 1 << 20, "neither weights nor slots nor the batch"
    assert kept - without == pytest.approx(4 << 20, rel=0.02)
