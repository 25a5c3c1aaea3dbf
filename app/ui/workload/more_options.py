"""The plan's rarer settings, folded away until asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QRegularExpression, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QLineEdit, QVBoxLayout, QWidget

from app.core.types.workload import CACHES, CLIPPING, DATA, MAX_SIDE, Plan, read_image_size, why_not_int8
from app.ui.kit import icons, style
from app.ui.kit.basics import button, caption_of, number_box, spin_box
from app.ui.kit.choice import choice
from app.ui.kit.plain import PlainForm, set_tooltip
from app.ui.kit.speech import tr, tr_in
from app.ui.workload.input_fields import InputFields
from app.ui.workload.runtime_fields import RuntimeFields

MAX_LORA_RANK = 4096
_IMAGE_SIZE = r"([1-9]\d{0,5}(\s*[xX×]\s*[1-9]\d{0,5})?)?"


def _value(box: QDoubleSpinBox, old: float | None) -> float:
    """What a field says; the number it shows rounded keeps all its digits."""
    return old if old is not None and round(old, box.decimals()) == box.value() else box.value()


class MoreOptions(QWidget):
    """Emits `changed`; `apply` puts the fields into a plan."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self.toggle = button(tr("More options"), quiet=True)
        self.toggle.setCheckable(True)
        self.toggle.toggled.connect(self._on_toggled)
        layout.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self.fields = QWidget()
        form = PlainForm(self.fields)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(6)
        self._make_fields()
        rows = (
            (tr("Device"), self.device),
            (tr("Purpose"), self.mode),
            (tr("Accumulate"), self.accumulate),
            (tr("Cache data in"), self.cache),
            *self.input.rows(),
            (tr("Freeze layers"), self.freeze),
            ("", self.remat),
            (tr("Clip gradients"), self.clipping),
            (tr("Limit"), self.clip_limit),
            (tr("Weight decay"), self.weight_decay),
            ("", self.ema),
            (tr("Give data as"), self.data),
            (tr("LoRA rank"), self.lora_rank),
            ("", self.int8),
            (tr("Sequence"), self.sequence_length),
            (tr("Image size"), self.image_size),
            (tr("Leave out layers"), self.leave_out),
            *self.runtime.rows(),
        )
        for caption, widget in rows:
            form.addRow(caption_of(widget, caption), widget)
        layout.addWidget(self.fields)
        self.fields.hide()
        self._on_toggled(False)

    def _make_fields(self) -> None:
        """The widgets, connected."""
        self.device = choice(tr("Device"), [("auto", tr("auto")), ("cpu", "CPU")])
        self.mode = choice(tr("Purpose"), [("train", tr("training")), ("inference", tr("inference"))])
        caches = {
            "none": tr_in("frozen", "nothing"),
            "ram": tr("RAM"),
            "disk": tr("disk"),
            "encoded": tr("RAM, not decoded"),
        }
        self.cache = choice(tr("Cache prepared data in"), [(name, caches[name]) for name in CACHES])
        self.accumulate = spin_box(tr("Steps whose gradients are accumulated"), 1, 4096)
        self.remat = QCheckBox(tr("Recompute activations"))
        set_tooltip(self.remat, tr("Less memory, more time: activations are computed again in the backward pass"))
        self.freeze = QLineEdit()
        self.freeze.setAccessibleName(tr("Patterns of layers to freeze, separated by commas"))
        self.freeze.setPlaceholderText(tr("block1*, conv_2"))
        for combo in (self.device, self.mode, self.cache):
            combo.currentIndexChanged.connect(self.changed)
        self.accumulate.valueChanged.connect(self.changed)
        self.remat.toggled.connect(self.changed)
        self.freeze.editingFinished.connect(self.changed)
        self._make_optimizer_fields()
        self._make_variants()
        self.input = InputFields(self)
        self.runtime = RuntimeFields(self)
        for fields in (self.input, self.runtime):
            fields.changed.connect(self.changed)

    def _make_optimizer_fields(self) -> None:
        """What is added to the optimizer, and how it gets its data."""
        ways = dict(zip(CLIPPING, (tr("each by norm"), tr("all by norm"), tr("by value")), strict=True))
        self.clipping = choice(tr("Clip gradients"), [("", tr("no")), *ways.items()])
        self.clip_limit = number_box(tr("Limit of the gradients"), 0.00001, 100_000.0)
        self.weight_decay = number_box(tr("Weight decay"), 0.0, 1.0)
        self.weight_decay.setSpecialValueText(tr("as the optimizer has it"))
        self.ema = QCheckBox(tr("Moving average of weights"))
        set_tooltip(self.ema, tr("One more copy of every weight"))
        forms = {"pipeline": tr("pipeline"), "array": tr("one array")}
        self.data = choice(tr("How the data is given"), [(name, forms[name]) for name in DATA])
        set_tooltip(self.data, tr("One array lies on the device as a whole"))
        for combo in (self.clipping, self.data):
            combo.currentIndexChanged.connect(self.changed)
        self.clipping.currentIndexChanged.connect(lambda: self.clip_limit.setEnabled(bool(self.clipping.currentData())))
        for box in (self.clip_limit, self.weight_decay):
            box.valueChanged.connect(self.changed)
        self.ema.toggled.connect(self.changed)

    def _show_optimizer_options(self, plan: Plan) -> None:
        """Show what a plan adds to its optimizer."""
        used = next((name for name in CLIPPING if getattr(plan, name) is not None), "")
        self.clipping.setCurrentIndex(self.clipping.findData(used))
        self.clip_limit.setValue(getattr(plan, used) if used else 1.0)
        self.clip_limit.setEnabled(bool(used))
        self.weight_decay.setValue(plan.weight_decay or 0.0)
        self.ema.setChecked(plan.ema)
        self.data.setCurrentIndex(self.data.findData(plan.data))

    def _with_optimizer_options(self, plan: Plan) -> Plan:
        """The plan with what is added to its optimizer."""
        used = self.clipping.currentData()
        limit = _value(self.clip_limit, getattr(plan, used) if used else None)
        decay = _value(self.weight_decay, plan.weight_decay)
        return replace(
            plan,
            clipnorm=limit if used == "clipnorm" else None,
            global_clipnorm=limit if used == "global_clipnorm" else None,
            clipvalue=limit if used == "clipvalue" else None,
            weight_decay=decay if decay or plan.weight_decay == 0 else None,
            ema=self.ema.isChecked(),
            data=self.data.currentData(),
        )

    def _make_variants(self) -> None:
        """What changes the model itself; zero and an empty text leave it as it is."""
        self.lora_rank = spin_box(tr("Rank of LoRA weights"), 0, MAX_LORA_RANK)
        self.lora_rank.setSpecialValueText(tr("no LoRA"))
        set_tooltip(
            self.lora_rank, tr("Train two thin matrices beside each kernel, and the output layer; freeze the rest")
        )
        self.int8 = QCheckBox(tr("8-bit weights"))
        self.sequence_length = spin_box(tr("Tokens or time steps of a sample"), 0, MAX_SIDE)
        self.sequence_length.setSpecialValueText(tr("as it is"))
        self.sequence_length.setKeyboardTracking(False)
        self.image_size = QLineEdit()
        self.image_size.setAccessibleName(tr("Height and width of the images"))
        self.image_size.setPlaceholderText(tr("as it is, or 480x640"))
        self.image_size.setValidator(QRegularExpressionValidator(QRegularExpression(_IMAGE_SIZE), self.image_size))
        self.leave_out = QLineEdit()
        self.leave_out.setAccessibleName(tr("Patterns of layers that the model shall do without"))
        self.leave_out.setPlaceholderText(tr("none, or lstm_1"))
        self.leave_out.editingFinished.connect(self.changed)
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
        self._show_optimizer_options(plan)
        self.lora_rank.setValue(plan.lora_rank or 0)
        self.int8.setChecked(plan.int8)
        self.sequence_length.setValue(plan.sequence_length or 0)
        self.image_size.setText("x".join(map(str, plan.image_size or ())))
        self.leave_out.setText(", ".join(plan.leave_out))
        self.input.set_plan(plan)
        self.runtime.set_plan(plan)
        self.blockSignals(False)

    def apply(self, plan: Plan) -> Plan:
        """The plan with these fields."""
        lora_rank = self.lora_rank.value() or None
        size = self.image_size.text() if self.image_size.hasAcceptableInput() else ""
        self._allow_int8(why_not_int8(self.mode.currentData(), plan.precision, lora_rank))
        whole = replace(
            self._with_optimizer_options(plan),
            device=self.device.currentData(),
            mode=self.mode.currentData(),
            cache=self.cache.currentData(),
            accumulate=self.accumulate.value(),
            remat=self.remat.isChecked(),
            freeze=_patterns(self.freeze),
            leave_out=_patterns(self.leave_out),
            lora_rank=lora_rank,
            int8=self.int8.isChecked(),
            sequence_length=self.sequence_length.value() or None,
            image_size=read_image_size(size) if size else None,
        )
        possible = self.input.apply(self.runtime.apply(whole))
        with QSignalBlocker(self.data), QSignalBlocker(self.cache):
            self.data.setCurrentIndex(self.data.findData(possible.data))
            self.cache.setCurrentIndex(self.cache.findData(possible.cache))
        return possible

    def _allow_int8(self, problem: tuple[str, str] | None) -> None:
        """Offer 8-bit weights where they are possible, and say why not elsewhere."""
        if problem is not None and self.int8.isChecked():
            self.int8.blockSignals(True)
            self.int8.setChecked(False)
            self.int8.blockSignals(False)
        self.int8.setEnabled(problem is None)
        if problem is None:
            words = tr("A quarter of the memory for weights of dense, attention and embedding layers")
        elif self.mode.currentData() == "train" and not self.lora_rank.value():
            words = tr("8-bit weights cannot be trained: choose inference, or LoRA beside them")
        else:
            words = tr("Keras does not quantise float16 to 8 bits")
        set_tooltip(self.int8, words)

    def customEvent(self, event: QEvent) -> None:  # noqa: D102 - Qt's name
        if isinstance(event, style.ThemeEvent):
            self._draw_arrow()

    def _draw_arrow(self) -> None:
        """The arrow in the present theme."""
        self.toggle.setIcon(icons.icon("chevron_down" if self.toggle.isChecked() else "chevron_right"))

    def _on_toggled(self, open_: bool) -> None:
        """Fold or unfold."""
        self.fields.setVisible(open_)
        self._draw_arrow()


def _patterns(field: QLineEdit) -> tuple[str, ...]:
    """What stands between the commas."""
    return tuple(filter(None, (part.strip() for part in field.text().split(","))))
