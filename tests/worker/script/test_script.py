"""Programs as people write them, each run in a real child: they answer at their ``fit``, and nothing behind it runs."""

from __future__ import annotations

import os
import time
from pathlib import Path

import psutil
import pytest

from app.core.types.messages import Done, Failed, Request
from app.services.child.child_options import ChildOptions
from app.services.child.variables import child_variables
from app.services.child.worker_process import run_worker
from app.services.models.own_code import read_own
from tests.worker.script.scripts import MODEL, captured, ran

pytestmark = pytest.mark.worker

ENDS = {
    "swallowed": (
        "import atexit, threading, time\n"
        "def late():\n    time.sleep(5)\n    pathlib.Path('behind').touch()\n"
        "threading.Thread(target=late).start()\n"
        "atexit.register(pathlib.Path('behind').touch)\n"
        "try:\n    train()\nexcept BaseException:\n    pass\nfinally:\n    pathlib.Path('behind').touch()"
    )
}
FORKED = """
import multiprocessing, pathlib
def work():
    exec(SOURCE, globals())
    train()
process = multiprocessing.get_context("fork").Process(target=work)
process.start()
process.join()
pathlib.Path("behind").touch()
"""


@pytest.mark.parametrize("end", ENDS)
def test_nothing_behind_fit_runs_however_the_program_ends(tmp_path, end):
    check_end(tmp_path, MODEL + ENDS[end])


@pytest.mark.skipif(os.name == "nt", reason="there is no fork")
def test_a_forked_process_that_trains_ends_the_whole_program(tmp_path):
    check_end(tmp_path, f"SOURCE = {MODEL!r}\n{FORKED}")


def check_end(tmp_path: Path, source: str) -> None:
    """The program answers with its author's settings, and nothing of it is left or ran on."""
    found = captured(ran(tmp_path, source))
    time.sleep(0.5)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["train.py"]
    said = {name: found[name] for name in ("optimizer", "batch_size", "epochs", "precision", "samples", "fit")}
    assert said == {
        "optimizer": "rmsprop",
        "batch_size": 16,
        "epochs": 5,
        "precision": "float32",
        "samples": 100,
        "fit": 1,
    }
    assert not [one for one in psutil.process_iter(["cwd"]) if one.info["cwd"] == str(tmp_path)]


def test_it_runs_as_python_would_run_it(tmp_path):
    (tmp_path / "beside.py").write_text("EPOCHS = 7\n")
    (tmp_path / "size.txt").write_text("48")
    head = (
        "import sys, os, beside\n"
        "assert __name__ == '__main__' and sys.modules['__main__'].__file__ == __file__ == sys.argv[0]\n"
        "assert sys.path[0] == os.path.dirname(os.path.abspath(__file__)) == os.getcwd()\n"
        "size = int(open('size.txt').read()) + int(sys.argv[2])\n"
    )
    answer = ran(tmp_path, head + MODEL + "model.fit(x, y, size, beside.EPOCHS)", "--more", "2")
    found = captured(answer)
    assert (found["batch_size"], found["epochs"]) == (50, 7)
    assert found["file"] == str(tmp_path / "train.py")
    assert found["line"] == len((head + MODEL).splitlines()) + 1
    assert list(answer.result["own_files"]) == ["beside.py"]


def test_a_module_is_run_as_python_would_run_it(tmp_path):
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "__init__.py").touch()
    (tmp_path / "kit" / "sizes.py").write_text("from top import EPOCHS\n")
    (tmp_path / "top.py").write_text("EPOCHS = 6\n")
    path = tmp_path / "kit" / "train.py"
    path.write_text("from . import sizes\n" + MODEL + "model.fit(x, y, epochs=sizes.EPOCHS)")
    model = {"kind": "script", "name": "kit.train", "path": str(path), "folder": str(tmp_path), "function": "kit.train"}
    model["consent"] = list(read_own(str(path)).digests.values())
    request = Request("script", {"model": {**model, "trusted": True}})
    answer = run_worker(request, ChildOptions(environment=child_variables("tensorflow", "cpu"), timeout_s=240))
    assert captured(answer)["epochs"] == 6
    assert isinstance(answer, Done)
    assert sorted(answer.result["own_files"]) == ["__init__.py", "sizes.py"]


def test_a_fit_far_away_in_a_library_is_told_by_the_line_that_asked_for_it(tmp_path):
    library = tmp_path / "site-packages"
    library.mkdir()
    (library / "trainer_kit.py").write_text("def run(model, *data):\n    model.fit(*data, epochs=2)\n")
    head = "import sys, os\nsys.path.append(os.path.join(os.path.dirname(__file__), 'site-packages'))\n"
    found = captured(ran(tmp_path, head + MODEL + "import trainer_kit\ntrainer_kit.run(model, x, y)"))
    assert found["file"] == str(tmp_path / "train.py")
    assert found["line"] == len((head + MODEL).splitlines()) + 2
    assert (found["batch_size"], found["epochs"]) == (32, 2)


