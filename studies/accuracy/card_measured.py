"""What the program measured of a real card: taken there, kept beside the truths, and asked again anywhere."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.catalog import typed_json
from app.core.types.machine import DeviceProbe, DeviceRates, Machine
from app.core.types.prediction import Prediction
from app.core.types.workload import Workload
from app.services.advisor import Advisor
from studies.accuracy.card_real import FOLDER
from studies.accuracy.product import ask_program, graph_of

FILE = FOLDER / "machine.json"
DEVICE = "gpu:0"
LONGEST_S = 60.0


@dataclass(frozen=True)
class Measured:
    """A machine with a card as the program found it, and what it measured of the card."""

    machine: Machine
    rates: DeviceRates
    probe: DeviceProbe | None


def keep(home: Path) -> None:
    """Store what a program that keeps its files in this folder has measured of this machine's card.

    Raises:
        ValueError: It has measured no card.
    """
    doctor = ask_program(home, ["doctor"], LONGEST_S)
    known = {"rates": _of_card(home, "rates"), "probe": _of_card(home, "probes")}
    if doctor is None or known["rates"] is None:
        raise ValueError(f"no rates of a card in {home}; expected those of {DEVICE}")
    FILE.write_text(json.dumps({"machine": doctor["machine"], **known}, indent=1) + "\n", encoding="utf-8")


def _of_card(home: Path, kind: str) -> Any:
    """What a store of the program's has of the card."""
    for file in home.rglob(f"{kind}.json"):
        for value in json.loads(file.read_text(encoding="utf-8")).values():
            if value.get("device") == DEVICE:
                return value
    return None


@functools.cache
def measured() -> Measured:
    """What is stored.

    Raises:
        FileNotFoundError: Nobody has measured a card.
    """
    return typed_json.decode(FILE.read_bytes(), Measured)


def host_clock_mhz() -> float | None:
    """Of the processor beside the card; None if it does not say."""
    return measured().machine.cpu.max_clock_mhz


def told_where_measured(advisor: Advisor, workload: Workload, label: str) -> Prediction:
    """What the program says of a workload on the machine that was measured."""
    found = measured()
    advisor.machine.facts.keep_rates(found.machine, DEVICE, found.rates)
    if found.probe is not None:
        advisor.machine.facts.keep_probe(found.machine, DEVICE, found.probe)
    graph = graph_of(advisor, replace(workload, plan=replace(workload.plan, device="cpu")), label)
    return advisor.predictor.predict(workload, found.machine, graph, brief=True, chart=False)
