"""What users do, from start to end, on the real window with a recorded advisor."""

import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QDialog, QFileDialog, QLineEdit

from app.core.types.machine import Gpu, GpuSupport
from app.core.types.plan import plan_options
from app.core.types.plan_values import CLIPPING, VARIANTS
from app.core.types.units import GIB
from app.ui.kit.basis_popup import BasisPopup
from app.ui.kit.number_label import NumberLabel
from app.ui.machine.live import sampler_source
from app.ui.machine.state_machine import LiveReading
from app.ui.runs.preview_dialog import PreviewDialog
from app.ui.session.session import Simulation
from app.ui.shell.command_palette import CommandPalette
from app.ui.shell.main_window import ADVICE, BENCHMARK, FIT, RUNS, UPGRADES
from app.ui.shell.settings_dialog import SettingsDialog, SimulateDialog
from tests.patience import SOON_S


def press(story, key):
    """A key, as the window gets it."""
    story.window.activateWindow()
    story.until(story.window.isActiveWindow)
    QTest.keySequence(story.window, QKeySequence(key))


def dialog(story, kind):
    """The open dialog of a kind."""
    story.until(lambda: story.window.findChildren(kind))
    return story.window.findChildren(kind)[0]


# First start, estimate


def test_the_first_start_answers_for_a_sample_on_this_machine(story):
    state = story.window.verdict.state
    assert (state.verdict, state.device) == ("fits", "AMD Ryzen 7 3700X 8-Core Processor")
    assert story.window.verdict.accessibleDescription().startswith("Fits. Needs 277.1 MiB of the 52.0 GiB usable")
    assert story.window.form.model.lineEdit().text().startswith("Fashion-MNIST CNN")
    assert story.window.form.batch.value() == 256


def test_the_textbook_answers_before_the_trace_is_there(open_window):
    story = open_window(trace_s=0.4)
    seen = []
    story.wiring.estimates.verdict_changed.connect(lambda state: seen.append(state.stage))
    story.answered()
    assert seen[0] == "textbook"
    assert seen[-1] == "predicted"


def test_the_status_line_says_that_a_model_is_traced_and_esc_cancels_it(open_window):
    story = open_window(trace_s=30)
    story.until(lambda: "Tracing" in story.window.status.text.full_text())
    assert story.window.status.cancel.isVisible()
    press(story, "Esc")
    story.until(lambda: not story.wiring.estimates.tracing)
    assert story.window.verdict.state.stage == "textbook"
    assert "Tracing" not in story.window.status.text.full_text()


def test_the_slider_changes_the_answer_at_once(story):
    story.window.form.batch.slider.setValue(story.window.form.batch.slider.maximum())
    story.answered()
    assert story.window.form.batch.value() == 2**17
    assert story.window.verdict.state.verdict == "does_not_fit"
    assert "Does not fit" in story.window.verdict.accessibleDescription()


def test_fast_slider_moves_end_with_the_last_answer(open_window):
    story = open_window(estimate_s=0.02)
    story.answered()
    before = story.advisor.script.calls.count("estimate")
    for position in range(0, 120, 2):
        story.window.form.batch.slider.setValue(position)
    story.answered()
    assert story.window.verdict.state.batch_size == story.window.form.batch.value()
    assert story.advisor.script.calls.count("estimate") - before < 30


def test_nothing_of_the_advisor_runs_on_the_main_thread(story):
    story.page(ADVICE)
    story.page(RUNS)
    story.until(lambda: "advise" in story.advisor.script.calls and story.wiring.runs.state.loaded)
    assert threading.get_ident() not in story.advisor.script.threads


def change(field):
    """Make a field of the form say something else, as its user would."""
    widget = field.widget
    if isinstance(widget, QCheckBox):
        widget.click()
    elif isinstance(widget, QComboBox):
        widget.setCurrentIndex(widget.currentIndex() + 1)
    elif isinstance(widget, QLineEdit):
        widget.setText({"size": "48x64", "lengths": "64"}.get(field.option.kind, "lstm_1"))
        widget.editingFinished.emit()
    else:
        widget.setValue(widget.value() + (-50 if field.option.percent else 3))


