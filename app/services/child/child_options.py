"""Which Python runs a child, and under which limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.core.types.messages import MAX_LINE_BYTES
from app.services.child.guarded import memory_limit_bytes
from app.services.child.patience import Patience


@dataclass(frozen=True)
class ChildOptions:
    """How a child is started and when it is ended, whatever its job is."""

    interpreter: str | None = None
    """Path of the Python to use; this program's own if None."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables to add to the child's small environment; ``""`` removes one."""
    command: Sequence[str] | None = None
    """The child to start instead of the worker (for tests, or ``ssh``)."""
    limit_bytes: int | None = None
    """Host memory that the child and what it starts may hold; None for all that can be spared."""
    reserve_bytes: int | None = None
    """What is not spared but left to other programs; None for the larger of 1 GiB and 10 %."""
    patience: Patience | None = None
    """How long it may be silent; None for ever."""
    timeout_s: float | None = None
    """Longest time it may take in all, sleep of the computer not counted; None for no limit."""
    low_priority: bool = False
    """Let every other program go first."""
    max_line_bytes: int = MAX_LINE_BYTES
    """A longer line from the child ends it."""

    def allowed_bytes(self) -> int | None:
        """Host memory that the child may hold as things are; None if the system does not tell."""
        return memory_limit_bytes(self.reserve_bytes) if self.limit_bytes is None else self.limit_bytes


OWN_PYTHON = ChildOptions()
"""This program's own interpreter."""
