"""What the presenters share: the façade, the machine (real and simulated), the workload, the newest answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.core.types.machine import GpuSpec, Machine
from app.core.types.prediction import Prediction
from app.core.types.workload import Dataset, Plan, Workload
from app.presentation.problem import ErrorState, error_state
from app.ui.kit.bridge import Outcome, Runner

if TYPE_CHECKING:
    from app.catalog.models import ModelEntry
    from app.services.advisor import Advisor


@dataclass(frozen=True)
class Simulation:
    """Which parts the user replaced."""

    gpu: str | None = None
    ram_bytes: int | None = None
    disk_bytes_per_s: float | None = None

    @property
    def active(self) -> bool:
        """Anything is replaced."""
        return self != Simulation()


@dataclass(frozen=True)
class Catalog:
    """Everything that can be picked."""

    models: tuple[ModelEntry, ...] = ()
    datasets: tuple[Dataset, ...] = ()
    gpus: tuple[GpuSpec, ...] = ()


class Session(QObject):
    """Holds the present question; tells when it changes."""

    advisor_changed = Signal()
    """Another Python trains: everything that a child told is to be asked again."""
    settings_changed = Signal()
    frameworks_changed = Signal()
    catalog_changed = Signal()
    machine_changed = Signal()
    workload_changed = Signal()
    model_reopened = Signal()
    """The present model was opened again; its file may be another now."""
    prediction_changed = Signal()
    measured = Signal(object)
    """A run was stored."""
    said = Signal(str, str, object)
    """Message, word of an action, the action or None."""
    failed = Signal(object)
    """An `ErrorState` that belongs to no page."""

    def __init__(self, advisor: Advisor, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.advisor = advisor
        self.runner = runner
        self.catalog = Catalog()
        self.missing_frameworks: tuple[str, ...] = ()
        self.real_machine: Machine | None = None
        self.machine: Machine | None = None
        self.simulation = Simulation()
        self.workload: Workload | None = None
        self.remembered: Workload | None = None
        """The workload of the last time."""
        self.prediction: Prediction | None = None
        self.textbook = True

    def set_advisor(self, advisor: Advisor) -> None:
        """Take a façade with other settings; only another Python makes old answers wrong."""
        other = advisor.settings.interpreter != self.advisor.settings.interpreter
        self.advisor = advisor
        if other:
            self.set_missing_frameworks(())
            self.advisor_changed.emit()
        self.settings_changed.emit()

    def set_missing_frameworks(self, names: tuple[str, ...]) -> None:
        """Take which frameworks the interpreter does not have."""
        self.missing_frameworks = names
        self.frameworks_changed.emit()

    def set_catalog(self, catalog: Catalog) -> None:
        """Take what can be picked."""
        self.catalog = catalog
        self.catalog_changed.emit()

    def set_real_machine(self, machine: Machine) -> None:
        """Take a reading of this machine."""
        self.real_machine = machine
        if self.simulation.active:
            self.simulate(self.simulation)
        else:
            self.machine = machine
            self.machine_changed.emit()

    def set_workload(self, workload: Workload) -> None:
        """Ask about another workload."""
        if workload != self.workload:
            self.workload = workload
            self.workload_changed.emit()

    def reopen_model(self) -> None:
        """Ask the present question again, of the model's file as it is now."""
        self.model_reopened.emit()

    def set_plan(self, plan: Plan) -> None:
        """Ask about another plan for the same model and data."""
        if self.workload is not None:
            self.set_workload(replace(self.workload, plan=plan))

    def set_batch_size(self, batch_size: int) -> None:
        """Ask about another batch size."""
        if self.workload is not None:
            self.set_plan(replace(self.workload.plan, batch_size=batch_size))

    def set_prediction(self, prediction: Prediction, *, textbook: bool) -> None:
        """Take a new answer."""
        self.prediction, self.textbook = prediction, textbook
        self.prediction_changed.emit()

    def simulate(self, simulation: Simulation) -> None:
        """Replace parts of the machine; an empty simulation returns to the real one."""
        if self.real_machine is None:
            return
        real, advisor = self.real_machine, self.advisor
        self.simulation = simulation
        if not simulation.active:
            self.machine = real
            self.machine_changed.emit()
            return
        self.runner.call(
            "simulate",
            lambda: advisor.machine.simulate(real, **asdict(simulation)),
            lambda outcome: self._on_simulated(simulation, outcome),
        )

    def _on_simulated(self, simulation: Simulation, outcome: Outcome) -> None:
        """Take the simulated machine, unless the user went on meanwhile."""
        if simulation != self.simulation:
            return
        if outcome.ending != "succeeded":
            self.simulation = Simulation()
            self.failed.emit(error_state(outcome.error))
            return
        self.machine = outcome.value
        self.machine_changed.emit()

    def say(self, text: str, action: str = "", do: Callable[[], None] | None = None) -> None:
        """Show a short message."""
        self.said.emit(text, action, do)

    def fail(self, error: ErrorState) -> None:
        """Show an error that belongs to no page."""
        self.failed.emit(error)
