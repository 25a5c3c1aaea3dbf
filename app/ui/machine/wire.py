"""The machine panel with what it shows and what it sends, and who asks the machine more."""

from __future__ import annotations

from collections.abc import Callable

from app.ui.machine.machine_panel import MachinePanel
from app.ui.machine.machine_presenter import MachinePresenter
from app.ui.session.session import Session


def wire_machine(
    panel: MachinePanel, machine: MachinePresenter, session: Session, open_simulate: Callable[[], None]
) -> None:
    """Connect the panel; the first traced answer starts the questions that take a child."""

    def begin() -> None:
        if not session.textbook:
            machine.begin()

    panel.simulate_requested.connect(open_simulate)
    machine.changed.connect(panel.set_state)
    session.prediction_changed.connect(begin)
