"""Dialogs: simulate other hardware, trust a Python file, settings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QMessageBox, QVBoxLayout, QWidget

from app.core.units import GIB
from app.ui.language import LANGUAGES
from app.ui.widgets.basics import button, muted, spin_box
from app.ui.widgets.more_options import choice
from app.ui.widgets.search_combo import SearchCombo

RAM_GIB = (4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024)
OWN = "own"
translate = QCoreApplication.translate


class SimulateDialog(QDialog):
    """Pick another card or another amount of RAM; every choice counts at once."""

    simulated = Signal(object, object)
    """Name of a card or None, bytes of RAM or None."""

    def __init__(
        self,
        cards: Sequence[tuple[str, str]],
        gpu: str | None,
        ram_bytes: int | None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Simulate other hardware"))
        self.setMinimumWidth(420)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        text = self.tr("See the answer for hardware you do not have. Esc in the window returns to this machine.")
        layout.addWidget(muted(text, wrap=True))
        form = QFormLayout()
        self.gpu = SearchCombo(self.tr("Graphics card"))
        self.gpu.set_entries([(OWN, self.tr("as in this machine")), *cards])
        self.gpu.set_key(gpu or OWN)
        sizes = [(str(size * GIB), self.tr("{size} GiB").format(size=size)) for size in RAM_GIB]
        self.ram = choice(self.tr("Memory (RAM)"), [(OWN, self.tr("as in this machine")), *sizes])
        self.ram.setCurrentIndex(max(0, self.ram.findData(str(ram_bytes) if ram_bytes else OWN)))
        form.addRow(self.tr("Graphics card"), self.gpu)
        form.addRow(self.tr("Memory (RAM)"), self.ram)
        layout.addLayout(form)
        buttons = QDialogButtonBox()
        self.reset = button(self.tr("Back to this machine"))
        self.done_button = button(self.tr("Done"), primary=True)
        buttons.addButton(self.reset, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.addButton(self.done_button, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        self.reset.clicked.connect(self._on_reset)
        layout.addWidget(buttons)
        self.gpu.chosen.connect(self._tell)
        self.ram.currentIndexChanged.connect(self._tell)

    def _tell(self) -> None:
        """Tell what is chosen."""
        gpu = None if self.gpu.key == OWN else self.gpu.key
        ram = self.ram.currentData()
        self.simulated.emit(gpu, None if ram == OWN else int(ram))

    def _on_reset(self) -> None:
        """Return to this machine."""
        self.gpu.set_key(OWN)
        self.ram.blockSignals(True)
        self.ram.setCurrentIndex(0)
        self.ram.blockSignals(False)
        self._tell()


def ask_trust(parent: QWidget, path: str) -> bool:
    """Ask whether a Python file may run; "no" is the default."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(translate("dialogs", "Run this file?"))
    box.setText(translate("dialogs", "Opening this model runs the Python code in it."))
    warning = translate("dialogs", "The code can do everything that you can do. Run it only if you know who wrote it.")
    box.setInformativeText(f"{path}\n\n{warning}")
    run = box.addButton(translate("dialogs", "Run the file"), QMessageBox.ButtonRole.AcceptRole)
    refuse = box.addButton(translate("dialogs", "Do not run it"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(refuse)
    box.setEscapeButton(refuse)
    box.exec()
    return box.clickedButton() is run


class SettingsDialog(QDialog):
    """Theme, language and length of a benchmark; a change counts at once, of the language at the next start."""

    theme_changed = Signal(str)
    language_changed = Signal(str)
    seconds_changed = Signal(int)

    def __init__(
        self, theme: str, seconds: int, parent: QWidget | None = None, *, language: str = "system"
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self.setMinimumWidth(380)
        layout = QVBoxLayout(self)
        form = QFormLayout()
        themes = [
            ("system", self.tr("as the desktop")),
            ("light", self.tr("light")),
            ("dark", self.tr("dark")),
            ("contrast", self.tr("high contrast")),
        ]
        self.theme = choice(self.tr("Theme"), themes)
        self.theme.setCurrentIndex(self.theme.findData(theme))
        self.seconds = spin_box(self.tr("Seconds that a benchmark measures"), 3, 600, self.tr(" s"))
        self.seconds.setValue(seconds)
        form.addRow(self.tr("Theme"), self.theme)
        self.language = self._language_choice(language)
        form.addRow(self.tr("Language"), self.language)
        self._restart = muted(self.tr("The language changes when the program is started again."), wrap=True)
        self._restart.hide()
        form.addRow("", self._restart)
        form.addRow(self.tr("A benchmark measures for"), self.seconds)
        layout.addLayout(form)
        layout.addWidget(muted(self.tr("Nothing leaves this machine: no telemetry, no network."), wrap=True))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        self.language.currentIndexChanged.connect(self._on_language)
        self.theme.currentIndexChanged.connect(lambda: self.theme_changed.emit(self.theme.currentData()))
        self.seconds.valueChanged.connect(self.seconds_changed)

    def _language_choice(self, chosen: str) -> QComboBox:
        """The languages, each called by its own name."""
        names = {"system": self.tr("as the desktop"), "en": "English", "de": "Deutsch"}
        box = choice(self.tr("Language"), [(key, names[key]) for key in LANGUAGES])
        box.setCurrentIndex(box.findData(chosen))
        return box

    def _on_language(self) -> None:
        """Tell the language, and when it counts."""
        self._restart.show()
        self.language_changed.emit(self.language.currentData())
