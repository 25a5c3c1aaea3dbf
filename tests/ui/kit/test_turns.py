"""Work in turns of the event loop, and what a change of theme reaches."""

from itertools import pairwise

import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.ui.benchmark.live_plot import LivePlot
from app.ui.benchmark.live_plots import LivePlots
from app.ui.benchmark.result_card import ResultCard
from app.ui.kit import style
from app.ui.kit.basics import DataTable
from app.ui.kit.later import Later
from app.ui.kit.progress_bar import ProgressBar
from app.ui.kit.turns import Turns, in_turn
from app.ui.shell.main_window import BENCHMARK, FIT, RUNS


def test_pieces_are_done_one_in_each_turn_of_the_event_loop(qtbot):
    told, turns = [], Turns()
    turns.do(*(lambda n=n: (told.append(n), QTimer.singleShot(0, lambda: told.append("between"))) for n in range(3)))
    assert told == []
    assert turns.busy
    qtbot.waitUntil(lambda: not turns.busy)
    assert told[:2] == [0, "between"]
    assert [n for n in told if n != "between"] == [0, 1, 2]


def test_every_page_follows_a_change_of_theme(story):
    """Also the ground of a page that was made in the theme before."""
    story.answered()
    pages = story.window.pages
    for index in range(pages.tabs.count()):
        pages.show_page(index)
    story.wiring.set_theme("dark")
    story.until(lambda: not story.wiring.dressing.busy)
    for index in range(pages.tabs.count()):
        pages.show_page(index)
        image = story.window.grab().toImage()
        spots = [(x, y) for x in range(0, image.width(), 8) for y in range(0, image.height(), 8)]
        light = sum(image.pixelColor(x, y).lightness() > 225 for x, y in spots)
        assert light < 0.03 * len(spots), pages.tabs.tabText(index)


def test_a_change_of_theme_visits_each_widget_once_and_what_is_seen_first(qtbot):
    told = []

    class Told(QLabel):
        def customEvent(self, event):
            told.append((self.text(), style.current().name))

    window, hidden = QWidget(), Told("hidden")
    layout = QVBoxLayout(window)
    inner = QVBoxLayout()
    layout.addLayout(inner)
    inner.addWidget(Told("seen"))
    for widget in (window, hidden):
        qtbot.addWidget(widget)
    window.show()
    painted = []
    for _ in style.change(QApplication.instance(), "dark"):
        painted.append((window.updatesEnabled(), len(told)))
    assert window.updatesEnabled()
    assert told == [("seen", "dark"), ("hidden", "dark")]
    held = [seen for enabled, seen in painted if not enabled]
    assert held[0] == 0, "the window keeps its picture before the first widget has the new colours"
    assert next(seen for enabled, seen in painted[1:] if enabled) == 1, "until all that is seen has them"


def test_texts_and_icons_of_a_hidden_page_follow_a_change_of_theme(story):
    story.answered()
    story.window.pages.show_page(RUNS)
    title = story.window.pages.page(RUNS).findChild(QLabel)
    story.window.pages.show_page(FIT)
    icon = story.window.top.theme.icon().cacheKey()
    story.wiring.set_theme("dark")
    story.until(lambda: not story.wiring.dressing.busy)
    assert title.palette().text().color().name() == style.current().text.lower()
    assert story.window.top.theme.icon().cacheKey() != icon


def test_a_widget_that_goes_while_the_theme_changes_is_left_alone(qtbot):
    gone = QLabel("gone")
    work = style.change(QApplication.instance(), "dark")
    for _ in range(3):
        next(work)
    shiboken6.delete(gone)
    assert list(work), "there is more to do"
    assert style.current().name == "dark"


def test_a_plot_makes_no_controls_that_nobody_sees(qtbot):
    before = len(QApplication.allWidgets())
    plot = LivePlot("Memory", "GiB", "Seconds", {"needed_gib": "needed"})
    qtbot.addWidget(plot.widget)
    # The view, its viewport, and the scroll bars of Qt with what holds them; the context menu would be seventy more.
    assert len(QApplication.allWidgets()) - before <= 8


