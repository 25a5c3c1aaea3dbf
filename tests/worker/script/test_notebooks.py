"""Notebooks run in a real child, cell by cell and without Jupyter."""

from __future__ import annotations

import json

import pytest

from app.core.types.messages import Failed
from tests.core.types.test_notebook import notebook
from tests.worker.script.scripts import captured, ran

pytestmark = pytest.mark.worker


def test_a_notebook_answers_at_its_fit_with_cell_and_line(tmp_path):
    (tmp_path / "helper.py").write_text("EPOCHS = 7\n")
    cells = (
        "%matplotlib inline\nimport keras, numpy as np, tensorflow as tf\nimport helper\nx = np.ones((77, 4))",
        "class Net(keras.Model):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.d = keras.layers.Dense(1)\n"
        "    @tf.function\n"
        "    def call(self, x):\n"
        "        if keras.ops.sum(x) > 3:\n"
        "            x = x * 2\n"
        "        return self.d(x)\n"
        "display(get_ipython(), Net)\n",
        "net = Net()\nnet.compile('adam', 'mse')\n!ls\nnet.fit(x, x[:, :1],\n        epochs=helper.EPOCHS)",
        "net.fit(x, x[:, :1], epochs=1)\nopen('behind', 'w')",
    )
    found = captured(ran(tmp_path, notebook(*cells), file="study.ipynb"))
    assert (found["file"], found["cell"], found["line"]) == (str(tmp_path / "study.ipynb"), 3, 4)
    assert (found["epochs"], found["samples"], found["of"], found["other_lines"]) == (7, 77, 2, ["cell 4:1"])
    assert "%matplotlib inline (cell 1), !ls (cell 3)" in json.dumps(found["told"])
    assert not (tmp_path / "behind").exists()


@pytest.mark.parametrize("cell", ["a = 1\n\nb = a + 'x'", "a = 1\n\ndef f(:"])
def test_an_error_names_cell_and_line(tmp_path, cell):
    answer = ran(tmp_path, notebook("%pip install x", cell), file="study.ipynb")
    assert isinstance(answer, Failed)
    assert answer.where == f"{tmp_path / 'study.ipynb'}, cell 2, line 3"
