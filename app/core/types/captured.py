"""What the author of a model compiled it with and, of a script, gave to ``fit``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from app.core.types.plan import Plan, plan_options
from app.core.types.text import Text

Setting = str | int | float | bool | None


@dataclass(frozen=True)
class Captured:
    """The author's own settings, which are a plan's defaults.

    Attributes:
        settings: Options of a plan by name, as far as the author's code says them.
        file: Where ``fit`` is called; None for a model that no script trains.
        line: Of that file.
        fit: Which of the script's trainings it is, from 1; None likewise.
        of: How many trainings the script's own text has.
        samples: In an epoch; None where nobody can tell.
        prepared_s: From the script's first line to its ``fit``.
        told: What is worth saying of it: what it wrote before it trained, what was not counted.
    """

    settings: tuple[tuple[str, Setting], ...] = ()
    file: str | None = None
    line: int | None = None
    fit: int | None = None
    of: int = 1
    samples: int | None = None
    prepared_s: float | None = None
    told: tuple[Text, ...] = ()

    def get(self, name: str) -> Setting:
        """One setting; None where the author's code says nothing."""
        return dict(self.settings).get(name)

    def plan(self, plan: Plan, given: Iterable[str]) -> Plan:
        """The author's plan, but for what the user gave.

        Args:
            plan: What the user asked for.
            given: The options among it that they chose; all others are the author's.

        Raises:
            InvalidWorkload: What was given cannot be had beside what the author wrote.
        """
        known = {one.name for one in plan_options()} - set(given)
        wanted: dict[str, Any] = {name: value for name, value in self.settings if name in known}
        return replace(plan, **wanted)

    def changed(self, plan: Plan) -> tuple[tuple[str, Setting], ...]:
        """The author's settings that a plan has otherwise."""
        return tuple((name, value) for name, value in self.settings if getattr(plan, name, value) != value)
