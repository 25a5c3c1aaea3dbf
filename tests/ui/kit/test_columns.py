"""Columns, legend, phases and labels find room, or say in another way what has none."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QTableView

from app.core.types.measurement import PhaseSpan
from app.ui.benchmark.comparison_card import ComparisonCard
from app.ui.benchmark.phase_strip import PhaseStrip
from app.ui.kit import language
from app.ui.kit.basics import DataTable, ElidedLabel
from app.ui.kit.columns import PADDING, share_out
from app.ui.kit.rows_table import RowsTable
from app.ui.shell.main_window import ADVICE, BENCHMARK, FIT, RUNS, UPGRADES

NAMES = ("start", "import", "build", "data", "compile", "warm-up", "measure")
PHASES = [PhaseSpan(name, 0.1 * i, 60.0 if name == "measure" else 0.1 * (i + 1)) for i, name in enumerate(NAMES)]
WIDTHS = st.lists(st.integers(0, 400), min_size=1, max_size=10).filter(any)


@given(wanted=WIDTHS, room=st.integers(1, 3000), data=st.data())
def test_columns_fill_the_room_and_never_more(wanted, room, data):
    columns = range(len(wanted))
    least = data.draw(st.lists(st.integers(0, 400), min_size=len(wanted), max_size=len(wanted)))
    dropped = data.draw(st.lists(st.sampled_from(columns), unique=True, max_size=len(wanted) - 1))
    if not any(want for column, want in enumerate(wanted) if column not in dropped):
        return
    figures = data.draw(st.sets(st.sampled_from(columns)))
    widths = share_out(wanted, least, room, data.draw(st.sampled_from(columns)), dropped=dropped, figures=figures)
    assert sum(widths) == room
    assert all(not width for want, width in zip(wanted, widths, strict=True) if not want)


def test_a_long_text_gives_way_before_a_figure_and_an_unimportant_column_before_both():
    assert share_out([300, 80, 80], [110, 80, 80], 400, 0) == (240, 80, 80)
    assert share_out([300, 80, 80], [110, 80, 80], 250, 0, dropped=(2,)) == (170, 80, 0)
    assert share_out([100, 80, 80], [100, 80, 80], 400, 0, dropped=(2,)) == (240, 80, 80)
    assert share_out([300, 80, 80], [110, 80, 80], 200, 0, figures=(1, 2)) == (40, 80, 80)
    assert share_out([90, 80, 80], [90, 80, 80], 200, 0, figures=(1, 2)) == (40, 80, 80)
    assert share_out([300, 80, 80], [110, 80, 80], 120, 0, figures=(1, 2)) == (40, 40, 40)
    assert share_out([0, 1, 1], [0, 0, 0], 1, 0) == (0, 1, 0)


@pytest.fixture
def narrow_table(qtbot):
    table = RowsTable("runs", ("Name", "Size", "Note"), numbers=(1,), stretched=0, dropped=(2,))
    qtbot.addWidget(table)
    table.resize(240, 200)
    table.fill([("a network with a long name", "1,234.5 MiB", "my note")])
    table.show()
    return table


def test_what_a_narrow_table_leaves_out_stands_in_the_tooltip(narrow_table):
    assert narrow_table.columns.hidden() == [2]
    index = narrow_table.model().index(0, 0)
    assert narrow_table.columns.told(index) == "a network with a long name\nNote: my note"
    narrow_table.resize(900, 200)
    assert narrow_table.columns.hidden() == []


def test_a_column_without_any_text_goes_first(qtbot):
    table = RowsTable("runs", ("Name", "Data", "Note"), numbers=(), stretched=0, dropped=(1, 2))
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.fill([("a_network_of_mine", "fashion_mnist", "")])
    table.show()
    assert table.columns.hidden() == [2]


def wide_tables(window):
    """Tables that are seen and whose columns are wider than the table."""
    tables = [table for table in window.findChildren(QTableView) if table.isVisible() and table.model().rowCount()]
    assert tables
    return [t.accessibleName() for t in tables if t.horizontalHeader().length() > t.viewport().width()]


def cut_figures(table):
    """Texts of a table's columns of figures that are wider than their column."""
    model, metrics, header = table.model(), table.fontMetrics(), table.horizontalHeader()
    cells = [(r, c) for r in range(model.rowCount()) for c in table.columns.figures if not header.isSectionHidden(c)]
    texts = [(str(model.index(r, c).data() or ""), header.sectionSize(c)) for r, c in cells]
    return [text for text, width in texts if metrics.horizontalAdvance(text) + PADDING - 4 > width]


