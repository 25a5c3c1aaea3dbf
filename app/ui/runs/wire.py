"""The Runs page with what it shows and what it sends."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.ui.runs.runs_page import RunsPage
from app.ui.runs.runs_presenter import RunsPresenter


def runs_page(parent: QWidget, runs: RunsPresenter, share: Callable[[tuple[int, ...]], None]) -> RunsPage:
    """A page that follows the history; ``share`` shows runs to others."""
    page = RunsPage(parent)
    page.filter_changed.connect(runs.set_filter)
    page.run_selected.connect(runs.select)
    page.compare_requested.connect(runs.compare)
    page.delete_requested.connect(runs.delete)
    page.note_changed.connect(runs.set_note)
    page.reuse_requested.connect(runs.reuse)
    page.preview_requested.connect(runs.preview)
    runs.previewed.connect(page.show_preview)
    page.save_requested.connect(runs.save)
    page.share_requested.connect(share)
    runs.changed.connect(page.set_state)
    page.set_state(runs.state)
    return page
