"""The Upgrades page with what it shows and what it sends."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.ui.advice.advice_presenter import AdvicePresenter
from app.ui.upgrades.upgrades_page import UpgradesPage


def upgrades_page(parent: QWidget, advice: AdvicePresenter) -> UpgradesPage:
    """A page that follows the upgrades of the advice."""
    page = UpgradesPage(parent)
    page.price_changed.connect(advice.change_price)
    advice.upgrades_changed.connect(page.set_state)
    page.set_state(advice.upgrades)
    return page