@pytest.mark.parametrize("spoken", ["en", "de"])
def test_no_table_scrolls_sideways_and_no_figure_is_cut(qapp, open_window, spoken):
    language.install(qapp, spoken)
    story = open_window()
    story.answered()
    story.wiring.bench.set_measure("xla")
    story.wiring.measure()
    story.until(lambda: not story.wiring.bench.running)
    for size in ((1280, 800), (1000, 700)):
        story.window.resize(*size)
        for index in (FIT, BENCHMARK, ADVICE, UPGRADES, RUNS):
            page = story.page(index)
            if index == RUNS:
                story.until(lambda page=page: page.table.rowCount() == 2)
                page.table.select_row(0, add=False)
                story.qtbot.wait(60)
                story.until(page.details.result.isVisible)
            elif index == UPGRADES:
                story.until(lambda page=page: page.table.rowCount() == 3)
            story.qtbot.wait(60)
            if index != ADVICE:
                assert wide_tables(story.window) == []
            if index in (RUNS, UPGRADES):
                assert cut_figures(page.table) == []
            if index == BENCHMARK:
                story.until(lambda page=page: page.findChild(ComparisonCard).table.rowCount() == 2)
                assert cut_figures(page.findChild(ComparisonCard).table) == []


@pytest.mark.parametrize("spoken", ["en", "de"])
@pytest.mark.parametrize("width", [1000, 1280])
def test_the_legend_of_the_memory_is_whole(qapp, open_window, spoken, width):
    language.install(qapp, spoken)
    story = open_window()
    story.window.resize(width, 700)
    story.answered()
    story.qtbot.wait(60)
    legend = story.page(FIT).legend
    assert len(legend._items) >= 5
    assert legend.cut() == []


@pytest.mark.parametrize("spoken", ["en", "de"])
@pytest.mark.parametrize("width", [595, 862])
def test_every_phase_has_its_name_however_short_it_was(qapp, qtbot, spoken, width):
    language.install(qapp, spoken)
    strip = PhaseStrip()
    qtbot.addWidget(strip)
    strip.resize(width, 26)
    strip.set_phases(PHASES, 60.0)
    bands = strip.bands()
    assert [band for band in bands if not band.text] == []
    assert all(strip.fontMetrics().horizontalAdvance(band.text) <= band.width for band in bands)
    assert all(before.left + before.width <= after.left for before, after in pairwise(bands))
    assert bands[-1].left + bands[-1].width <= width
    assert strip.tooltip_at(1.0) == bands[0].told != ""


def test_where_there_is_no_room_at_all_the_tooltip_names_the_phase(qtbot):
    strip = PhaseStrip()
    qtbot.addWidget(strip)
    strip.resize(160, 26)
    strip.set_phases(PHASES, 60.0)
    assert any(not band.text for band in strip.bands())
    assert [strip.tooltip_at(band.left + 1) for band in strip.bands()] == [band.told for band in strip.bands()]


def test_a_label_says_a_shorter_text_before_it_cuts_one(qtbot):
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.set_full_text("Needs 277.1 MiB of the 52.0 GiB usable on a processor", "Needs 277.1 MiB of 52.0 GiB")
    label.resize(800, 20)
    label.show()
    assert label.shown_text() == label.full_text()
    assert label.toolTip() == ""
    label.resize(260, 20)
    assert label.shown_text() == "Needs 277.1 MiB of 52.0 GiB"
    assert label.toolTip() == label.accessibleName() == label.full_text()


def test_the_answer_is_whole_in_the_smallest_window(qapp, open_window):
    for spoken in ("en", "de"):
        language.install(qapp, spoken)
        story = open_window()
        story.window.resize(1000, 700)
        story.answered()
        story.qtbot.wait(60)
        header = story.window.verdict
        assert "…" not in header._sentence.shown_text() + header._why.shown_text()


def test_labels_of_an_axis_have_the_same_decimals_and_groups(qapp):
    from app.ui.kit.plot_base import LocalAxis

    axis = LocalAxis("left")
    levels = axis.tickValues(0.0, 0.28, 160)
    labels = [text for step, values in levels[:2] for text in axis.tickStrings(values, 1.0, step)]
    assert {len(text.partition(".")[2]) for text in labels} == {2}
    axis.tickValues(0, 17_000, 100)
    assert axis.tickStrings([15_000], 1.0, 5_000) == ["15,000"]


def test_a_table_twin_of_a_plot_shares_its_room_too(qtbot):
    table = DataTable("moments", [f"column {i}" for i in range(7)])
    qtbot.addWidget(table)
    table.resize(420, 200)
    table.fill([["epoch start", *["1,234.5 MiB"] * 6]], numbers_from=0)
    table.show()
    assert table.horizontalHeader().length() <= table.viewport().width()
    assert not table.horizontalScrollBar().isVisible()
