"""The user's own price of an upgrade, with the day it was asked for."""

from __future__ import annotations

from PySide6.QtCore import QDate, QRegularExpression, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QDateEdit, QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from app.core.types.units import NOT_AVAILABLE
from app.presentation.upgrades import UpgradeRow, price_words
from app.ui.kit.basics import button, heading, muted, number_box
from app.ui.kit.plain import PlainForm
from app.ui.kit.speech import said, tr

MOST = 10_000_000.0


class PriceDialog(QDialog):
    """Emits `changed` with number, price, currency and date of an `UpgradeRow`."""

    changed = Signal(int, float, str, str)

    def __init__(self, row: UpgradeRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row, item = row, row.item
        self.setWindowTitle(tr("Your own price"))
        layout = QVBoxLayout(self)
        layout.addWidget(heading(said(item.shown), 1.1))
        replaced = tr("In place of {price} of {date}")
        date = said(item.price_date or NOT_AVAILABLE)
        layout.addWidget(muted(replaced.format(price=said(price_words(item)), date=date)))
        form = PlainForm()
        caption = tr("Price of an hour") if item.kind == "cloud" else tr("Price")
        self.price = number_box(caption, 0.0001, MOST, 4 if item.kind == "cloud" else 2)
        self.price.setValue(item.price or 1.0)
        self.currency = QLineEdit(item.currency)
        self.currency.setAccessibleName(tr("Currency"))
        self.currency.setValidator(QRegularExpressionValidator(QRegularExpression("[A-Z]{3}"), self.currency))
        self.currency.setEnabled(item.kind != "cloud")
        self.date = QDateEdit(QDate.currentDate())
        self.date.setCalendarPopup(True)
        self.date.setAccessibleName(tr("Day of the price"))
        form.addRow(caption, self.price)
        form.addRow(tr("Currency"), self.currency)
        form.addRow(tr("Day of the price"), self.date)
        layout.addLayout(form)
        layout.addWidget(muted(tr("Kept in a table of your own, which you can edit and delete."), wrap=True))
        buttons = QDialogButtonBox()
        self.keep = button(tr("Use this price"), primary=True)
        buttons.addButton(self.keep, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(button(tr("Cancel")), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self._on_accepted)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.currency.textChanged.connect(lambda: self.keep.setEnabled(self.currency.hasAcceptableInput()))

    def _on_accepted(self) -> None:
        """Tell the price."""
        day = self.date.date().toString("yyyy-MM-dd")
        self.changed.emit(self._row.number, self.price.value(), self.currency.text(), day)
        self.accept()
