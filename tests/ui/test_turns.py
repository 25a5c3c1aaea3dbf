"""Work in turns of the event loop, and what a change of theme reaches."""

import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from app.ui import style
from app.ui.main_window import FIT, RUNS
from app.ui.turns import Turns
from app.ui.widgets.live_plot import LivePlot


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
    assert [seen for enabled, seen in painted[1:] if enabled][0] == 1, "until all that is seen has them"


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
