"""Dialogs: simulate other hardware, settings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.core.types.units import GIB
from app.ui.kit.basics import button, muted, spin_box
from app.ui.kit.choice import choice
from app.ui.kit.language import LANGUAGES
from app.ui.kit.plain import PlainForm
from app.ui.kit.quantities import whole_size
from app.ui.kit.search_combo import SearchCombo
from app.ui.kit.speech import tr, tr_in
from app.ui.session.session import Simulation

RAM_GIB = (4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024)
DISKS = (("HDD", 150), ("SATA SSD", 500), ("NVMe", 3000))
"""Kinds of disks and the MB/s that they are sold with."""
OWN = "own"


class SimulateDialog(QDialog):
    """Pick another card or another amount of RAM; every choice counts at once."""

    simulated = Signal(object)
    """A `Simulation`."""

    def __init__(self, cards: Sequence[tuple[str, str]], now: Simulation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Simulate other hardware"))
        self.setMinimumWidth(420)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        text = tr("See the answer for hardware you do not have. Esc in the window returns to this machine.")
        layout.addWidget(muted(text, wrap=True))
        form = PlainForm()
        self.gpu = SearchCombo(tr("Graphics card"))
        self.gpu.set_entries([(OWN, tr("as in this machine")), *cards])
        self.gpu.set_key(now.gpu or OWN)
        sizes = [(str(size * GIB), whole_size(size * GIB)) for size in RAM_GIB]
        self.ram = choice(tr("Memory (RAM)"), [(OWN, tr("as in this machine")), *sizes])
        self.ram.setCurrentIndex(max(0, self.ram.findData(str(now.ram_bytes) if now.ram_bytes else OWN)))
        rates = [(str(rate), tr("{name}, {rate} MB/s").format(name=name, rate=rate)) for name, rate in DISKS]
        self.disk = choice(tr("Disk with the data"), [(OWN, tr("as in this machine")), *rates])
        self.disk.setCurrentIndex(max(0, self.disk.findData(f"{(now.disk_bytes_per_s or 0) / 1e6:.0f}")))
        form.addRow(tr("Graphics card"), self.gpu)
        form.addRow(tr("Memory (RAM)"), self.ram)
        form.addRow(tr("Disk with the data"), self.disk)
        layout.addLayout(form)
        buttons = QDialogButtonBox()
        self.reset = button(tr("Back to this machine"))
        self.done_button = button(tr_in("button", "Done"), primary=True)
        buttons.addButton(self.reset, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.addButton(self.done_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        self.reset.clicked.connect(self._on_reset)
        layout.addWidget(buttons)
        self.gpu.chosen.connect(self._tell)
        for part in (self.ram, self.disk):
            part.currentIndexChanged.connect(self._tell)

    def _tell(self) -> None:
        """Tell what is chosen."""
        gpu = None if self.gpu.key == OWN else self.gpu.key
        ram, disk = self.ram.currentData(), self.disk.currentData()
        self.simulated.emit(
            Simulation(gpu, None if ram == OWN else int(ram), None if disk == OWN else float(disk) * 1e6)
        )

    def _on_reset(self) -> None:
        """Return to this machine."""
        self.gpu.set_key(OWN)
        for part in (self.ram, self.disk):
            with QSignalBlocker(part):
                part.setCurrentIndex(0)
        self._tell()


class SettingsDialog(QDialog):
    """Theme, language, units and length of a benchmark; language and units count from the next start on."""

    theme_changed = Signal(str)
    language_changed = Signal(str)
    sizes_changed = Signal(bool)
    """True for powers of 1000."""
    seconds_changed = Signal(int)
    accuracy_requested = Signal()

    def __init__(
        self,
        theme: str,
        seconds: int,
        parent: QWidget | None = None,
        *,
        language: str = "system",
        decimal_sizes: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Settings"))
        self.setMinimumWidth(380)
        layout = QVBoxLayout(self)
        self.form = form = PlainForm()
        themes = [
            ("system", tr("as the desktop")),
            ("light", tr("light")),
            ("dark", tr("dark")),
            ("contrast", tr("high contrast")),
        ]
        self.theme = choice(tr("Theme"), themes)
        self.theme.setCurrentIndex(self.theme.findData(theme))
        self.seconds = spin_box(tr("Seconds that a benchmark measures"), 3, 600, tr(" s"))
        self.seconds.setValue(seconds)
        form.addRow(tr("Theme"), self.theme)
        self.language = self._language_choice(language)
        form.addRow(tr("Language"), self.language)
        self.sizes = choice(tr("Sizes of memory"), [("", "GiB (1024³)"), ("decimal", "GB (1000³)")])
        self.sizes.setCurrentIndex(int(decimal_sizes))
        form.addRow(tr("Sizes of memory"), self.sizes)
        self._restart = muted(tr("This changes when the program is started again."), wrap=True)
        self._restart.hide()
        form.addRow("", self._restart)
        form.addRow(tr("A benchmark measures for"), self.seconds)
        layout.addLayout(form)
        layout.addWidget(muted(tr("Nothing leaves this machine: no telemetry, no network."), wrap=True))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.accuracy = button(tr("How good is it?"), quiet=True)
        self.accuracy.clicked.connect(self.accuracy_requested)
        buttons.addButton(self.accuracy, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.language.currentIndexChanged.connect(self._on_language)
        self.sizes.currentIndexChanged.connect(self._on_sizes)
        self.theme.currentIndexChanged.connect(lambda: self.theme_changed.emit(self.theme.currentData()))
        self.seconds.valueChanged.connect(self.seconds_changed)

    def _language_choice(self, chosen: str) -> QComboBox:
        """The languages, each called by its own name."""
        names = {"system": tr("as the desktop"), "en": "English", "de": "Deutsch"}
        box = choice(tr("Language"), [(key, names[key]) for key in LANGUAGES])
        box.setCurrentIndex(box.findData(chosen))
        return box

    def _on_language(self) -> None:
        """Tell the language, and when it counts."""
        self._restart.show()
        self.language_changed.emit(self.language.currentData())

    def _on_sizes(self) -> None:
        """Tell the units, and when they count."""
        self._restart.show()
        self.sizes_changed.emit(bool(self.sizes.currentData()))
