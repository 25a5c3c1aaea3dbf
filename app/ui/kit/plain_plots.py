"""Names of axes and curves as they are written: pyqtgraph puts them into HTML as they are."""

from __future__ import annotations

import html
from typing import Any

import pyqtgraph as pg

from app.core.types.visible import visible


class PlainAxis(pg.AxisItem):
    """An axis whose name and unit are no markup."""

    def setLabel(self, text: str | None = None, units: str | None = None, *args: Any, **options: Any) -> None:  # noqa: D102
        super().setLabel(html.escape(visible(text or "")), html.escape(visible(units or "")), *args, **options)


class PlainLegend(pg.LegendItem):
    """A legend whose names are no markup."""

    def addItem(self, item: Any, name: str) -> None:  # noqa: D102 - pyqtgraph's name
        super().addItem(item, html.escape(visible(name)))
