"""What the settings dialog shows besides the window's own preferences.  No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.types.units import GIB
from app.ui.kit.quantities import format_bytes

if TYPE_CHECKING:
    from app.services.settings import Settings
    from app.services.store.cache import CachePart


@dataclass(frozen=True)
class StoreState:
    """What is kept to answer faster, and the settings behind the façade."""

    looked: bool = False
    parts: tuple[tuple[str, str], ...] = ()
    """Title and size of each kind of thing."""
    clearable: str = ""
    """Size of what can be cleared; empty if there is nothing."""
    limit_mib: int = 0
    reserve_gib: float | None = None
    """Memory that a benchmark leaves to other programs; None for the program's own choice."""
    electricity: float | None = None
    """Price of a kilowatt hour; None for that of the price table."""
    currency: str = ""
    tables_dir: str = ""
    problem: str = ""


def store_state(settings: Settings, parts: Sequence[CachePart]) -> StoreState:
    """The dialog for what lies on disk."""
    clearable = sum(part.bytes for part in parts if part.cleared)
    reserve = settings.reserve_ram_bytes
    return StoreState(
        looked=True,
        parts=tuple((part.title, format_bytes(part.bytes)) for part in parts),
        clearable=format_bytes(clearable) if clearable else "",
        limit_mib=settings.cache_limit_bytes // 1024**2,
        reserve_gib=None if reserve is None else reserve / GIB,
        electricity=settings.electricity_price,
        currency=settings.electricity_currency,
        tables_dir=str(settings.tables_dir),
    )
