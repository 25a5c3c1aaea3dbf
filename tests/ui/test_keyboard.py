"""Everything goes without a mouse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.ui.kit.marker_keys import LARGEST, moved
from app.ui.shell.command_palette import CommandPalette
from app.ui.shell.main_window import FIT

KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)


@pytest.mark.parametrize(
    ("batch", "key", "becomes"),
    [
        (256, Qt.Key.Key_Right, 279),
        (256, Qt.Key.Key_Left, 235),
        (256, Qt.Key.Key_PageUp, 512),
        (256, Qt.Key.Key_PageDown, 128),
        (1, Qt.Key.Key_Right, 2),
        (2, Qt.Key.Key_Left, 1),
        (1, Qt.Key.Key_Left, 1),
        (77, Qt.Key.Key_Home, 1),
        (77, Qt.Key.Key_End, LARGEST),
        (77, Qt.Key.Key_A, None),
    ],
)
def test_a_key_moves_the_marker(batch, key, becomes):
    assert moved(batch, key) == becomes


@given(st.integers(1, LARGEST), st.sampled_from(KEYS))
def test_a_key_never_leaves_the_scale_and_moves_unless_it_is_at_the_end(batch, key):
    found = moved(batch, key)
    assert 1 <= found <= LARGEST
    assert found != batch or batch in (1, LARGEST)


def test_arrow_keys_on_the_chart_change_the_batch(story):
    card = story.page(FIT).chart.card
    story.until(lambda: card.plot is not None)
    card.place.setFocus()
    QTest.keyClick(card.place, Qt.Key.Key_PageUp)
    story.until(lambda: story.window.form.batch.value() == 512)
    QTest.keyClick(card.place, Qt.Key.Key_Left)
    story.until(lambda: story.window.form.batch.value() == 470)


def test_a_table_twin_is_opened_by_the_space_bar_and_walked_by_arrows(story):
    card = story.page(FIT).chart.card
    story.until(lambda: card.plot is not None)
    QTest.keyClick(card.table_button, Qt.Key.Key_Space)
    assert card.table.isVisible()
    card.table.setFocus()
    QTest.keyClick(card.table, Qt.Key.Key_Down)
    assert card.table.currentRow() >= 0


def test_what_was_found_is_chosen_from_the_list_itself(story):
    story.wiring.dialogs.open_palette()
    palette = story.window.findChildren(CommandPalette)[0]
    palette.field.setText("resnet50")
    palette.list.setFocus()
    QTest.keyClick(palette.list, Qt.Key.Key_Return)
    story.until(lambda: story.wiring.session.workload.model.name == "resnet50")
