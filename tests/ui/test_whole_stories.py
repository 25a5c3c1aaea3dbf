"""The whole training on the Fit page."""

from dataclasses import replace

from app.presentation.fit import fit_state
from app.ui.fit.fit_page import FitPage
from tests.core.predict.test_whole import whole, workload


def shown(qtbot, asked=None):
    found, training, _ = whole(asked)
    page = FitPage()
    qtbot.addWidget(page)
    page.resize(1000, 2400)
    page.show()
    page.set_state(fit_state(replace(training, whole=found)))
    page._show_details()
    return page


def test_a_training_with_a_validation_shows_its_phases_and_what_they_come_to(qtbot):
    card = shown(qtbot).whole
    assert card.isVisible()
    assert card.table.rowCount() == 6
    assert "Validation needs most" in card.lines.text()


def test_steps_alone_show_no_phases(qtbot):
    assert not shown(qtbot, workload(validation=0.0, epochs=1)).whole.isVisible()


def test_the_plot_has_every_phase_up_to_the_end_of_a_later_epoch_and_says_which_it_is(qtbot):
    from app.ui.fit.plots import CoursePlot

    plot = CoursePlot("Needed", "Phases")
    plot.set_course([("First step", 2**30), ("Validation", 2**31)], 2**31)
    assert plot.reading(1.5) == "Validation · 2.0 GiB"
    assert plot.reading(7) == ""
