"""What the author of a model compiled it with and, of a script, gave to ``fit``."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from app.core.types.plan import Plan, plan_options
from app.core.types.plan_values import VARIANT_OPTIONS
from app.core.types.text import Text

Setting = str | int | float | bool | None


@dataclass(frozen=True)
class Training:
    """One call of ``fit`` that a script came to.

    Attributes:
        fit: Which of the script's trainings it is, from 1.
        file: Where ``fit`` is called; None where no line of the user's is known.
        line: Of that file.
        cell: Of a notebook, from 1.
        optimizer: Its name as Keras has it; None where the model has none.
        batch_size: Samples in a step.
        epochs: How many are trained.
        samples: In an epoch; None where nobody can tell.
    """

    fit: int
    file: str | None = None
    line: int | None = None
    cell: int | None = None
    optimizer: str | None = None
    batch_size: int = 1
    epochs: int = 1
    samples: int | None = None

    @property
    def place(self) -> tuple[str | None, int | None, int | None]:
        """Which line it is."""
        return self.file, self.cell, self.line

    @property
    def steps(self) -> float | None:
        """Of all its epochs; None where nobody can tell."""
        return None if self.samples is None else self.epochs * math.ceil(self.samples / self.batch_size)


@dataclass(frozen=True)
class Captured:
    """The author's own settings, which are a plan's defaults.

    Attributes:
        settings: Options of a plan by name, as far as the author's code says them.
        file: Where ``fit`` is called; None for a model that no script trains.
        line: Of that file.
        cell: Of a notebook, from 1.
        fit: Which of the script's trainings it is, from 1; None likewise.
        of: How many trainings the script has, as far as ``of_is`` knows.
        of_is: Where that comes from: its ``source``, which cannot tell how often a loop trains, or from all
            that were ``seen`` while it ran to its end.
        in_loop: The line stands in a loop, so that it may train more than once.
        other_lines: Further lines of the file that train, as its text says; of a notebook ``cell 4:13``.
        trainings: Those that were seen while the script ran, this one among them.
        samples: In an epoch; None where nobody can tell.
        held_bytes: What the script holds in the processor's allocator beside its step while its data runs: the dataset,
            batches made ahead, tensors that it keeps; None where nobody counted.
        maybe_held_bytes: Of these, what another run of the same script may not hold.
        prepared_s: From the script's first line to its ``fit``.
        told: What is worth saying of it: what it wrote before it trained, what was not counted.
    """

    settings: tuple[tuple[str, Setting], ...] = ()
    file: str | None = None
    line: int | None = None
    cell: int | None = None
    fit: int | None = None
    of: int = 1
    of_is: Literal["source", "seen"] = "source"
    in_loop: bool = False
    other_lines: tuple[str, ...] = ()
    trainings: tuple[Training, ...] = ()
    samples: int | None = None
    held_bytes: int | None = None
    maybe_held_bytes: int = 0
    prepared_s: float | None = None
    told: tuple[Text, ...] = ()

    def get(self, name: str) -> Setting:
        """One setting; None where the author's code says nothing."""
        return dict(self.settings).get(name)

    @property
    def same_line(self) -> tuple[Training, ...]:
        """The trainings of this one's line, such as folds; nothing unless all of them were seen."""
        if self.of_is != "seen":
            return ()
        return tuple(one for one in self.trainings if one.place == (self.file, self.cell, self.line))

    @property
    def trainings_like_this(self) -> float:
        """How often this training's work is done by its line in all, by steps where they are known."""
        this = next((one for one in self.same_line if one.fit == self.fit), None)
        if this is None:
            return 1.0
        steps = [one.steps for one in self.same_line]
        if this.steps and None not in steps:
            return sum(one for one in steps if one) / this.steps
        return sum(one.epochs for one in self.same_line) / this.epochs if this.epochs else 1.0

    def plan(self, plan: Plan, given: Iterable[str]) -> Plan:
        """The author's plan, but for what the user gave.

        Args:
            plan: What the user asked for.
            given: The options among it that they chose; all others are the author's, but for what only another
                optimizer would do.

        Raises:
            InvalidWorkload: What was given cannot be had beside what the author wrote.
        """
        known = {one.name for one in plan_options()} - set(given)
        if "optimizer" in given and plan.optimizer != self.get("optimizer"):
            known -= set(VARIANT_OPTIONS)
        wanted: dict[str, Any] = {name: value for name, value in self.settings if name in known}
        return replace(plan, **wanted)

    def changed(self, plan: Plan) -> tuple[tuple[str, Setting], ...]:
        """The author's settings that a plan has otherwise."""
        return tuple((name, value) for name, value in self.settings if getattr(plan, name, value) != value)
