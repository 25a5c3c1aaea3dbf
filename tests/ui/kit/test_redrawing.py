"""What a change of theme reaches, and what is not painted without need."""

from PySide6.QtWidgets import QApplication, QLabel

from app.ui.benchmark.live_plot import LivePlot
from app.ui.benchmark.live_plots import LivePlots
from app.ui.kit import style
from app.ui.kit.basics import DataTable
from app.ui.kit.progress_bar import ProgressBar
from app.ui.shell.main_window import FIT, RUNS


def test_every_page_follows_a_change_of_theme(story):
    """Also the ground of a page that was made in the theme before."""
    story.answered()
    pages = story.window.pages
    for index in range(pages.tabs.count()):
        pages.show_page(index)
    story.wiring.set_theme("dark")
    for index in range(pages.tabs.count()):
        pages.show_page(index)
        image = story.window.grab().toImage()
        spots = [(x, y) for x in range(0, image.width(), 8) for y in range(0, image.height(), 8)]
        light = sum(image.pixelColor(x, y).lightness() > 225 for x, y in spots)
        assert light < 0.03 * len(spots), pages.tabs.tabText(index)


def test_texts_and_icons_of_a_hidden_page_follow_a_change_of_theme(story):
    story.answered()
    story.window.pages.show_page(RUNS)
    title = story.window.pages.page(RUNS).findChild(QLabel)
    story.window.pages.show_page(FIT)
    icon = story.window.top.theme.icon().cacheKey()
    story.wiring.set_theme("dark")
    story.until(lambda: title.palette().text().color().name() == style.current().text.lower())
    assert story.window.top.theme.icon().cacheKey() != icon


def test_a_plot_makes_no_controls_that_nobody_sees(qtbot):
    before = len(QApplication.allWidgets())
    plot = LivePlot("Memory", "GiB", "Seconds", {"needed_gib": "needed"})
    qtbot.addWidget(plot.widget)
    # The view, its viewport, and the scroll bars of Qt with what holds them; the context menu would be seventy more.
    assert len(QApplication.allWidgets()) - before <= 8


def test_a_table_that_is_seen_measures_its_columns_once_for_all_cells(qtbot):
    table, told = DataTable("Facts", ("Fact", "Value")), []
    qtbot.addWidget(table)
    table.show()
    table.model().dataChanged.connect(lambda *_: told.append(table.rowCount()))
    table.fill([(f"fact {n}", "1") for n in range(30)])
    qtbot.waitUntil(lambda: table.columnWidth(1) > 0)
    narrow = table.columnWidth(1)
    table.fill([(f"fact {n}", "a longer value than before") for n in range(20)])
    assert told == [30, 20]
    qtbot.waitUntil(lambda: table.columnWidth(1) > narrow)
    assert table.item(19, 1).text() == "a longer value than before"
    table.fill([])
    assert table.rowCount() == 0


def test_a_bar_of_progress_does_not_paint_by_itself(qtbot):
    told = []

    class Told(ProgressBar):
        def paintEvent(self, event):
            told.append(self.value())

    bar = Told("Progress")
    qtbot.addWidget(bar)
    bar.show()
    qtbot.waitUntil(lambda: bool(told))
    told.clear()
    bar.set_share(0.25)
    bar.set_share(0.5)
    assert told == []
    qtbot.waitUntil(lambda: bool(told))
    assert set(told) == {500}
    bar.set_share(None)
    assert (bar.minimum(), bar.maximum()) == (0, 0)


def test_a_run_that_begins_keeps_the_plots_of_the_one_before_until_it_has_values(qtbot):
    plots = LivePlots("While it runs")
    qtbot.addWidget(plots)
    plots.resize(900, 700)
    plots.show()
    assert plots.cards == {}
    plots.set_curves({"step_ms": ([0.0], [1.0]), "read_mb_s": ([0.0], [1.0])}, (), None)

    def seen():
        return [card.title.text() for card in plots.cards.values() if card.isVisible()]

    always = ["Step time", "Memory of the training", "Processor use", "RAM of the process"]
    assert seen() == [*always, "Disk"]
    plots.set_curves({}, (), None)
    assert seen() == [*always, "Disk"]
    plots.set_curves({"step_ms": ([0.0], [1.0])}, (), None)
    assert seen() == always
