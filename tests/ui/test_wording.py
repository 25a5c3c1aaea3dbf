"""What the window says in states where it was vague, or said two things at once."""

import pytest

from app.ui.kit import language, words
from app.ui.kit.basics import number_box
from app.ui.kit.speech import said
from app.ui.shell.main_window import BENCHMARK, FIT, UPGRADES


def test_what_does_not_fit_says_what_would(open_window):
    story = open_window()
    story.answered()
    story.wiring.session.set_batch_size(10_000_000)
    story.answered()
    header = story.window.verdict
    assert header.state.verdict == "does_not_fit"
    told = header._why.full_text()
    assert told.startswith("Batch 50,369 would fit · ")
    assert "waits for" not in told, "what a step waits for that cannot run helps nobody"
    assert story.window.form.batch.spin.text() == "10,000,000"


def test_a_model_that_cannot_be_built_leaves_no_empty_charts(story):
    story.wiring.pick.choose_model("broken_net")
    header = story.window.verdict
    story.until(lambda: header.state.stage == "failed")
    page = story.page(FIT)
    assert page.nothing.isVisible()
    shown = [card.isVisible() for card in (page.chart, page.bar, page.parts, page.memories)]
    assert not any(shown)
    assert header._sentence.full_text()[0].isupper()
    story.wiring.pick.choose_model("fashion_mnist_cnn")
    story.answered()
    assert page.chart.isVisible()
    assert page.bar.isVisible()
    assert not page.nothing.isVisible()


def test_the_first_answer_names_the_textbook_once(open_window):
    story = open_window(trace_s=30.0)
    header = story.window.verdict
    story.until(lambda: header.state.stage == "textbook")
    assert header.accessibleDescription().lower().count("textbook") == 1
    plot = story.page(FIT).chart.card
    plot.make_plot()
    assert not plot.plot.widget.isVisible(), "axes without a curve"


@pytest.mark.parametrize(
    ("spoken", "title"), [("en", "fashion_mnist_cnn, batch 1,024"), ("de", "fashion_mnist_cnn, Batch 1.024")]
)
def test_a_batch_is_called_one_in_titles_and_buttons(qapp, open_window, spoken, title):
    language.install(qapp, spoken)
    story = open_window()
    story.answered()
    story.wiring.session.set_batch_size(1024)
    page = story.page(BENCHMARK)
    story.until(lambda: page._title.full_text() == title)
    assert title[-5:] in words.action("apply_batch:1024")


def test_the_answer_about_an_upgrade_holds_what_a_narrow_table_leaves_out(story):
    story.window.resize(1000, 700)
    page = story.page(UPGRADES)
    story.until(lambda: page.table.rowCount() == 3)
    page.table.selectRow(0)
    story.qtbot.wait(60)
    row = page._shown[0]
    left_out = {page.table.text(0, column) for column in page.table.columns.hidden()} - {"GPU", ""}
    assert said(row.item.price_date) not in left_out  # it stands beside the sum
    assert [text for text in left_out if text not in page.why.text()] == []


def test_a_fraction_has_no_zeros_at_its_end_but_a_price_has(qtbot):
    limit, price = number_box("limit", 0.0, 9.0), number_box("price", 0.0, 999.0, 2)
    for box in (limit, price):
        qtbot.addWidget(box)
    limit.setValue(1.0)
    price.setValue(299.0)
    assert (limit.text(), price.text()) == ("1", "299.00")
    limit.setValue(0.00025)
    assert limit.text() == "0.00025"
