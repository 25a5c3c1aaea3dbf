"""Dialogs: simulated disks, and diagnostics that are shown before they are copied."""

from PySide6.QtWidgets import QApplication

from app.core.types.errors import StoreError
from app.core.types.text import verbatim
from app.core.types.units import GIB, MIB
from app.services.runtimes.find import Runtime
from app.ui.kit.diagnostics_dialog import DiagnosticsDialog
from app.ui.session.session import Simulation
from app.ui.shell.accuracy_dialog import AccuracyDialog
from app.ui.shell.main_window import UPGRADES
from app.ui.shell.settings_dialog import SettingsDialog, SimulateDialog
from app.ui.shell.settings_more import SettingsMore
from app.ui.workload.runtime_dialog import RuntimeDialog


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
    from app.ui.shell.commands import commands_of

    next(c for c in commands_of(story.wiring) if c.title == "Copy diagnostics").do()
    shown = dialog(story, DiagnosticsDialog)
    assert shown.text.toPlainText().startswith("willittrain ")
    shown.reject()


def test_how_good_it_is_stands_behind_the_settings(story):
    story.wiring.dialogs.open_settings()
    settings = dialog(story, SettingsDialog)
    settings.accuracy.click()
    shown = dialog(story, AccuracyDialog)
    titles = [table.accessibleName() for table in shown.tables]
    assert titles[:3] == ["Does it fit?", "Memory of a training step", "Time of a step on cards that are not here"]
    assert all(table.rowCount() for table in shown.tables)
    shown.reject()
    settings.reject()
    story.answered()


def test_accuracy_that_cannot_be_read_is_told(story, monkeypatch):
    def damaged():
        raise StoreError(verbatim("results.json cannot be read"))

    monkeypatch.setattr(story.advisor.catalog, "accuracy", damaged)
    story.wiring.dialogs.open_accuracy()
    story.until(story.window.error.isVisible)
    assert story.window.error.message() == "Results.json cannot be read"


def test_settings_show_what_is_kept_and_clear_it(story):
    kept = story.advisor.settings.cache_dir / "graphs"
    kept.mkdir(parents=True)
    (kept / "one.json").write_bytes(b"x" * 3000)
    story.wiring.dialogs.open_settings()
    more = dialog(story, SettingsMore)
    story.until(lambda: more.clear.text() == "Clear 2.9 KiB")
    assert more.parts.item(0, 0).text() == "traced models"
    more.clear.click()
    story.until(lambda: more.clear.text() == "Nothing to clear")
    assert not (kept / "one.json").exists()
    more.window().reject()


def test_settings_that_the_command_line_shares_are_kept(story):
    story.wiring.dialogs.open_settings()
    more = dialog(story, SettingsMore)
    story.until(lambda: more.reserve.isEnabled())
    more.reserve.setValue(6.5)
    story.until(lambda: story.wiring.session.advisor.settings.reserve_ram_bytes == round(6.5 * GIB))
    more.limit.setValue(64)
    story.until(lambda: story.wiring.session.advisor.settings.cache_limit_bytes == 64 * MIB)
    assert story.wiring.session.advisor.settings.reserve_ram_bytes == round(6.5 * GIB)
    more.window().reject()
    story.answered()


def test_a_price_of_electricity_is_kept_and_advice_asked_again(story):
    story.page(UPGRADES)
    story.until(lambda: story.advisor.script.calls.count("advise") > 0)
    story.until(lambda: not story.wiring.runner.tasks)
    asked = story.advisor.script.calls.count("advise")
    story.wiring.dialogs.open_settings()
    more = dialog(story, SettingsMore)
    story.until(more.electricity.isEnabled)
    more.electricity.setValue(0.35)
    story.until(lambda: story.wiring.session.advisor.settings.electricity_price == 0.35)
    story.until(lambda: story.advisor.script.calls.count("advise") > asked)
    more.window().reject()
    story.answered()


def test_the_form_leads_to_the_pythons_of_this_machine(story):
    found = (Runtime("/opt/train/bin/python", "conda", "3.12.1", (("tensorflow", "2.21.0"), ("keras", "3.15.1"))),)
    story.wiring.session.advisor.runtimes.find = lambda: found
    field = story.window.form.more.runtime.interpreter
    field.setCurrentIndex(field.findText("find or make one …"))
    field.activated.emit(field.currentIndex())
    shown = dialog(story, RuntimeDialog)
    story.until(lambda: shown.table.rowCount() == 1)
    assert field.currentText() == "this program's own"
    shown.reject()
    story.answered()
