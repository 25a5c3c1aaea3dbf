"""Variants side by side and the search for the batch, as users start and read them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from app.core.types.errors import StoreError
from app.core.types.machine import Gpu
from app.core.types.measurement import Doubt
from app.core.types.units import GIB
from app.core.types.workload import ModelRef, Plan, Workload
from app.ui.benchmark.bench_jobs import measures_for
from app.ui.shell.main_window import BENCHMARK, FIT, RUNS
from tests.fakes.figures import MACHINE


def measured(story, measure):
    """The Benchmark page after a run of one kind."""
    page = story.page(BENCHMARK)
    page.measure.setCurrentIndex(page.measure.findData(measure))
    page.start.click()
    story.until(lambda: story.wiring.bench.state.stage == "done")
    return page


def cells(table, column):
    """A column of a table."""
    return [table.item(row, column).text() for row in range(table.rowCount())]


def test_only_what_is_possible_here_can_be_chosen(story):
    page = story.page(BENCHMARK)
    offered = [page.measure.itemData(i) for i in range(page.measure.count())]
    assert offered == ["plan", "whole", "xla", "precision", "threads", "batch"]
    assert page.measure.accessibleName() == "What to measure"


def test_a_machine_with_a_card_can_compare_it_with_the_processor(open_window):
    card = Gpu(0, "RTX 2060", "nvidia", memory_total_bytes=6 * GIB, memory_free_bytes=5 * GIB)
    story = open_window(real_machine=replace(MACHINE, gpus=(card,)))
    story.answered()
    page = measured(story, "device")
    assert cells(page.comparison.table, 0) == ["cpu", "gpu:0"]


def test_before_the_first_run_the_page_says_what_will_be_there(story):
    page = story.page(BENCHMARK)
    assert page.empty.isVisible()
    assert "beside the estimate" in page.empty.text()
    measured(story, "plan")
    assert not page.empty.isVisible()


def test_some_of_everything_of_a_training_is_measured_phase_by_phase(story):
    page = measured(story, "whole")
    assert page.result.whole.isVisible()
    assert cells(page.result.whole, 0) == ["Getting ready", "First epoch", "Validation", "Later epochs"]
    assert cells(page.result.whole, 1)[2] == "✓ 1.0 GiB"
    assert "leaves 3.0 MiB behind" in page.result.grown.text()
    assert "epoch 16 is the last" in page.result.grown.text()
    page = measured(story, "plan")
    assert not page.result.whole.isVisible()
    assert not page.result.grown.isVisible()


def test_a_script_and_what_is_no_training_have_no_whole_to_be_measured():
    asked = Workload(ModelRef("catalog", "net"), plan=Plan(8))
    script = replace(asked, model=ModelRef("script", "train.py", "/train.py"))
    assert "whole" in measures_for(asked, MACHINE)
    assert "whole" not in measures_for(script, MACHINE)
    assert "whole" not in measures_for(replace(asked, plan=Plan(8, mode="evaluate")), MACHINE)


def test_a_comparison_names_the_winner_and_how_sure_that_is(story):
    page = measured(story, "xla")
    assert page.comparison.isVisible()
    assert not page.result.isVisible()
    assert page.comparison.verdict.text() == "Fastest: XLA off"
    assert "XLA on takes 1.20 times as long as XLA off" in page.comparison.reasons.text()
    assert cells(page.comparison.table, 1) == ["Succeeded", "Succeeded"]
    assert page.comparison.table.isColumnHidden(8), "there is no card whose use could be shown"
    assert "took turns" in page.comparison.method.text()


def test_noise_does_not_choose_a_winner(open_window):
    story = open_window(variant_gain=0.0)
    story.answered()
    page = measured(story, "threads")
    assert page.comparison.verdict.text() == "No difference that can be told from noise"
    assert "no difference that can be seen" in page.comparison.reasons.text()


def test_a_variant_that_fails_is_a_row_and_not_the_end(open_window):
    story = open_window(bench_outcome="out_of_memory", bench_s=0.05)
    story.answered()
    page = measured(story, "precision")
    assert set(cells(page.comparison.table, 1)) == {"Out of memory"}
    assert "more memory than there is" in page.comparison.reasons.text()


def test_the_live_plots_follow_the_variant_that_runs(open_window):
    story = open_window(bench_s=0.4)
    story.answered()
    seen = set()
    story.wiring.bench.changed.connect(lambda state: seen.add(state.label))
    measured(story, "xla")
    assert {"XLA off", "XLA on"} <= seen


def test_every_run_of_a_comparison_is_in_the_history(story):
    measured(story, "xla")
    assert len(story.advisor.history.list()) == 2


def test_the_found_batch_is_used_with_one_click(story):
    page = measured(story, "batch")
    assert page.finding.verdict.text() == "Train with batch 2,048"
    assert cells(page.finding.table, 0) == ["4,096", "2,048"]
    assert page.finding.why.text().startswith("A larger batch would leave too little headroom")
    page.finding.use.click()
    story.answered()
    assert story.window.form.batch.value() == 2048
    assert story.window.pages.current() == FIT


@pytest.mark.parametrize("measure", ["xla", "batch"])
def test_esc_ends_every_kind_of_measurement(open_window, measure):
    story = open_window(bench_s=60)
    story.answered()
    page = story.page(BENCHMARK)
    page.measure.setCurrentIndex(page.measure.findData(measure))
    page.start.click()
    story.until(lambda: story.wiring.bench.state.label)
    story.wiring.escape()
    story.until(lambda: not story.wiring.bench.running)


def test_a_run_shows_which_layers_live_at_the_peak_and_where_the_time_goes(story):
    page = measured(story, "plan")
    assert page.profile.layers.isVisibleTo(page)
    assert cells(page.profile.layers, 0)[0] == "conv2d"
    assert cells(page.profile.layers, 2)[0].startswith("✓")
    assert cells(page.profile.layers, 5)[0] == "75 %"
    assert "in conv2d/Conv2D" in page.profile.timeline.subtitle.full_text()


def test_memory_over_time_has_a_table_with_the_moments(story):
    page = measured(story, "plan")
    page.profile.over_time.table_button.click()
    assert cells(page.profile.over_time.table, 0) == ["epoch start", "batch 5", "batch 10", "end of the run"]


def test_two_runs_stand_side_by_side_as_bars(story):
    measured(story, "plan")
    story.wiring.session.set_batch_size(512)
    story.answered()
    measured(story, "plan")
    page = story.page(RUNS)
    story.until(lambda: page.table.rowCount() == 2)
    page.table.selectAll()
    page.compare.click()
    story.until(lambda: page.details.peaks.isVisible())
    assert "batch 512 needs most" in page.details.peaks.answer.text()
    short, long = sorted(page.details.peaks.bars.widths())
    assert 1.5 < long / short < 2.5
    assert "batch 256" in page.details.peaks.bars.accessibleDescription()
    assert page.details.peaks.curves is not None


def test_no_bars_of_one_run_are_left_when_another_is_chosen(story):
    measured(story, "plan")
    measured(story, "plan")
    page = story.page(RUNS)
    story.until(lambda: page.table.rowCount() == 2)
    page.table.selectAll()
    page.compare.click()
    story.until(lambda: page.details.peaks.isVisible())
    page.table.select_row(0, add=False)
    story.until(lambda: page.details.profile.isVisible())
    assert not page.details.peaks.isVisible()


# Live plots


@pytest.fixture
def running(open_window):
    """A benchmark that goes on, with some points drawn."""
    story = open_window(bench_s=60)
    story.answered()
    story.page(BENCHMARK).start.click()
    story.until(lambda: len(story.wiring.bench.state.curves.get("step_ms", ((), ()))[0]) >= 3)
    return story


def card_of(page, title):
    """A live plot by its title."""
    return next(card for card in page.plots.cards.values() if card.title.text() == title)


def test_only_what_the_machine_tells_is_plotted(running):
    page = running.page(BENCHMARK)
    titles = [page.plots.cards[index].title.text() for index in sorted(page.plots.cards)]
    assert titles[:4] == ["Step time", "Memory of the training", "Processor use", "RAM of the process"]
    assert set(titles[4:]) == {"Disk", "Power", "Temperature", "Clock"}
    plot = card_of(page, "Power")
    plot.make_plot()
    assert "CPU" in plot.plot.reading(6.0)
    assert "GPU" not in plot.plot.reading(6.0)


def test_plots_are_held_while_the_run_goes_on(running):
    page = running.page(BENCHMARK)
    card = card_of(page, "Step time")
    card.make_plot()
    page.plots.pause.click()
    held = len(card.plot.curves["step_ms"].getData()[0])
    count = len(running.wiring.bench.state.curves["step_ms"][0])
    running.until(lambda: len(running.wiring.bench.state.curves["step_ms"][0]) > count)
    assert len(card.plot.curves["step_ms"].getData()[0]) == held
    page.plots.pause.click()
    running.until(lambda: len(card.plot.curves["step_ms"].getData()[0]) > held)


def test_the_mouse_reads_values_and_the_phases_are_bands(running):
    page = running.page(BENCHMARK)
    card = card_of(page, "Step time")
    card.make_plot()
    box = card.plot.axis.vb
    card.plot.widget.scene().sigMouseMoved.emit(box.sceneBoundingRect().center())
    assert card._reading.full_text().endswith("ms")
    assert not card.subtitle.isVisible()
    QApplication.sendEvent(card.plot.widget.viewport(), QEvent(QEvent.Type.Leave))
    assert not card._reading.isVisible()
    running.until(lambda: sum(band.isVisible() for band in card.plot._bands) == 5)


def test_a_part_of_a_plot_is_shown_larger_and_all_of_it_again(running):
    card = card_of(running.page(BENCHMARK), "Step time")
    card.make_plot()
    box = card.plot.axis.vb
    whole = box.viewRange()[0]
    card.menu_button.menu().aboutToShow.emit()
    named = {action.text(): action for action in card.menu_button.menu().actions()}
    named["Zoom in"].trigger()
    assert box.viewRange()[0][1] - box.viewRange()[0][0] < whole[1] - whole[0]
    assert box.part is not None
    named["Show everything"].trigger()
    assert box.part is None


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("csv", b"Seconds")])
def test_a_plot_is_saved_as_picture_drawing_or_data(story, tmp_path, kind, start):
    measured(story, "plan")
    card = card_of(story.page(BENCHMARK), "Step time")
    path = tmp_path / f"step.{kind}"
    card.save(path)
    assert path.read_bytes().startswith(start)
    with pytest.raises(StoreError, match=r"cannot write .*nowhere.*No such file.*choose another place"):
        card.save(tmp_path / "nowhere" / f"step.{kind}")


# What to do about a result


@pytest.mark.parametrize(
    ("kind", "button_text", "batch"),
    [("spill", "Use batch 128", 128), ("gpu_throttled", "Measure again", 256), ("busy_host", "Measure again", 256)],
)
def test_a_doubtful_result_offers_one_thing_to_do(open_window, kind, button_text, batch):
    story = open_window(doubts=(Doubt(kind, f"it was {kind}"),))
    story.answered()
    page = measured(story, "plan")
    assert page.result._warnings.text() == ""
    (do,) = page.result.remedy_buttons
    assert do.text() == button_text
    runs = story.advisor.script.calls.count("bench")
    do.click()
    if batch == 256:
        story.until(lambda: story.advisor.script.calls.count("bench") > runs and not story.wiring.bench.running)
    assert story.wiring.session.workload.plan.batch_size == batch
    story.answered()


def test_a_result_says_where_the_time_goes_and_what_else_was_measured(story):
    page = measured(story, "plan")
    assert page.result.shares.texts() == ["Waiting for data 5 %", "Copying to the device 0 %", "Computing 95 %"]
    assert not page.result.facts.isVisible()
    page.result._more.click()
    assert page.result.facts.isVisible()
    assert "A step of the data alone" in cells(page.result.facts, 0)


def test_the_devices_to_compare_are_chosen(open_window):
    cards = tuple(
        Gpu(index, "nvidia", "RTX 2060", memory_total_bytes=6 * GIB, memory_free_bytes=5 * GIB) for index in (0, 1)
    )
    story = open_window(real_machine=replace(MACHINE, gpus=cards))
    story.answered()
    page = story.page(BENCHMARK)
    page.measure.setCurrentIndex(page.measure.findData("device"))
    assert list(page.devices) == ["cpu", "gpu:0", "gpu:1"]
    page.devices["cpu"].click()
    assert page.start.isEnabled()
    page.start.click()
    story.until(lambda: story.wiring.bench.state.stage == "done")
    assert cells(page.comparison.table, 0) == ["gpu:0", "gpu:1"]
    page.devices["gpu:0"].click()
    assert not page.start.isEnabled()
