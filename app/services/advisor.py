"""The façade: the objects that do the work, put together.  Window and command line are two thin faces of it.

Methods may block for seconds (a trace, a benchmark) and are safe to call from worker threads;
`Predictor.predict`, `Predictor.quick`, `GraphCache.get` and `ThisMachine.cached_rates` answer at once.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from app.core.types.errors import UsageError
from app.core.types.text import phrase
from app.services.catalog.catalog import Catalog
from app.services.child.start_place import found_program
from app.services.machine.this_machine import ThisMachine
from app.services.models.consent import TrustStore
from app.services.predictor.predictor import Predictor
from app.services.runtimes.having import named_elsewhere
from app.services.settings import Settings
from app.services.store.history import History

if TYPE_CHECKING:
    from app.services.advice.advice_service import AdviceService
    from app.services.benchmarks.benchmarks import Benchmarks
    from app.services.runtimes.runtimes import Runtimes


class Advisor:
    """All use cases on this machine.  What no estimate needs is loaded when somebody asks for it.

    Args:
        settings: Folders and preferences.
        history: Where runs are stored.
        interpreter: The Python that trains; that of the settings if None, and else this program's own.

    Attributes:
        settings: Folders and preferences.
        history: Every run.
        catalog: Models, data, cards and offers, what the user typed, and which code may run.
        machine: This machine, what was measured of it, and simulated ones.
        predictor: Traced graphs, and predictions from them.
    """

    def __init__(self, settings: Settings, history: History, interpreter: str | None = None) -> None:
        self._python = python = interpreter or settings.interpreter
        self.settings = settings
        self.history = history
        self.catalog = Catalog(settings.tables_dir, TrustStore(settings.folders.config_dir / "trusted.json"))
        self.machine = ThisMachine(settings, history, self.catalog, python)
        self.predictor = Predictor(settings, history, self.catalog, self.machine, python)
        self.predictor.on_missing = named_elsewhere

    @functools.cached_property
    def benchmarks(self) -> Benchmarks:
        """Real runs."""
        from app.services.benchmarks.benchmarks import Benchmarks

        return Benchmarks(self.settings, self.history, self.predictor, self.catalog.trust, self._python)

    @functools.cached_property
    def advice(self) -> AdviceService:
        """What to change and what to buy."""
        from app.services.advice.advice_service import AdviceService

        return AdviceService(self.settings, self.predictor, self.machine, self.catalog)

    @functools.cached_property
    def runtimes(self) -> Runtimes:
        """Pythons that can train."""
        from app.services.runtimes.runtimes import Runtimes

        return Runtimes(self.settings, self.machine)

    def with_settings(self, settings: Settings) -> Advisor:
        """A façade with other settings, of which what differs from these is kept, and the same history.

        Raises:
            UsageError: There is no such interpreter.
            StoreError: The settings cannot be written.
        """
        if settings.interpreter is not None and found_program(settings.interpreter) is None:
            raise UsageError(
                phrase("no such interpreter"), expected=phrase("the path of a Python"), received=settings.interpreter
            )
        return Advisor(settings.save(self.settings), self.history)