def test_every_option_of_a_plan_has_a_field_that_asks_again(story):
    form = story.window.form
    form.more.toggle.click()
    fields = {**form.fields, **form.more.fields}
    assert {*fields, *CLIPPING, "batch_size"} == {one.name for one in plan_options()}
    of_optimizer = {variant: optimizer for optimizer, variants in VARIANTS.items() for variant in variants}
    # 8-bit weights need a rank and float32; a framework, and what is not a training, take others away
    last = ["int8", "precision", "mode", "backend"]
    for name in sorted(fields, key=lambda name: last.index(name) if name in last else -1):
        if name in of_optimizer:
            form.fields["optimizer"].widget.setCurrentText(of_optimizer[name])
        old = getattr(story.wiring.session.workload.plan, name)
        change(fields[name])
        assert getattr(story.wiring.session.workload.plan, name) != old, name
        assert fields[name].widget.toolTip()
    story.answered()


@pytest.mark.parametrize(("index", "name"), list(enumerate(CLIPPING, 1)))
def test_gradients_are_clipped_in_one_way(story, index, name):
    clipping, before = story.window.form.more.clipping, story.wiring.session.workload.plan
    assert not clipping.limit.isEnabled()
    clipping.way.setCurrentIndex(index)
    clipping.limit.setValue(0.5)
    assert story.wiring.session.workload.plan == replace(before, **{name: 0.5})
    clipping.way.setCurrentIndex(0)
    assert story.wiring.session.workload.plan == before
    story.answered()


def test_8_bit_weights_are_offered_only_where_they_are_possible(story):
    more = story.window.form.more
    more.toggle.click()
    rank, int8 = more.fields["lora_rank"].widget, more.fields["int8"].widget
    assert not int8.isEnabled()
    assert "cannot be trained" in int8.toolTip()
    rank.setValue(4)
    assert int8.isEnabled()
    int8.setChecked(True)
    rank.setValue(0)
    plan = story.wiring.session.workload.plan
    assert (plan.int8, plan.lora_rank, int8.isChecked()) == (False, None, False)
    story.answered()


def test_how_much_is_cached_is_asked_where_something_is(story):
    fields = story.window.form.more.fields
    assert not fields["cache_share"].widget.isEnabled()
    fields["cache"].widget.setCurrentIndex(1)
    assert fields["cache_share"].widget.isEnabled()
    story.answered()


def test_another_model_forgets_the_sizes_of_the_last_one(story):
    field = story.window.form.more.fields["sequence_length"].widget
    field.setText("encoder=59, decoder=16")
    field.editingFinished.emit()
    assert story.wiring.session.workload.plan.sequence_length == (("encoder", 59), ("decoder", 16))
    story.window.form.model_chosen.emit("resnet50")
    plan = story.wiring.session.workload.plan
    assert plan.sequence_length is None
    assert field.text() == ""
    story.answered()


def test_a_long_simulation_does_not_hold_up_another_model(story):
    story.advisor.script.estimate_s = 120
    story.window.form.batch.spin.setValue(512)
    story.until(lambda: story.advisor.script.calls.count("estimate") > 1)
    story.advisor.script.estimate_s = 0
    story.window.form.model_chosen.emit("resnet50")
    story.answered()
    assert story.wiring.session.workload.model.name == "resnet50"


def test_half_precision_is_traced_again(story):
    story.window.form.fields["precision"].widget.setCurrentText("mixed_float16")
    story.until(lambda: ("fashion_mnist_cnn", "mixed_float16") in story.advisor.script.traced)
    story.answered()
    assert story.window.verdict.state.needed.text == "142.9 MiB"


def test_a_model_is_found_by_typing_a_part_of_its_name(story):
    field = story.window.form.model.lineEdit()
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "net50")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert story.wiring.session.workload.model.name == "resnet50"
    story.answered()


def test_a_model_that_cannot_be_built_says_why(story):
    story.wiring.pick.choose_model("broken_net")
    story.until(lambda: story.window.verdict.state.stage == "failed")
    state = story.window.verdict.state
    assert (state.verdict, state.error.hint) == ("unknown", "choose another model")
    assert "Cannot tell" in story.window.verdict.accessibleDescription()
    story.wiring.pick.choose_model("resnet50")
    story.answered()


