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
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
for _ in range(1000):
    model.train_on_batch(np.zeros((30, 8)), np.zeros((30, 1)))
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


def test_what_cannot_be_measured_says_so(command, tmp_path):
    path = tmp_path / "loop.py"
    path.write_text(LOOP)
    code, *told = command("bench", str(path), "--trust", "--seconds", "2", "--json")
    assert code != 0
    assert "can be estimated, not benchmarked" in str(told)
