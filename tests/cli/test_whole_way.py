"""The commands as a user types them, with a real child that runs TensorFlow."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.measured_once import known_in
from tests.patience import SOON_S

pytestmark = pytest.mark.worker

S1 = ["fashion_mnist_cnn", "--dataset", "fashion_mnist", "--optimizer", "adam"]
CARD = ["--on", "RTX 2060 6GB"]
NET = """
import keras

def build():
    return keras.Sequential([keras.Input((8,)), keras.layers.Dense(4), keras.layers.Dense(3, activation="softmax")])
"""


@pytest.fixture(scope="module")
def command(tmp_path_factory):
    """Run a command in folders of its own; give its exit code, its output as JSON, and stderr."""
    folder = tmp_path_factory.mktemp("data")
    known_in(folder, tmp_path_factory)
    environment = {**os.environ, "WILLITTRAIN_DATA_DIR": str(folder)}

    def run(*arguments):
        line = [sys.executable, "-m", "app", *arguments]
        done = subprocess.run(line, capture_output=True, text=True, env=environment, timeout=250, check=False)
        assert [line for line in done.stdout.splitlines() if line != line.rstrip()] == [], "no line is filled up"
        document = json.loads(done.stdout) if "--json" in arguments and done.stdout else done.stdout
        # On a slow machine whoever waits for more than a minute is told what is being done: no error.
        errors = "".join(line for line in done.stderr.splitlines(keepends=True) if not line.startswith("after "))
        return done.returncode, document, errors

    run.environment = environment
    return run


def test_the_first_case_on_its_own_card(command):
    verdicts = {}
    for batch in (256, 4096, 32768):
        code, answer, errors = command("estimate", *S1, *CARD, "--batch-size", str(batch), "--json")
        assert (code, errors) == (0, "")
        verdicts[batch] = answer["fit"]["verdict"]
    assert verdicts == {256: "fits", 4096: "tight", 32768: "does_not_fit"}
    assert answer["model"]["params"] == 562_474


def test_check_turns_the_verdict_into_an_exit_code(command):
    assert command("estimate", *S1, *CARD, "--batch-size", "32768", "--check", "--json")[0] == 1
    assert command("estimate", *S1, *CARD, "--batch-size", "256", "--check", "--json")[0] == 0


def test_bench_advise_and_report(command, tmp_path):
    code, run, errors = command("bench", *S1, "--batch-size", "64", "--device", "cpu", "--seconds", "2", "--json")
    assert (code, errors) == (0, "")
    assert run["outcome"] == "succeeded"
    assert run["measured"]["step_s"]["median"] > 0
    assert run["predicted"]["time"]["step_s"] > 0
    guess, truth = (run[kind]["memory"]["allocator_peak_bytes"] for kind in ("predicted", "measured"))
    assert truth / 2 < guess < truth * 2
    code, advice, errors = command("advise", *S1, "--batch-size", "64", "--device", "cpu", "--json")
    assert (code, errors) == (0, "")
    assert advice["upgrades"]
    assert command("report", "last", "-o", str(tmp_path / "run.html"))[0] == 0
    assert "✓" in (tmp_path / "run.html").read_text(encoding="utf-8")
    code, text, errors = command("advise", *S1, "--batch-size", "64", "--device", "cpu", "--bench", "1")
    assert (code, errors) == (0, "")
    assert text.startswith("Succeeded — ✓")
    assert "What to buy or rent" in text


def test_a_function_in_a_file_runs_only_with_consent(command, tmp_path):
    (tmp_path / "net.py").write_text(NET)
    model = f"{tmp_path / 'net.py'}:build"
    code, _, errors = command("estimate", model, "--json")
    assert code == 3
    assert "--trust" in errors
    code, answer, errors = command("estimate", model, "--trust", "--json")
    assert (code, errors) == (0, "")
    assert answer["model"]["params"] == 8 * 4 + 4 + 4 * 3 + 3


READS = """
import json, keras, numpy, pathlib
here = pathlib.Path(__file__).parent
def build():
    width = json.loads((here / "widths" / "sizes.json").read_text())["width"]
    return keras.Sequential([keras.Input((8,)), keras.layers.Dense(width)])
if __name__ == "__main__":
    model = build()
    model.compile("sgd", "mse")
    with open(here / "log.txt", "a+") as log:
        log.write(log.read() or "x")
    model.fit(numpy.zeros((4, 8)), numpy.zeros((4, 1)), epochs=1)