def test_the_basis_of_a_number_opens_on_a_key(story):
    number = next(n for n in story.window.verdict.findChildren(NumberLabel) if n.number.text == "4.54 s")
    number.setFocus()
    QTest.keyClick(number, Qt.Key.Key_Space)
    popup = number.findChildren(BasisPopup)[0]
    texts = " ".join(label.text() for label in popup.findChildren(type(story.window.form._assumptions)))
    assert "This number is predicted" in texts
    assert "the processor is not used by anything else" in texts
    popup.close()


# Fit page


def test_the_marker_of_the_chart_is_the_batch_field(story):
    page = story.page(FIT)
    story.until(lambda: page.chart.card.plot is not None)
    marker = page.chart.card.plot._markers[0]
    marker.setValue(10)
    marker.sigDragged.emit(marker)
    story.answered()
    assert story.window.form.batch.value() == 1024
    story.window.form.batch.spin.setValue(64)
    story.answered()
    assert marker.value() == 6


def test_every_plot_has_a_table(story):
    page = story.page(FIT)
    page.chart.card.table_button.click()
    table = page.chart.card.table
    assert table.isVisible()
    assert [table.item(8, column).text() for column in range(3)] == ["256", "277.1 MiB", "13,223"]
    page.timeline.table_button.click()
    assert page.timeline.table.rowCount() == 41


def test_the_bar_shows_parts_limit_and_words_under_the_mouse(story):
    bar = story.page(FIT).bar
    parts = [part for part, _, _ in bar.spans()]
    assert parts[0] == "others"
    assert "activations" in parts
    assert bar.limit_x() < bar.width()
    left, right = next((x0, x1) for part, x0, x1 in bar.spans() if part == "others")
    middle = QPointF((left + right) / 2, 30).toPoint()
    assert bar.tooltip_at(middle).startswith("Others and reserve: 12.0 GiB")


# Machine and simulation


def test_the_panel_shows_live_values_and_gaps(open_window):
    @contextmanager
    def source():
        yield lambda: LiveReading(cpu_percent=12.0, ram_used_bytes=9 * GIB)

    story = open_window(live=source)
    story.answered()
    story.until(lambda: story.window.machine._live["cpu"][1].text() == "12 %")
    assert story.window.machine._live["ram"][1].text() == "9.0 GiB"
    assert story.window.machine._live["disk"][1].text() == "–"


def test_real_live_values_arrive_soon(open_window):
    story = open_window(live=sampler_source)
    start = time.perf_counter()
    story.until(lambda: "ram" in story.window.machine._live and story.window.machine._live["ram"][1].text())
    assert time.perf_counter() - start < SOON_S


def test_a_card_that_cannot_be_used_says_why_and_what_to_do(story):
    support = (GpuSupport(0, "RTX 2060", "tensorflow", False, "the driver is too old", "Install driver 535 or newer."),)
    story.wiring.machine._support = support
    story.wiring.machine._show()
    text = story.window.machine._support.text()
    assert "cannot use RTX 2060: The driver is too old. Install driver 535 or newer." in text


def test_simulating_a_card_badges_and_esc_returns(story):
    story.window.machine.simulate_button.click()
    chooser = dialog(story, SimulateDialog)
    chooser.gpu.lineEdit().setText("2060")
    QTest.keyClick(chooser.gpu.lineEdit(), Qt.Key.Key_Return)
    story.until(lambda: story.window.verdict.state.device == "RTX 2060 6GB")
    assert story.window.machine.badge.isVisible()
    assert not story.window.verdict._measure.isEnabled()
    press(story, "Esc")
    story.until(lambda: story.window.verdict.state.device == "AMD Ryzen 7 3700X 8-Core Processor")
    assert not story.window.machine.badge.isVisible()


@pytest.mark.parametrize(("batch", "verdict"), [(256, "fits"), (4500, "tight"), (32768, "does_not_fit")])
def test_the_founding_case_on_a_simulated_card(story, batch, verdict):
    story.wiring.session.simulate(Simulation("RTX 2060 6GB"))
    story.until(lambda: story.window.verdict.state.simulated == ("gpu",))
    story.window.form.batch.spin.setValue(batch)
    story.answered()
    assert story.window.verdict.state.verdict == verdict


