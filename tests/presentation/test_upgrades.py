"""What hardware costs says of when, in the row and in the sentence."""

from dataclasses import replace

from app.core.types.advice import Upgrade
from app.core.types.text import phrase, verbatim
from app.core.types.units import format_day
from app.presentation.upgrades import UpgradeRow, best_words, dated_price, pays_off_words, upgrade_table

AT_LAUNCH = phrase("{launch_date} (at launch)", launch_date=format_day("2019-01-15"))


def card(price=349.0, date=AT_LAUNCH, name="GeForce RTX 2060 6GB"):
    return Upgrade("gpu", name, True, None, None, None, None, None, price, "USD", date)


def test_a_sum_stands_with_its_date_and_that_of_a_launch_day_says_so():
    assert str(dated_price(card())) == "349 USD, as of 2019-01-15 (at launch)"
    assert "349 USD, as of 2019-01-15 (at launch)" in str(best_words(UpgradeRow(1, card())))


def test_a_sum_without_a_date_and_a_date_without_a_sum():
    assert str(dated_price(card(date=None))) == "349 USD"
    assert str(dated_price(card(price=None))) == "not available"


def test_what_pays_off_is_not_told_to_a_single_hour_or_training():
    one = replace(card(), worth=True, break_even_hours=1303.4, break_even_runs=588_512.3)
    assert str(pays_off_words(one)) == "1,300 h rented, 590,000 trainings"
    assert str(pays_off_words(replace(one, break_even_hours=9.2, break_even_runs=None))) == "9 h rented"


def test_the_date_stands_beside_the_sum_in_the_table():
    table = upgrade_table((card(), card(280.0, verbatim("2025-06 (indicative)"), "GeForce RTX 3060 12GB")), epochs=1)
    names = [str(name) for name in table.columns]
    assert names[names.index("Price") + 1] == "As of"
    sums = [[str(cell) for cell in row[names.index("Price") :][:2]] for row in table.rows]
    assert sums == [["349 USD", "2019-01-15 (at launch)"], ["280 USD", "2025-06 (indicative)"]]
