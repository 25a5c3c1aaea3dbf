"""Python files of the user: nothing runs before a yes, a yes is remembered, a change ends it; whose Python trains."""

import json
import sys
import zipfile

import pytest
from PySide6.QtWidgets import QApplication

from app.services.models.own_code import OwnCode, read_own
from app.ui.workload.code_dialog import CodeDialog
from app.ui.workload.code_presenter import CodeChoice, CodeFile

CODE = "def build():\n    return None\n\n\ndef batches():\n    return None\n"


@pytest.fixture
def net(tmp_path):
    path = tmp_path / "net.py"
    path.write_text(CODE)
    return path


class Asked(list):
    """Answers with a function, or with no, and remembers what it was asked."""

    def __init__(self, choice):
        super().__init__()
        self.choice = choice

    def __call__(self, file):
        self.append(file)
        return self.choice


def test_a_model_function_runs_after_a_yes(open_window, net):
    asked = Asked(CodeChoice("build", "model"))
    story = open_window(ask=asked)
    story.answered()
    story.window.form.take_path(str(net))
    story.until(lambda: story.wiring.session.workload.model.kind == "code")
    model = story.wiring.session.workload.model
    assert (model.function, model.trusted) == ("build", True)
    assert (asked[0].functions, asked[0].known, asked[0].purpose) == (("build", "batches"), False, "model")
    story.answered()


@pytest.mark.parametrize("name", ["train.py", "study.ipynb"])
def test_a_script_is_opened_as_its_author_wrote_it(open_window, tmp_path, name):
    path = tmp_path / name
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["fit()"]}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    path.write_text("def build():\n    pass\n\n\nbuild()\n" if path.suffix == ".py" else notebook)
    asked = Asked(CodeChoice("", "model"))
    story = open_window(ask=asked)
    story.answered()
    story.window.form.take_path(str(path))
    story.until(lambda: story.wiring.session.workload.model.kind == "script")
    workload = story.wiring.session.workload
    assert (workload.model.trusted, workload.dataset) == (True, None)
    assert (workload.plan.batch_size, workload.plan.optimizer) == (48, "rmsprop")
    assert asked[0].script
    story.answered()


def test_the_dialog_offers_the_whole_file_first_where_it_trains(qtbot):
    own = OwnCode("/somewhere/train.py", "digest", {}, CODE.encode())
    dialog = CodeDialog(CodeFile(own, ("build", "batches"), "model", known=False, script=True))
    qtbot.addWidget(dialog)
    assert dialog.choice() == CodeChoice("", "model")
    assert [dialog.function.itemData(row) for row in range(3)] == ["", "build", "batches"]


def test_a_refused_file_is_not_opened(open_window, net):
    story = open_window(ask=Asked(None))
    story.answered()
    story.window.form.take_path(str(net))
    story.until(story.window.toast.isVisible)
    assert "find_model" not in story.advisor.script.calls
    assert not story.advisor.catalog.trust.knows(read_own(str(net)))


def test_a_file_that_is_written_to_while_the_dialog_is_open_was_not_allowed(open_window, net):
    def ask(file):
        net.write_text(CODE + "print('another')\n")
        return CodeChoice("build", "model")

    story = open_window(ask=ask)
    story.answered()
    story.window.form.take_path(str(net))
    story.until(lambda: story.wiring.session.workload.model.kind == "code")
    assert not story.wiring.session.workload.model.trusted
    assert not story.advisor.catalog.trust.knows(read_own(str(net)))
    story.answered()


def test_a_data_function_is_taken_as_data(open_window, net):
    story = open_window(ask=Asked(CodeChoice("batches", "data")))
    story.answered()
    story.window.form.data_path_chosen.emit(str(net))
    story.until(lambda: story.wiring.session.workload.dataset.kind == "code")
    data = story.wiring.session.workload.dataset
    assert (data.function, data.trusted, data.real) == ("batches", True, True)
    assert story.window.form.dataset.lineEdit().text().startswith("net.py:batches")
    story.answered()


def test_a_file_that_was_let_run_is_known_the_next_time(open_window, net):
    asked = Asked(CodeChoice("build", "model"))
    story = open_window(ask=asked)
    story.answered()
    for times in (1, 2):
        story.window.form.take_path(str(net))
        story.until(lambda times=times: len(asked) == times)
        story.until(lambda: story.advisor.catalog.trust.knows(read_own(str(net))))
    assert [file.known for file in asked] == [False, True]
    story.answered()


def test_a_saved_model_that_holds_code_is_asked_about_where_it_was_refused(open_window, tmp_path):
    path = tmp_path / "lambda_net.keras"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("config.json", '{"class_name": "Functional"}')
    asked = Asked(CodeChoice("", "model"))
    story = open_window(ask=asked)
    story.answered()
    story.window.form.take_path(str(path))
    card = story.window.error
    story.until(card.isVisible)
    assert card.message() == "The file holds code (Lambda)"
    assert asked == []
    assert "--trust" not in card.hint()
    assert card.action_button().text() == "Look at it and let it run …"
    card.action_button().click()
    story.until(lambda: story.wiring.session.workload.model.trusted)
    story.until(lambda: not card.isVisible())
    assert (asked[0].own.path, asked[0].functions) == (str(path), ())
    story.answered()
    assert story.wiring.estimates.verdict.error is None


