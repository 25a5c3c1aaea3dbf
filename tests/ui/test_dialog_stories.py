"""Dialogs: simulated disks, and diagnostics that are shown before they are copied."""

from PySide6.QtWidgets import QApplication

from app.ui.session import Simulation
from app.ui.widgets.diagnostics_dialog import DiagnosticsDialog
from app.ui.widgets.dialogs import SimulateDialog


def dialog(story, kind):
    """The open dialog of a kind."""
    story.until(lambda: story.window.findChildren(kind))
    return story.window.findChildren(kind)[0]


def test_another_disk_can_be_simulated(story):
    story.wiring.dialogs.open_simulate()
    shown = dialog(story, SimulateDialog)
    shown.disk.setCurrentIndex(shown.disk.findData("150"))
    story.until(lambda: story.window.verdict.state.simulated == ("disk",))
    assert story.wiring.session.simulation == Simulation(disk_bytes_per_s=150e6)
    shown.reset.click()
    story.until(lambda: not story.window.verdict.state.simulated)
    shown.done_button.click()
    story.answered()


def test_diagnostics_are_previewed_and_copied_without_names(story, tmp_path):
    story.window.form.data_path_chosen.emit(str(tmp_path / "secret folder" / "patients"))
    story.until(story.window.error.isVisible)
    assert "secret" in story.window.error._detail.text()
    story.window.error.diagnostics.click()
    shown = dialog(story, DiagnosticsDialog)
    text = shown.text.toPlainText()
    assert "message: no images found" in text
    assert "expected: a folder per class with images" in text
    assert "Ryzen 7" in text
    assert str(tmp_path) not in text
    shown.text.setPlainText("only this")
    shown.copy.click()
    assert QApplication.clipboard().text() == "only this"
    shown.reject()
    story.answered()


def test_diagnostics_are_found_without_an_error_too(story):
    from app.ui.commands import commands_of

    next(c for c in commands_of(story.wiring) if c.title == "Copy diagnostics").do()
    shown = dialog(story, DiagnosticsDialog)
    assert shown.text.toPlainText().startswith("willittrain ")
    shown.reject()
