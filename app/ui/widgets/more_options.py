"""The plan's rarer settings, folded away until asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QRegularExpression, Qt, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from app.core.workload import CACHES, MAX_SIDE, Plan, read_image_size, why_not_int8
from app.ui import icons
from app.ui.widgets.basics import button, muted, spin_box

MAX_LORA_RANK = 4096
_IMAGE_SIZE = r"([1-9]\d{0,5}(\s*[xX×]\s*[1-9]\d{0,5})?)?"


class QuietCombo(QComboBox):
    """A combo box that leaves the mouse wheel to the page."""

    def wheelEvent(self, event: object) -> None:  # noqa: D102 - Qt's name
        event.ignore()  # type: ignore[attr-defined]


def choice(name: str, entries: Sequence[tuple[str, str]]) -> QuietCombo:
    """A combo box of (value, text)."""
    combo = QuietCombo()
    combo.setAccessibleName(name)
    combo.setToolTip(name)
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    combo.setMinimumContentsLength(3)
    combo.setMinimumWidth(60)
    combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    for value, text in entries:
        combo.addItem(text, value)
        combo.setItemData(combo.count() - 1, text, Qt.ItemDataRole.ToolTipRole)
    return combo


class MoreOptions(QWidget):
    """Emits `changed`; `apply` puts the fields into a plan."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self.toggle = button(self.tr("More options"), quiet=True)
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._on_toggled)
        layout.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self.fields = QWidget()
        form = QFormLayout(self.fields)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(6)
        self._make_fields()
        rows = (
            (self.tr("Device"), self.device),
            (self.tr("Purpose"), self.mode),
            (self.tr("Accumulate"), self.accumulate),
            (self.tr("Cache data in"), self.cache),
            (self.tr("Freeze layers"), self.freeze),
            ("", self.remat),
            (self.tr("LoRA rank"), self.lora_rank),
            ("", self.int8),
            (self.tr("Sequence"), self.sequence_length),
            (self.tr("Image size"), self.image_size),
        )
        for caption, widget in rows:
            form.addRow(muted(caption), widget)
        layout.addWidget(self.fields)
        self.fields.hide()
        self._on_toggled(False)

    def _make_fields(self) -> None:
        """The widgets, connected."""
        self.device = choice(self.tr("Device"), [("auto", self.tr("auto")), ("cpu", "CPU")])
        self.mode = choice(self.tr("Purpose"), [("train", self.tr("training")), ("inference", self.tr("inference"))])
        caches = {"none": self.tr("nothing"), "ram": self.tr("RAM"), "disk": self.tr("disk")}
        self.cache = choice(self.tr("Cache prepared data in"), [(name, caches[name]) for name in CACHES])
        self.accumulate = spin_box(self.tr("Steps whose gradients are accumulated"), 1, 4096)
        self.remat = QCheckBox(self.tr("Recompute activations"))
        self.remat.setToolTip(self.tr("Less memory, more time: activations are computed again in the backward pass"))
        self.freeze = QLineEdit()
        self.freeze.setAccessibleName(self.tr("Patterns of layers to freeze, separated by commas"))
        self.freeze.setPlaceholderText(self.tr("block1*, conv_2"))
        for combo in (self.device, self.mode, self.cache):
            combo.currentIndexChanged.connect(self.changed)
        self.accumulate.valueChanged.connect(self.changed)
        self.remat.toggled.connect(self.changed)
        self.freeze.editingFinished.connect(self.changed)
        self._make_variants()

    def _make_variants(self) -> None:
        """What changes the model itself; zero and an empty text leave it as it is."""
        self.lora_rank = spin_box(self.tr("Rank of LoRA weights"), 0, MAX_LORA_RANK)
        self.lora_rank.setSpecialValueText(self.tr("no LoRA"))
        self.lora_rank.setToolTip(self.tr("Train two thin matrices beside each kernel, and the output layer; "
                                          "freeze the rest"))  # fmt: skip
        self.int8 = QCheckBox(self.tr("8-bit weights"))
        self.sequence_length = spin_box(self.tr("Tokens or time steps of a sample"), 0, MAX_SIDE)
        self.sequence_length.setSpecialValueText(self.tr("as it is"))
        self.sequence_length.setKeyboardTracking(False)
        self.image_size = QLineEdit()
        self.image_size.setAccessibleName(self.tr("Height and width of the images"))
        self.image_size.setPlaceholderText(self.tr("as it is, or 480x640"))
        self.image_size.setValidator(QRegularExpressionValidator(QRegularExpression(_IMAGE_SIZE), self.image_size))
        for number in (self.lora_rank, self.sequence_length):
            number.valueChanged.connect(self.changed)
        self.int8.toggled.connect(self.changed)
        self.image_size.editingFinished.connect(self.changed)

    def set_devices(self, devices: Sequence[tuple[str, str]]) -> None:
        """List the devices of the machine."""
        shown = [self.device.itemData(i) for i in range(self.device.count())]
        if shown == [key for key, _ in devices]:
            return
        chosen = self.device.currentData()
        self.device.blockSignals(True)
        self.device.clear()
        for key, text in devices:
            self.device.addItem(text, key)
        self.device.setCurrentIndex(max(0, self.device.findData(chosen)))
        self.device.blockSignals(False)

    def set_plan(self, plan: Plan) -> None:
        """Show a plan."""
        self.blockSignals(True)
        self.device.setCurrentIndex(max(0, self.device.findData(plan.device)))
        self.mode.setCurrentIndex(self.mode.findData(plan.mode))
        self.cache.setCurrentIndex(self.cache.findData(plan.cache))
        self.accumulate.setValue(plan.accumulate)
        self.remat.setChecked(plan.remat)
        self.freeze.setText(", ".join(plan.freeze))
        self.lora_rank.setValue(plan.lora_rank or 0)
        self.int8.setChecked(plan.int8)
        self.sequence_length.setValue(plan.sequence_length or 0)
        self.image_size.setText("x".join(map(str, plan.image_size or ())))
        self.blockSignals(False)

    def apply(self, plan: Plan) -> Plan:
        """The plan with these fields."""
        patterns = (part.strip() for part in self.freeze.text().split(","))
        lora_rank = self.lora_rank.value() or None
        size = self.image_size.text() if self.image_size.hasAcceptableInput() else ""
        self._allow_int8(why_not_int8(self.mode.currentData(), plan.precision, lora_rank))
        return replace(
            plan,
            device=self.device.currentData(),
            mode=self.mode.currentData(),
            cache=self.cache.currentData(),
            accumulate=self.accumulate.value(),
            remat=self.remat.isChecked(),
            freeze=tuple(filter(None, patterns)),
            lora_rank=lora_rank,
            int8=self.int8.isChecked(),
            sequence_length=self.sequence_length.value() or None,
            image_size=read_image_size(size) if size else None,
        )

    def _allow_int8(self, problem: tuple[str, str] | None) -> None:
        """Offer 8-bit weights where they are possible, and say why not elsewhere."""
        if problem is not None and self.int8.isChecked():
            self.int8.blockSignals(True)
            self.int8.setChecked(False)
            self.int8.blockSignals(False)
        self.int8.setEnabled(problem is None)
        if problem is None:
            words = self.tr("A quarter of the memory for weights of dense, attention and embedding layers")
        elif self.mode.currentData() == "train" and not self.lora_rank.value():
            words = self.tr("8-bit weights cannot be trained: choose inference, or LoRA beside them")
        else:
            words = self.tr("Keras does not quantise float16 to 8 bits")
        self.int8.setToolTip(words)

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "fields"):
            self._draw_arrow()

    def _draw_arrow(self) -> None:
        """The arrow in the present theme."""
        self.toggle.setIcon(icons.icon("chevron_down" if self.toggle.isChecked() else "chevron_right"))

    def _on_toggled(self, open_: bool) -> None:
        """Fold or unfold."""
        self.fields.setVisible(open_)
        self._draw_arrow()
