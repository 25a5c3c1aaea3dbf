"""What fills the memory: a stacked bar with the limit and a hatched uncertain end, and its legend."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QHelpEvent, QPainter, QPainterPath, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.presentation.fit import FitState
from app.ui.kit import style, words
from app.ui.kit.basics import Drawing
from app.ui.kit.plain import seen, show_tooltip
from app.ui.kit.quantities import format_bytes, written
from app.ui.kit.speech import tr
from app.ui.kit.theme import contrast

BAR_HEIGHT = 34
LABEL_HEIGHT = 20
GAP_HEIGHT = 22
MAGNIFY_BELOW = 0.3
"""When less than this share of the bar is needed, a second bar shows it magnified."""
LEGEND_COLUMNS = 4
LEGEND_MARK = 16
"""Room of the coloured square before a text of the legend."""
LEGEND_GAP = 14


class MemoryBar(Drawing):
    """Paints the bar of a `FitState`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = FitState()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)

    def set_state(self, state: FitState) -> None:
        """Show the memory of a prediction."""
        before = self._magnified()
        self._state = state
        if before != self._magnified():
            self.updateGeometry()
        allowed = format_bytes(state.allowed_bytes)
        parts = ", ".join(f"{words.part(s.part)} {format_bytes(s.size_bytes)}" for s in state.segments)
        text = tr("Memory on {device}: needed {needed} of {allowed}. {parts}")
        self.setAccessibleName(tr("Memory bar"))
        spoken = text.format(device=state.device, needed=written(state.needed), allowed=allowed, parts=parts)
        self.setAccessibleDescription(seen(spoken))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        height = LABEL_HEIGHT + BAR_HEIGHT + 4
        return QSize(400, height + (GAP_HEIGHT + BAR_HEIGHT if self._magnified() else 0))

    def minimumSizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return QSize(200, self.sizeHint().height())

    def spans(self) -> list[tuple[str, float, float]]:
        """What the upper bar holds, as (part, from, to) in pixels."""
        others = self._state.others_bytes or 0
        scale = self._pixels_per_byte()
        return ([("others", 0.0, others * scale)] if others else []) + self._parts(others * scale, scale)

    def magnified_spans(self) -> list[tuple[str, float, float]]:
        """What the lower bar holds; empty when there is none."""
        return self._parts(0.0, self._magnified_scale()) if self._magnified() else []

    def limit_x(self) -> float | None:
        """Where the limit line stands, in pixels."""
        state = self._state
        if state.allowed_bytes is None:
            return None
        return ((state.others_bytes or 0) + state.allowed_bytes) * self._pixels_per_byte()

    def _parts(self, x: float, scale: float) -> list[tuple[str, float, float]]:
        """The parts side by side from ``x`` on."""
        spans = []
        for segment in self._state.segments:
            width = segment.size_bytes * scale
            spans.append((segment.part, x, x + width))
            x += width
        return spans

    def _most(self) -> int:
        """Bytes at the right end: everything, the limit and the uncertain end are seen."""
        state = self._state
        others = state.others_bytes or 0
        return max(others + (state.allowed_bytes or 0), others + max(state.high_bytes, state.needed_bytes), 1)

    def _magnified(self) -> bool:
        """Are the parts too small to be told apart."""
        return 0 < max(self._state.high_bytes, self._state.needed_bytes) < MAGNIFY_BELOW * self._most()

    def _pixels_per_byte(self) -> float:
        """Scale of the upper bar."""
        return (self.width() - 2) / (self._most() * 1.03)

    def _magnified_scale(self) -> float:
        """Scale of the lower bar."""
        return (self.width() - 2) / max(self._state.high_bytes, self._state.needed_bytes, 1)

    def paintEvent(self, _event: object) -> None:  # noqa: D102 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        upper = QRectF(0.5, LABEL_HEIGHT + 0.5, self.width() - 1, BAR_HEIGHT - 1)
        others = (self._state.others_bytes or 0) * self._pixels_per_byte()
        self._paint_bar(painter, upper, self.spans(), others, self._pixels_per_byte(), limit=self.limit_x())
        self._paint_limit(painter)
        if self._magnified():
            lower = upper.translated(0, BAR_HEIGHT + GAP_HEIGHT)
            self._paint_lens(painter, upper, lower)
            self._paint_bar(painter, lower, self.magnified_spans(), 0.0, self._magnified_scale(), limit=None)

    def _paint_bar(
        self,
        painter: QPainter,
        frame: QRectF,
        spans: list[tuple[str, float, float]],
        start: float,
        scale: float,
        *,
        limit: float | None,
    ) -> None:
        """One bar: parts, the uncertain end, what lies beyond the limit, the frame."""
        colours = style.current()
        path = QPainterPath()
        path.addRoundedRect(frame, 6, 6)
        painter.fillPath(path, style.qcolor(colours.raised))
        painter.save()
        painter.setClipPath(path)
        for part, left, right in spans:
            rect = QRectF(left, frame.top(), right - left, frame.height())
            painter.fillRect(rect, style.qcolor(colours.parts[part], 0.45 if part == "others" else 1.0))
            if rect.width() > 3:
                painter.fillRect(QRectF(right - 1, frame.top(), 1, frame.height()), style.qcolor(colours.surface))
            self._paint_name(painter, part, rect)
        low, high = start + self._state.low_bytes * scale, start + self._state.high_bytes * scale
        if high > low:
            brush = QBrush(style.qcolor(colours.text, 0.55), Qt.BrushStyle.BDiagPattern)
            painter.fillRect(QRectF(low, frame.top(), high - low, frame.height()), brush)
        if limit is not None:
            beyond = QRectF(limit, frame.top(), max(0.0, self.width() - limit), frame.height())
            painter.fillRect(beyond, style.qcolor(colours.does_not_fit, 0.12))
        painter.restore()
        painter.setPen(QPen(style.qcolor(colours.border), 1))
        painter.drawPath(path)

    def _paint_name(self, painter: QPainter, part: str, rect: QRectF) -> None:
        """Write a part's name into it where there is room."""
        metrics = painter.fontMetrics()
        if metrics.horizontalAdvance(words.part(part)) + 12 > rect.width():
            return
        colours = style.current()
        painter.setPen(style.qcolor(colours.text if part == "others" else _ink_on(colours.parts[part])))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words.part(part))

    def _paint_lens(self, painter: QPainter, upper: QRectF, lower: QRectF) -> None:
        """A shade from the small piece of the upper bar to the whole lower one."""
        scale = self._pixels_per_byte()
        left = (self._state.others_bytes or 0) * scale
        right = left + max(self._state.high_bytes, self._state.needed_bytes) * scale
        corners = [QPointF(left, upper.bottom()), QPointF(max(right, left + 1), upper.bottom())]
        shade = QPolygonF([*corners, lower.topRight(), lower.topLeft()])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.qcolor(style.current().text, 0.07))
        painter.drawPolygon(shade)
        painter.setPen(style.qcolor(style.current().muted))
        area = QRectF(lower.left(), upper.bottom(), lower.width(), GAP_HEIGHT)
        painter.drawText(area, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter, tr("magnified"))

    def _paint_limit(self, painter: QPainter) -> None:
        """A line where the memory ends, and what it says."""
        limit = self.limit_x()
        if limit is None:
            return
        colour = style.qcolor(style.current().does_not_fit)
        painter.setPen(QPen(colour, 2))
        painter.drawLine(QPointF(limit, LABEL_HEIGHT - 3), QPointF(limit, LABEL_HEIGHT + BAR_HEIGHT + 3))
        text = tr("limit {size}").format(size=format_bytes(self._state.allowed_bytes))
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QPointF(max(0.0, min(limit - width - 4, self.width() - width)), LABEL_HEIGHT - 6), text)

    def event(self, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.tooltip_at(event.pos()), self)
            return True
        return super().event(event)

    def tooltip_at(self, point: QPoint) -> str:
        """What lies under a point, in words."""
        sizes = {"others": self._state.others_bytes or 0, **{s.part: s.size_bytes for s in self._state.segments}}
        upper = point.y() < LABEL_HEIGHT + BAR_HEIGHT + GAP_HEIGHT / 2
        for part, left, right in self.spans() if upper else self.magnified_spans():
            if left <= point.x() < right:
                return f"{words.part(part)}: {format_bytes(sizes[part])}\n{words.part_hint(part)}"
        return ""


