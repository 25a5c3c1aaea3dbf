"""What a person sees on the Runs page without doing anything, and with two runs selected."""

import threading

import pytest
from PySide6.QtWidgets import QApplication

from app.core.types.errors import StoreError
from app.core.types.text import verbatim
from app.ui.benchmark.live_plots import LivePlots
from app.ui.shell.main_window import FIT, RUNS


def measure(story, batch):
    """A run of a batch."""
    story.window.form.batch.spin.setValue(batch)
    story.answered()
    assert story.wiring.bench.start()
    story.until(lambda: not story.wiring.bench.running)


@pytest.fixture
def page(story):
    """The Runs page with two runs, of which nobody selected any."""
    measure(story, 256)
    measure(story, 512)
    shown = story.page(RUNS)
    story.until(lambda: shown.table.rowCount() == 2)
    return shown


def facts(page):
    """The names of the rows of the comparison, from top to bottom."""
    table = page.details.comparison
    return [table.item(row, 0).text() for row in range(table.rowCount())]


def test_the_newest_run_is_shown_at_once(story, page):
    story.until(page.details.result.isVisible)
    assert page.selected_ids() == (2,)
    assert "run 2" in page.details.result._title.full_text()


def test_a_run_made_meanwhile_is_shown_on_return_but_takes_no_selection_away(story, page):
    page.table.select_row(1, add=False)
    story.until(lambda: page.details._run_id == 1)
    measure(story, 128)
    story.until(lambda: page.table.rowCount() == 3)
    assert page.selected_ids() == (1,)
    story.page(FIT)
    measure(story, 64)
    story.page(RUNS)
    story.until(lambda: page.details._run_id == 4)


def test_two_selected_runs_are_compared_numbers_first(story, page):
    page.table.selectAll()
    story.until(page.details.comparison_card.isVisible)
    names = facts(page)
    assert names[:3] == ["Outcome", "Step", "Step, estimated before"]
    assert names.index("Memory needed, estimated before") == names.index("Memory needed") + 1
    assert names[-1] == "Batch size"
    table = page.details.comparison
    assert [table.item(2, column).text() for column in (1, 2)] == ["≈ 34.7 ms (−7 %)", "~ 19.4 ms (−7 %)"]
    assert page.details.comparison_card.y() < page.details.peaks.y()


def test_compare_with_one_run_selected_takes_the_next_one_too(story, page):
    page.compare.click()
    story.until(page.details.comparison_card.isVisible)
    assert page.selected_ids() == (2, 1)


def test_what_was_not_read_while_it_ran_has_no_plot(story, page):
    story.until(page.details.plots.isVisible)
    QApplication.processEvents()
    titles = [card.title.text() for card in page.details.plots.cards.values() if card.isVisibleTo(page)]
    assert "Processor use" in titles
    assert "Step time" not in titles


def test_curves_of_one_point_are_no_plots(qtbot):
    plots = LivePlots("While it ran")
    qtbot.addWidget(plots)
    plots.show()
    plots.set_curves({"cpu_percent": ([1.0], [50.0])}, (), None, live=False)
    assert plots.cards == {}


def test_what_comes_late_takes_no_error_away_and_going_on_does(story, page, tmp_path, monkeypatch):
    """A run that is still being read while a file cannot be written; then the next run."""
    story.until(page.details.result.isVisible)
    history, go_on = story.advisor.history, threading.Event()
    read = history.get

    def read_slowly(run_id):
        assert go_on.wait(30)
        return read(run_id)

    monkeypatch.setattr(history, "get", read_slowly)
    page.table.select_row(1, add=False)
    page.save_requested.emit((1, 2), str(tmp_path / "runs.html"), True)
    story.until(page.error.isVisible)
    go_on.set()
    story.until(lambda: page.details._run_id == 1)
    assert page.error.isVisible()
    assert page.error.message() == "A report is about one run"
    page.table.select_row(0, add=False)
    assert page.error.isHidden()
    story.until(lambda: page.details._run_id == 2)


def test_a_change_that_failed_is_said_after_the_list_was_read_again(story, page, monkeypatch):
    def refuse(*_):
        raise StoreError(verbatim("Cannot write the note"))

    story.until(page.details.result.isVisible)  # the newest run has been read, which is told too
    told = []
    monkeypatch.setattr(story.advisor.history, "set_note", refuse)
    story.wiring.runs.changed.connect(told.append)
    page.note_changed.emit(1, "kept nowhere")
    story.until(lambda: len(told) == 2)  # the failure, and the list
    assert page.error.message() == "Cannot write the note"
    assert page.error.isVisible()
