"""Makes the presenters behind a window and connects them: intents one way, states the other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.presentation.problem import ALLOW, USE_PYTHON, error_state
from app.ui.advice.advice_presenter import AdvicePresenter
from app.ui.benchmark.bench_presenter import BenchPresenter
from app.ui.fit.estimate_presenter import EstimatePresenter
from app.ui.kit import style, words
from app.ui.kit.bridge import Outcome, Runner
from app.ui.kit.speech import said, tr
from app.ui.machine.live import LiveFeed, Source
from app.ui.machine.machine_presenter import MachinePresenter
from app.ui.machine.wire import wire_machine
from app.ui.runs.runs_presenter import RunsPresenter
from app.ui.session.recent import Recent
from app.ui.session.session import Catalog, Session
from app.ui.share.share_presenter import SharePresenter
from app.ui.shell.dialogs import Dialogs
from app.ui.shell.last_start import REOPEN, LastStart
from app.ui.shell.main_window import ADVICE, BENCHMARK, FIT, RUNS, UPGRADES, MainWindow
from app.ui.shell.page_stack import page_factories
from app.ui.shell.status_strip import BENCH, MACHINE, SCAN, TRACE, StatusSources
from app.ui.workload.code_dialog import ask_code
from app.ui.workload.code_presenter import Ask
from app.ui.workload.model_watch import ModelWatch
from app.ui.workload.pick_presenter import PickPresenter
from app.ui.workload.runtime_maker import RuntimeMaker
from app.ui.workload.runtime_presenter import RuntimePresenter
from app.ui.workload.wire import wire_form

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
        self.pick = PickPresenter(self.session, asking, Recent(settings), self)
        self.pick.begins_anew = self.last_start.ended_badly
        self.runtime = RuntimePresenter(self.session, settings, self)
        self.maker = RuntimeMaker(self.session, self)
        self.estimates = EstimatePresenter(self.session, self)
        self.watch = ModelWatch(self.session, self)
        self.bench = BenchPresenter(self.session, window.settings.bench_seconds, self)
        self.advice = AdvicePresenter(self.session, self.estimates, self.bench, self)
        self.runs = RunsPresenter(self.session, self)
        self.share = SharePresenter(self.session, self)
        self.feed = LiveFeed(runner, live, window.machine.add_reading) if live is not None else None
        self.dialogs = Dialogs(self)
        self._status = StatusSources(window.status)
        window.pages.set_factories(page_factories(self))
        self._connect()

    def start(self) -> None:
        """Read the machine and the catalog, and answer the first question."""
        advisor = self.session.advisor
        if self.feed is not None:
            self.feed.start()
        self.runtime.show()
        self.runner.call("machine", advisor.machine.read, self._on_machine)
        self.runner.call("catalog", partial(_read_catalog, advisor), self._on_catalog)
        self.window.pages.show_page(FIT)

    def _connect(self) -> None:
        """Each feature by itself; then what goes from one to another."""
        window, session = self.window, self.session
        wire_machine(window.machine, self.machine, session, self.dialogs.open_simulate)
        wire_form(window.form, session, self.pick, self.runtime, self.maker, self.dialogs.open_runtimes)
        self._connect_window()
        self.share.previewed.connect(self.dialogs.open_share)
        self.estimates.verdict_changed.connect(window.verdict.set_state)
        self.estimates.verdict_changed.connect(self.last_start.on_verdict)
        self.estimates.verdict_changed.connect(self._update_measure)
        self.estimates.traced.connect(self.machine.begin)
        self.estimates.traced.connect(self.watch.look)
        self.watch.edited.connect(self._on_model_edited)
        self.machine.nothing_trains.connect(self._offer_runtimes)
        self.bench.running_changed.connect(self._on_running)
        session.workload_changed.connect(self._on_new_question)
        session.advisor_changed.connect(self._on_new_question)
        session.measured.connect(self.estimates.recompute)

    def _connect_window(self) -> None:
        """What the user does outside form and pages, and where messages go."""
        window, session = self.window, self.session
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
        window.pages.shown.connect(self._on_page_shown)
        session.said.connect(window.toast.say)
        session.failed.connect(lambda error: window.error.set_error(error, words.action(error.action)))
        self.pick.status_changed.connect(self._status.of(SCAN))
        self.bench.status_changed.connect(self._status.of(BENCH))
        self.estimates.status_changed.connect(self._status.of(TRACE))
        self.machine.status_changed.connect(self._status.of(MACHINE))

    # Actions

    def measure(self) -> None:
        """Start a benchmark and show its page; what cannot be built is told instead."""
        if self.bench.state.unbuildable and not self.bench.running:
            text = tr("This model cannot be measured: {why}")
            self.session.say(text.format(why=said(self.bench.state.unbuildable)))
        elif self.bench.start() or self.bench.running:
            self.window.pages.show_page(BENCHMARK)

    def act(self, action: str) -> None:
        """Do the one thing that an error card offers."""
        name, _, value = action.partition(":")
        if name == "apply_batch" and value.isdecimal():
            self.session.set_batch_size(int(value))
            self.window.pages.show_page(FIT)
        elif name == "measure":
            self.measure()
        elif name == ALLOW:
            self.pick.allow_model()
        elif name == USE_PYTHON:
            self.runtime.choose_interpreter(value)
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
            style.apply(app, worn)  # type: ignore[arg-type]

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

    def _on_page_shown(self, index: int) -> None:
        """Advice and history are asked for while somebody looks at them."""
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

    def _on_new_question(self) -> None:
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
        """Can something be measured, and if not because it cannot be built, why."""
        failed = self.estimates.verdict.error if self.estimates.verdict.stage == "failed" else None
        self.bench.set_unbuildable(failed.message if failed is not None else "")
        possible = self.session.workload is not None and not self.session.simulation.active and not self.bench.running
        self.window.verdict.set_measure(
            self.bench.state.seconds, enabled=possible and failed is None, unbuildable=failed is not None
        )


def _read_catalog(advisor: Advisor) -> Catalog:
    """In a thread: everything that can be picked."""
    return Catalog(advisor.catalog.models(), advisor.catalog.datasets(), advisor.catalog.gpus())
