import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from app.core.types import units
from app.ui.kit import quantities
from app.ui.kit.sentences import said

GERMAN, SWISS, FRENCH = QLocale("de_DE"), QLocale("de_CH"), QLocale("fr_FR")


@pytest.fixture
def wear():
    before = QLocale()
    yield QLocale.setDefault
    QLocale.setDefault(before)


def test_german_figures_have_a_comma_and_grouping_points(wear):
    wear(GERMAN)
    assert quantities.format_bytes(4.1 * units.GIB) == "4,1 GiB"
    assert quantities.format_count(25_636_712) == "25.636.712"
    assert quantities.format_number(1234.5, ",.2f", "EUR") == "1.234,50 EUR"
    assert quantities.format_seconds(3900) == "65 min"


def test_unknown_stays_unknown(wear):
    wear(GERMAN)
    assert quantities.format_bytes(None) == quantities.format_number(None) == units.NOT_AVAILABLE


@given(value=st.floats(0, 1e15))
def test_english_figures_are_those_of_the_command_line(value):
    QLocale.setDefault(QLocale("en_US"))
    assert quantities.format_bytes(value) == units.format_bytes(value)
    assert quantities.format_seconds(value) == units.format_seconds(value)
    assert quantities.format_count(value) == units.format_count(value)


@given(value=st.floats(0, 1e15))
def test_only_separators_differ_between_languages(value):
    before = QLocale()
    QLocale.setDefault(GERMAN)
    told = quantities.format_count(value), quantities.format_bytes(value)
    QLocale.setDefault(before)
    back = tuple(text.translate({ord("."): ",", ord(","): "."}) for text in told)
    assert back == (units.format_count(value), units.format_bytes(value))


def test_dates_are_those_of_the_country(wear):
    wear(GERMAN)
    assert quantities.format_date("2026-10-01") == "01.10.2026"
    assert quantities.format_date("2026-10") == "2026-10"
    wear(QLocale.c())
    assert quantities.format_date("2026-10-01") == "2026-10-01"
    assert quantities.format_moment("no time") == "no time"


@pytest.mark.parametrize("text", ["4.1 GiB", "1,234", "12 ms", "1 h 05 min", "3.5 %", "300 GB/s", "× 1.05", "2.1 ×"])
def test_a_quantity_is_recognised(text):
    assert quantities.is_quantity(text)


@pytest.mark.parametrize("text", ["2.21", "2.21.0", "CUDA 12.4", "100 cells", "RTX 4060 8 GB", "4,1 GiB", ""])
def test_versions_names_and_german_figures_are_no_quantities(text):
    assert not quantities.is_quantity(text)


@pytest.fixture
def decimal(qapp):
    qapp.setProperty(quantities.DECIMAL_SIZES, True)
    yield
    qapp.setProperty(quantities.DECIMAL_SIZES, False)


def test_sizes_are_in_powers_of_1000_if_wished(decimal, wear):
    wear(QLocale("en_US"))
    assert quantities.format_bytes(4.1 * units.GIB) == "4.4 GB"
    assert said("34.0 GiB are needed and 5.1 GiB can be used") == "36.5 GB are needed and 5.5 GB can be used"
    wear(GERMAN)
    assert quantities.localised("limit 1,024.0 MiB") == "limit 1,1 GB"


def test_rates_and_counts_stay_as_they_are(decimal):
    assert quantities.resized("300 GB/s, 12 images, 3.5 %") == "300 GB/s, 12 images, 3.5 %"
