"""What this machine's processor does, measured by a real child once in a run of the tests: it takes half a minute.

Tests that are about the first time measure for themselves.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.services.advisor import Advisor
from app.services.settings import Folders, Settings
from app.services.store.history import History

LONGEST_S = 300.0
"""Who waits longer for another process of the run measures for itself."""


def known_in(folder: Path, factory: pytest.TempPathFactory) -> None:
    """Put what is known of this machine into a folder of the program's; measured now if no test has asked yet.

    Args:
        folder: As ``WILLITTRAIN_DATA_DIR`` names it.
        factory: Of this process; all processes of one run have their folders in one.
    """
    base = factory.getbasetemp()
    shared = (base.parent if base.name.startswith("popen-") else base) / "measured"
    ready = shared / "ready"
    try:
        shared.mkdir()
    except FileExistsError:
        until_s = time.monotonic() + LONGEST_S
        while not ready.exists() and time.monotonic() < until_s:
            time.sleep(0.2)
    if not ready.exists():
        _measure(shared)
        ready.touch()
    shutil.copytree(shared / "cache", folder / "cache", dirs_exist_ok=True)


def _measure(folder: Path) -> None:
    """Measure the processor for a program whose folders are here."""
    settings = replace(Settings(), folders=Folders(folder / "data", folder / "cache", folder / "config"))
    Advisor(settings, History(settings.history_path)).machine.rates("cpu")
