"""The workload form: what can be picked, one's own files and folders, and the first workload."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.core.types.workload import Dataset, ModelRef, Workload
from app.presentation.problem import error_state
from app.services.models.find import needs_trust
from app.ui.kit.bridge import Outcome, Task
from app.ui.kit.speech import tr, tr_many
from app.ui.session.recent import Recent, dataset_key, model_key
from app.ui.session.session import Session
from app.ui.workload.code_presenter import CODE_SUFFIXES, Ask, CodePresenter
from app.ui.workload.state_form import (
    FormState,
    device_entries,
    picker_datasets,
    picker_models,
    sample_workload,
    showing,
)


class PickPresenter(QObject):
    """Emits states for the form.

    Args:
        session: The shared question.
        ask: Asks the user which function of a Python file may run; called in the main thread.
        recent: What was used lately.

    Attributes:
        begins_anew: The sample is opened first, and not what was open the last time.
    """

    changed = Signal(object)
    status_changed = Signal(str, object, bool)

    def __init__(self, session: Session, ask: Ask, recent: Recent, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.begins_anew = False
        self._recent = recent
        self._scan: Task | None = None
        self._code = CodePresenter(session, ask, self._take, self)
        self.state = FormState()
        session.catalog_changed.connect(self._on_catalog_changed)
        session.machine_changed.connect(self._on_machine_changed)
        session.workload_changed.connect(self._on_workload_changed)
        session.prediction_changed.connect(self._on_prediction_changed)
        session.frameworks_changed.connect(self._on_frameworks_changed)

    def choose_model(self, key: str) -> None:
        """Take a model of the catalog, or one used lately."""
        model = next((m for m in self._recent.models if model_key(m) == key), ModelRef("catalog", key))
        self._take(model)

    def choose_dataset(self, key: str) -> None:
        """Take a dataset of the catalog, or one used lately."""
        known = (*self._recent.datasets, *self._session.catalog.datasets)
        found = next((d for d in known if dataset_key(d) == key), None)
        if found is not None:
            self._take(found)

    def open_model(self, path: str) -> None:
        """Take a model file; a script or a function of a Python file only if the user lets it run."""
        if path.lower().endswith(CODE_SUFFIXES):
            self._code.open(path, "model")
            return
        advisor = self._session.advisor
        self._session.runner.call("find_model", lambda: advisor.catalog.find_model(path), self._on_found)

    def reopen_model(self) -> None:
        """Open the present model's file again, after somebody has edited it."""
        workload = self._session.workload
        if workload is not None and workload.model.path:
            self.open_model(workload.model.path)

    def allow_model(self) -> None:
        """Ask whether the present model, a saved one that holds code, may run it."""
        workload = self._session.workload
        if workload is not None and workload.model.path:
            self._code.open(workload.model.path, "model")

    def open_data(self, path: str) -> None:
        """Scan a folder or file of data, or take a function of a Python file."""
        if path.lower().endswith(".py"):
            self._code.open(path, "data")
            return
        self.cancel()
        advisor, name = self._session.advisor, Path(path).name or path

        def job(sink: Callable[[Any], None], cancel: threading.Event) -> Dataset:
            return advisor.catalog.find_dataset(path, lambda share, text: sink((share, text)), cancel)

        self._set(replace(self.state, scanning=name))
        self.status_changed.emit(tr("Looking through {name} …").format(name=name), None, True)
        self._scan = self._session.runner.run("scan", job, self._on_scanned, self._on_scanning)

    def cancel(self) -> bool:
        """Stop looking through a folder; True if that was going on."""
        if self._scan is None:
            return False
        self._scan.cancel()
        return True

    def show_interpreters(self, chosen: str, known: tuple[str, ...]) -> None:
        """Show which Python trains."""
        self._set(replace(self.state, interpreter=chosen, interpreters=known))

    def _on_scanning(self, event: Any) -> None:
        """Say how far it is."""
        share, what = event
        text = tr("Looking through {name}: {what}").format(name=self.state.scanning, what=what)
        self.status_changed.emit(text, share, True)

    def _on_scanned(self, outcome: Outcome) -> None:
        """Use scanned data."""
        self._scan = None
        self._set(replace(self.state, scanning=""))
        self.status_changed.emit("", None, False)
        if outcome.ending == "cancelled":
            return
        self._on_found(outcome)
        found: Dataset | None = outcome.value
        if found is not None and found.broken_files:
            text = tr_many(
                "{n} file of {name} cannot be read and is left out",
                "{n} files of {name} cannot be read and are left out",
                found.broken_files,
            )
            self._session.say(text.format(name=found.name))

    def _on_found(self, outcome: Outcome) -> None:
        """Use a model or data."""
        if outcome.ending == "succeeded":
            self._take(outcome.value)
        else:
            self._session.fail(error_state(outcome.error))

    def _take(self, found: ModelRef | Dataset) -> None:
        """Put a model or data into the workload."""
        workload = self._session.workload
        if workload is not None and found == workload.model:
            self._session.reopen_model()
        elif workload is not None and isinstance(found, ModelRef):
            self._take_model(workload.with_model(found))
        elif workload is not None and isinstance(found, Dataset):
            self._session.set_workload(replace(workload, dataset=found))

    def _take_model(self, workload: Workload) -> None:
        """Put a model into the workload; with what its author wrote, if it is code."""
        if not needs_trust(replace(workload.model, trusted=False)):
            self._session.set_workload(workload)
            return
        if workload.model.kind == "script":
            workload = replace(workload, dataset=None)  # it has its own
        advisor, name = self._session.advisor, workload.model.name

        def job(sink: Callable[[Any], None], cancel: threading.Event) -> Workload:
            return advisor.predictor.as_written(workload, (), sink, cancel)

        self.status_changed.emit(tr("Tracing {model} …").format(model=name), None, True)
        self._session.runner.run("as_written", job, self._on_written)

    def _on_written(self, outcome: Outcome) -> None:
        """The author's settings are the plan's, until the user changes them."""
        self.status_changed.emit("", None, False)
        if outcome.ending == "succeeded":
            self._session.set_workload(outcome.value)
        elif outcome.ending != "cancelled":
            self._session.fail(error_state(outcome.error))

    def _on_catalog_changed(self) -> None:
        """List what can be picked, and start with the last or a sample workload."""
        catalog = self._session.catalog
        self._set(replace(self.state, enabled=True))
        self._list()
        if self._session.workload is None:
            last = None if self.begins_anew else self._session.remembered
            first = last or sample_workload(catalog.models, catalog.datasets)
            if first is not None:
                self._session.set_workload(first)

    def _list(self) -> None:
        """What was used lately, then the catalog."""
        catalog, recent = self._session.catalog, self._recent
        models = picker_models(recent.models, catalog.models)
        datasets = picker_datasets(recent.datasets, catalog.datasets)
        self._set(replace(self.state, models=models, datasets=datasets))

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
        """Show the workload, and remember what it uses."""
        workload = self._session.workload
        if workload is None:
            return
        self._set(showing(self.state, workload))
        if self._recent.note(workload):
            self._list()

    def _on_prediction_changed(self) -> None:
        """Show what was assumed about model and data."""
        prediction = self._session.prediction
        if prediction is not None and prediction.model.assumptions != self.state.assumptions:
            self._set(replace(self.state, assumptions=prediction.model.assumptions))

    def _on_frameworks_changed(self) -> None:
        """Show which frameworks are not installed."""
        self._set(replace(self.state, missing_frameworks=self._session.missing_frameworks))

    def _set(self, state: FormState) -> None:
        """Tell the form."""
        self.state = state
        self.changed.emit(state)