def test_other_ram_can_be_simulated_too(story):
    story.wiring.session.simulate(Simulation(ram_bytes=4 * GIB))
    story.until(lambda: story.window.verdict.state.allowed.text == "4.0 GiB")
    assert "RAM" in story.window.machine._support.text()


def test_a_card_that_is_gone_is_not_planned_with(open_window, advisor):
    from dataclasses import replace

    card = Gpu(0, "nvidia", "RTX 3060", memory_total_bytes=12 * GIB, memory_free_bytes=11 * GIB)
    story = open_window(real_machine=replace(advisor.script.real_machine, gpus=(card,)))
    story.answered()
    story.window.form.more.device.combo.setCurrentIndex(2)
    assert story.wiring.session.workload.plan.device == "gpu:0"
    story.wiring.session.set_real_machine(replace(advisor.script.real_machine, gpus=()))
    assert story.wiring.session.workload.plan.device == "auto"
    story.answered()


def test_machine_details_are_listed(story):
    story.window.machine.details_button.click()
    opened = dialog(story, QDialog)
    assert opened.windowTitle() == "This machine"
    opened.close()


# Benchmark


def test_ctrl_r_measures_and_shows_estimate_beside_measured(story):
    press(story, "Ctrl+R")
    assert story.window.pages.current() == BENCHMARK
    page = story.page(BENCHMARK)
    story.until(lambda: story.wiring.bench.state.stage == "done")
    assert page.result.outcome.text() == "Succeeded"
    assert page.result.step.value.number.mark == "measured"
    assert story.wiring.bench.state.result.comparisons[0].difference == "−7 %"
    story.until(lambda: story.window.verdict.state.epoch.mark == "scaled")


def test_live_plots_fill_while_it_runs_and_the_page_may_be_left(open_window):
    story = open_window(bench_s=1.2)
    story.answered()
    press(story, "Ctrl+R")
    page = story.page(BENCHMARK)
    story.until(lambda: len(story.wiring.bench.state.curves.get("step_ms", ((), ()))[0]) > 3)
    assert page.phases.accessibleDescription().startswith("Load framework")
    assert page.cancel.isVisible()
    story.page(FIT)
    story.until(lambda: not story.wiring.bench.running)
    assert story.window.toast.text.text() == "The benchmark has ended"
    story.window.toast.action.click()
    assert story.window.pages.current() == BENCHMARK
    page.plots.cards[0].table_button.click()
    story.until(lambda: page.plots.cards[0].table.rowCount() == 30)


def test_esc_cancels_a_benchmark_soon(open_window):
    story = open_window(bench_s=60)
    story.answered()
    story.wiring.measure()
    story.until(lambda: story.wiring.bench.state.phases)
    start = time.perf_counter()
    press(story, "Esc")
    story.until(lambda: not story.wiring.bench.running)
    assert time.perf_counter() - start < SOON_S
    assert story.wiring.bench.state.result.outcome == "cancelled"


def test_out_of_memory_is_a_result_with_a_way_out(open_window):
    story = open_window(bench_outcome="out_of_memory", bench_s=0.05)
    story.answered()
    story.wiring.measure()
    page = story.page(BENCHMARK)
    story.until(lambda: page.result.isVisible())
    assert page.result.outcome.text() == "Out of memory"
    action = page.result.error.action_button()
    story.until(lambda: action.height() > 0)  # the card is laid out in a turn of its own
    assert action.text() == "Use batch 128"
    QTest.mouseClick(action, Qt.MouseButton.LeftButton)
    assert story.window.form.batch.value() == 128
    story.answered()


def test_a_crash_shows_what_the_child_said(open_window):
    story = open_window(bench_outcome="crashed", bench_s=0.05)
    story.answered()
    story.wiring.measure()
    page = story.page(BENCHMARK)
    story.until(lambda: page.result.isVisible())
    assert page.result.error.message() == "The training process ended with signal 11"


