"""Everything that can be found with Ctrl+K: actions and places under the words that a person would use for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from app.ui.kit.speech import said, tr
from app.ui.session.session import Simulation
from app.ui.shell.main_window import RUNS
from app.ui.workload.state_form import dataset_entries, model_entries

if TYPE_CHECKING:
    from app.ui.shell.wiring import Wiring

MOST = 40
_WORD = re.compile(r"\w+")


def _never() -> str:
    """What can always be done."""
    return ""


@dataclass(frozen=True)
class Command:
    """Something that can be found: kind, title and other words for it are searched."""

    kind: str
    title: str
    do: Callable[[], object]
    words: str = ""
    """What else somebody may call it; not shown."""
    refused: Callable[[], str] = _never
    """Why it cannot be done now; empty where it can."""


def matching(commands: Sequence[Command], text: str) -> list[Command]:
    """Commands that hold every word; first those whose title begins with the text, then those with whole words."""
    typed, start = text.lower().split(), text.lower().strip()
    found = [c for c in commands if all(word in f"{c.kind} {c.title} {c.words}".lower() for word in typed)]

    def rank(one: Command) -> int:
        title, known = one.title.lower(), _WORD.findall(f"{one.title} {one.words}".lower())
        if title.startswith(start):
            return 0
        return 1 if set(typed) <= set(known) else 2 if all(word in title for word in typed) else 3

    return sorted(found, key=rank)[:MOST]


def commands_of(wiring: Wiring) -> list[Command]:
    """Everything that can be found in a window."""
    return [
        *_pages(wiring),
        *_work(wiring),
        *_runs(wiring),
        *_looks(wiring),
        *_around(wiring),
        *_options(wiring),
        *_entries(wiring),
    ]


def _pages(wiring: Wiring) -> Iterator[Command]:
    """The five pages."""
    words = (
        tr("memory verdict fits chart layers largest batch"),
        tr("measure speed run test plots"),
        tr("recommendations tips faster slower less memory optimize"),
        tr("buy rent price cost cloud card RAM disk hardware"),
        tr("history results measurements note delete filter"),
    )
    pages = wiring.window.pages
    for index, other in enumerate(words):
        yield Command(tr("page"), pages.tabs.tabText(index), partial(pages.show_page, index), other)


def _work(wiring: Wiring) -> Iterator[Command]:
    """What is done with the workload."""
    form, action = wiring.window.form, tr("action")
    measurable = partial(_no_measuring, wiring)
    words = tr("benchmark start run test speed be sure")
    yield Command(action, tr("Measure now"), wiring.measure, words, measurable)
    yield Command(
        action, tr("Stop what runs"), wiring.cancel, tr("cancel abort end halt"), partial(_nothing_runs, wiring)
    )
    yield Command(action, tr("Open a model file"), form.open_model.click, tr("load import own network Keras Python h5"))
    yield Command(action, tr("Use a folder of data"), form.ask_for_folder, tr("open load own dataset images"))
    yield Command(action, tr("Use a file of data"), form.ask_for_file, tr("open load own dataset csv npz TFRecord"))
    yield Command(action, tr("Trace the model again"), wiring.estimates.trace_again, tr("reload refresh update model"))


def _runs(wiring: Wiring) -> Iterator[Command]:
    """What is done with runs: of those that are selected, else of the newest."""
    action, words = tr("action"), tr("save export write share print result")
    kinds = {
        ".html": tr("Save a report (HTML)"),
        ".pdf": tr("Save a report (PDF)"),
        ".md": tr("Save a report (Markdown)"),
        ".json": tr("Save everything about a run (JSON)"),
    }
    for ending, title in kinds.items():
        yield Command(action, title, partial(_save, wiring, ending), words, partial(_too_few_runs, wiring, 1))
    share = wiring.share
    shown = tr("show others picture image Markdown issue chat paper publish")
    yield Command(action, tr("Share this answer"), share.share_answer, shown, share.why_no_answer)
    yield Command(action, tr("Share a run"), partial(_share, wiring), shown, partial(_too_few_runs, wiring, 1))
    yield Command(
        action,
        tr("Compare runs"),
        partial(_compare, wiring),
        tr("side by side difference between"),
        partial(_too_few_runs, wiring, 2),
    )


def _looks(wiring: Wiring) -> Iterator[Command]:
    """Theme, language and units."""
    action, theme = tr("action"), tr("theme colours appearance mode look")
    for name, title in (
        ("light", tr("Light theme")),
        ("dark", tr("Dark theme")),
        ("contrast", tr("High contrast")),
        ("system", tr("Theme of the desktop")),
    ):
        yield Command(action, title, partial(wiring.set_theme, name), theme)
    for name, title in (("en", "English"), ("de", "Deutsch")):
        text = tr("Language: {name}").format(name=title)
        yield Command(
            action, text, partial(_at_next_start, wiring, wiring.set_language, name), tr("translation German")
        )
    for decimal, unit in ((False, "GiB"), (True, "GB")):
        text = tr("Sizes in {unit}").format(unit=unit)
        yield Command(action, text, partial(_at_next_start, wiring, wiring.set_sizes, decimal), tr("units bytes"))


def _around(wiring: Wiring) -> Iterator[Command]:
    """The machine, what trains, and the program itself."""
    action, dialogs = tr("action"), wiring.dialogs
    simulated = partial(_not_simulated, wiring)
    install = tr("Find or make a Python that trains")
    runtimes = tr("install TensorFlow Keras JAX PyTorch interpreter environment virtual")
    settings = tr("preferences options language theme units electricity price benchmark seconds cache clear")
    machine = tr("processor card driver CUDA who holds memory hardware")
    window = wiring.window
    yield Command(action, tr("Simulate other hardware"), dialogs.open_simulate, tr("what if another card GPU RAM disk"))
    yield Command(action, tr("Return to this machine"), wiring.machine.reset, tr("end stop simulation"), simulated)
    yield Command(action, install, dialogs.open_runtimes, runtimes)
    yield Command(action, tr("Settings"), dialogs.open_settings, settings)
    yield Command(action, tr("Machine details"), window.machine.show_details, machine)
    good = tr("accuracy how good exact error trust reliable precise quality compare others xMem")
    yield Command(action, tr("How good is it?"), dialogs.open_accuracy, good)
    yield Command(
        action, tr("Copy diagnostics"), dialogs.open_diagnostics, tr("bug problem error help support log clipboard")
    )
    yield Command(action, tr("Close the window"), window.close, tr("quit exit end"))


def _options(wiring: Wiring) -> Iterator[Command]:
    """The fields of the form."""
    form, kind = wiring.window.form, tr("option")
    yield Command(kind, tr("Model"), form.model.setFocus)
    yield Command(kind, tr("Data"), form.dataset.setFocus)
    yield Command(kind, tr("Batch"), form.batch.spin.setFocus)
    for field in form.fields.values():
        yield _option(field, partial(field.widget.setFocus, Qt.FocusReason.OtherFocusReason))
    for field in form.more.fields.values():
        yield _option(field, partial(form.more.show_field, field.widget))


def _option(field: Any, do: Callable[[], object]) -> Command:
    """One option of the plan; one that cannot be had says why in its tooltip."""
    widget = field.widget
    name = said(field.option.label)
    return Command(tr("option"), name, do, widget.toolTip(), lambda: "" if widget.isEnabled() else widget.toolTip())


def _entries(wiring: Wiring) -> Iterator[Command]:
    """What can be picked: models, data, cards."""
    catalog, pick, session = wiring.session.catalog, wiring.pick, wiring.session
    for key, text in model_entries(catalog.models):
        yield Command(tr("model"), text, partial(pick.choose_model, key), key)
    for key, text in dataset_entries(catalog.datasets):
        yield Command(tr("data"), text, partial(pick.choose_dataset, key), key)
    for gpu in catalog.gpus:
        do = partial(session.simulate, replace(session.simulation, gpu=gpu.name))
        yield Command(tr("simulate"), gpu.name, do, tr("GPU card graphics"))


def _no_measuring(wiring: Wiring) -> str:
    """Why nothing can be measured."""
    if wiring.session.simulation.active:
        return tr("simulated hardware cannot be measured")
    if wiring.bench.running:
        return tr("a benchmark runs already")
    if wiring.bench.state.unbuildable:
        return tr("this model cannot be built")
    return "" if wiring.session.workload is not None else tr("no model is chosen yet")


def _nothing_runs(wiring: Wiring) -> str:
    """Why nothing can be stopped."""
    runs = wiring.bench.running or wiring.estimates.tracing or wiring.pick.state.scanning
    return "" if runs else tr("nothing runs")


def _not_simulated(wiring: Wiring) -> str:
    """Why there is no way back from a simulation."""
    return "" if wiring.session.simulation != Simulation() else tr("nothing is simulated")


def _too_few_runs(wiring: Wiring, least: int) -> str:
    """Why runs cannot be saved or compared."""
    state = wiring.runs.state
    if not state.loaded or state.filter_text or len(state.rows) >= least:
        return ""
    return tr("it takes two runs") if state.rows else tr("there is no run yet: measure first")


def _save(wiring: Wiring, ending: str) -> None:
    """Show what a file of the selected runs would hold, or of the newest."""
    wiring.window.pages.show_page(RUNS)
    page: Any = wiring.window.pages.page(RUNS)
    wiring.runs.preview(page.selected_ids()[: None if ending == ".json" else 1], ending)


def _share(wiring: Wiring) -> None:
    """Show what others would see of the first selected run, or of the newest."""
    wiring.window.pages.show_page(RUNS)
    page: Any = wiring.window.pages.page(RUNS)
    wiring.share.share_runs(page.selected_ids())


def _compare(wiring: Wiring) -> None:
    """Compare the selected runs, or the newest with the one before it."""
    wiring.window.pages.show_page(RUNS)
    page: Any = wiring.window.pages.page(RUNS)
    page.compare_selected()


def _at_next_start(wiring: Wiring, remember: Callable[[Any], None], value: object) -> None:
    """Remember what the next start takes, and say that it is so."""
    remember(value)
    wiring.session.say(tr("This changes when the program is started again."))
