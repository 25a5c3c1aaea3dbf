"""What Ctrl+K can find: pages, actions, models and cards."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from app.ui.kit.speech import tr
from app.ui.shell.command_palette import Command
from app.ui.workload.state_form import model_entries

if TYPE_CHECKING:
    from app.ui.shell.wiring import Wiring


def commands_of(wiring: Wiring) -> list[Command]:
    """Everything that can be found in a window."""
    pages, tabs = wiring.window.pages, wiring.window.pages.tabs
    page, model, card = (tr("page"), tr("model"), tr("simulate"))
    found = [Command(page, tabs.tabText(i), partial(pages.show_page, i)) for i in range(tabs.count())]
    actions = (
        (tr("Measure now"), wiring.measure),
        (tr("Simulate other hardware"), wiring.dialogs.open_simulate),
        (tr("Return to this machine"), wiring.machine.reset),
        (tr("Trace the model again"), wiring.estimates.trace_again),
        (tr("Which Python trains"), wiring.dialogs.open_runtimes),
        (tr("Settings"), wiring.dialogs.open_settings),
        (tr("Find or make a Python that trains"), wiring.dialogs.open_runtimes),
        (tr("Copy diagnostics"), wiring.dialogs.open_diagnostics),
        (tr("Machine details"), wiring.window.machine.show_details),
    )
    found += [Command(tr("action"), title, do) for title, do in actions]
    catalog = wiring.session.catalog
    for key, text in model_entries(catalog.models):
        found.append(Command(model, text, partial(wiring.pick.choose_model, key)))
    simulation = wiring.session.simulation
    for gpu in catalog.gpus:
        found.append(Command(card, gpu.name, partial(wiring.session.simulate, replace(simulation, gpu=gpu.name))))
    return found
