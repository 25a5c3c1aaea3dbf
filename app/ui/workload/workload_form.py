"""What is to be trained: model, data, plan.  Every change is told at once."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from app.core.types.plan import plan_options
from app.core.types.workload import Plan
from app.ui.kit.basics import Card, button, caption_of, section, sentence, set_property, wrapped
from app.ui.kit.batch_field import BatchField
from app.ui.kit.search_combo import SearchCombo
from app.ui.kit.speech import tr
from app.ui.workload.more_options import ALWAYS_SHOWN, MoreOptions
from app.ui.workload.plan_fields import make_field
from app.ui.workload.state_form import FormState

MODEL_SUFFIXES = (".keras", ".h5", ".hdf5", ".json", ".py", ".ipynb")
DATA_SUFFIXES = (".npz", ".npy", ".csv", ".tfrecord", ".tfrecords", ".py")


class WorkloadForm(Card):
    """Renders a `FormState`; emits what the user picks."""

    model_chosen = Signal(str)
    model_file_chosen = Signal(str)
    dataset_chosen = Signal(str)
    data_path_chosen = Signal(str)
    batch_chosen = Signal(int)
    plan_changed = Signal(object)
    interpreter_chosen = Signal(str)
    runtimes_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent, margin=14)
        self.setAccessibleName(tr("Workload"))
        self.setAcceptDrops(True)
        self._state = FormState()
        self._filling = True
        self.body.setSpacing(5)
        self.body.addWidget(section(tr("WORKLOAD")))
        self._add_pickers()
        self._add_plan()
        self.more = MoreOptions()
        self.more.changed.connect(self._on_changed)
        self.more.runtime.interpreter_chosen.connect(self.interpreter_chosen)
        self.more.runtime.runtimes_requested.connect(self.runtimes_requested)
        self.body.addWidget(self.more)
        self._assumptions = wrapped()
        self._assumptions.setProperty("role", "muted")
        self.body.addWidget(self._assumptions)

    def _add_pickers(self) -> None:
        """Model and data, each with a way to one's own."""
        self.model = SearchCombo(tr("Model"))
        self.open_model = button(tr("Open …"), quiet=True, name=tr("Open a model file"))
        self.dataset = SearchCombo(tr("Data"))
        self.open_data = button(tr("My own …"), quiet=True, name=tr("Use my own data"))
        menu = QMenu(self.open_data)
        menu.addAction(tr("Folder …"), self.ask_for_folder)
        menu.addAction(tr("File or Python function …"), self.ask_for_file)
        self.open_data.setMenu(menu)
        self.model.chosen.connect(self.model_chosen)
        self.dataset.chosen.connect(self.dataset_chosen)
        self.open_model.clicked.connect(self._on_open_model)
        pickers = ((tr("Model"), self.model, self.open_model), (tr("Data"), self.dataset, self.open_data))
        for caption, combo, opener in pickers:
            line = QHBoxLayout()
            line.addWidget(caption_of(combo, caption))
            line.addStretch(1)
            line.addWidget(opener)
            column = QVBoxLayout()
            column.setSpacing(0)
            column.addLayout(line)
            column.addWidget(combo)
            self.body.addLayout(column)

    def _add_plan(self) -> None:
        """Batch, precision, XLA, optimizer, epochs."""
        self.batch = BatchField()
        shown = {one.name: one for one in plan_options()}
        self.fields = {name: make_field(shown[name]) for name in ALWAYS_SHOWN if name != "batch_size"}
        self.body.addWidget(caption_of(self.batch.spin, tr("Batch")))
        self.body.addWidget(self.batch)
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        for index, field in enumerate(self.fields.values()):
            row, column = divmod(index, 2)
            grid.addWidget(caption_of(field.widget, field.caption), 2 * row, column)
            grid.addWidget(field.widget, 2 * row + 1, column)
            field.changed.connect(self._on_changed)
        self.body.addLayout(grid)
        self.batch.changed.connect(self.batch_chosen)

    def set_state(self, state: FormState) -> None:
        """Show entries and the chosen workload."""
        old, self._state = self._state, state
        if state.models != old.models:
            self.model.set_entries(state.models)
        if state.datasets != old.datasets:
            self.dataset.set_entries(state.datasets)
        self.more.set_devices(state.devices)
        if (state.interpreters, state.interpreter) != (old.interpreters, old.interpreter):
            self.more.runtime.set_interpreters(state.interpreters, state.interpreter)
        if state.missing_frameworks != old.missing_frameworks:
            self.more.runtime.set_missing(state.missing_frameworks)
        self._filling = True
        self.model.set_key(*state.model)
        self.dataset.set_key(*(state.dataset or ("", tr("no data chosen"))))
        if state.plan != self.plan():
            self._show_plan(state.plan)
        self._filling = False
        self._assumptions.setText(self._notes(state))
        self._assumptions.setVisible(bool(self._assumptions.text()))
        self.setEnabled(state.enabled)

    def _show_plan(self, plan: Plan) -> None:
        """Fill the fields."""
        self.batch.set_value(plan.batch_size)
        for name, field in self.fields.items():
            field.show_value(getattr(plan, name))
        self.more.set_plan(plan)

    def _notes(self, state: FormState) -> str:
        """What is being scanned, or what was assumed."""
        if state.scanning:
            return tr("Looking through {path} …").format(path=state.scanning)
        return "\n".join(sentence(text) for text in state.assumptions)

    def plan(self) -> Plan:
        """The plan as the fields say."""
        base = self._state.plan
        shown = {name: field.value(getattr(base, name)) for name, field in self.fields.items()}
        return self.more.apply(base, {"batch_size": self.batch.value(), **shown})

    def _on_changed(self) -> None:
        """Tell a change of the plan, unless it was not the user's."""
        if not self._filling:
            self.plan_changed.emit(self.plan())

    def _on_open_model(self) -> None:
        """Pick a model file."""
        kinds = tr("Models ({patterns})").format(patterns=" ".join(f"*{s}" for s in MODEL_SUFFIXES))
        path, _ = QFileDialog.getOpenFileName(self, tr("Open a model"), "", kinds)
        if path:
            self.model_file_chosen.emit(path)

    def ask_for_folder(self) -> None:
        """Pick a data folder."""
        path = QFileDialog.getExistingDirectory(self, tr("Use a folder of data"))
        if path:
            self.data_path_chosen.emit(path)

    def ask_for_file(self) -> None:
        """Pick a data file, or a Python file with a pipeline."""
        kinds = tr("Data ({patterns})").format(patterns=" ".join(f"*{s}" for s in DATA_SUFFIXES))
        path, _ = QFileDialog.getOpenFileName(self, tr("Use a file of data"), "", kinds)
        if path:
            self.data_path_chosen.emit(path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: D102 - Qt's name
        urls = event.mimeData().urls()
        if len(urls) == 1 and urls[0].isLocalFile():
            event.acceptProposedAction()
            set_property(self, "dropping", True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: D102 - Qt's name
        set_property(self, "dropping", False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: D102 - Qt's name
        set_property(self, "dropping", False)
        event.acceptProposedAction()
        self.take_path(event.mimeData().urls()[0].toLocalFile())

    def take_path(self, path: str) -> None:
        """A dropped file is a model if its ending says so, data otherwise."""
        if path.lower().endswith(MODEL_SUFFIXES):
            self.model_file_chosen.emit(path)
        else:
            self.data_path_chosen.emit(path)
