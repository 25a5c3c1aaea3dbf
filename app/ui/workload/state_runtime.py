"""Which Pythons could train, as rows of a dialog.  Pure functions, no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.presentation.problem import ErrorState
    from app.services.runtimes.find import Runtime


@dataclass(frozen=True)
class RuntimeRow:
    """One Python."""

    path: str
    version: str
    frameworks: str
    """Names and versions; if it cannot train, what it lacks."""
    can_train: bool
    in_use: bool


@dataclass(frozen=True)
class RuntimeState:
    """What the dialog shows."""

    rows: tuple[RuntimeRow, ...] = ()
    looking: bool = False
    making: bool = False
    share: float | None = None
    words: str = ""
    error: ErrorState | None = None

    @property
    def none_can_train(self) -> bool:
        """All have been asked, and none will do."""
        return not self.looking and not any(row.can_train for row in self.rows)


def runtime_rows(found: Sequence[Runtime]) -> tuple[RuntimeRow, ...]:
    """Rows in the order in which they were found: the one in use first, then those that can train."""
    return tuple(
        RuntimeRow(one.path, one.python_version, _frameworks(one), bool(one.backends), one.in_use) for one in found
    )


def _frameworks(runtime: Runtime) -> str:
    """What there is to train with, or what is missing."""
    names = [f"{name} {version}".strip() for name, version in runtime.packages if name != "numpy"]
    return " · ".join(names) if runtime.backends else runtime.lacks or ""
