"""Change modules of Keras the moment they are imported, whenever and from wherever that is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

Change = Callable[[Any], None]


def when_imported(changes: Mapping[str, Change]) -> None:
    """Hand each module to its function right after its code has run, before anybody else sees it.

    Args:
        changes: Functions by the module's full name.
    """
    waiting = dict(changes)
    for name in [name for name in waiting if name in sys.modules]:
        waiting.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, _Finder(waiting))


class _Finder(MetaPathFinder):
    """Lets Python find the modules that are waited for, and puts a loader around theirs."""

    def __init__(self, waiting: dict[str, Change]) -> None:
        self._waiting = waiting

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module as Python finds it, if it is one of those."""
        if fullname not in self._waiting:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Changing(spec.loader, self._waiting.pop(fullname))
        return spec


class _Changing(Loader):
    """A module's own loader, and then the change."""

    def __init__(self, own: Loader, change: Change) -> None:
        self._own = own
        self._change = change

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the module's own."""
        return self._own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code, then change what it made."""
        self._own.exec_module(module)
        self._change(module)

    def __getattr__(self, name: str) -> Any:
        """Whatever else is asked of a loader, such as the source of its module."""
        return getattr(self._own, name)