def test_what_the_author_set_is_found(tmp_path):
    found = captured(
        ran(
            tmp_path,
            """
import tensorflow as tf, keras
keras.config.set_dtype_policy("mixed_float16")
class Denoiser(keras.Model):
    def __init__(self):
        super().__init__()
        self.net = keras.layers.Dense(8)
    def compile(self, d_optimizer, g_optimizer, loss_fn, **others):
        super().compile(**others)
        self.d_optimizer, self.g_optimizer, self.loss_fn = d_optimizer, g_optimizer, loss_fn
    def train_step(self, images):
        with tf.GradientTape(persistent=True) as tape:
            loss = self.loss_fn(images, self.net(images))
        for optimizer in (self.d_optimizer, self.g_optimizer):
            gradients = tape.gradient(loss, self.net.trainable_variables)
            optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))
        return {"loss": loss}
data = tf.data.Dataset.from_tensor_slices(tf.zeros((50, 8))).batch(20)
model = Denoiser()
adam = keras.optimizers.Adam(1e-4, clipnorm=2.0, use_ema=True)
model.compile(adam, keras.optimizers.Adam(), keras.losses.MeanSquaredError(), jit_compile=False)
model.fit(data, epochs=3)
""",
        )
    )
    expected = {"optimizer": "adam", "precision": "mixed_float16", "batch_size": 20, "epochs": 3, "samples": 60}
    expected |= {"clipnorm": 2.0, "ema": True, "jit": False}
    assert {name: found[name] for name in expected} == expected


def test_the_traced_step_is_the_same_as_of_a_function_that_returns_the_model(tmp_path):
    answer = ran(tmp_path, MODEL + "train()")
    assert isinstance(answer, Done)
    kernels = [one for one in answer.result["variables"] if one["path"].endswith("kernel")]
    assert [one["shape"] for one in kernels] == [[8, 4], [4, 3]]
    assert all(one["gradient"] is not None for one in kernels)
    assert answer.result["model"]["params"] == 8 * 4 + 4 + 4 * 3 + 3


def test_our_options_win_over_the_authors(tmp_path):
    source = (
        MODEL.replace("model = ", "keras.mixed_precision.set_global_policy('mixed_bfloat16')\nmodel = ") + "train()"
    )
    assert captured(ran(tmp_path, source))["precision"] == "mixed_bfloat16"
    answer = ran(tmp_path, source, precision="float32", freeze=["dense"])
    assert captured(answer)["precision"] == "float32"
    assert answer.result["model"]["trainable_params"] == 4 * 3 + 3


def test_without_consent_nothing_runs(tmp_path):
    answer = ran(tmp_path, "open('ran', 'w')")
    assert isinstance(answer, Failed)
    request = Request("script", {"model": {"name": "train.py", "path": str(tmp_path / "train.py"), "trusted": False}})
    (tmp_path / "ran").unlink()
    refused = run_worker(request)
    assert isinstance(refused, Failed)
    assert "consent" in refused.message
    assert not os.path.exists(tmp_path / "ran")


def test_what_the_script_holds_while_its_data_runs_is_counted(tmp_path):
    kept = """
import tensorflow as tf
kept = tf.zeros((1 << 20,))
data = tf.data.Dataset.from_tensor_slices((np.zeros((4096, 256), "float32"), np.zeros(4096, "int32"))).batch(16)
model.fit(data)
"""
    held = captured(ran(tmp_path, MODEL + kept))["held_bytes"]
    assert 8 << 20 <= held <= 9 << 20
    found = captured(ran(tmp_path, MODEL + "model.fit(np.zeros((1 << 16, 8), 'float32'), np.zeros(1 << 16))"))
    arrays, maybe = found["held_bytes"], found["maybe_held_bytes"]
    per_sample = 8 * 4 + 4  # and Keras holds the numbers of the samples, in order and shuffled
    assert (1 << 16) * per_sample <= arrays <= (1 << 16) * (per_sample + 4 + 2 * 8) + 100_000
    assert (1 << 16) * per_sample <= maybe <= arrays  # where they start is chance, and so is whether they are copied


def test_an_array_counts_as_lying_in_the_allocator_wherever_numpy_puts_it(tmp_path):
    larger = """
np.zeros(24 << 20, np.uint8)  # freed at once: from now on arrays as large as this lie among the small ones
data = np.zeros((1 << 17, 16), "int32")
model = keras.Sequential([keras.layers.Dense(10, activation="softmax")])
model.compile("sgd", "sparse_categorical_crossentropy")
model.fit(data, np.zeros(1 << 17, "int32"))
"""
    for _ in range(4):
        found = captured(ran(tmp_path, MODEL + larger))
        assert 8 << 20 <= found["maybe_held_bytes"] <= found["held_bytes"] <= 26 << 20
