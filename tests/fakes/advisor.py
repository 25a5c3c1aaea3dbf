"""A recorded advisor: the façade with recorded objects in place of its own, quick and without a framework."""

from __future__ import annotations

from pathlib import Path

from app.core.types.errors import UsageError
from app.core.types.text import verbatim
from app.services.advisor import Advisor
from app.services.settings import Folders, Settings
from app.services.store.history import History
from tests.fakes.advice import FakeAdvice
from tests.fakes.benchmarks import FakeBenchmarks
from tests.fakes.catalog import FakeCatalog
from tests.fakes.machine import FakeMachine
from tests.fakes.predictor import FakePredictor
from tests.fakes.runtimes import FakeRuntimes
from tests.fakes.script import Script


class FakeAdvisor(Advisor):
    """The façade, recorded.

    Attributes:
        script: What it shall do, and what it was asked.
    """

    def __init__(self, settings: Settings, history: History, script: Script | None = None) -> None:
        super().__init__(settings, history)
        script = script or Script()
        self.script = script
        catalog = FakeCatalog(script, settings)
        machine = FakeMachine(script, settings, history, catalog)
        predictor = FakePredictor(script, settings, history, catalog, machine)
        self.catalog, self.machine, self.predictor = catalog, machine, predictor
        self.benchmarks = FakeBenchmarks(script, settings, history, predictor, catalog.trust)
        self.advice = FakeAdvice(script, settings, predictor, machine, catalog)
        self.runtimes = FakeRuntimes(script, settings, machine)

    def with_settings(self, settings: Settings) -> FakeAdvisor:
        self.script.note("with_settings")
        if settings.interpreter is not None and not Path(settings.interpreter).exists():
            raise UsageError(verbatim("no such interpreter"), received=settings.interpreter)
        return FakeAdvisor(settings, self.history, self.script)


def make(folder: Path) -> FakeAdvisor:
    """A recorded advisor with an empty history."""
    settings = Settings(folders=Folders(folder, folder / "cache", folder / "config"))
    return FakeAdvisor(settings, History(folder / "history.sqlite3"))
