"""The window: composes bars, panels and pages, and passes signals between them and the presenters."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from app.ui.fit.verdict_header import VerdictHeader
from app.ui.kit import icons
from app.ui.kit.basics import Scroll
from app.ui.kit.diagnostics_dialog import DiagnosticsEvent
from app.ui.kit.error_card import ErrorCard
from app.ui.kit.speech import tr
from app.ui.kit.toast import Toast
from app.ui.machine.machine_panel import MachinePanel
from app.ui.session.ui_settings import WindowSettings
from app.ui.shell.page_stack import PageStack
from app.ui.shell.status_strip import StatusStrip
from app.ui.shell.top_bar import TopBar
from app.ui.workload.workload_form import WorkloadForm

FIT, BENCHMARK, ADVICE, UPGRADES, RUNS = range(5)
DEFAULT_SIZE = QSize(1280, 800)
LEAST_SIZE = QSize(900, 600)
SIDE_WIDTH = 340
SIDE_WIDTH_NARROW = 328
NARROW = 1150


class MainWindow(QMainWindow):
    """Has no logic of its own; `app.ui.shell.wiring` connects it."""

    escape_pressed = Signal()
    measure_requested = Signal()
    find_requested = Signal()
    closing = Signal()
    diagnostics_requested = Signal(object)
    """An `ErrorState` that a card shows."""

    def __init__(self, settings: WindowSettings) -> None:
        super().__init__()
        self.settings = settings
        self.setWindowTitle(tr("Will It Train?"))
        self.setWindowIcon(QIcon(icons.pixmap("app", 64)))
        self.setMinimumSize(LEAST_SIZE)
        self.top = TopBar()
        self.machine = MachinePanel()
        self.form = WorkloadForm()
        self.verdict = VerdictHeader()
        self.error = ErrorCard()
        self.status = StatusStrip()
        titles = (tr("Fit"), tr("Benchmark"), tr("Advice"), tr("Upgrades"), tr("Runs"))
        self.pages = PageStack(titles)
        whole = self._compose()
        self.setCentralWidget(whole)
        whole.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        whole.setFocus()
        self.toast = Toast(self)
        self._add_shortcuts()
        geometry = settings.bytes_value("geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            self.resize(DEFAULT_SIZE)

    def _compose(self) -> QWidget:
        """Top bar, side, answer and pages, status."""
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        self.side = Side()
        self.side.body.addWidget(self.machine)
        self.side.body.addWidget(self.form)
        self.side.body.addStretch(1)
        self.side.wish_width(SIDE_WIDTH)
        middle.addWidget(self.side)
        middle.addWidget(self._answer(), 1)
        column.addLayout(middle, 1)
        column.addWidget(self.status)
        return whole

    def _answer(self) -> QWidget:
        """The verdict over the pages."""
        box = QWidget()
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        inset = QVBoxLayout()
        inset.setContentsMargins(10, 14, 16, 4)
        inset.setSpacing(8)
        inset.addWidget(self.verdict)
        inset.addWidget(self.error)
        column.addLayout(inset)
        column.addWidget(self.pages, 1)
        return box

    def _add_shortcuts(self) -> None:
        """Keys that work everywhere in the window."""
        keys = (
            ("Esc", self.escape_pressed.emit),
            ("Ctrl+R", self.measure_requested.emit),
            ("Ctrl+K", self.find_requested.emit),
        )
        for key, slot in keys:
            QShortcut(QKeySequence(key), self, slot)
        for index in range(5):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{index + 1}"), self)
            shortcut.activated.connect(lambda i=index: self.pages.show_page(i))
        self.top.find_requested.connect(self.find_requested)
        self.verdict.measure_requested.connect(self.measure_requested)

    def resizeEvent(self, event: object) -> None:  # noqa: D102 - Qt's name
        super().resizeEvent(event)  # type: ignore[arg-type]
        narrow = self.width() < NARROW
        self.side.wish_width(SIDE_WIDTH_NARROW if narrow else SIDE_WIDTH)
        self.status.set_narrow(narrow)

    def customEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        if isinstance(event, DiagnosticsEvent):
            self.diagnostics_requested.emit(event.error)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: D102 - Qt's name
        self.settings.set_bytes("geometry", self.saveGeometry())
        self.settings.flush()
        self.closing.emit()
        super().closeEvent(event)


class Side(Scroll):
    """Keeps a wished width unless a wider font, a longer language or a new line needs more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._wished_width = 0
        super().__init__(parent, margin=0)
        self.body.setContentsMargins(14, 14, 4, 14)

    def wish_width(self, pixels: int) -> None:
        """Be this wide if the contents can."""
        self._wished_width = pixels
        self._fit()

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: D102 - Qt's name
        handled = super().viewportEvent(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return handled

    def _fit(self) -> None:
        """The wished width, or what the contents and the scroll bar need side by side."""
        contents = self.widget()
        if contents is not None:
            needed = contents.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
            self.setFixedWidth(max(self._wished_width, needed))
