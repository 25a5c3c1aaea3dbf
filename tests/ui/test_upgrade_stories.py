"""What to buy or rent: rows to filter and sort, cost against time, and prices of one's own."""

import csv
from dataclasses import replace

import pytest
from PySide6.QtCore import QDate

from app.core.types.text import verbatim
from app.presentation.upgrades import UpgradeRow
from app.ui.shell.main_window import UPGRADES
from app.ui.upgrades.price_dialog import PriceDialog


@pytest.fixture
def page(story):
    """The Upgrades page with its three rows."""
    shown = story.page(UPGRADES)
    story.until(lambda: shown.table.rowCount() == 3)
    return shown


def names(page):
    """The names that are listed, from top to bottom."""
    return [page.table.text(row, 0) for row in range(page.table.rowCount())]


def test_upgrades_are_rows_that_say_why(page):
    assert not page.own_price.isEnabled()
    page.table.selectRow(1)
    assert "Not worth it" in page.why.text()
    assert page.own_price.isEnabled()


def test_a_row_tells_the_whole_run_and_what_else_it_takes(page):
    assert [page.table.text(row, 5) for row in range(3)] == ["~ 28.5 s", "~ 4.5 min", "~ 6 s"]
    page.table.selectRow(0)
    assert "at most 3.1 ×" in page.why.text()
    page.table.selectRow(2)
    assert "Needs an account" in page.why.text()


def test_rows_are_filtered_by_name_kind_and_worth(page):
    page.filter.setText("4060")
    assert names(page) == ["RTX 4060 8GB"]
    assert page.count.text() == "1 of 3"
    page.filter.clear()
    page.kind.setCurrentIndex(page.kind.findData("cloud"))
    assert names(page) == ["lambda gpu_1x_h100"]
    page.kind.setCurrentIndex(0)
    page.worthy.click()
    assert names(page) == ["RTX 4060 8GB", "lambda gpu_1x_h100"]


def test_a_heading_sorts_turns_round_and_returns_to_best_first(page):
    best_first = names(page)
    page.table.sort_requested.emit(4)
    assert names(page) == ["lambda gpu_1x_h100", "RTX 4060 8GB", "128 GiB RAM"]
    page.table.sort_requested.emit(4)
    assert names(page) == ["128 GiB RAM", "RTX 4060 8GB", "lambda gpu_1x_h100"]
    page.table.sort_requested.emit(4)
    assert names(page) == best_first
    assert not page.table.horizontalHeader().isSortIndicatorShown()


def test_a_point_of_the_chart_chooses_its_row(page):
    page.plot.make_plot()
    assert len(page.plot.plot.points.points()) == 3
    page.plot.plot.picked.number.emit(2)
    assert page.table.selected_rows() == (1,)
    assert "Not worth it" in page.why.text()
    assert "RTX 4060 8GB" in page.plot.plot.reading(2.47)
    page.plot.table_button.click()
    assert page.plot.table.item(0, 1).text() == "299 USD, as of 2026-01-05"


def test_a_price_of_ones_own_is_kept_with_its_day_and_asked_for_again(story, page):
    page.table.selectRow(0)
    page.own_price.click()
    dialog = page.findChild(PriceDialog)
    assert (dialog.price.value(), dialog.currency.text()) == (299.0, "USD")
    dialog.price.setValue(249.5)
    dialog.currency.setText("eu")
    assert not dialog.keep.isEnabled()
    dialog.currency.setText("EUR")
    dialog.date.setDate(QDate(2026, 1, 5))
    asked = story.advisor.script.calls.count("advise")
    dialog.keep.click()
    story.until(lambda: story.advisor.script.calls.count("advise") > asked)
    with (story.advisor.settings.tables_dir / "prices.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["name"], row["price"], row["currency"]) == ("RTX 4060 8GB", "249.5", "EUR")
    assert row["price_date"] == "2026-01-05"
    story.answered()


def test_a_price_that_cannot_be_kept_says_why(story, page):
    page.table.selectRow(1)
    page.price_changed.emit(2, 100.0, "USD", "2026-01-05")
    story.until(page.error.isVisible)
    assert page.error.message() == "This price is in no table"


def test_the_question_is_answered_before_the_table(page):
    assert page.title.text() == "RAM, disk, another card, or rent?"
    names = [card.accessibleName() for card in page.best.cards]
    assert names == ["RAM: 128 GiB RAM", "GPU: RTX 4060 8GB", "Cloud: lambda gpu_1x_h100"]
    said = [card.accessibleDescription() for card in page.best.cards]
    assert said[0] == "Not worth it. It waits for compute.; 320 USD."
    assert said[1] == "It waits for compute.; 299 USD, as of 2026-01-05; pays off after 410 h rented."
    assert page.best.y() < page.tools.y()


@pytest.mark.parametrize("size", [(1280, 800), (1400, 900)])
def test_the_chart_is_seen_without_scrolling(story, page, size):
    story.window.resize(*size)
    story.until(lambda: page.plot.x() > 0)
    bottom = page.plot.mapTo(page, page.plot.rect().bottomLeft()).y()
    assert bottom <= page.viewport().height()


def test_an_offer_is_called_by_what_it_is_and_its_raw_name_is_in_the_details(page):
    offer = next(row.item for row in page._state.rows if row.item.kind == "cloud")
    renamed = replace(offer, label=verbatim("1 × H100 80 GB, lambda"))
    page.set_state(replace(page._state, rows=(UpgradeRow(1, renamed),)))
    assert names(page) == ["1 × H100 80 GB, lambda"]
    page.table.selectRow(0)
    assert "Its seller calls it lambda gpu_1x_h100." in page.why.text()
    page.filter.setText("gpu_1x")
    assert page.table.rowCount() == 1
