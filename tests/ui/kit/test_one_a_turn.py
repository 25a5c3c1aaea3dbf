"""What is put off never stands in the way of what a person does."""

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from app.ui.kit.one_a_turn import OneATurn


def test_something_else_comes_in_between(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    done = []

    def piece(name):
        done.append(name)
        QTimer.singleShot(0, lambda: done.append(f"a click after {name}"))

    for name in ("one", "two", "three"):
        OneATurn.of(window).add(window, lambda name=name: piece(name))
    assert done == []
    qtbot.waitUntil(lambda: len(done) == 6)
    assert done.index("a click after one") < done.index("three")
    assert [name for name in done if "click" not in name] == ["one", "two", "three"]


def test_a_window_has_one_and_gives_it_to_all_its_widgets(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    label = QLabel()
    QVBoxLayout(window).addWidget(label)
    assert OneATurn.of(label) is OneATurn.of(window)


def test_what_is_gone_does_nothing_and_holds_nobody_up(qtbot):
    window, owner = QWidget(), QObject()
    qtbot.addWidget(window)
    done = []
    OneATurn.of(window).add(owner, lambda: done.append("of nobody"))
    OneATurn.of(window).add(window, lambda: done.append("of the window"))
    owner.deleteLater()
    QApplication.sendPostedEvents(owner, 0)
    qtbot.waitUntil(lambda: done == ["of the window"])
