"""Edits of the user's own file, with real children: what was traced and measured before it does not count after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.types.errors import BadModel
from app.core.types.workload import Plan, Workload
from app.services.advisor import Advisor
from app.services.settings import Settings
from app.services.store.history import History

pytestmark = pytest.mark.worker

NET = """
import keras
from parts.width import WIDTH

def build():
    return keras.Sequential([keras.Input((8,)), keras.layers.Dense(WIDTH), keras.layers.Dense({last})])
"""


@pytest.fixture
def advisor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Advisor:
    monkeypatch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path / "data"))
    settings = Settings.load()
    return Advisor(settings, History(settings.history_path))


def open_net(advisor: Advisor, path: Path) -> Workload:
    return Workload(advisor.catalog.find_model(f"{path}:build", trust=True), None, Plan(batch_size=8, device="cpu"))


def test_neither_graph_nor_run_outlives_an_edit_of_the_file_or_of_what_it_imports(advisor: Advisor, tmp_path: Path):
    folder = tmp_path / "mine"
    (folder / "parts").mkdir(parents=True)
    path, width = folder / "net.py", folder / "parts" / "width.py"
    path.write_text(NET.format(last=2))
    width.write_text("WIDTH = 4\n")
    asked, machine = open_net(advisor, path), advisor.machine.read()

    assert advisor.predictor.graph(asked).model.params == 8 * 4 + 4 + 4 * 2 + 2
    assert list(advisor.predictor.contents.files(asked.model)) == [str(path), str(width)]
    run = advisor.benchmarks.bench(asked, machine, seconds=1)
    assert run.content == advisor.predictor.contents.digest(asked.model)
    assert advisor.predictor.predict(asked, machine, advisor.predictor.graph(asked)).memory.basis == "measured"

    width.write_text("WIDTH = 4096\n")
    assert advisor.predictor.graphs.get(asked) is None
    with pytest.raises(BadModel, match="not the one that you let run"):
        advisor.predictor.graph(asked)
    open_net(advisor, path)
    large = advisor.predictor.graph(asked)
    assert large.model.params == 8 * 4096 + 4096 + 4096 * 2 + 2
    told = advisor.predictor.predict(asked, machine, large)
    assert (told.memory.basis, told.time.basis) == ("traced", "predicted")
    assert any("earlier version" in line for line in told.assumptions)
    assert advisor.advice.after(run) is None

    path.write_text(NET.format(last=3))
    assert advisor.predictor.graphs.get(open_net(advisor, path)) is None
    assert advisor.predictor.graph(asked).model.params == 8 * 4096 + 4096 + 4096 * 3 + 3


def test_a_model_can_be_traced_anew_without_an_edit(advisor: Advisor, tmp_path: Path):
    path, kept = tmp_path / "net.py", tmp_path / "units"
    kept.mkdir()
    path.write_text(
        "import keras, pathlib\n\ndef build():\n"
        f"    width = len(list(pathlib.Path({str(kept)!r}).iterdir()))\n"
        "    return keras.Sequential([keras.Input((8,)), keras.layers.Dense(width)])\n"
    )
    for number in range(4):
        (kept / str(number)).touch()
    asked = open_net(advisor, path)
    assert advisor.predictor.graph(asked).model.params == 36
    for number in range(4, 8):
        (kept / str(number)).touch()
    assert advisor.predictor.graph(asked).model.params == 36, "what a file lists is not seen"
    assert advisor.predictor.graph(asked, anew=True).model.params == 72
    assert advisor.predictor.graphs.get(asked).model.params == 72