def test_the_dialog_of_a_saved_model_asks_for_no_function(qtbot, tmp_path):
    path = tmp_path / "lambda_net.keras"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("config.json", "{}")
    dialog = CodeDialog(CodeFile(read_own(str(path)), (), "model", known=False))
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.text.isVisible()
    assert not dialog.function.isVisible()
    assert dialog.choice() == CodeChoice("", "model")


def test_changed_code_is_not_run_without_a_new_yes(open_window, net):
    story = open_window(ask=Asked(CodeChoice("build", "model")))
    story.answered()
    story.window.form.take_path(str(net))
    story.until(lambda: story.wiring.session.workload.model.kind == "code")
    story.answered()
    net.write_text(CODE + "print('changed')\n")
    story.wiring.measure()
    story.until(lambda: story.wiring.bench.state.stage == "done")
    assert "not the one that you let run" in story.wiring.bench.state.error.message
    assert "bench" not in story.advisor.script.calls


def test_a_file_without_a_function_says_so(story, tmp_path):
    path = tmp_path / "empty.py"
    path.write_text("x = 1\n")  # running it would do nothing
    story.window.form.take_path(str(path))
    story.until(story.window.error.isVisible)
    assert story.window.error.message() == "The file defines no function"


def test_a_line_that_ends_in_another_way_is_shown_as_one(qapp, tmp_path):
    path = tmp_path / "net.py"
    path.write_bytes(b"# harmless\rdef hidden(): pass\n")
    dialog = CodeDialog(CodeFile(read_own(str(path)), ("hidden",), "model", known=False))
    assert dialog.text.toPlainText().splitlines()[-1] == "def hidden(): pass"
    dialog.deleteLater()


def test_the_dialog_shows_the_text_and_refuses_by_default(qtbot):
    own = OwnCode("/somewhere/net.py", "digest", {"helper.py": b"x = 1\n"}, CODE.encode())
    dialog = CodeDialog(CodeFile(own, ("build", "batches"), "data", known=False))
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    assert dialog.refuse.isDefault()
    assert dialog.text.toPlainText() == CODE
    dialog.shown.setCurrentIndex(1)
    assert dialog.text.toPlainText() == "x = 1\n"
    dialog.function.setCurrentIndex(1)
    assert dialog.choice() == CodeChoice("batches", "data")


def test_own_files_stand_on_top_of_the_list_after_a_restart(open_window, net):
    story = open_window(ask=Asked(CodeChoice("build", "model")))
    story.answered()
    story.window.form.take_path(str(net))
    story.until(lambda: story.wiring.session.workload.model.kind == "code")
    story.answered()
    story.window.close()
    again = open_window()
    again.answered()
    combo = again.window.form.model
    assert combo.itemText(0) == "net.py:build"
    again.window.form.model_chosen.emit("resnet50")
    again.answered()
    assert [combo.itemData(i) for i in range(2)] == ["resnet50", f"{net}:build"]
    assert sum(combo.itemData(i) == "resnet50" for i in range(combo.count())) == 1


def test_looking_through_a_folder_shows_how_far_it_is_and_esc_ends_it(open_window, tmp_path):
    (tmp_path / "rose.jpg").write_bytes(b"x")
    story = open_window(scan_s=30)
    story.answered()
    before = story.wiring.session.workload.dataset
    story.window.form.data_path_chosen.emit(str(tmp_path))
    story.until(lambda: "reading headers" in story.window.status.text.full_text())
    assert story.window.status.cancel.isVisible()
    story.wiring.escape()
    story.until(lambda: "Looking" not in story.window.status.text.full_text())
    assert story.wiring.session.workload.dataset == before


# Whose Python, which framework


def test_another_framework_is_chosen_and_what_it_cannot_do_gives_way(story):
    more = story.window.form.more
    data, threads = more.fields["data"].widget, more.fields["threads"].widget
    data.setCurrentIndex(data.findData("array"))
    threads.setValue(2)
    assert story.wiring.session.workload.plan.threads == 2
    more.backend.combo.setCurrentIndex(more.backend.combo.findData("jax"))
    plan = story.wiring.session.workload.plan
    assert (plan.backend, plan.data, plan.threads) == ("jax", "pipeline", None)
    assert data.currentData() == "pipeline"
    assert not threads.isEnabled()
    assert "threads" not in story.wiring.bench.state.measures
    story.answered()
    assert story.window.machine.state.framework == "JAX is not installed"
    assert not story.window.machine.state.trains
    assert "can use" not in story.window.machine._support.text()


def test_frameworks_that_are_not_installed_are_told_in_the_list(story):
    backend = story.window.form.more.backend.combo
    assert [backend.itemText(i) for i in range(3)] == ["TensorFlow", "JAX, not installed", "PyTorch, not installed"]


def test_another_python_is_asked_and_remembered(story):
    runtime = story.window.form.more.runtime
    before = story.advisor.script.calls.count("doctor")
    runtime.interpreter_chosen.emit(sys.executable)
    story.until(lambda: story.wiring.session.advisor.settings.interpreter == sys.executable)
    story.until(lambda: story.advisor.script.calls.count("doctor") > before)
    assert runtime.interpreter.currentData() == sys.executable
    assert story.window.settings.interpreters == (sys.executable,)
    story.answered()


def test_a_python_that_is_not_there_is_an_error_and_changes_nothing(story):
    story.window.form.interpreter_chosen.emit("/nowhere/python")
    story.until(story.window.error.isVisible)
    assert story.window.error.message() == "No such interpreter"
    assert story.wiring.session.advisor.settings.interpreter is None