def test_simulated_hardware_cannot_be_measured(story):
    story.wiring.session.simulate(Simulation("RTX 4060 8GB"))
    story.until(lambda: story.window.verdict.state.simulated)
    press(story, "Ctrl+R")
    assert not story.wiring.bench.running
    assert "cannot be measured" in story.window.toast.text.text()


def test_two_benchmarks_do_not_run_beside_each_other(open_window):
    story = open_window(bench_s=0.6)
    story.answered()
    story.wiring.measure()
    story.wiring.measure()
    story.until(lambda: not story.wiring.bench.running)
    assert story.advisor.script.calls.count("bench") == 1


# Advice and upgrades


def cards(story):
    page = story.page(ADVICE)
    story.until(lambda: len(page.cards) == 3)
    return page.cards


def test_try_puts_the_change_into_the_form_and_undo_takes_it_out(story):
    QTest.mouseClick(cards(story)[0].try_button, Qt.MouseButton.LeftButton)
    assert story.window.form.batch.value() == 512
    story.answered()
    story.window.toast.action.click()
    assert story.window.form.batch.value() == 256
    story.answered()


def test_verify_runs_and_marks_the_card_as_measured(story):
    cards(story)[1].verify_button.click()
    page = story.page(ADVICE)
    story.until(lambda: page.cards and page.cards[1].state.verified == "succeeded")
    assert page.cards[1].state.epoch.after.mark == "measured"
    assert story.advisor.history.list()[0].precision == "mixed_float16"
    assert story.window.form.fields["precision"].widget.currentText() == "float32"


def test_advice_says_what_a_step_waits_for(story):
    cards(story)
    page = story.window.pages.page(ADVICE)
    assert "It waits for computing (80\N{NO-BREAK SPACE}% of a step)." in page.subtitle.text()
    assert page.stages.texts() == ["Waiting for decoding 20 %", "Computing 80 %"]


def test_advice_that_changes_no_plan_has_no_try(story):
    assert not cards(story)[2].try_button.isVisible()


# Runs


@pytest.fixture
def two_runs(story):
    for batch in (256, 512):
        story.window.form.batch.spin.setValue(batch)
        story.answered()
        story.wiring.measure()
        story.until(lambda: not story.wiring.bench.running)
    page = story.page(RUNS)
    story.until(lambda: page.table.rowCount() == 2)
    return page


def test_an_empty_history_says_how_to_fill_it(story):
    page = story.page(RUNS)
    story.until(lambda: "Ctrl+R" in page.empty.text())


def test_a_run_is_listed_shown_and_noted(story, two_runs):
    two_runs.table.select_row(0, add=False)
    story.until(lambda: two_runs.details.result.isVisible())
    two_runs.details.note.setText("with the window open")
    two_runs.details.note.setModified(True)
    two_runs.details.note.editingFinished.emit()
    story.until(lambda: two_runs.table.text(0, 9) == "with the window open")
    assert story.advisor.history.get(2).note == "with the window open"


def test_the_page_shows_how_good_the_predictions_were(story, two_runs):
    first, second = two_runs.record.text().split(" Memory: ")
    assert first == "Your last 2 runs lay inside their intervals."
    assert second.startswith("median error 3.1 %, largest 3.1 % in run")
    assert "Time: median error 7.4 %" in second
    two_runs.table.selectAll()
    two_runs.delete.click()
    story.until(lambda: two_runs.record.isHidden())


def test_deleting_can_be_undone(story, two_runs):
    two_runs.table.select_row(0, add=False)
    two_runs.delete.click()
    story.until(lambda: two_runs.table.rowCount() == 1)
    story.window.toast.action.click()
    story.until(lambda: two_runs.table.rowCount() == 2)


def test_two_runs_side_by_side_show_what_differs(story, two_runs):
    two_runs.table.selectAll()
    two_runs.compare.click()
    story.until(lambda: two_runs.details.comparison is not None)
    table = two_runs.details.comparison
    facts = [table.item(row, 0).text() for row in range(table.rowCount())]
    assert "Batch size" in facts
    assert "Model" not in facts


def test_runs_are_filtered(story, two_runs):
    two_runs.filter.setText("resnet")
    story.until(lambda: two_runs.table.rowCount() == 0)
    assert "resnet" in two_runs.empty.text()


