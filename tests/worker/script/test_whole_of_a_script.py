"""A script's own validation and callbacks are read where it trains."""

import pytest

from app.core.types.messages import Done
from tests.worker.script.scripts import captured, ran

pytestmark = pytest.mark.worker

TRAINS = """
import numpy as np, keras
x, y = np.zeros((100, 8), "float32"), np.zeros((100,), "int32")
model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
callbacks = [
    keras.callbacks.EarlyStopping(restore_best_weights=True), keras.callbacks.ModelCheckpoint("best.keras")
]
model.fit(x, y, batch_size=10, epochs=4, callbacks=callbacks, {validation})
"""


def test_a_split_and_its_callbacks_are_a_plans_options(tmp_path):
    answer = ran(tmp_path, TRAINS.format(validation="validation_split=0.3, validation_batch_size=7, validation_freq=2"))
    found = captured(answer)
    names = ("samples", "validation", "validation_batch", "validate_every", "checkpoint_every", "restore_best")
    assert {name: found[name] for name in names} == {
        "samples": 70,
        "validation": 30.0,
        "validation_batch": 7,
        "validate_every": 2,
        "checkpoint_every": 1,
        "restore_best": True,
    }
    assert isinstance(answer, Done)
    assert answer.result["evaluation"]["mode"] == "evaluate"
    assert len(answer.result["evaluation"]["operations"]) < len(answer.result["operations"])


def test_a_script_without_validation_says_nothing_of_it(tmp_path):
    answer = ran(tmp_path, TRAINS.format(validation="verbose=0"))
    assert "validation" not in captured(answer)
    assert isinstance(answer, Done)
    assert "evaluation" not in answer.result
