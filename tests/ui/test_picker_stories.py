"""Picking a model or data as a person does: click into the field, type some words, Enter; or Esc."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication


@pytest.fixture
def combo(story):
    """The model's field, in an active window."""
    story.window.activateWindow()
    story.until(story.window.isActiveWindow)
    return story.window.form.model


def click(combo):
    """A click into the middle of the name, as a mouse does it."""
    field = combo.lineEdit()
    QTest.mouseClick(field, Qt.MouseButton.LeftButton, pos=QPoint(field.width() // 2, field.height() // 2))
    QApplication.processEvents()
    return field


def listed(combo):
    """What the open list shows."""
    popup = combo.completer().popup()
    shown = popup.model()
    return [shown.index(row, 0).data() for row in range(shown.rowCount())] if popup.isVisible() else []


def test_typing_after_a_click_replaces_the_name(combo):
    field = click(combo)
    assert field.selectedText() == field.text()
    QTest.keyClicks(field, "resnet")
    assert field.text() == "resnet"
    assert listed(combo) == ["ResNet50 · 25.6 M params"]


def test_a_second_click_selects_all_again_and_while_something_is_typed_it_moves_the_caret(combo):
    click(combo)
    field = click(combo)
    assert field.selectedText() == field.text()
    QTest.keyClicks(field, "resnetresnetresnetresnet")
    click(combo)
    assert not field.hasSelectedText()


def test_words_match_in_any_order_in_titles_and_names(combo):
    field = click(combo)
    QTest.keyClicks(field, "cnn fashion")
    assert listed(combo) == ["Fashion-MNIST CNN · 562 k params"]
    field.selectAll()
    QTest.keyClicks(field, "mnist_cnn")
    assert listed(combo) == ["Fashion-MNIST CNN · 562 k params"]


def test_enter_takes_the_first_and_tells_it_once(combo, story):
    chosen = []
    combo.chosen.connect(chosen.append)
    field = click(combo)
    QTest.keyClicks(field, "50 resnet")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert chosen == ["resnet50"]
    assert field.text().startswith("ResNet50")
    assert field.selectedText() == field.text()
    story.answered()


def test_a_row_of_the_list_is_taken_by_a_click_and_told_once(combo, story):
    chosen = []
    combo.chosen.connect(chosen.append)
    QTest.keyClicks(click(combo), "resnet")
    popup = combo.completer().popup()
    place = popup.visualRect(popup.model().index(0, 0)).center()
    QTest.mouseClick(popup.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == ["resnet50"]
    story.answered()


def test_esc_restores_the_name_and_cancels_nothing_else(combo, story):
    escaped = []
    story.window.escape_pressed.connect(lambda: escaped.append(True))
    field = click(combo)
    before = field.text()
    for typed in ("resnet", "nothing is called so"):
        QTest.keyClicks(field, typed)
        QTest.keyClick(combo.completer().popup() if listed(combo) else field, Qt.Key.Key_Escape)
        assert (field.text(), field.selectedText(), listed(combo)) == (before, before, [])
    assert not escaped
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert escaped


def test_an_answer_that_arrives_does_not_take_what_is_being_typed(combo, story):
    field = click(combo)
    QTest.keyClicks(field, "resn")
    story.wiring.session.set_batch_size(64)
    story.answered()
    assert field.text() == "resn"


def test_the_arrow_keys_choose_within_the_list(combo, story):
    chosen = []
    combo.chosen.connect(chosen.append)
    field = click(combo)
    QTest.keyClicks(field, "n")
    names = listed(combo)
    assert len(names) > 2
    popup = combo.completer().popup()
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert len(chosen) == 1
    assert field.text() == names[1]
    story.until(lambda: story.window.verdict.state.stage in ("predicted", "failed"))
