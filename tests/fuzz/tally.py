"""What came of fuzzing one target."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Tally:
    """Inputs that were tried, and kinds of failure with one input of each."""

    target: str
    inputs: int = 0
    seconds: float = 0.0
    found: dict[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """What was found, for a table."""
        return "; ".join(self.found) or "nothing found"
