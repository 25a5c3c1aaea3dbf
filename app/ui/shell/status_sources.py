"""Several things can be under way; the status line says the first of them."""

from __future__ import annotations

from collections.abc import Callable

from app.ui.shell.status_strip import StatusStrip

SCAN, BENCH, TRACE, MACHINE = range(4)
"""Who says something, the most interesting first."""


class StatusSources:
    """What each source says now.

    Args:
        strip: Shows the first.
    """

    def __init__(self, strip: StatusStrip) -> None:
        self._strip = strip
        self._said: dict[int, tuple[str, float | None]] = {}

    def of(self, source: int) -> Callable[[str, float | None, bool], None]:
        """Takes what a source says: text, share or None, and whether it runs."""

        def take(text: str, fraction: float | None, running: bool) -> None:
            if running:
                self._said[source] = (text, fraction)
            else:
                self._said.pop(source, None)
            self._show()

        return take

    def _show(self) -> None:
        """The first, or that nothing runs."""
        if self._said:
            self._strip.set_status(*self._said[min(self._said)], running=True)
        else:
            self._strip.set_status("", None, running=False)
