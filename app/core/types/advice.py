"""Types of advice: recommendations for this machine, upgrades of it.  The rules stand in `recommend` and `upgrades`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from app.core.types.predicted_time import StageShare
from app.core.types.prediction import Fit, Prediction
from app.core.types.text import Text

UpgradeKind = Literal["ram", "disk", "gpu", "cpu", "cloud"]
"""Parts to buy, and machines to rent."""


@dataclass(frozen=True)
class Effect:
    """Memory and time of one epoch, before or after a change; ``None`` is unknown."""

    memory_bytes: int | None
    epoch_s: float | None
    low_s: float | None = None
    high_s: float | None = None
    total_s: float | None = None
    """All epochs of the plan."""


@dataclass(frozen=True)
class Proposal:
    """A change of the plan to try, before anybody knows whether it helps."""

    id: str
    title: Text
    why: Text
    changes: dict[str, Any]
    changes_result: bool
    keeps_model: bool = True
    """The network and what it reads stay as they are; else it is another question ("what if")."""
    how: Text = Text()
    """How to do it in a program of one's own."""


@dataclass(frozen=True)
class Recommendation:
    """A change that costs nothing (or little) on this machine.

    ``changes`` are fields of the plan, so that "Try" can apply them and a run can verify them; empty where the
    change is not one of the plan (closing a program, plugging in): then ``how`` says what to do.
    """

    id: str
    title: Text
    why: Text
    changes: dict[str, Any]
    before: Effect
    after: Effect
    changes_result: bool
    """Does the trained model differ from what the unchanged plan gives?"""
    free: bool = True
    basis: Text = Text()
    keeps_model: bool = True
    """False for a "what if": another network, or other data."""
    how: Text = Text()
    """How to do it in a program of one's own."""
    gain_limit: float | None = None
    """Upper bound of the speed-up by a change of this kind, however well it is done (Amdahl)."""

    @property
    def verifiable(self) -> bool:
        """Can a run of ours show whether it is so."""
        return bool(self.changes)


@dataclass(frozen=True)
class Tried:
    """A change that was tried and is not recommended."""

    change: Recommendation
    reason: Text
    """Why it does not help, as the end of a sentence."""
    smaller: bool = False
    """It needs notably less memory: a way to take where memory becomes short."""


@dataclass(frozen=True)
class Upgrade:
    """Hardware to buy or rent, answered for the same workload.

    ``why`` is the answer in a sentence, also where the answer is "not worth it"; ``changes`` are fields of the plan
    that the numbers count on (a cache that the new RAM makes possible).
    """

    kind: UpgradeKind
    name: Text
    fits: bool | None
    max_batch_size: int | None
    epoch_s: float | None
    low_s: float | None
    high_s: float | None
    gain_limit: float | None
    """Upper bound of the speed-up that this part alone can bring (Amdahl)."""
    price: float | None
    currency: str = "USD"
    price_date: Text | None = None
    break_even_hours: float | None = None
    """Hours of renting that cost as much as buying."""
    why: Text = Text()
    basis: Text = Text()
    worth: bool | None = None
    """Does it make the workload fit, or an epoch notably shorter; None if nobody can tell."""
    total_s: float | None = None
    total_low_s: float | None = None
    total_high_s: float | None = None
    cost: float | None = None
    """What one training costs in rent, in ``currency``; None for what is bought."""
    energy_kwh: float | None = None
    """At most, of the card alone, for one training."""
    energy_cost: float | None = None
    """At the price of electricity of the advice, in its currency."""
    break_even_runs: float | None = None
    """Trainings after which buying has cost less than renting."""
    changes: dict[str, Any] = field(default_factory=dict)
    note: Text = Text()
    """What else it takes: another power supply, another framework."""
    price_source: Text = Text()
    usable: bool = True
    """Stock builds of the plan's framework can use it on this system; else ``note`` says what can."""
    label: Text = Text()
    """What it is, where the name is only what its seller calls it: ``1 × V100 16 GB, verda``."""

    answer: Text = Text()
    """The beginning of ``why``: what it changes, without what it is or is not enough for."""

    @property
    def shown(self) -> Text:
        """What people read in place of a seller's name."""
        return self.label or self.name


@dataclass(frozen=True)
class Electricity:
    """The price of a kilowatt hour that energy was counted with."""

    price: float
    currency: str
    name: Text = Text()
    price_date: Text = Text()


@dataclass(frozen=True)
class Advice:
    """Best first; an empty ladder means there is nothing to gain."""

    fit: Fit
    bound_by: str | None
    basis: Text
    recommendations: tuple[Recommendation, ...] = ()
    upgrades: tuple[Upgrade, ...] = ()
    notes: tuple[Text, ...] = field(default=())
    waits: Text = Text()
    """What a step waits for, in a sentence with its share."""
    stages: tuple[StageShare, ...] = ()
    nothing_to_gain: Text = Text()
    """Why there is no recommendation or nothing worth buying; empty where there is."""
    electricity: Electricity | None = None
    prediction: Prediction | None = None
    """What the advice starts from: "before"."""
    tried: tuple[Tried, ...] = ()
    """What is not recommended, the shortest epoch first."""
    would_matter: tuple[Text, ...] = ()
    """What would have to be different for RAM, disk or card to matter, a sentence each."""
