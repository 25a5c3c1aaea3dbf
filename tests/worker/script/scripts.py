"""Programs run in a real child, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.core.types.messages import Done, Failed, Request
from app.services.child.child_options import ChildOptions
from app.services.child.variables import child_variables
from app.services.child.worker_process import run_worker
from app.services.models.own_code import read_own

MODEL = """
import pathlib
import numpy as np, keras
x, y = np.zeros((100, 8), "float32"), np.zeros((100,), "int32")
model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(3, activation="softmax")])
model.compile("rmsprop", "sparse_categorical_crossentropy", metrics=["accuracy"])
def train():
    model.fit(x, y, batch_size=16, epochs=5)
    pathlib.Path("behind").touch()
"""


def ran(folder: Path, source: str, *arguments: str, **asked: Any) -> Done | Failed:
    """What a child answers that runs a program in its folder; ``fit`` and ``count_fits`` are the script's."""
    path = folder / asked.pop("file", "train.py")
    path.write_text(source)
    of_model = {name: asked.pop(name) for name in ("fit", "count_fits") if name in asked}
    model = {"kind": "script", "name": path.name, "path": str(path), "folder": str(folder), "arguments": arguments}
    model["consent"] = list(read_own(str(path)).digests.values())
    request = Request("script", {"model": {**model, **of_model, "trusted": True}, **asked})
    return run_worker(request, ChildOptions(environment=child_variables("tensorflow", "cpu"), timeout_s=240))


def captured(answer: Done | Failed) -> dict[str, Any]:
    """What is said of the author's settings."""
    assert isinstance(answer, Done), answer
    found = answer.result["model"]["captured"]
    return {**found, **dict(found["settings"])}
