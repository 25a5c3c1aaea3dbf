"""Work in turns of the event loop, and what a change of theme reaches."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

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
    for index in range(pages.tabs.count()):
        pages.show_page(index)
        image = story.window.grab().toImage()
        spots = [(x, y) for x in range(0, image.width(), 8) for y in range(0, image.height(), 8)]
        light = sum(image.pixelColor(x, y).lightness() > 225 for x, y in spots)
        assert light < 0.03 * len(spots), pages.tabs.tabText(index)


def test_a_plot_makes_no_controls_that_nobody_sees(qtbot):
    before = len(QApplication.allWidgets())
    plot = LivePlot("Memory", "GiB", "Seconds", {"needed_gib": "needed"})
    qtbot.addWidget(plot.widget)
    # The view, its viewport, and the scroll bars of Qt with what holds them; the context menu would be seventy more.
    assert len(QApplication.allWidgets()) - before <= 8
