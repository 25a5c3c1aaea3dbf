"""A script's own training is measured: its model, its data, its callbacks; nothing behind its ``fit`` runs."""

import pytest

from tests.cli.test_whole_way import command as command

pytestmark = pytest.mark.worker

SCRIPT = """
import os, sys, time
import keras
import numpy as np

class Slow(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        time.sleep(0.02)

model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(int(sys.argv[1])), keras.layers.Dense(1)])
model.compile("rmsprop", "mse")
try:
    model.fit(
        np.zeros((95, 8)), np.zeros((95, 1)), batch_size=30, epochs=3, validation_split=0.05,
        callbacks=[Slow(), keras.callbacks.ModelCheckpoint("best.keras")],
    )
finally:
    open("behind", "w")
"""
LOOP = """
import keras
import numpy as np
import tensorflow as tf
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
x, y = np.zeros((30, 8), "float32"), np.zeros((30, 1), "float32")
optimizer = keras.optimizers.SGD()

@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))

"""


def test_its_own_data_and_callbacks_are_what_is_measured(command, tmp_path):
    path = tmp_path / "train.py"
    path.write_text(SCRIPT)
    code, answer, errors = command("bench", str(path), "--trust", "--seconds", "3", "--json", "--", "64")
    assert code == 0, errors
    found = answer["measured"]
    assert answer["outcome"] == "succeeded"
    assert found["step_s"]["median"] > 0.02, "what its callback costs within a step counts"
    assert found["data_only_step_s"] is not None
    assert found["epoch_s"] > 3 * 0.02
    assert found["memory"]["allocator_peak_bytes"] > 0
    assert "ModelCheckpoint (best.keras)" in " ".join(answer["warnings"])
    assert sorted(one.name for one in tmp_path.iterdir() if one.suffix != "") == ["train.py"]
    assert not (tmp_path / "behind").exists()

    again = command("estimate", str(path), "--json", "--device", "cpu", "--", "64")[1]
    assert again["memory"]["basis"] == "measured"
    other = command("estimate", str(path), "--json", "--device", "cpu", "--", "65")[1]
    assert other["memory"]["basis"] != "measured", "other arguments are another training"

    refused = command("bench", str(path), "--seconds", "2", "--batch-size", "16", "--json", "--", "64")
    assert refused[0] != 0
    assert "on its own batches" in str(refused[1:])
    assert command("bench", str(path), "--compare", "xla", "--", "64")[0] == 2
    assert command("bench", str(path), "--whole", "--", "64")[0] == 2


@pytest.mark.parametrize("loop", ["model.train_on_batch(x, y)", "step(x, y)"])
def test_a_loop_of_the_authors_own_is_measured_by_its_step(command, tmp_path, loop):
    path = tmp_path / "loop.py"
    path.write_text(LOOP + f"for _ in range(1000):\n    {loop}\nopen('behind', 'w')\n")
    code, answer, errors = command("bench", str(path), "--trust", "--seconds", "2", "--json")
    assert (code, answer["outcome"]) == (0, "succeeded"), errors
    assert answer["measured"]["step_s"]["median"] > 0
    assert answer["measured"]["memory"]["allocator_peak_bytes"] > 0
    assert answer["measured"]["samples_per_s"] == pytest.approx(30 / answer["measured"]["step_s"]["median"], rel=0.5)
    assert "on one of its batches" in " ".join(answer["warnings"])
    assert not (tmp_path / "behind").exists()


def test_several_steps_in_a_call_are_told_apart(command, tmp_path):
    path = tmp_path / "train.py"
    one = SCRIPT.replace('"rmsprop", "mse"', '"rmsprop", "mse", steps_per_execution=STEPS').replace("Slow(), ", "")
    one = one.replace("95, 8", "9000, 8").replace("95, 1", "9000, 1")
    steps_s = []
    for steps in (1, 20):
        path.write_text(one.replace("STEPS", str(steps)))
        code, answer, errors = command("bench", str(path), "--trust", "--seconds", "2", "--json", "--", "64")
        assert code == 0, errors
        assert ("steps_per_execution" in " ".join(answer["warnings"])) == (steps > 1)
        steps_s.append(answer["measured"]["step_s"]["median"])
    assert steps_s[1] < 5 * steps_s[0], "not the time of all of them"
