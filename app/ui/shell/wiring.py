"""Connects the window with the presenters: intents one way, states the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.presentation.problem import error_state
from app.ui.advice.advice_presenter import AdvicePresenter
from app.ui.benchmark.bench_presenter import BenchPresenter
from app.ui.fit.estimate_presenter import EstimatePresenter
from app.ui.kit import style
from app.ui.kit.bridge import Outcome, Runner
from app.ui.kit.speech import tr
from app.ui.kit.turns import Turns
from app.ui.machine.live import LiveFeed, Source
from app.ui.machine.machine_presenter import MachinePresenter
from app.ui.runs.runs_presenter import RunsPresenter
from app.ui.session.recent import Recent
from app.ui.session.session import Catalog, Session
from app.ui.shell.dialogs import Dialogs
from app.ui.shell.last_start import REOPEN, LastStart
from app.ui.shell.main_window import ADVICE, BENCHMARK, FIT, RUNS, UPGRADES, MainWindow
from app.ui.workload.code_dialog import ask_code
from app.ui.workload.code_presenter import Ask
from app.ui.workload.model_watch import ModelWatch
from app.ui.workload.pick_presenter import PickPresenter
from app.ui.workload.runtime_maker import RuntimeMaker
from app.ui.workload.runtime_presenter import RuntimePresenter

if TYPE_CHECKING:
    from app.services.advisor import Advisor

THEME_CYCLE = {"light": "dark", "dark": "light", "contrast": "light"}


class Wiring(QObject):
    """Everything behind one window.

    Args:
        window: The window.
        advisor: The façade.
        runner: Starts threads; stopped when the window closes.
        live: Where live readings come from; None for none.
        ask: Asks which function of a Python file may run; a dialog by default.
    """

    def __init__(
        self, window: MainWindow, advisor: Advisor, runner: Runner, live: Source | None, ask: Ask | None = None
    ) -> None:
        super().__init__(window)
        self.window, self.runner = window, runner
        self.session = Session(advisor, runner, self)
        self.machine = MachinePresenter(self.session, self)
        settings = window.settings
        self.last_start = LastStart(self.session, settings, self)
        asking = partial(ask_code, window) if ask is None else ask
        self.pick = PickPresenter(self.session, asking, self.last_start.remembered, Recent(settings), self)
        self.runtime = RuntimePresenter(self.session, settings, self)
        self.maker = RuntimeMaker(self.session, self)
        self.estimates = EstimatePresenter(self.session, self)
        self.watch = ModelWatch(self.session, self)
        self.bench = BenchPresenter(self.session, window.settings.bench_seconds, self)
        self.advice = AdvicePresenter(self.session, self.estimates, self.bench, self)
        self.runs = RunsPresenter(self.session, self)
        self.feed = LiveFeed(runner, live, window.machine.add_reading) if live is not None else None
        self.dialogs = Dialogs(self)
        self.dressing = Turns(self)
        self._status: dict[str, tuple[str, float | None]] = {}
        self._page_states: dict[int, Any] = {}
        self._connect_window()
        self._connect_presenters()

    def start(self) -> None:
        """Read the machine and the catalog, and answer the first question."""
        advisor = self.session.advisor
        if self.feed is not None:
            self.feed.start()
        self.runtime.show()
        self.runner.call("machine", advisor.machine.read, self._on_machine)
        self.runner.call("catalog", partial(_read_catalog, advisor), self._on_catalog)
        self.window.pages.show_page(FIT)

    # Window to presenters

    def _connect_window(self) -> None:
        """What the user does outside the pages."""
        window, form = self.window, self.window.form
        window.closing.connect(self.last_start.ended_well)
        window.closing.connect(self.runner.stop)
        window.escape_pressed.connect(self.escape)
        window.measure_requested.connect(self.measure)
        window.find_requested.connect(self.dialogs.open_palette)
        window.error.acted.connect(self.act)
        window.diagnostics_requested.connect(self.dialogs.open_diagnostics)
        window.top.theme_requested.connect(self._next_theme)
        window.top.settings_requested.connect(self.dialogs.open_settings)
        window.status.cancel_requested.connect(self.cancel)
        window.machine.simulate_requested.connect(self.dialogs.open_simulate)
        form.model_chosen.connect(self.pick.choose_model)
        form.model_file_chosen.connect(self.pick.open_model)
        form.dataset_chosen.connect(self.pick.choose_dataset)
        form.data_path_chosen.connect(self.pick.open_data)
        form.plan_changed.connect(self.session.set_plan)
        form.interpreter_chosen.connect(self.runtime.choose_interpreter)
        form.runtimes_requested.connect(self.dialogs.open_runtimes)
        window.pages.shown.connect(self._on_page_shown)

    def _connect_presenters(self) -> None:
        """What the presenters say."""
        window = self.window
        self.estimates.verdict_changed.connect(self._on_verdict)
        self.estimates.verdict_changed.connect(self.last_start.on_verdict)
        self.estimates.fit_changed.connect(partial(self._keep, FIT))
        self.estimates.traced.connect(lambda _ok: self.machine.begin())
        self.estimates.traced.connect(lambda _ok: self.watch.look())
        self.watch.edited.connect(self._on_model_edited)
        self.session.prediction_changed.connect(self._on_prediction)
        self.machine.changed.connect(window.machine.set_state)
        self.pick.changed.connect(window.form.set_state)
        self.runtime.changed.connect(self.pick.show_interpreters)
        self.maker.made.connect(self.runtime.choose_interpreter)
        self.machine.nothing_trains.connect(self._offer_runtimes)
        self.bench.changed.connect(partial(self._keep, BENCHMARK))
        self.bench.running_changed.connect(self._on_running)
        self.advice.advice_changed.connect(partial(self._keep, ADVICE))
        self.advice.upgrades_changed.connect(partial(self._keep, UPGRADES))
        self.runs.changed.connect(partial(self._keep, RUNS))
        self.session.said.connect(window.toast.say)
        self.session.failed.connect(window.error.set_error)
        self.session.workload_changed.connect(self._on_workload)
        self.session.measured.connect(lambda _run: self.estimates.recompute())
        self.estimates.status_changed.connect(partial(self._on_status, "trace"))
        self.machine.status_changed.connect(partial(self._on_status, "machine"))
        self.bench.status_changed.connect(partial(self._on_status, "bench"))
        self.pick.status_changed.connect(partial(self._on_status, "scan"))

    def _connect_page(self, index: int) -> None:
        """What the user does on a page, once the page is built."""
        page: Any = self.window.pages.page(index)
        connections: dict[int, list[tuple[Any, Callable[..., Any]]]] = {
            FIT: [("batch_chosen", self.session.set_batch_size)],
            BENCHMARK: [
                ("start_requested", self.measure),
                ("cancel_requested", self.bench.cancel),
                ("seconds_changed", self.set_seconds),
                ("measure_changed", self.bench.set_measure),
                ("devices_changed", self.bench.set_devices),
                ("acted", self.act),
            ],
            ADVICE: [("tried", self.advice.try_it), ("verify_requested", self.verify)],
            UPGRADES: [("price_changed", self.advice.change_price)],
            RUNS: [
                ("filter_changed", self.runs.set_filter),
                ("run_selected", self.runs.select),
                ("compare_requested", self.runs.compare),
                ("delete_requested", self.runs.delete),
                ("note_changed", self.runs.set_note),
                ("reuse_requested", self.runs.reuse),
                ("save_requested", self.runs.save),
            ],
        }
        for signal, slot in connections[index]:
            getattr(page, signal).connect(slot)

    # Actions

    def measure(self) -> None:
        """Start a benchmark and show its page."""
        if self.bench.start() or self.bench.running:
            self.window.pages.show_page(BENCHMARK)

    def verify(self, recommendation_id: str) -> None:
        """Verify a recommendation by a short run; the page stays."""
        self.advice.verify(recommendation_id)

    def act(self, action: str) -> None:
        """Do the one thing that an error card offers."""
        name, _, value = action.partition(":")
        if name == "apply_batch" and value.isdecimal():
            self.session.set_batch_size(int(value))
            self.window.pages.show_page(FIT)
        elif name == "measure":
            self.measure()
        elif name == REOPEN:
            self.last_start.reopen()

    def cancel(self) -> bool:
        """Cancel what runs; True if anything did."""
        return self.pick.cancel() or self.bench.cancel() or self.estimates.cancel()

    def escape(self) -> None:
        """Cancel what runs, else return from the simulation."""
        if not self.cancel():
            self.machine.reset()

    def set_theme(self, name: str) -> None:
        """Wear another theme and remember it."""
        self.window.settings.theme = name
        app = QApplication.instance()
        if isinstance(app, QApplication):
            worn = style.system_theme() if name == "system" else name
            self.dressing.go_through(style.change(app, worn))  # type: ignore[arg-type]

    def set_language(self, name: str) -> None:
        """Remember the language of the next start."""
        self.window.settings.language = name

    def set_sizes(self, decimal: bool) -> None:
        """Remember the units of the next start."""
        self.window.settings.decimal_sizes = decimal

    def _next_theme(self) -> None:
        """Switch between light and dark."""
        self.set_theme(THEME_CYCLE[style.current().name])

    def set_seconds(self, seconds: int) -> None:
        """Remember how long a benchmark measures."""
        self.window.settings.bench_seconds = seconds
        self.bench.set_seconds(seconds)
        self._update_measure()

    # Presenters to window

    def _keep(self, index: int, state: Any) -> None:
        """Show a page's state, now or when the page is built."""
        self._page_states[index] = state
        if self.window.pages.built(index):
            page: Any = self.window.pages.page(index)
            page.set_state(state)

    def _on_page_shown(self, index: int) -> None:
        """Bring a page up to date."""
        page = self.window.pages.page(index)
        if page.property("connected") is None:
            page.setProperty("connected", True)
            self._connect_page(index)
            if index == BENCHMARK:
                self._page_states.setdefault(index, self.bench.state)
            if index in self._page_states:
                self._keep(index, self._page_states[index])
        self.advice.set_active(index in (ADVICE, UPGRADES))
        self.runs.set_active(index == RUNS)

    def _on_machine(self, outcome: Outcome) -> None:
        """Take the reading of this machine."""
        if outcome.ending == "succeeded":
            self.session.set_real_machine(outcome.value)
        else:
            self.session.fail(error_state(outcome.error))

    def _on_catalog(self, outcome: Outcome) -> None:
        """Take what can be picked."""
        if outcome.ending == "succeeded":
            self.session.set_catalog(outcome.value)
        else:
            self.session.fail(error_state(outcome.error))

    def _on_verdict(self, state: Any) -> None:
        """Show the answer."""
        self.window.verdict.set_state(state)
        self._update_measure()

    def _on_prediction(self) -> None:
        """The first traced answer starts the background questions."""
        if not self.session.textbook:
            self.machine.begin()

    def _on_workload(self) -> None:
        """An old error is over; what was not opened because the last start ended badly is still offered."""
        self.window.error.set_error(*self.last_start.offer())

    def _on_running(self, running: bool) -> None:
        """A benchmark starts or ends."""
        self.machine.set_paused(running)
        if self.feed is not None:
            self.feed.set_slow(running)
        self._update_measure()
        if not running and self.window.pages.current() != BENCHMARK and self.bench.state.stage == "done":
            show = partial(self.window.pages.show_page, BENCHMARK)
            self.session.say(tr("The benchmark has ended"), tr("Show"), show)

    def _on_model_edited(self, name: str) -> None:
        """What is shown is of the file as it was: say so, with the way to what it is."""
        text = tr("{name} was edited; what is shown is of the version before").format(name=name)
        self.session.say(text, tr("Trace again"), self.pick.reopen_model)

    def _offer_runtimes(self) -> None:
        """No framework was found: say so, with the way to one."""
        text = tr("No TensorFlow, JAX or PyTorch was found: models of your own and benchmarks need one")
        self.session.say(text, tr("Find or make one"), self.dialogs.open_runtimes)

    def _update_measure(self) -> None:
        """Can something be measured."""
        possible = self.session.workload is not None and not self.session.simulation.active and not self.bench.running
        self.window.verdict.set_measure(self.bench.state.seconds, enabled=possible)

    def _on_status(self, source: str, text: str, fraction: float | None, running: bool) -> None:
        """The status line says what runs; a benchmark first."""
        if running:
            self._status[source] = (text, fraction)
        else:
            self._status.pop(source, None)
        for name in ("scan", "bench", "trace", "machine"):
            if name in self._status:
                self.window.status.set_status(*self._status[name], running=True)
                return
        self.window.status.set_status("", None, running=False)


def _read_catalog(advisor: Advisor) -> Catalog:
    """In a thread: everything that can be picked."""
    return Catalog(advisor.catalog.models(), advisor.catalog.datasets(), advisor.catalog.gpus())
