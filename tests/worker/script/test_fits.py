"""Programs that train several times: the one that is asked for is answered, and nothing learns before it."""

from __future__ import annotations

import pytest

from app.core.types.messages import Failed
from tests.worker.script.scripts import captured, ran

pytestmark = pytest.mark.worker

SEVERAL = """import numpy as np, keras, sys
class Gan(keras.Sequential):
    def train_step(self, data):
        return {"d_loss": super().train_step((data, data))["loss"], "g_loss": 1.0}
def build(kind=keras.Sequential, out=3):
    made = kind([keras.layers.Dense(4), keras.layers.Dense(out, activation="softmax")])
    made.compile("rmsprop", "mse", metrics=["mae"])
    return made
x, y = np.ones((100, 8), "float32"), np.ones((100, 3), "float32")
first = build()
best = keras.callbacks.ModelCheckpoint("at-{epoch}.weights.h5", save_weights_only=True)
slower = keras.callbacks.ReduceLROnPlateau()
seen = first.fit(x, y, batch_size=16, epochs=6, initial_epoch=2, validation_split=0.2, callbacks=[best, slower])
assert sorted(seen.history) == ["learning_rate", "loss", "mae", "val_loss", "val_mae"], seen.history
assert seen.epoch == [2, 3, 4, 5] and [len(one) for one in seen.history.values()] == [4] * 5
assert first.history is seen and best.model is first and len(first.get_weights()) == 4
first.load_weights("at-4.weights.h5")
assert len(first.evaluate(x, y)) == 2 and set(first.evaluate(x, y, return_dict=True)) == {"loss", "mae"}
gan = build(Gan, 8)
assert list(gan.fit(x, epochs=2).history) == ["d_loss", "g_loss"]
scores = []
for k in range(1, 4):
    fold = build()
    fold.fit(x[:20 * k], y[:20 * k], batch_size=20, epochs=2)
    scores.append(fold.evaluate(x, y)[0])
open("all-seen", "w").close()
sys.exit("too bad" if "--fail" in sys.argv else 0)
"""


def test_trainings_before_the_one_that_is_asked_for_are_passed_over(tmp_path):
    found = captured(ran(tmp_path, SEVERAL, fit=3))
    assert (found["fit"], found["line"], found["epochs"], found["samples"]) == (3, 24, 2, 20)
    assert (found["of"], found["of_is"], found["in_loop"]) == (3, "source", True)
    passed = [(one["line"], one["batch_size"], one["epochs"], one["samples"]) for one in found["trainings"]]
    assert passed == [(13, 16, 4, 80), (20, 32, 2, 100), (24, 20, 2, 20)]
    assert not (tmp_path / "all-seen").exists()


def test_all_trainings_are_counted_however_the_script_ends_behind_the_last(tmp_path):
    found = captured(ran(tmp_path, SEVERAL, "--fail", count_fits=True))
    assert (found["fit"], found["line"], found["of"], found["of_is"]) == (1, 13, 5, "seen")
    assert [one["line"] for one in found["trainings"]] == [13, 20, 24, 24, 24]
    assert "too bad" in str(found["told"][-1])
    assert (tmp_path / "all-seen").exists()


def test_a_script_that_trains_less_often_says_how_often(tmp_path):
    answer = ran(tmp_path, SEVERAL.replace("range(1, 4)", "[]"), fit=7)
    assert isinstance(answer, Failed)
    assert ("less often" in answer.message, answer.expected) == (True, "one of its trainings, from 1 to 2")


def test_a_failure_behind_a_training_that_was_passed_over_says_so(tmp_path):
    answer = ran(tmp_path, SEVERAL.replace("gan = ", "raise OSError('no such score')\ngan = "), fit=2)
    assert isinstance(answer, Failed)
    assert "behind training 1, which was only passed over" in answer.message
    assert ("no such score" in answer.received, answer.where) == (True, f"{tmp_path / 'train.py'}:19")


ONE_BY_ONE = """import numpy as np, keras
class Rows(keras.utils.PyDataset):
    def __len__(self):
        return 7
    def __getitem__(self, index):
        return np.ones((12, 8), "float32"), np.ones((12, 1), "float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(Rows(), epochs=2)
"""


def test_data_that_gives_its_batches_one_by_one_is_counted_by_them(tmp_path):
    found = captured(ran(tmp_path, ONE_BY_ONE))
    assert found["samples"] == 7 * 12
    assert dict(found["settings"])["batch_size"] == 12