def test_two_places_of_a_window_take_turns_with_each_other(qtbot):
    """Each would be short by itself; timers of their own would fire together."""
    window = QWidget()
    qtbot.addWidget(window)
    told, first, second = [], Turns(window), Turns(window)
    between = QTimer(window)
    between.timeout.connect(lambda: told.append("between"))
    between.start(0)
    for turns, name in ((first, "a"), (second, "b")):
        turns.do(*(lambda name=name: told.append(name) for _ in range(2)))
    in_turn(window, lambda: told.append("first"), first=True)
    qtbot.waitUntil(lambda: not first.busy and not second.busy)
    between.stop()
    assert [one for one in told if one != "between"] == ["first", "a", "a", "b", "b"]
    pieces = [place for place, one in enumerate(told) if one != "between"]
    assert all(later - earlier > 1 for earlier, later in pairwise(pieces)), told


def test_a_piece_that_fails_does_not_hold_up_those_behind_it(qtbot):
    told, turns = [], Turns()

    def fail():
        raise ValueError("a piece")

    with qtbot.capture_exceptions() as raised:
        turns.do(fail, lambda: told.append("next"))
        qtbot.waitUntil(lambda: not turns.busy)
    assert told == ["next"]
    assert [kind for kind, *_ in raised] == [ValueError]


def test_new_work_takes_the_place_of_what_waits_and_a_place_that_goes_takes_its_own_along(qtbot):
    window, told = QWidget(), []
    qtbot.addWidget(window)
    gone, turns = QWidget(window), Turns(window)
    in_turn(gone, lambda: told.append("gone"))
    turns.do(lambda: told.append("old"))
    turns.do(lambda: told.append("new"))
    shiboken6.delete(gone)
    qtbot.waitUntil(lambda: not turns.busy)
    assert told == ["new"]


def test_a_window_that_is_let_paint_again_is_painted_once(qtbot):
    told = []

    class Told(QLabel):
        def paintEvent(self, event):
            told.append(self.text())

    window, inner = QWidget(), QWidget()
    QVBoxLayout(window).addWidget(inner)
    QVBoxLayout(inner).addWidget(Told("seen"))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: bool(told))
    told.clear()
    style.apply(QApplication.instance(), "dark")
    QApplication.processEvents()
    assert told == ["seen"]
    assert all(widget.updatesEnabled() for widget in window.findChildren(QWidget))


def test_parts_that_come_later_show_the_latest_state_and_are_reached_in_their_order(qtbot):
    class Field(QLineEdit):
        def set_state(self, text):
            self.setText(text)

    window, after = QWidget(), QPushButton("after")
    layout = QVBoxLayout(window)
    one = Later(layout, window, Field, Field.set_state)
    two = Later(layout, window, Field, Field.set_state, one)
    layout.addWidget(after)
    qtbot.addWidget(window)
    window.show()
    assert window.findChildren(QLineEdit) == []
    one.set_state("old")
    one.set_state("new")
    assert two.part.text() == ""
    assert one.part.text() == "new", "it was made with the one behind it"
    assert [layout.indexOf(widget) for widget in (one.part, two.part, after)] == [0, 1, 2]
    assert one.part.nextInFocusChain() is two.part
    assert one.shows("new")
    assert not one.shows("old")
    assert two.shows(None)
    made = one.part
    qtbot.wait(50)
    assert one.part is made


def test_the_page_of_a_result_is_seen_before_what_nobody_has_measured_is_made(story):
    story.window.pages.show_page(BENCHMARK)
    page = story.window.pages.page(BENCHMARK)
    assert page.start.isVisible()
    assert page.findChildren(ResultCard) == []
    story.until(lambda: page.findChildren(ResultCard))
    assert not page.result.part.isVisible()


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
    assert not any(card.isVisible() for card in plots.cards.values()), "they are seen when all of them are made"
    qtbot.waitUntil(lambda: not plots.drawing)

    def seen():
        return [card.title.text() for card in plots.cards.values() if card.isVisible()]

    always = ["Step time", "Memory of the training", "Processor use", "RAM of the process"]
    assert seen() == [*always, "Disk"]
    plots.set_curves({}, (), None)
    qtbot.waitUntil(lambda: not plots.drawing)
    assert seen() == [*always, "Disk"]
    plots.set_curves({"step_ms": ([0.0], [1.0])}, (), None)
    qtbot.waitUntil(lambda: not plots.drawing)
    assert seen() == always
