"""What to change on this machine, best first."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.presentation.advice import ChangeRow
from app.ui.advice.recommendation_card import RecommendationCard
from app.ui.advice.state_advice import AdviceState
from app.ui.advice.tried_cards import TriedCards
from app.ui.kit.basics import Scroll, heading, muted, sentence
from app.ui.kit.error_card import ErrorCard
from app.ui.kit.share_bar import ShareBar
from app.ui.kit.speech import said, tr

NARROW = 860
"""Below this the numbers of a card stand under its words: a card cannot tell, it is never narrower than both."""


class AdvicePage(Scroll):
    """Renders an `AdviceState`; emits `tried` and `verify_requested` with a recommendation's id."""

    tried = Signal(str)
    verify_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.cards: list[RecommendationCard] = []
        super().__init__(parent)
        self.setAccessibleName(tr("Advice"))
        self.title = heading("", 1.15)
        self.title.setWordWrap(True)
        self.subtitle = muted(wrap=True)
        self.stages = ShareBar(self.widget())
        self.error = ErrorCard(self.widget())
        self.body.addWidget(self.title)
        self.body.addWidget(self.subtitle)
        self.body.addWidget(self.stages)
        self.body.addWidget(self.error)
        self._count = self.body.count()
        self.vain = TriedCards(self.widget())
        self.body.addWidget(self.vain)
        self.body.addStretch(1)
        self._state: AdviceState | None = None
        self.set_state(AdviceState())

    def set_state(self, state: AdviceState) -> None:
        """Show an advice."""
        old, self._state = self._state, state
        self.title.setText(self._title_text(state))
        self.subtitle.setText(self._subtitle_text(state))
        self.subtitle.setVisible(bool(self.subtitle.text()))
        self.stages.set_shares(state.stages)
        self.stages.setVisible(bool(state.stages))
        self.error.set_error(state.error)
        if old is None or old.cards != state.cards:
            self._replace_cards(state)
        if old is None or (old.cards, old.blocks) != (state.cards, state.blocks):
            self.vain.set_blocks(state.blocks)
        self._enable()

    def _enable(self) -> None:
        """One verification at a time."""
        for card in self.cards:
            card.verify_button.setEnabled(self._state is not None and not self._state.verifying)

    def _replace_cards(self, state: AdviceState) -> None:
        """Keep the cards up to the first that differs; those after it are made anew: Tab reaches them as made."""
        same = [card.state == item for card, item in zip(self.cards, state.cards, strict=False)]
        kept = same.index(False) if False in same else len(same)
        for card in self.cards[len(state.cards) :]:
            self._remove(card)
        for index, item in list(enumerate(state.cards))[kept:]:
            self._show_card(index, item)

    def _show_card(self, index: int, item: ChangeRow) -> None:
        """Put a card into its place, the old one out of it."""
        card = RecommendationCard(item, index + 1, self.widget())
        card.tried.connect(self.tried)
        card.verify_requested.connect(self.verify_requested)
        card.set_narrow(self.width() < NARROW)
        for old in self.cards[index : index + 1]:
            self._remove(old)
        self.cards.insert(index, card)
        self.body.insertWidget(self._count + index, card)

    def _remove(self, card: RecommendationCard) -> None:
        """A card that is shown no longer."""
        self.cards.remove(card)
        self.body.removeWidget(card)
        card.hide()
        card.deleteLater()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102 - Qt's name
        super().resizeEvent(event)
        for card in self.cards:
            card.set_narrow(self.width() < NARROW)

    def _title_text(self, state: AdviceState) -> str:
        """The headline."""
        if state.stage == "working" and not state.cards:
            return tr("Looking for something better …")
        if state.stage == "ready" and not state.cards:
            return tr("No change is recommended: this was tried")
        if not state.cards:
            return tr("Advice appears here once the model is known")
        return tr("What to change, free things first")

    def _subtitle_text(self, state: AdviceState) -> str:
        """What it waits for, and what the numbers rest on."""
        parts = []
        if not state.cards and state.nothing_to_gain:
            parts.append(f"{sentence(state.nothing_to_gain)}.")
        if state.waits:
            parts.append(f"{sentence(state.waits)}.".replace("..", "."))
        if state.basis:
            parts.append(tr("The numbers rest on {basis}.").format(basis=said(state.basis)))
        return " ".join(parts)
