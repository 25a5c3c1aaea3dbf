"""The Fit page with what it shows and what it sends."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.ui.fit.estimate_presenter import EstimatePresenter
from app.ui.fit.fit_page import FitPage
from app.ui.session.session import Session


def fit_page(parent: QWidget, estimates: EstimatePresenter, session: Session, share: Callable[[], None]) -> FitPage:
    """A page that follows the answers; its marker moves the session's batch size, ``share`` shows an answer."""
    page = FitPage(parent)
    page.batch_chosen.connect(session.set_batch_size)
    page.share_requested.connect(share)
    estimates.fit_changed.connect(page.set_state)
    page.set_state(estimates.fit)
    return page
