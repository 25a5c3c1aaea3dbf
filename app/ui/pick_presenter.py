"""The workload form: what can be picked, one's own files and folders, and the first workload."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.core.workload import Dataset, ModelRef, Workload
from app.ui.bridge import Outcome
from app.ui.session import Session
from app.ui.state import error_state
from app.ui.state_form import FormState, dataset_entries, device_entries, model_entries, sample_workload

Trust = Callable[[str], bool]


class PickPresenter(QObject):
    """Emits states for the form.

    Args:
        session: The shared question.
        ask_trust: Asks the user whether a Python file may run; called in the main thread.
        remembered: The workload of the last time, or None.
    """

    changed = Signal(object)

    def __init__(
        self, session: Session, ask_trust: Trust, remembered: Workload | None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._ask_trust = ask_trust
        self._remembered = remembered
        self.state = FormState()
        session.catalog_changed.connect(self._on_catalog_changed)
        session.machine_changed.connect(self._on_machine_changed)
        session.workload_changed.connect(self._on_workload_changed)
        session.prediction_changed.connect(self._on_prediction_changed)

    def choose_model(self, name: str) -> None:
        """Take a model of the catalog."""
        workload = self._session.workload
        if workload is not None:
            model = ModelRef("catalog", name)
            self._session.set_workload(workload.with_model(model))

    def choose_dataset(self, name: str) -> None:
        """Take a dataset of the catalog, or one that was scanned before."""
        found = next((d for d in self._session.catalog.datasets if d.name == name), None)
        if found is not None:
            self._take_dataset(found)

    def open_model(self, path: str) -> None:
        """Take a model file; a Python file only if the user trusts it."""
        is_code = path.partition(":")[0].lower().endswith(".py")
        if is_code and not self._ask_trust(path):
            self._session.say(self.tr("The file was not opened because it was not trusted."))
            return
        advisor = self._session.advisor
        self._session.runner.call(
            "find_model", lambda: advisor.find_model(path, trust=is_code), self._on_model_found
        )

    def open_data(self, path: str) -> None:
        """Scan a folder or file of data."""
        advisor = self._session.advisor
        self._set(replace(self.state, scanning=Path(path).name or path))
        self._session.runner.call("scan", lambda: advisor.find_dataset(path), self._on_dataset_found)

    def _on_model_found(self, outcome: Outcome) -> None:
        """Use a model file."""
        workload = self._session.workload
        if outcome.ending != "succeeded":
            self._session.fail(error_state(outcome.error))
        elif workload is not None:
            self._session.set_workload(workload.with_model(outcome.value))

    def _on_dataset_found(self, outcome: Outcome) -> None:
        """Use scanned data."""
        self._set(replace(self.state, scanning=""))
        if outcome.ending != "succeeded":
            self._session.fail(error_state(outcome.error))
            return
        found: Dataset = outcome.value
        catalog = self._session.catalog
        others = tuple(d for d in catalog.datasets if d.name != found.name)
        self._session.catalog = replace(catalog, datasets=(found, *others))
        self._set(replace(self.state, datasets=dataset_entries(self._session.catalog.datasets)))
        self._take_dataset(found)
        if found.broken_files:
            text = self.tr("%Ln files of {name} cannot be read and are left out", "", found.broken_files)
            self._session.say(text.format(name=found.name))

    def _take_dataset(self, dataset: Dataset) -> None:
        """Put data into the workload."""
        workload = self._session.workload
        if workload is not None:
            self._session.set_workload(replace(workload, dataset=dataset))

    def _on_catalog_changed(self) -> None:
        """List what can be picked, and start with the last or a sample workload."""
        catalog = self._session.catalog
        datasets = catalog.datasets
        remembered = self._remembered
        if remembered is not None and remembered.dataset is not None:
            names = {d.name for d in datasets}
            if remembered.dataset.name not in names:
                datasets = (remembered.dataset, *datasets)
                self._session.catalog = replace(catalog, datasets=datasets)
        entries = dataset_entries(datasets)
        self._set(replace(self.state, models=model_entries(catalog.models), datasets=entries, enabled=True))
        if self._session.workload is None:
            first = remembered or sample_workload(catalog.models, catalog.datasets)
            if first is not None:
                self._session.set_workload(first)

    def _on_machine_changed(self) -> None:
        """List the devices; a card that is gone is not planned with any more."""
        machine, workload = self._session.machine, self._session.workload
        if machine is None:
            return
        devices = device_entries(machine)
        self._set(replace(self.state, devices=devices))
        if workload is not None and workload.plan.device not in {key for key, _ in devices}:
            self._session.set_plan(replace(workload.plan, device="auto"))

    def _on_workload_changed(self) -> None:
        """Show the workload."""
        workload = self._session.workload
        if workload is not None:
            self._set(replace(self.state, workload=workload))

    def _on_prediction_changed(self) -> None:
        """Show what was assumed about model and data."""
        prediction = self._session.prediction
        if prediction is not None and prediction.model.assumptions != self.state.assumptions:
            self._set(replace(self.state, assumptions=prediction.model.assumptions))

    def _set(self, state: FormState) -> None:
        """Tell the form."""
        self.state = state
        self.changed.emit(state)
