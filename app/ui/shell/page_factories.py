"""Makes each page when it is first shown, connected to its presenter; only then are its modules loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.ui.shell.page_stack import Factory

if TYPE_CHECKING:
    from app.ui.shell.wiring import Wiring


def page_factories(wiring: Wiring) -> tuple[Factory, ...]:
    """One for each tab, in the order of the tabs."""

    def fit(parent: QWidget) -> QWidget:
        from app.ui.fit.wire import fit_page

        return fit_page(parent, wiring.estimates, wiring.session)

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

        return runs_page(parent, wiring.runs)

    return fit, benchmark, advice, upgrades, runs