"""


@pytest.mark.parametrize("entry", ["", ":build"])
def test_an_edit_of_a_settings_file_is_never_answered_from_before(command, tmp_path, entry):
    (tmp_path / "net.py").write_text(READS)
    settings = tmp_path / "widths" / "sizes.json"
    settings.parent.mkdir()
    params, ways = [], []
    for width in (4, 4, 9):
        settings.write_text(json.dumps({"width": width}))
        code, answer, errors = command("estimate", f"{tmp_path / 'net.py'}{entry}", *CARD, "--trust", "--json")
        assert (code, errors) == (0, "")
        params.append(answer["model"]["params"])
        ways.append(answer["captured"]["prepared_s"] if not entry else None)
    assert params == [9 * width for width in (4, 4, 9)]
    assert entry or (ways[0] == ways[1] != ways[2]), "the second answer needed no run"


def test_another_machine_from_a_file(command, tmp_path):
    code, text, _ = command("doctor")
    assert (code, text[:2]) == (0, "✔ ")
    code, doctor, _ = command("doctor", "--json")
    assert code == 0
    path = tmp_path / "machine.json"
    path.write_text(json.dumps(doctor))
    code, answer, errors = command("estimate", *S1, "--machine", str(path), "--json")
    assert (code, errors) == (0, "")
    assert answer["fit"]["allowed_bytes"] > 0


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT")
@pytest.mark.parametrize("seen", ["reading", "· step "])
def test_one_ctrl_c_ends_a_benchmark_soon(command, seen):
    line = [sys.executable, "-m", "app", "bench", *S1, "--batch-size", "64", "--device", "cpu", "--seconds", "300"]
    ours, theirs = os.openpty()  # a terminal shows what is being done: before the run, and then its steps
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=theirs, env=command.environment) as process:
        os.close(theirs)
        shown = shown_on(ours, until=seen)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        shown += shown_on(ours)
        output, _ = process.communicate(timeout=30)
        assert time.monotonic() - asked < SOON_S
    os.close(ours)
    assert process.returncode == 130
    cancelled = output.decode().startswith("Cancelled")  # what was measured until then follows
    assert cancelled if "step" in seen else cancelled or "stopped" in shown


def shown_on(terminal, until=None):
    """What is written on a terminal until a word is read, or until nobody writes on it any more."""
    shown = ""
    with contextlib.suppress(OSError):  # Linux's end of a terminal
        while until is None or until not in shown:
            read = os.read(terminal, 4096).decode(errors="replace")
            if not read:
                break
            shown += read
    return shown


@pytest.mark.parametrize(("jit", "basis"), [("--jit", "compiled"), ("--no-jit", "calibrated")])
def test_refine_sharpens_the_answer_and_is_kept(command, jit, basis):
    plan = ["mlp", "--batch-size", "48", "--device", "cpu", jit, "--json"]  # nobody has run it here before
    before = command("estimate", *plan)[1]["memory"]
    code, answer, errors = command("estimate", *plan, "--refine")
    assert (code, errors) == (0, "")
    memory = answer["memory"]
    assert before["basis"] == "traced"
    assert memory.keys() == before.keys()
    if memory["basis"] == basis:
        below = [found["allocator_peak_bytes"] - found["low_bytes"] for found in (memory, before)]
        assert below[0] < below[1]  # the upper end is what a training survives in, which may be more
    else:  # a probe that disagrees with the traced step sharpens nothing and says so
        assert (basis, memory["basis"]) == ("calibrated", "traced")
        assert "probe" in memory["dominant_assumption"]
    assert command("estimate", *plan)[1]["memory"] == memory


SCRIPT = """
import sys, numpy as np, keras
model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(1)])
model.compile("sgd", "mse")
try:
    model.fit(np.zeros((90, 8)), np.zeros((90, 1)), batch_size=30, epochs=int(sys.argv[1]))
finally:
    open("behind", "w")
