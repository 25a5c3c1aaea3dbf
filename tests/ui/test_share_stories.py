"""What a person sees before anything is shared, and what is copied and saved then."""

from __future__ import annotations

import json

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog

from app.ui.kit import language, style
from app.ui.share.share_dialog import ShareDialog
from app.ui.shell.main_window import FIT, RUNS


def opened(story) -> ShareDialog:
    """The preview, once it is there."""
    story.until(lambda: any(one.isVisible() for one in story.window.findChildren(ShareDialog)))
    return next(one for one in story.window.findChildren(ShareDialog) if one.isVisible())


@pytest.fixture
def measured(story):
    """A window with one run."""
    story.answered()
    assert story.wiring.bench.start()
    story.until(lambda: not story.wiring.bench.running)
    return story


def test_a_run_is_previewed_copied_and_saved_as_shown(measured, tmp_path, monkeypatch):
    page, folder = measured.page(RUNS), tmp_path / "shared"
    measured.until(page.share.isEnabled)
    page.share.click()
    dialog = opened(measured)
    assert dialog.picture.pixmap().width() > 600
    assert "Succeeded" in dialog.picture.accessibleDescription()
    shown = dialog.text.toPlainText()
    assert shown.startswith("# Fashion-MNIST CNN")
    dialog.copy_text.click()
    assert QApplication.clipboard().text() == shown
    dialog.copy_picture.click()
    assert QApplication.clipboard().image().width() > 1200
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    dialog.save.click()
    measured.until(lambda: folder.is_dir() and len([*folder.glob("[!.]*")]) == 4)
    assert next(folder.glob("*.md")).read_text("utf-8") == shown
    assert json.loads(next(folder.glob("*.json")).read_text("utf-8"))["kind"] == "run"
    measured.until(measured.window.toast.isVisible)


def test_the_answer_on_the_first_page_is_previewed_in_the_windows_theme(open_window, qapp):
    language.install(qapp, "de")
    style.apply(qapp, "dark")
    story = open_window()
    story.answered()
    page = story.page(FIT)
    story.until(page.share.isEnabled)
    page.share.click()
    dialog = opened(story)
    assert "✔ Passt" in dialog.text.toPlainText()
    corner = dialog.picture.pixmap().toImage().pixelColor(4, 4)
    assert corner.lightness() < 60


def test_nothing_is_shared_before_there_is_an_answer(open_window):
    story = open_window(trace_s=30.0)
    story.until(lambda: story.window.verdict.state.stage == "textbook")
    page = story.page(FIT)
    assert not page.share.isEnabled()
    story.wiring.share.share_answer()
    story.until(story.window.toast.isVisible)
    assert story.window.findChildren(ShareDialog) == []


def test_a_place_that_cannot_be_written_is_said(measured, tmp_path, monkeypatch):
    page = measured.page(RUNS)
    measured.until(page.share.isEnabled)
    page.share.click()
    dialog = opened(measured)
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "file"))
    dialog.save.click()
    measured.until(measured.window.error.isVisible)
    assert "Cannot write" in measured.window.error.message()
