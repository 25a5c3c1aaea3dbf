"""Texts that a stranger's file may hold, in every place of a recorded answer, and what a window would make of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import Qt as Rich
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGraphicsTextItem,
    QGraphicsView,
    QHeaderView,
    QLabel,
    QTextEdit,
    QWidget,
)

from app.catalog.models import ModelEntry
from app.core.types.advice import Advice
from app.core.types.machine import Machine
from app.core.types.prediction import Prediction
from app.core.types.run import Run
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Dataset, Workload
from app.services.settings import Settings
from app.services.store.history import History
from tests.fakes.advice import FakeAdvice
from tests.fakes.advisor import FakeAdvisor
from tests.fakes.benchmarks import FakeBenchmarks
from tests.fakes.catalog import FakeCatalog
from tests.fakes.predictor import FakePredictor
from tests.fakes.script import Script

MARKUP = "<img src='file:///dev/null'><b>x</b>&lt;i&gt; "
FREE = set(
    "name label title why how note notes text message hint formula source value reason fix what waits "
    "dominant_assumption textbook_reason assumptions reasons original received expected stderr".split()
)
"""Fields that hold words and not a choice of this program."""
CHOICES = {"StageShare", "PhaseSpan", "Phase"}
"""Records whose name is one of a few that this program knows."""
MOST_ROWS = 50


def poisoned(value: Any, *, free: bool = False) -> Any:
    """A copy of a record with markup before every text that says something."""
    if isinstance(value, str):
        return MARKUP + value if free and value else value
    if isinstance(value, tuple):
        parts = [poisoned(part, free=free) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if is_dataclass(value) and not isinstance(value, type) and type(value).__name__ not in CHOICES:
        changed = {f.name: poisoned(getattr(value, f.name), free=f.name in FREE) for f in fields(value) if f.init}
        return replace(value, **changed)
    return value


class HostileCatalog(FakeCatalog):
    """Names that are markup."""

    def models(self) -> tuple[ModelEntry, ...]:
        return poisoned(super().models())

    def datasets(self) -> tuple[Dataset, ...]:
        return poisoned(super().datasets())


class HostilePredictor(FakePredictor):
    """Answers in words that are markup."""

    def answer(self, workload: Workload, machine: Machine, *, textbook: bool = False) -> Prediction:
        found = super().answer(workload, machine, textbook=textbook)
        return replace(poisoned(replace(found, machine=None)), machine=machine, plan=workload.plan)


class HostileAdvice(FakeAdvice):
    """Advises in words that are markup."""

    def advise(self, workload: Workload, machine: Machine, graph: StepGraph, **given: Any) -> Advice:
        return poisoned(super().advise(workload, machine, graph, **given))


class HostileBenchmarks(FakeBenchmarks):
    """Runs that tell markup."""

    def bench(self, workload: Workload, machine: Machine, **options: Any) -> Run:
        run = super().bench(workload, machine, **options)
        self.history.delete(run.run_id)
        return self.history.add(replace(run, run_id=0, created_at="", result=poisoned(run.result), note=MARKUP))


class HostileAdvisor(FakeAdvisor):
    """Answers as the recorded advisor does, in words that are markup."""

    def __init__(self, settings: Settings, history: History, script: Script) -> None:
        super().__init__(settings, history, script)
        catalog = HostileCatalog(script, settings)
        predictor = HostilePredictor(script, settings, history, catalog, self.machine)
        self.catalog, self.predictor = catalog, predictor
        self.benchmarks = HostileBenchmarks(script, settings, history, predictor, catalog.trust)
        self.advice = HostileAdvice(script, settings, predictor, self.machine, catalog)


def rich_texts(top: QWidget) -> list[str]:
    """Everything below a widget that Qt would take for markup, in words."""
    return [problem for widget in (top, *top.findChildren(QWidget)) for problem in _problems(widget)]


def _problems(widget: QWidget) -> Iterator[str]:
    """What of one widget would be rendered."""
    kind = type(widget).__name__
    if isinstance(widget, QLabel) and widget.textFormat() != Qt.TextFormat.PlainText:
        yield f"{kind} decides by its text: {widget.text()!r}"
    if isinstance(widget, QTextEdit):
        yield f"{kind} shows documents"
    for name in ("toolTip", "whatsThis", "statusTip"):
        if Rich.mightBeRichText(getattr(widget, name)()):
            yield f"{name} of {kind}: {getattr(widget, name)()!r}"
    if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView) and widget.model() is not None:
        yield from (f"tooltip in {kind}: {tip!r}" for tip in _tips(widget.model()) if Rich.mightBeRichText(tip))
    if isinstance(widget, QGraphicsView) and widget.scene() is not None:
        for item in widget.scene().items():
            if Rich.mightBeRichText(item.toolTip()):
                yield f"tooltip of a drawing: {item.toolTip()!r}"
            if isinstance(item, QGraphicsTextItem) and has_picture(item.document()):
                yield f"picture in a drawing: {item.toPlainText()!r}"


def _tips(model: QAbstractItemModel) -> Iterator[str]:
    """Tooltips of cells and headings."""
    role = Qt.ItemDataRole.ToolTipRole
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    for column in range(columns):
        yield str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
        for row in range(min(model.rowCount(QModelIndex()), MOST_ROWS)):
            yield str(model.index(row, column).data(role) or "")


def has_picture(document: QTextDocument) -> bool:
    """Does a document hold a picture, which Qt would load."""
    return any(one.isImageFormat() for one in document.allFormats())