def _ink_on(colour: str) -> str:
    """Black or white, whichever is easier to read."""
    return "#FFFFFF" if contrast("#FFFFFF", colour) >= contrast("#0B0D11", colour) else "#0B0D11"


class MemoryLegend(Drawing):
    """Names and sizes of the parts, in columns; painted, because it changes with every move of the slider."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[tuple[str, str]] = []
        self._widths: list[int] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Parts of the memory"))

    def set_state(self, state: FitState) -> None:
        """List the parts of a prediction."""
        items = [(s.part, f"{words.part(s.part)} {format_bytes(s.size_bytes)}") for s in state.segments]
        if state.others_bytes:
            items.insert(0, ("others", f"{words.part('others')} {format_bytes(state.others_bytes)}"))
        if items == self._items:
            return
        before = self.sizeHint()
        self._items = items
        self._widths = [self.fontMetrics().horizontalAdvance(text) for _, text in items]
        if self.sizeHint() != before:
            self.updateGeometry()
        self.setAccessibleDescription(", ".join(text for _, text in items))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: D102 - Qt's name
        return QSize(400, (-(-len(self._items) // len(self._lefts())) or 1) * self._row_height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102 - Qt's name
        super().resizeEvent(event)
        self.updateGeometry()

    def cut(self) -> list[str]:
        """Texts that the legend has no room for."""
        ends = [*self._lefts()[1:], float(self.width())]
        rooms = (ends[i % len(ends)] - self._lefts()[i % len(ends)] - LEGEND_MARK for i in range(len(self._items)))
        return [text for (_, text), width, room in zip(self._items, self._widths, rooms, strict=True) if width > room]

    def _lefts(self) -> list[float]:
        """Where the columns begin: as many as leave room for their longest texts, and the spare room between them."""
        for columns in range(min(LEGEND_COLUMNS, len(self._items)), 0, -1):
            widths = [LEGEND_MARK + max(self._widths[column::columns]) for column in range(columns)]
            spare = self.width() - sum(widths) - LEGEND_GAP * (columns - 1)
            if spare >= 0 or columns == 1:
                gap = LEGEND_GAP + max(0.0, spare) / columns
                return [sum(widths[:column]) + gap * column for column in range(columns)]
        return [0.0]

    def _row_height(self) -> int:
        """Height of a line."""
        return self.fontMetrics().height() + 4

    def paintEvent(self, _event: object) -> None:  # noqa: D102 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours, lefts, height = style.current(), self._lefts(), self._row_height()
        for index, (part, text) in enumerate(self._items):
            row, column = divmod(index, len(lefts))
            x, y = lefts[column], row * height
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(style.qcolor(colours.parts[part], 0.45 if part == "others" else 1.0))
            painter.drawRoundedRect(QRectF(x, y + (height - 10) / 2, 10, 10), 3, 3)
            painter.setPen(style.qcolor(colours.muted))
            room = QRectF(x + LEGEND_MARK, y, self.width() - x - LEGEND_MARK, height)
            shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(room.width()))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def event(self, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            lefts = self._lefts()
            column = sum(left <= event.pos().x() for left in lefts) - 1
            index = event.pos().y() // self._row_height() * len(lefts) + column
            part = self._items[index][0] if 0 <= index < len(self._items) else ""
            show_tooltip(event.globalPos(), words.part_hint(part), self)
            return True
        return super().event(event)
