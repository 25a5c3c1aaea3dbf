"""The words of advice that the command line and reports share."""

from dataclasses import replace

from app.core.types.advice import Effect
from app.presentation.advice import change_rows
from app.presentation.upgrades import answers, gain_words, price_words, shown, upgrade_table
from tests.cli.answers import ADVICE


def effect(before, after, mark="scaled"):
    one = replace(ADVICE.recommendations[0], before=before, after=after)
    return change_rows(replace(ADVICE, recommendations=(one,)), mark)[0].effect


def test_words_of_effects_prices_and_gains():
    assert effect(Effect(None, None), Effect(1, 1.0)) == ""
    assert effect(Effect(100, 1.0), Effect(99, 0.5)) == "epoch ≈ 1 s → ≈ 500 ms"
    assert price_words(replace(ADVICE.upgrades[0], kind="cloud", price=2.0)) == "2.00 USD/h"
    assert price_words(ADVICE.upgrades[1]) == "not available"
    assert gain_words(8.04) == "8.0 ×"
    assert gain_words(100.0) == gain_words(None) == ""


def test_the_time_is_that_of_the_whole_training_if_it_has_several_epochs():
    card = replace(ADVICE.upgrades[0], epoch_s=2.0, total_s=20.0)
    assert [row[5] for row in upgrade_table((card,), 1).rows] == ["~ 2 s"]
    assert [row[5] for row in upgrade_table((card,), 10).rows] == ["~ 20 s"]


def test_rows_with_the_same_answer_share_it():
    card = ADVICE.upgrades[0]
    assert answers((card, replace(card, name="another"))) == (f"1, 2: {card.why}; at most 8.0 ×",)


def test_three_of_a_kind_are_shown_but_one_of_a_kind_that_is_not_worth_it():
    card = ADVICE.upgrades[0]
    assert len(shown((card,) * 5)) == 3
    assert len(shown((replace(card, worth=False),) * 5)) == 1
