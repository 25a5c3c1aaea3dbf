"""What the Advice page shows of a real network where no change is recommended."""

import pytest
from PySide6.QtWidgets import QLabel

from app.core.types.plan import Plan
from app.core.types.workload import Workload
from app.services.advisor import Advisor
from app.services.settings import Settings
from app.services.store.history import History
from app.ui.advice.advice_page import AdvicePage
from app.ui.advice.state_advice import advice_state
from tests.fakes.figures import MACHINE


@pytest.fixture
def page(qtbot, own_folder):
    """The page for the founding network on a processor that nobody has timed."""
    settings = Settings.load()
    advisor = Advisor(settings, History(settings.history_path))
    found, data = advisor.catalog.find_model("fashion_mnist_cnn"), advisor.catalog.find_dataset("fashion_mnist")
    workload = Workload(found, data, Plan(batch_size=256, optimizer="adam"))
    advice = advisor.advice.advise(workload, MACHINE, advisor.predictor.graphs.get(workload))
    shown = AdvicePage()
    qtbot.addWidget(shown)
    shown.resize(900, 700)
    shown.set_state(advice_state(advice, "predicted"))
    shown.show()
    return shown


def rows(table):
    """The texts of a table."""
    return [[table.item(row, column).text() for column in range(4)] for row in range(table.rowCount())]


def test_a_page_without_a_recommendation_shows_what_was_tried_and_why_not(page):
    assert page.cards == []
    assert page.title.text() == "No change is recommended: this was tried"
    tried = rows(page.vain.tables[0])
    assert tried[0][0] == "As it is"
    assert {"Compile with XLA", "Batch size 512"} <= {row[0] for row in tried}
    assert all(row[3] for row in tried[1:])


def test_it_shows_the_way_to_a_smaller_memory(page):
    smaller = {row[0]: row for row in rows(page.vain.tables[1])}
    assert smaller["Batch size 128"][1] == "~ 164.0 MiB"
    assert smaller["Mixed precision (mixed_bfloat16)"][3] == "This device has no units that would make it quicker"


def test_it_says_what_would_have_to_be_different_for_hardware_to_matter(page):
    said = "\n".join(label.text() for label in page.vain.findChildren(QLabel))
    assert "What would have to be different for RAM, disk or card to matter" in said
    assert "RAM: all of the data takes 179.4 MiB" in said
    assert "more would matter above a batch of" in said
