"""The Advice page with what it shows and what it sends."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.ui.advice.advice_page import AdvicePage
from app.ui.advice.advice_presenter import AdvicePresenter


def advice_page(parent: QWidget, advice: AdvicePresenter) -> AdvicePage:
    """A page that follows the recommendations."""
    page = AdvicePage(parent)
    page.tried.connect(advice.try_it)
    page.verify_requested.connect(advice.verify)
    advice.advice_changed.connect(page.set_state)
    page.set_state(advice.state)
    return page
