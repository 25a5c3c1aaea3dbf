import pytest

from app.core.types import units
from app.core.types.text import join, phrase
from app.presentation.figure import Figure
from app.presentation.language import Language
from app.ui.kit import quantities
from app.ui.kit.speech import PROPERTY, said, tr_many


@pytest.fixture
def wear(qapp):
    before = qapp.property(PROPERTY)
    yield lambda spoken: qapp.setProperty(PROPERTY, spoken)
    qapp.setProperty(PROPERTY, before)


def test_german_figures_have_a_comma_and_grouping_points(wear):
    wear(Language("de", "de_DE"))
    assert quantities.format_bytes(4.1 * units.GIB) == "4,1 GiB"
    assert quantities.format_count(25_636_712) == "25.636.712"
    assert quantities.format_number(1234.5, ",.2f", "EUR") == "1.234,50 EUR"
    assert quantities.format_seconds(3900) == "65 min"
    assert quantities.format_share(0.184) == "18 %"


def test_an_interval_says_its_unit_once_where_it_is_the_same():
    seconds = lambda low, high: quantities.interval_text(Figure(60.0, "seconds", "predicted", low, high))  # noqa: E731
    assert seconds(1.5, 2.5) == "1.5–2.5 s"
    assert seconds(30.0, 600.0) == "30 s – 10 min"
    assert seconds(1680.0, 7680.0) == "28 min – 2 h 08 min"
    assert seconds(7680.0, 11_280.0) == "2 h 08 min – 3 h 08 min"


def test_unknown_stays_unknown(wear):
    wear(Language("de", "de_DE"))
    assert quantities.format_bytes(None) == quantities.format_number(None, unit="EUR") == units.NOT_AVAILABLE


def test_dates_are_those_of_the_country(wear):
    wear(Language("de", "de_DE"))
    assert quantities.format_date("2026-10-01") == "01.10.2026"
    assert quantities.format_date("2026-10") == "2026-10"
    wear(Language())
    assert quantities.format_date("2026-10-01") == "2026-10-01"
    assert quantities.format_moment("no time") == "no time"


def test_sizes_are_in_powers_of_1000_if_wished_also_within_texts(wear):
    wear(Language(region="en_US", decimal_sizes=True))
    needed = phrase("{needed} are needed", needed=units.format_bytes(34 * units.GIB))
    assert quantities.format_bytes(4.1 * units.GIB) == "4.4 GB"
    assert said(join("; ", [needed, "300 GB/s, 34.0 GiB"])) == "36.5 GB are needed; 300 GB/s, 34.0 GiB"


def test_a_number_of_things_is_written_by_locale(wear):
    wear(Language(region="de_CH"))
    assert [tr_many("{n} file", "{n} files", n) for n in (1, 1500)] == ["1 file", "1’500 files"]
