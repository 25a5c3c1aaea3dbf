"""What others will see of a run or an answer, before it is copied or saved: the picture and the words."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.services.sharing.share import Share
from app.services.sharing.shown import LEFT_OUT
from app.ui.kit import style
from app.ui.kit.basics import button, muted
from app.ui.kit.plain import PlainLabel
from app.ui.kit.speech import said, tr, tr_in
from app.ui.share.draw_png import png_of_svg

WIDTH, HEIGHT = 760, 640
PICTURE_WIDTH, LEAST_PICTURE_WIDTH = 640, 320
BESIDE_HEIGHT = 300
"""What words and buttons take of a window's height beside the picture."""
LEAST_LINES = 5


class ShareDialog(QDialog):
    """Shows a `Share`; emits `save_requested` with a folder."""

    save_requested = Signal(object, str)

    def __init__(self, made: Share, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._made = made
        self._room = QSize(WIDTH, HEIGHT) if parent is None else parent.window().size().boundedTo(QSize(WIDTH, HEIGHT))
        self._drawing = made.dark if style.current().dark else made.light
        self.setWindowTitle(tr("Share {title}").format(title=made.title))
        layout = QVBoxLayout(self)
        layout.addWidget(muted(tr("Left out: {left_out}.").format(left_out=said(LEFT_OUT)), wrap=True))
        self._image = QImage.fromData(png_of_svg(self._drawing))
        self.picture = PlainLabel()
        self.picture.setPixmap(self._pixmap())
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setAccessibleName(tr("Picture"))
        self.picture.setAccessibleDescription(made.alternative)
        layout.addWidget(self.picture)
        self.text = QPlainTextEdit(made.markdown)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("Text (Markdown)"))
        self.text.setMinimumHeight(LEAST_LINES * self.fontMetrics().lineSpacing())
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        layout.addWidget(self.text, 1)
        layout.addWidget(
            muted(tr("Saved are both pictures (light and dark), the text and a file for programs."), wrap=True)
        )
        layout.addWidget(self._buttons())
        self.resize(self._room)

    def _buttons(self) -> QDialogButtonBox:
        """Copy one or the other, save all, or leave it."""
        buttons, role = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        self.save = button(tr_in("button", "Save …"), primary=True)
        self.copy_text, self.copy_picture = button(tr("Copy text")), button(tr("Copy picture"))
        buttons.addButton(self.copy_text, role.ActionRole)
        buttons.addButton(self.copy_picture, role.ActionRole)
        buttons.addButton(self.save, role.ActionRole)
        buttons.addButton(button(tr("Close")), role.RejectRole)
        buttons.rejected.connect(self.reject)
        self.copy_text.clicked.connect(self._on_copy_text)
        self.copy_picture.clicked.connect(self._on_copy_picture)
        self.save.clicked.connect(self._on_save)
        return buttons

    def _pixmap(self) -> QPixmap:
        """The picture as wide as there is room for, and as sharp as it was drawn."""
        pixmap = QPixmap.fromImage(self._image)
        high = 2 * (self._room.height() - BESIDE_HEIGHT)  # it is twice as wide as high
        pixmap.setDevicePixelRatio(self._image.width() / max(LEAST_PICTURE_WIDTH, min(PICTURE_WIDTH, high)))
        return pixmap

    def _on_copy_text(self) -> None:
        """Put the words on the clipboard."""
        QApplication.clipboard().setText(self._made.markdown)
        self.copy_text.setText(tr("Copied"))
        self.copy_picture.setText(tr("Copy picture"))

    def _on_copy_picture(self) -> None:
        """Put the picture that is seen on the clipboard."""
        QApplication.clipboard().setImage(self._image)
        self.copy_picture.setText(tr("Copied"))
        self.copy_text.setText(tr("Copy text"))

    def _on_save(self) -> None:
        """Ask for a folder."""
        folder = QFileDialog.getExistingDirectory(self, tr("Where to save"))
        if folder:
            self.save_requested.emit(self._made, folder)
            self.accept()