def test_what_is_selected_stays_so_when_the_list_is_sorted(two_runs):
    two_runs.table.select_row(1, add=False)
    (chosen,) = two_runs.selected_ids()
    two_runs.table.sort_requested.emit(3)
    assert [two_runs.table.text(row, 3) for row in range(2)] == ["256", "512"]
    assert two_runs.selected_ids() == (chosen,)
    two_runs.table.sort_requested.emit(3)
    assert [two_runs.table.text(row, 3) for row in range(2)] == ["512", "256"]


def test_a_run_shows_its_curves_and_two_runs_lie_one_over_the_other(story, two_runs):
    two_runs.table.select_row(0, add=False)
    story.until(lambda: two_runs.details.plots.isVisible())
    assert not two_runs.details.plots.pause.isVisible()
    two_runs.table.selectAll()
    two_runs.compare.click()
    story.until(lambda: two_runs.details.comparison is not None)
    assert not two_runs.details.plots.isVisible()


@pytest.mark.parametrize(("ending", "start"), [("html", b"<!DOCTYPE"), ("pdf", b"%PDF"), ("md", b"#"), ("json", b"{")])
def test_a_run_is_saved_as_a_file(story, two_runs, tmp_path, ending, start):
    two_runs.table.select_row(0, add=False)
    path = tmp_path / f"run.{ending}"
    two_runs.save_requested.emit(two_runs.selected_ids(), str(path), True)
    story.until(lambda: story.window.toast.isVisible() and path.exists())
    assert path.read_bytes().lower().startswith(start.lower())
    if ending in ("html", "md"):
        assert "Train with batch 512" in path.read_text("utf-8")


def test_what_will_be_saved_is_shown_and_then_saved_as_shown(story, two_runs, tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    two_runs.table.select_row(0, add=False)
    run_id = two_runs.selected_ids()[0]
    story.wiring.session.advisor.history.set_note(run_id, "see /home/jane/secret/plan.txt")
    two_runs.save.menu().actions()[3].trigger()
    story.until(lambda: two_runs.findChildren(PreviewDialog))
    shown = two_runs.findChildren(PreviewDialog)[0]
    assert "…/plan.txt" in shown.text.toPlainText()
    assert "jane" not in shown.text.toPlainText()
    shown.redact.setChecked(False)
    assert "/home/jane/secret/plan.txt" in shown.text.toPlainText()
    shown.redact.setChecked(True)
    shown.save.click()
    story.until(path.exists)
    assert "…/plan.txt" in path.read_text("utf-8")
    assert "jane" not in path.read_text("utf-8")


def test_several_runs_are_saved_only_as_data(story, two_runs, tmp_path):
    two_runs.table.selectAll()
    assert [action.isEnabled() for action in two_runs.save.menu().actions()] == [False, False, False, True]
    two_runs.save_requested.emit(two_runs.selected_ids(), str(tmp_path / "runs.html"), True)
    story.until(two_runs.error.isVisible)
    assert two_runs.error.message() == "A report is about one run"
    two_runs.save_requested.emit(two_runs.selected_ids(), str(tmp_path / "no" / "runs.json"), True)
    story.until(lambda: "Cannot write" in two_runs.error.message())


def test_a_runs_workload_comes_back_into_the_form(story, two_runs):
    two_runs.table.select_row(1, add=False)
    story.until(lambda: "run 1" in two_runs.details.result._title.full_text())
    two_runs.details.reuse.click()
    story.until(lambda: story.window.form.batch.value() == 256)
    story.answered()


# Own files


def test_a_folder_is_scanned_and_used(story, tmp_path):
    folder = tmp_path / "flowers"
    folder.mkdir()
    (folder / "rose.jpg").write_bytes(b"x")
    story.window.form.data_path_chosen.emit(str(folder))
    story.until(lambda: story.wiring.session.workload.dataset.name == "flowers")
    assert "flowers" in story.window.form.dataset.lineEdit().text()
    story.answered()


def test_an_empty_folder_says_what_was_expected(story, tmp_path):
    story.window.form.data_path_chosen.emit(str(tmp_path / "nothing"))
    story.until(lambda: story.window.error.isVisible())
    assert story.window.error.message() == "No images found"


def test_a_dropped_file_is_a_model(story, tmp_path):
    path = tmp_path / "mine.keras"
    path.write_bytes(b"x")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    story.window.form.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, keys))
    story.until(lambda: story.wiring.session.workload.model.name == "mine.keras")
    story.answered()