"""


def test_a_script_is_answered_for_as_it_is_written_and_the_second_time_without_running_it(command, tmp_path):
    path = tmp_path / "train.py"
    path.write_text(SCRIPT)
    assert command("estimate", str(path), "--json", "--", "5")[0] == 3
    code, answer, errors = command("estimate", str(path), *CARD, "--trust", "--json", "--", "5")
    assert (code, errors) == (0, "")
    captured = answer["captured"]
    assert (captured["fit"], captured["of"], captured["line"]) == (1, 1, 6)
    said = {"optimizer": "sgd", "batch_size": 30, "epochs": 5, "precision": "float32"}
    assert {name: captured[name] for name in said} == said
    assert {name: answer["plan"][name] for name in said} == said
    assert answer["time"]["total_s"] == pytest.approx(5 * 3 * answer["time"]["step_s"])
    code, again, errors = command("estimate", str(path), *CARD, "--json", "--optimizer", "adam", "--", "5")
    assert (code, errors) == (0, "")
    assert again["captured"] == captured  # how long it took to come to its fit as well: it did not run
    assert (again["plan"]["optimizer"], again["plan"]["batch_size"]) == ("adam", 30)
    assert again["memory"]["allocator_peak_bytes"] > answer["memory"]["allocator_peak_bytes"]
    text = command("estimate", str(path), *CARD, "--optimizer", "adam", "--", "5")[1]
    assert "your file: sgd, batch 30, float32, 5 epochs" in text
    assert "Optimizer: adam here, sgd in your file" in text
    assert not (tmp_path / "behind").exists()
    assert command("estimate", str(path), "--classes", "3", "--", "5")[0] == 2


TWO = SCRIPT.replace(
    "try:", "model.fit(np.zeros((40, 8)), np.zeros((40, 1)), epochs=2)\nmodel.save('saved.keras')\ntry:"
)


def test_a_second_training_is_reached_on_a_copy_so_that_nothing_of_the_users_changes(command, tmp_path):
    path = tmp_path / "proj" / "train.py"
    path.parent.mkdir()
    path.write_text(TWO)
    (path.parent / "saved.keras").write_text("mine")
    code, answer, errors = command("estimate", str(path), *CARD, "--trust", "--json", "--fit", "2", "--", "5")
    assert (code, errors) == (0, "")
    captured = answer["captured"]
    told = {"fit": 2, "of": 2, "of_is": "source", "line": 8, "file": str(path), "other_lines": ["5"], "times": 1.0}
    assert {name: captured[name] for name in told} == told
    assert [(one["fit"], one["line"]) for one in captured["trainings"]] == [(1, 5), (2, 8)]
    assert "on a copy" in " ".join(captured["told"])
    assert (path.parent / "saved.keras").read_text() == "mine"
    assert sorted(one.name for one in path.parent.iterdir()) == ["saved.keras", "train.py"]
    text = command("estimate", str(path), *CARD, "--fit", "2", "--", "5")[1]
    assert "training 2 of 2 in the source (train.py:8)" in text
    assert "training 1 (train.py:5): sgd, batch 32, 2 epochs" in text
    assert command("estimate", "vgg16", *CARD, "--fit", "2")[0] == 2


def test_what_the_author_of_a_function_compiled_is_the_plan(command, tmp_path):
    (tmp_path / "net.py").write_text(
        "import keras\n"
        "class Net(keras.Sequential):\n"
        "    def train_step(self, data):\n"
        "        x, y = data\n"
        "        return super().train_step((x, y))\n"
        "def build():\n"
        "    keras.config.set_dtype_policy('mixed_bfloat16')\n"
        "    net = Net([keras.Input((8,)), keras.layers.Dense(4), keras.layers.Dense(3, activation='softmax')])\n"
        "    net.compile(keras.optimizers.RMSprop(momentum=0.9, clipnorm=0.5), 'mse', metrics=['mae'])\n"
        "    return net\n"
    )
    model = f"{tmp_path / 'net.py'}:build"
    code, answer, errors = command("estimate", model, *CARD, "--trust", "--json")
    assert (code, errors) == (0, "")
    said = {"optimizer": "rmsprop", "precision": "mixed_bfloat16"}
    assert {name: answer["plan"][name] for name in said} == said
    assert (answer["plan"]["momentum"], answer["plan"]["clipnorm"]) == (0.9, 0.5)
    assert answer["memory"]["parts"]["optimizer_state"] == 2 * (8 * 4 + 4 + 4 * 3 + 3) * 4
    unsaid = {"fit": None, "line": None, "batch_size": None, "epochs": None}
    assert {name: answer["captured"][name] for name in (*said, *unsaid)} == said | unsaid
    code, run, _ = command("bench", model, "--seconds", "1", "--device", "cpu", "--json")
    assert (code, run["outcome"]) == (0, "succeeded")
    assert {name: run["plan"][name] for name in said} == said
