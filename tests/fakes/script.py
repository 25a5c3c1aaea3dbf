"""What a recorded advisor shall do, and what it was asked."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from app.core.types.machine import Machine
from app.core.types.measurement import Doubt, Outcome
from app.services.machine.doctor import Doctor
from tests.fakes.figures import MACHINE


@dataclass
class Script:
    """Shared by the objects of one recorded façade.

    Attributes:
        trace_s: How long a trace takes.
        scan_s: How long looking through a folder takes.
        estimate_s: How long a prediction takes.
        bench_s: How long a benchmark takes at most; it obeys a cancel at once.
        bench_outcome: How benchmarks end.
        variant_gain: How much slower each further variant of a comparison is.
        real_machine: This machine.
        doctor: What the doctor finds; a TensorFlow without a card if None.
        doubts: What casts doubt on every benchmark.
        reads: Files beside the model's that its code reads.
        calls: Names of the methods called, in order.
        threads: In which threads they were.
        traced: What was traced: name, precision, and digests of the model's files.
        measured: Names of models that have run.
    """

    trace_s: float = 0.0
    scan_s: float = 0.0
    estimate_s: float = 0.0
    bench_s: float = 0.3
    bench_outcome: Outcome = "succeeded"
    variant_gain: float = 0.2
    real_machine: Machine = MACHINE
    doctor: Doctor | None = None
    doubts: tuple[Doubt, ...] = ()
    reads: tuple[str, ...] = ()
    calls: list[str] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)
    traced: set[tuple[str, ...]] = field(default_factory=set)
    measured: set[str] = field(default_factory=set)

    def note(self, name: str) -> None:
        """Remember a call and its thread."""
        self.calls.append(name)
        self.threads.add(threading.get_ident())
