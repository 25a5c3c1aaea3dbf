"""Types of advice: recommendations for this machine, upgrades of it.  The rules stand in `recommend` and `upgrades`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from app.core.prediction import Fit

UpgradeKind = Literal["ram", "disk", "gpu", "cpu", "cloud"]


@dataclass(frozen=True)
class Effect:
    """Memory and time of one epoch, before or after a change; ``None`` is unknown."""

    memory_bytes: int | None
    epoch_s: float | None
    low_s: float | None = None
    high_s: float | None = None


@dataclass(frozen=True)
class Proposal:
    """A change of the plan to try, before anybody knows whether it helps."""

    id: str
    title: str
    why: str
    changes: dict[str, Any]
    changes_result: bool
    keeps_model: bool = True
    """The network and what it reads stay as they are; else it is another question ("what if")."""


@dataclass(frozen=True)
class Recommendation:
    """A change that costs nothing (or little) on this machine.

    ``changes`` are fields of the plan, so that "Try" can apply them; empty where the change is not one
    of the plan (closing a program, plugging in).
    """

    id: str
    title: str
    why: str
    changes: dict[str, Any]
    before: Effect
    after: Effect
    changes_result: bool
    """Does the trained model differ from what the unchanged plan gives?"""
    free: bool = True
    basis: str = ""
    keeps_model: bool = True
    """False for a "what if": another network, or other data."""


@dataclass(frozen=True)
class Upgrade:
    """Hardware to buy or rent, answered for the same workload."""

    kind: UpgradeKind
    name: str
    fits: bool | None
    max_batch_size: int | None
    epoch_s: float | None
    low_s: float | None
    high_s: float | None
    gain_limit: float | None
    """Upper bound of the speed-up that this part alone can bring (Amdahl)."""
    price: float | None
    currency: str = "USD"
    price_date: str | None = None
    break_even_hours: float | None = None
    why: str = ""
    basis: str = ""


@dataclass(frozen=True)
class Advice:
    """Best first; an empty ladder means there is nothing to gain."""

    fit: Fit
    bound_by: str | None
    basis: str
    recommendations: tuple[Recommendation, ...] = ()
    upgrades: tuple[Upgrade, ...] = ()
    notes: tuple[str, ...] = field(default=())
