"""The Benchmark page with what it shows and what it sends."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.ui.benchmark.bench_presenter import BenchPresenter
from app.ui.benchmark.benchmark_page import BenchmarkPage


def benchmark_page(
    parent: QWidget,
    bench: BenchPresenter,
    *,
    measure: Callable[[], None],
    set_seconds: Callable[[int], None],
    act: Callable[[str], None],
) -> BenchmarkPage:
    """A page that follows a benchmark.

    Args:
        parent: Of the page.
        bench: Runs it.
        measure: Starts one.
        set_seconds: Keeps how long the next one measures.
        act: Does the one thing that a card offers.
    """
    page = BenchmarkPage(parent)
    page.start_requested.connect(measure)
    page.cancel_requested.connect(bench.cancel)
    page.seconds_changed.connect(set_seconds)
    page.measure_changed.connect(bench.set_measure)
    page.devices_changed.connect(bench.set_devices)
    page.acted.connect(act)
    bench.changed.connect(page.set_state)
    page.set_state(bench.state)
    return page