# Whole window


def test_ctrl_and_numbers_show_the_pages(story):
    for index in (UPGRADES, RUNS, ADVICE, BENCHMARK, FIT):
        press(story, f"Ctrl+{index + 1}")
        assert story.window.pages.current() == index
    story.until(lambda: story.wiring.runs.state.loaded)


def test_ctrl_k_finds_models_cards_pages_and_actions(story):
    press(story, "Ctrl+K")
    palette = dialog(story, CommandPalette)
    QTest.keyClicks(palette.field, "resn")
    assert palette.list.count() == 1
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert story.wiring.session.workload.model.name == "resnet50"
    story.answered()


def test_the_theme_changes_at_once_and_is_remembered(story, qapp):
    QTest.mouseClick(story.window.top.theme, Qt.MouseButton.LeftButton)
    from app.ui.kit import style

    assert style.current().name == "dark"
    assert story.window.settings.theme == "dark"
    story.wiring.dialogs.open_settings()
    chooser = dialog(story, SettingsDialog)
    chooser.theme.setCurrentIndex(3)
    assert style.current().name == "contrast"
    chooser.close()
    style.apply(qapp, "light")


def test_workload_geometry_and_seconds_survive_a_restart(open_window, qtbot):
    first = open_window()
    first.answered()
    first.window.resize(900, 640)
    first.window.form.batch.spin.setValue(777)
    first.wiring.set_seconds(7)
    first.answered()
    first.window.close()
    second = open_window()
    second.answered()
    assert second.window.form.batch.value() == 777
    assert (second.window.width(), second.window.height()) == (900, 640)
    assert "7 s" in second.window.verdict._measure.text()


def test_a_second_window_works_beside_the_first(story, open_window):
    other = open_window()
    other.answered()
    other.window.form.batch.spin.setValue(64)
    other.answered()
    assert story.window.form.batch.value() == 256


def test_closing_while_everything_runs_leaves_nothing(open_window):
    story = open_window(bench_s=60, trace_s=60, live=sampler_source)
    story.until(lambda: story.wiring.estimates.tracing)
    story.wiring.measure()
    story.until(lambda: story.wiring.bench.running)
    start = time.perf_counter()
    story.window.close()
    assert time.perf_counter() - start < SOON_S
    assert story.wiring.runner.stop()


def test_a_long_name_is_shortened_and_told_in_a_tooltip(story):
    name = "a_network_with_quite_a_long_name_that_nobody_would_choose_but_somebody_did_v2_large"
    story.wiring.pick.choose_model(name)
    story.answered()
    assert "somebody did, v2 large" in story.window.form.model.toolTip()
    assert story.window.side.widget().width() <= story.window.side.viewport().width()


@pytest.mark.parametrize("size", [(1280, 800), (1000, 700)])
def test_nothing_is_cut_off_at_the_side(story, size):
    story.window.resize(*size)
    QApplication.processEvents()
    form = story.window.side.widget()
    assert form.minimumSizeHint().width() <= story.window.side.viewport().width()


def test_a_small_need_is_magnified_and_a_large_one_is_not(story):
    bar = story.page(FIT).bar
    assert [part for part, _, _ in bar.magnified_spans()][:2] == ["weights", "gradients"]
    assert bar.magnified_spans()[-1][2] <= bar.width()
    story.window.form.batch.spin.setValue(30_000)
    story.answered()
    assert bar.magnified_spans() == []


def test_the_side_has_room_for_its_scroll_bar(story):
    story.window.resize(1000, 640)
    story.wiring.session.simulate(Simulation("RTX 2060 6GB", 64 * GIB))
    story.window.form.more.toggle.click()
    story.until(lambda: story.window.machine.badge.isVisible())
    QApplication.processEvents()
    assert story.window.side.verticalScrollBar().isVisible()
    assert story.window.side.widget().minimumSizeHint().width() <= story.window.side.viewport().width()
