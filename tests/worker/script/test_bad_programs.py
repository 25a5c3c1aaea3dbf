"""Programs that are hard to stop or to understand: the right answer or a clear word, and nothing behind their fit."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.core.types.messages import Failed
from app.core.types.text import from_plain
from tests.worker.script.scripts import MODEL, ran
from tests.worker.script.warm import Warm, warm

pytestmark = pytest.mark.worker
__all__ = ["warm"]

SPAWNS = """
def work(queue):
    train()
    queue.put("trained")
if __name__ == "__main__":
    import multiprocessing
    context = multiprocessing.get_context({kind!r})
    queue = context.Queue()
    process = context.Process(target=work, args=(queue,))
    process.start()
    print(queue.get(), file=open("behind", "w"))
"""
COMMANDED = """
import subprocess, sys
if sys.argv[1:] != ["inner"]:
    subprocess.run([sys.executable, __file__, "inner"])
    pathlib.Path("behind").touch()
else:
    train()
"""
ANSWERED = {
    "swallowed": (
        "import atexit, threading, time\n"
        "def late():\n    time.sleep(2)\n    pathlib.Path('behind').touch()\n"
        "threading.Thread(target=late).start()\n"
        "atexit.register(pathlib.Path('behind').touch)\n"
        "try:\n    train()\nexcept BaseException:\n    pass\nfinally:\n    pathlib.Path('behind').touch()"
    ),
    "trained_at_exit": "import atexit, sys\natexit.register(train)\nsys.exit()",
    "in_a_thread": "import threading\nthreading.Thread(target=train).start()",
    "from_two_threads": "import threading\nfor _ in range(2):\n    threading.Thread(target=train).start()",
    "replaced_and_talkative": (
        "import sys\nassert not sys.stdout.isatty() and sys.stdout.buffer\n"
        "own = keras.Model.fit\n"
        "def fit(self, *values, **named):\n"
        "    for _ in range(300):\n        print('x' * 20_000)\n        sys.stderr.write('y' * 20_000)\n"
        "    return own(self, *values, **named)\n"
        "keras.Model.fit = fit\ntrain()"
    ),
    "by_the_alias": "import tensorflow as tf\ntf.keras.Model.fit(model, x, y, batch_size=16, epochs=5)",
    "asks_and_goes_on": "try:\n    input('go? ')\nexcept EOFError:\n    train()",
    "by_asyncio": "import asyncio\nasync def main():\n    train()\nasyncio.run(main())",
    "spawned": SPAWNS.format(kind="spawn"),
    "commanded": COMMANDED,
    "in_its_place": COMMANDED.replace("subprocess.run([", "import os; os.execv(sys.executable, ["),
}
REFUSED = {
    "arguments": (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--data', required=True)\np.parse_args()",
        "exit code 2 before it trained: usage: train.py [-h] --data DATA train.py: error: the following arguments",
    ),
    "gave_up": ("import sys\nsys.exit('no data here')", "before it trained: no data here"),
    "asks": ("epochs = input('how many? ')", "asks for input"),
    "asks_for_a_key": ("import getpass\ngetpass.getpass('key: ')", "asks for input"),
    "breaks": ("open('missing.csv')", "No such file or directory: 'missing.csv'"),
    "never_trains": ("print('done')", "ended without training"),
    "not_python": ("def f(:\n    pass", "SyntaxError"),
    "opens_a_window": ("import tkinter\ntkinter.Tk()", "no display"),
    "forgets_compile": ("import keras\nkeras.Sequential([keras.layers.Dense(1)]).fit([[1.0]], [[1.0]])", "compile()"),
    "has_no_data": (MODEL + "model.fit(x[:0], y[:0])", "is empty"),
    "replaces_fit": (
        MODEL + "def fit(self, *values, **named):\n    return 1\nkeras.Model.fit = fit\nmodel.fit(x, y)",
        "a function of its own in place of Keras's fit",
    ),
}


@pytest.mark.parametrize("how", ANSWERED)
def test_it_is_answered_and_nothing_behind_fit_runs(warm: Warm, tmp_path: Path, how: str):
    body = warm.ran(tmp_path, MODEL + ANSWERED[how])
    assert "result" in body, body
    captured = body["result"]["model"]["captured"]
    found: dict[str, Any] = {**captured, **dict(captured["settings"])}
    said = {name: found[name] for name in ("optimizer", "batch_size", "epochs", "precision", "samples", "fit")}
    assert said == {
        "optimizer": "rmsprop",
        "batch_size": 16,
        "epochs": 5,
        "precision": "float32",
        "samples": 100,
        "fit": 1,
    }
    time.sleep(0.2)
    left = {path.name for path in tmp_path.iterdir()} - {"__pycache__"}
    assert left == {"train.py"}
    assert not [one for one in psutil.process_iter(["cwd"]) if one.info["cwd"] == str(tmp_path)]


@pytest.mark.parametrize("how", REFUSED)
def test_it_says_why_it_did_not_come_to_its_fit(warm: Warm, tmp_path: Path, how: str):
    source, told = REFUSED[how]
    if how == "opens_a_window":
        pytest.importorskip("tkinter")
    body = warm.ran(tmp_path, source)
    assert body["kind"] == ("bad_dataset" if how == "has_no_data" else "bad_model")
    message = body["message"] if isinstance(body["message"], str) else from_plain(body["message"])
    assert told in message
    lines = {"breaks": 1, "not_python": 1, "opens_a_window": 2, "forgets_compile": 2, "has_no_data": 10}
    if how in lines:
        assert body["where"] == f"{tmp_path / 'train.py'}:{lines[how]}"


def test_a_training_on_several_devices_is_named(tmp_path):
    spread = """
import tensorflow as tf
import keras, numpy as np
tf.config.set_logical_device_configuration(
    tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2
)
with tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]).scope():
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4)])
    model.compile("adam", "mse")
    model.fit(np.zeros((64, 8)), np.zeros((64, 4)), batch_size=16)
"""
    failed = ran(tmp_path, spread)
    assert isinstance(failed, Failed)
    assert "distribution strategy" in failed.message
    assert failed.received == "MirroredStrategy, 2 replicas"
    assert "without the strategy" in failed.hint
