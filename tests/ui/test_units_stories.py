"""Where GB is chosen, sizes are in GB everywhere a person looks, on axes too; what cannot be built is not measured."""

import re

import pytest
from PySide6.QtWidgets import QApplication

from app.core.types.units import GIB
from app.ui.kit import language
from app.ui.kit.basics import DataTable
from app.ui.kit.plot_card import PlotCard
from app.ui.machine.state_machine import LiveReading, live_text
from app.ui.session.session import Simulation
from app.ui.shell.main_window import BENCHMARK, FIT, RUNS
from app.ui.shell.settings_dialog import SimulateDialog
from app.ui.shell.settings_more import SettingsMore
from tests.ui.english import seen_texts

BINARY = re.compile(r"\b[KMG]iB\b")


@pytest.fixture
def decimal(qapp):
    language.install(qapp, "en", decimal_sizes=True)


def axis_texts(plot):
    """The labels of the vertical axes of a plot and their names."""
    texts = []
    for axes in plot.axes:
        axis, (low, high) = axes.left, axes.vb.viewRange()[1]
        texts.append(f"{axis.labelText} {axis.labelUnits}")
        for spacing, values in axis.tickValues(low, high, 300):
            texts += axis.tickStrings(values, axis.scale, spacing)
    return texts


def test_no_page_shows_binary_units_where_gb_is_chosen(decimal, open_window):
    story = open_window()
    story.answered()
    story.wiring.measure()
    story.until(lambda: not story.wiring.bench.running)
    found = set()
    for index in (FIT, BENCHMARK, RUNS):
        page = story.page(index)
        if index == RUNS:
            story.until(page.details.result.isVisible)
        QApplication.processEvents()
        found |= {text for text in seen_texts(story.window) if BINARY.search(text)}
    assert found == set()


def test_the_axis_of_the_batch_chart_counts_in_tens(decimal, story):
    card = story.page(FIT).chart.findChild(PlotCard)
    story.until(lambda: card.plot is not None)
    texts = axis_texts(card.plot)
    assert {"100 MB", "1 GB"} <= set(texts)
    assert not [text for text in texts if BINARY.search(text)]


def test_the_curves_of_a_run_and_their_table_are_in_gb(decimal, story):
    story.wiring.measure()
    story.until(lambda: not story.wiring.bench.running)
    plots = story.page(BENCHMARK).plots
    story.until(lambda: 3 in plots.cards)
    card = plots.cards[3]
    story.until(lambda: card.plot is not None)
    assert axis_texts(card.plot)[0] == "RAM GB"
    assert card.plot.reading(6.0).endswith("GB")
    shown = float(card.plot.reading(6.0).rsplit(" ", 2)[1])
    assert shown == pytest.approx(card.plot._data["ram_gib"][1][2] * GIB / 1e9, rel=0.01)
    card.table_button.click()
    assert card.table.horizontalHeaderItem(1).text() == "process (GB)"
    assert float(card.table.item(card.table.rowCount() - 1, 1).text()) > 1.4 * GIB / 1e9 - 0.01
    assert isinstance(card.table, DataTable)


def test_the_panel_and_the_simulation_speak_of_gb(decimal, qtbot):
    assert live_text("ram", LiveReading(ram_used_bytes=GIB)) == "1.1 GB"
    dialog = SimulateDialog([], Simulation())
    qtbot.addWidget(dialog)
    assert not [text for text in seen_texts(dialog) if BINARY.search(text)]


def test_the_settings_take_gb_and_keep_the_same_size(decimal, story):
    story.wiring.dialogs.open_settings()
    more = story.window.findChildren(SettingsMore)[0]
    story.until(lambda: more.reserve.isEnabled())
    assert more.reserve.suffix() == " GB"
    more.reserve.setValue(7.5)
    story.until(lambda: story.wiring.session.advisor.settings.reserve_ram_bytes == 7_500_000_000)
    more.window().close()


def test_what_cannot_be_built_is_not_offered_a_measurement(story):
    story.wiring.pick.choose_model("broken_net")
    story.until(lambda: story.window.verdict.state.stage == "failed")
    assert not story.window.verdict._measure.isVisible()
    page = story.page(BENCHMARK)
    assert not page.start.isEnabled()
    assert page.start.toolTip()
    story.wiring.measure()
    assert not story.wiring.bench.running
    assert "cannot be measured" in story.window.toast.text.text()
    story.wiring.pick.choose_model("resnet50")
    story.answered()
    assert story.window.verdict._measure.isVisible()
    assert page.start.isEnabled()
