"""Five pages under tabs; each page is built when it is first shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from app.ui.kit.plain import set_tab_tooltip
from app.ui.kit.speech import tr

if TYPE_CHECKING:
    from app.ui.shell.wiring import Wiring


Factory = Callable[[QWidget], QWidget]


class PageStack(QWidget):
    """Emits `shown` with the index of the page now in front.

    Args:
        titles: Of the tabs, in order.
    """

    shown = Signal(int)

    def __init__(self, titles: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._factories: tuple[Factory, ...] = ()
        self._pages: dict[int, QWidget] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for index, title in enumerate(titles):
            self.tabs.addTab(title)
            set_tab_tooltip(self.tabs, index, tr("Ctrl+{number}").format(number=index + 1))
        self.tabs.setAccessibleName(tr("Pages"))
        self.stack = QStackedWidget()
        for _ in titles:
            self.stack.addWidget(QWidget())
        bar = QHBoxLayout()
        bar.setContentsMargins(10, 0, 16, 0)
        bar.addWidget(self.tabs, 1)
        layout.addLayout(bar)
        layout.addWidget(self.stack, 1)
        self.tabs.currentChanged.connect(self.show_page)

    def set_factories(self, factories: Sequence[Factory]) -> None:
        """Take what makes the pages, one per tab; each is called once, with the parent of the page."""
        self._factories = tuple(factories)

    def page(self, index: int) -> QWidget:
        """A page, built now if it was not yet."""
        if index not in self._pages:
            made = self._factories[index](self.stack)
            old = self.stack.widget(index)
            if old is not None:
                self.stack.removeWidget(old)
                old.deleteLater()
            self.stack.insertWidget(index, made)
            self._pages[index] = made
        return self._pages[index]

    def built(self, index: int) -> bool:
        """Has the page been shown before."""
        return index in self._pages

    def current(self) -> int:
        """Index of the page in front."""
        return self.stack.currentIndex()

    def show_page(self, index: int) -> None:
        """Bring a page to the front; an empty one until it is known how pages are made."""
        if self._factories:
            self.page(index)
        self.stack.setCurrentIndex(index)
        if self.tabs.currentIndex() != index:
            self.tabs.setCurrentIndex(index)
        self.shown.emit(index)


def page_factories(wiring: Wiring) -> tuple[Factory, ...]:
    """One for each tab, in the order of the tabs."""

    def fit(parent: QWidget) -> QWidget:
        from app.ui.fit.wire import fit_page

        return fit_page(parent, wiring.estimates, wiring.session, wiring.share.share_answer)

    def benchmark(parent: QWidget) -> QWidget:
        from app.ui.benchmark.wire import benchmark_page

        return benchmark_page(
            parent, wiring.bench, measure=wiring.measure, set_seconds=wiring.set_seconds, act=wiring.act
        )

    def advice(parent: QWidget) -> QWidget:
        from app.ui.advice.wire import advice_page

        return advice_page(parent, wiring.advice)

    def upgrades(parent: QWidget) -> QWidget:
        from app.ui.upgrades.wire import upgrades_page

        return upgrades_page(parent, wiring.advice)

    def runs(parent: QWidget) -> QWidget:
        from app.ui.runs.wire import runs_page

        return runs_page(parent, wiring.runs, wiring.share.share_runs)

    return fit, benchmark, advice, upgrades, runs
