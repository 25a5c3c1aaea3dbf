"""Which Python runs a child, and under which limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.core.types.messages import MAX_LINE_BYTES


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
    """Host memory that the child may hold; None for no limit, and for a benchmark for all that can be spared."""
    timeout_s: float | None = None
    """Longest time it may take in all, sleep of the computer not counted; None for no limit."""
    low_priority: bool = False
    """Let every other program go first."""
    max_line_bytes: int = MAX_LINE_BYTES
    """A longer line from the child ends it."""


OWN_PYTHON = ChildOptions()
"""This program's own interpreter, without a limit."""
