"""The answer: one word, one number, why; always visible."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.presentation.verdict import VerdictState, awaited_verdict
from app.presentation.words import short_name
from app.ui.kit import icons, style, words
from app.ui.kit.accessibility import announce
from app.ui.kit.basics import ElidedLabel, button, heading, muted, sentence, set_property
from app.ui.kit.number_label import NumberLabel, NumberTile
from app.ui.kit.plain import PlainLabel, seen, set_tooltip
from app.ui.kit.quantities import written
from app.ui.kit.speech import tr, tr_in, tr_many

NARROW = 760
NEWS_MS = 900
"""A slider that moves does not speak."""


class VerdictHeader(QFrame):
    """Renders a `VerdictState`; emits `measure_requested`."""

    measure_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = VerdictState()
        self.setProperty("verdict", "unknown")
        self._told = ""
        self._news = QTimer(self)
        self._news.setSingleShot(True)
        self._news.setInterval(NEWS_MS)
        self._news.timeout.connect(self._tell)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(18, 12, 18, 12)
        outer.setSpacing(8)
        outer.addLayout(self._answer())
        outer.addLayout(self._tiles())
        self.set_state(awaited_verdict())

    def _answer(self) -> QHBoxLayout:
        """Icon, word, sentence, reason and the button."""
        row = QHBoxLayout()
        row.setSpacing(14)
        self._icon = PlainLabel()
        self._icon.setFixedSize(QSize(42, 42))
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(4)
        line = QHBoxLayout()
        line.setSpacing(10)
        self._word = heading("", 1.75)
        self._sentence = ElidedLabel()
        self._sentence.setFont(style.scaled_font(self._sentence, 1.15))
        self.needed = NumberLabel(tr("Memory needed"), mark_only=True, at_right=True)
        line.addWidget(self._word)
        line.addWidget(self._sentence, 1)
        self._basis = muted()
        line.addWidget(self._basis)
        line.addWidget(self.needed)
        column.addLayout(line)
        reason = QHBoxLayout()
        self._why = ElidedLabel()
        self._measure = button(tr("Measure to be sure"), primary=True)
        self._measure.clicked.connect(self.measure_requested)
        self._measure.setEnabled(False)
        reason.addWidget(self._why, 1)
        reason.addWidget(self._measure)
        column.addLayout(reason)
        row.addLayout(column, 1)
        return row

    def _tiles(self) -> QGridLayout:
        """The four numbers under the answer."""
        grid = QGridLayout()
        grid.setContentsMargins(56, 0, 0, 0)
        grid.setHorizontalSpacing(18)
        self._epoch = NumberTile(tr("One epoch"))
        self._total = NumberTile(tr("Whole run"))
        self._largest = NumberTile(tr("Largest batch"))
        self._samples = NumberTile(tr_in("rate", "Samples per second"))
        for column, tile in enumerate((self._epoch, self._total, self._largest, self._samples)):
            grid.addWidget(tile, 0, column)
            grid.setColumnStretch(column, 1)
        return grid

    @property
    def state(self) -> VerdictState:
        """What is shown."""
        return self._state

    def set_state(self, state: VerdictState) -> None:
        """Show an answer."""
        self._state = state
        set_property(self, "verdict", state.verdict)
        self._draw_word()
        self._sentence.set_full_text(self._sentence_text(), self._short_sentence())
        self._why.set_full_text(self._why_text(), self._short_why())
        self._basis.setText(self._basis_text())
        self.needed.set_number(state.needed)
        self._epoch.set_number(state.epoch)
        self._total.set_caption(self._total_caption())
        self._total.set_number(state.total)
        self._largest.set_number(state.largest_batch)
        self._samples.set_number(state.samples)
        spoken = (words.verdict(state.verdict), self._sentence_text(), self._why_text(), self._basis_text())
        self.setAccessibleName(tr("Verdict"))
        self.setAccessibleDescription(seen(". ".join(filter(None, spoken))))
        self._news.start()

    def set_measure(self, seconds: int, *, enabled: bool, unbuildable: bool = False) -> None:
        """Say how long a measurement takes and whether one can start; what cannot be built is not offered one."""
        self._measure.setVisible(not unbuildable)
        if self._state.needed.mark == "measured":
            text = tr("Measure again · {seconds} s")
            spoken = tr_many("Measure again, about {n} second", "Measure again, about {n} seconds", seconds)
        else:
            text = tr("Measure to be sure · {seconds} s")
            spoken = tr_many("Measure to be sure, about {n} second", "Measure to be sure, about {n} seconds", seconds)
        self._measure.setText(text.format(seconds=seconds))
        self._measure.setAccessibleName(seen(spoken))
        self._measure.setEnabled(enabled)
        tip = "" if enabled else tr("Only this machine itself can be measured, once the model is known")
        set_tooltip(self._measure, tip)

    def customEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        if isinstance(event, style.ThemeEvent):
            self._draw_word()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102 - Qt's name
        super().resizeEvent(event)
        self._basis.setVisible(self.width() >= NARROW)

    def _tell(self) -> None:
        """Have a new answer read aloud once the question has come to rest."""
        text = self.accessibleDescription()
        if text != self._told and self._state.stage != "loading":
            self._told = text
            announce(self, text)

    def _draw_word(self) -> None:
        """Icon and word in the colour of the verdict."""
        colour = style.current().status(self._state.verdict)
        self._icon.setPixmap(icons.pixmap(self._state.verdict, 42, colour))
        word = tr("Thinking …") if self._state.stage == "loading" else words.verdict(self._state.verdict)
        self._word.setText(word)
        set_property(self._word, "status", self._state.verdict)

    def _sentence_text(self) -> str:
        """The one number in a sentence."""
        state = self._state
        if state.stage == "loading":
            return tr("Looking at machine and model, a few seconds")
        if state.error is not None:
            return sentence(state.error.message)
        if not state.needed.known:
            return tr("The memory of this model is not known")
        if not state.allowed.known:
            text = tr("Needs {needed}; how much you can use on {device} is not known")
        elif state.stage == "textbook":
            text = tr("The textbook formula says {needed} of the {allowed} usable on {device}")
        else:
            text = tr("Needs {needed} of the {allowed} usable on {device}")
        return text.format(
            needed=written(state.needed), allowed=written(state.allowed), device=short_name(state.device)
        )

    def _short_sentence(self) -> str:
        """The same where the window is narrow: the device stands at the left, and in the tooltip."""
        state = self._state
        if state.error is not None or not state.needed.known or not state.allowed.known:
            return ""
        if state.stage == "textbook":
            text = tr("Textbook formula: {needed} of the {allowed} usable")
        else:
            text = tr("Needs {needed} of the {allowed} usable")
        return text.format(needed=written(state.needed), allowed=written(state.allowed))

    def _why_text(self) -> str:
        """What it waits for, or the reason of the verdict."""
        state = self._state
        if state.error is not None:
            return sentence(state.error.hint)
        first = tuple(sentence(text) for text in state.reasons[:1]) if state.verdict != "fits" else ()
        last: tuple[str, ...]
        if state.verdict == "does_not_fit":
            last = (self._way_out(), tr("times and speed are those with memory enough"))
        elif state.unmeasured:
            last = (tr("The time is what a glance at the processor promises until it is measured, half a minute"),)
        else:
            last = (sentence(state.waits) or sentence(state.epoch.assumption),)
        return " · ".join(filter(None, (*first, *last)))

    def _short_why(self) -> str:
        """The same where the window is narrow."""
        state = self._state
        if state.error is not None or (state.verdict != "fits" and state.reasons):
            return ""
        if state.verdict == "does_not_fit":
            return self._way_out()
        return tr("Time from a glance; measured within a minute") if state.unmeasured else sentence(state.waits)

    def _way_out(self) -> str:
        """The batch that would fit."""
        largest = self._state.largest_batch
        return tr("Batch {size} would fit").format(size=written(largest)) if largest.known else ""

    def _basis_text(self) -> str:
        """How the answer was found."""
        state = self._state
        if state.stage in ("loading", "textbook") or state.error is not None:
            return ""
        return words.mark(state.needed.mark) if state.needed.known else ""

    def _total_caption(self) -> str:
        """Which run the total is about; before the first answer nobody has said how long it is."""
        if self._state.stage == "loading" and self._state.epochs == 1:
            return tr("Whole run")
        return tr_many("{n} epoch", "{n} epochs", self._state.epochs)
