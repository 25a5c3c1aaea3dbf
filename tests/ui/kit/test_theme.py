import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.kit.theme import GRAPHIC_CONTRAST, TEXT_CONTRAST, THEMES, contrast, palette, readable, text_pairs

colours = st.tuples(*[st.integers(0, 255)] * 3).map(lambda c: "#{:02X}{:02X}{:02X}".format(*c))


@pytest.mark.parametrize("name", THEMES)
def test_every_text_can_be_read_on_its_ground(name):
    too_weak = {pair: ratio for pair, ratio in text_pairs(palette(name)).items() if ratio < TEXT_CONTRAST}
    assert too_weak == {}


@pytest.mark.parametrize("name", THEMES)
def test_every_part_of_the_bar_stands_out_from_the_page(name):
    seen = palette(name)
    assert min(contrast(colour, seen.surface) for colour in seen.parts.values()) >= GRAPHIC_CONTRAST
    assert contrast(seen.strong_border, seen.surface) >= GRAPHIC_CONTRAST


def test_black_on_white_is_21():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@given(colours, colours)
def test_contrast_does_not_depend_on_the_order(first, second):
    assert contrast(first, second) == contrast(second, first) >= 1


@given(colours)
def test_readable_reaches_the_ratio_on_white_and_on_black(colour):
    assert contrast(readable(colour, ("#FFFFFF",)), "#FFFFFF") >= TEXT_CONTRAST
    assert contrast(readable(colour, ("#000000",)), "#000000") >= TEXT_CONTRAST
