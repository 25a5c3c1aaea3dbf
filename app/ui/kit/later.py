"""Parts of a page that are made after it: the page itself is there at once, and Tab goes through it in its order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from PySide6.QtWidgets import QBoxLayout, QWidget

from app.ui.kit.turns import in_turn

PartT = TypeVar("PartT", bound=QWidget)
StateT = TypeVar("StateT")


class Later(Generic[PartT, StateT]):
    """A part that is made in a turn of its own, or when it is first asked for; then it shows the latest state.

    Args:
        layout: Where the part will stand.
        parent: Of the part.
        make: Makes the part, given its parent.
        show: Has the part show a state.
        after: The part before it: Tab reaches widgets in the order in which they are made.
    """

    def __init__(
        self,
        layout: QBoxLayout,
        parent: QWidget,
        make: Callable[[QWidget], PartT],
        show: Callable[[PartT, StateT], None],
        after: Later[Any, Any] | None = None,
    ) -> None:
        self._layout, self._parent, self._make, self._show, self._after = layout, parent, make, show, after
        self._made: PartT | None = None
        self._states: list[StateT] = []
        self._place = QWidget(parent)
        self._place.hide()
        layout.addWidget(self._place)
        in_turn(parent, lambda: self.part)

    @property
    def part(self) -> PartT:
        """The part, made now if it was not yet."""
        if self._made is None:
            if self._after is not None:
                _ = self._after.part
            self._made = self._make(self._parent)
            self._layout.replaceWidget(self._place, self._made)
            self._place.deleteLater()
            for state in self._states:
                self._show(self._made, state)
        return self._made

    def shows(self, state: StateT) -> bool:
        """This is the state that was given last, or none was and this is none."""
        return self._states[-1] is state if self._states else state is None

    def set_state(self, state: StateT) -> None:
        """Show a state, now or when the part is made."""
        self._states = [state]
        if self._made is not None:
            self._show(self._made, state)
