"""The product as these commands ask it: its façade, on folders of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Workload
from app.services.advisor import Advisor
from app.services.models.own_code import read_own
from app.services.settings import FOLDER_VARIABLE, Folders, Settings
from app.services.store.history import History
from studies.accuracy.truth_table import CHECKOUT

OWN_FOLDER_VARIABLE = "WILLITTRAIN_ACCURACY_DIR"


def own_folder() -> Path:
    """Where graphs traced for these commands are kept from run to run; never the user's own folders."""
    chosen = os.environ.get(OWN_FOLDER_VARIABLE)
    return Path(chosen) if chosen else Path(tempfile.gettempdir()) / "willittrain-accuracy"


def open_advisor(*, forget_runs: bool = True) -> Advisor:
    """An advisor without history, so that no run of the past sharpens its answers."""
    os.environ[FOLDER_VARIABLE] = str(own_folder())
    settings = Settings(folders=Folders.default())
    if forget_runs:
        settings.history_path.unlink(missing_ok=True)
    settings.history_path.parent.mkdir(parents=True, exist_ok=True)
    return Advisor(settings, History(settings.history_path))


def graph_of(advisor: Advisor, workload: Workload, label: str) -> StepGraph:
    """The traced graph; says so when it takes a child."""
    if workload.model.trusted and workload.model.path is not None:
        advisor.catalog.trust.remember(read_own(workload.model.path))
    known = advisor.predictor.graphs.get(workload)
    if known is not None:
        return known
    say(f"tracing {label}")
    return advisor.predictor.graph(workload)


def homes(folder: Path) -> dict[str, str]:
    """Variables by which a program keeps all its own files in a folder."""
    return {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}


def ask_program(home: Path, words: list[str], longest_s: float) -> dict[str, Any] | None:
    """What a command of the program answers in JSON; None where it fails, whose words are told.

    Args:
        home: Where it keeps its files.
        words: The command and its options, without ``--json``.
        longest_s: It is ended after so many seconds.
    """
    command = [sys.executable, "-m", "app", *words, "--json"]
    try:
        ended = subprocess.run(
            command,
            env={**os.environ, **homes(home)},
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            timeout=longest_s,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        say(f"{' '.join(words)}: {error}")
        return None
    except subprocess.CalledProcessError as error:
        say(f"{' '.join(words)}: {error} {error.stdout[-600:]} {error.stderr[-600:]}")
        return None
    answer: dict[str, Any] = json.loads(ended.stdout)
    return answer


def say(text: str) -> None:
    """Progress goes to stderr, so that stdout holds the answer only."""
    print(text, file=sys.stderr, flush=True)
