"""Work in turns of the event loop, and the theme that is put on part by part."""

import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton

from app.ui import style
from app.ui.themed_parts import ThemedParts
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


def test_new_work_takes_the_place_of_what_is_left(qtbot):
    told, turns = [], Turns()
    turns.do(lambda: told.append("old"), lambda: told.append("old"))
    turns.do(lambda: told.append("new"))
    turns.finish()
    assert told == ["new"]
    assert not turns.busy


def test_parts_change_their_theme_in_turns_and_what_is_seen_goes_first(qtbot):
    sheet = ["QLabel { color: red; }"]
    parts = ThemedParts(lambda: sheet[0], QApplication.instance())
    told = []

    class Part(QLabel):
        def setStyleSheet(self, text):
            told.append((self.text(), text))
            super().setStyleSheet(text)

    hidden, seen = Part("hidden"), Part("seen")
    for part in (hidden, seen):
        qtbot.addWidget(part)
        parts.add(part)
    seen.show()
    sheet[0] = "QLabel { color: blue; }"
    told.clear()
    parts.change()
    assert told == []
    qtbot.waitUntil(lambda: not parts.busy)
    assert told == [("seen", sheet[0]), ("hidden", sheet[0])]


def test_a_part_that_is_gone_gets_no_sheet(qtbot):
    parts = ThemedParts(lambda: "", QApplication.instance())
    gone, kept = QLabel(), QLabel()
    qtbot.addWidget(kept)
    parts.add(gone)
    parts.add(kept)
    parts.change()
    shiboken6.delete(gone)
    qtbot.waitUntil(lambda: not parts.busy)


def test_a_change_of_theme_does_not_wait_for_the_whole_window(story):
    story.answered()
    story.wiring.set_theme("dark")
    assert style.current().name == "dark"
    assert style.themed_parts().busy
    story.until(lambda: not style.themed_parts().busy)
    colours = style.current()
    for part in (story.window.top, story.window.form, story.window.verdict):
        assert colours.accent in part.styleSheet()


def test_a_dialog_of_a_part_wears_the_theme_of_the_part(story):
    story.answered()
    story.window.machine.show_details()
    dialog = story.window.machine.findChild(QDialog)
    assert dialog.findChild(QPushButton).style().metaObject().className() == "QStyleSheetStyle"
    dialog.close()


def test_a_plot_makes_no_controls_that_nobody_sees(qtbot):
    before = len(QApplication.allWidgets())
    plot = LivePlot("Memory", "GiB", "Seconds", {"needed_gib": "needed"})
    qtbot.addWidget(plot.widget)
    # The view, its viewport, and the scroll bars of Qt with what holds them; the context menu would be seventy more.
    assert len(QApplication.allWidgets()) - before <= 8
