"""Recorded advice: three changes and three upgrades."""

from __future__ import annotations

import threading

from app.core.types.advice import Advice, Effect, Recommendation, Upgrade
from app.core.types.machine import Machine
from app.core.types.measurement import Measurement
from app.core.types.predicted_time import StageShare
from app.core.types.run import Run
from app.core.types.stepgraph import StepGraph
from app.core.types.text import verbatim
from app.core.types.workload import Workload
from app.services.advice.advice_service import AdviceService
from app.services.catalog.catalog import Catalog
from app.services.child.child_jobs import EventSink
from app.services.machine.this_machine import ThisMachine
from app.services.settings import Settings
from tests.fakes.predictor import FakePredictor, graph_of
from tests.fakes.script import Script

WHY = "It waits for compute."


class FakeAdvice(AdviceService):
    """Advice, recorded."""

    def __init__(
        self, script: Script, settings: Settings, predictor: FakePredictor, machine: ThisMachine, catalog: Catalog
    ) -> None:
        super().__init__(settings, predictor, machine, catalog)
        self.script = script
        self.predictor = predictor

    def advise(
        self,
        workload: Workload,
        machine: Machine,
        graph: StepGraph,
        *,
        measured: Measurement | None = None,
        psu_watts: float | None = None,
    ) -> Advice:
        self.script.note("advise")
        now = self.predictor.answer(workload, machine)
        before = Effect(now.memory.device_bytes, now.time.epoch_s, 4.0, 6.0)
        half = Effect(now.memory.device_bytes // 2, (now.time.epoch_s or 0) * 0.7, 2.5, 4.5)
        bigger = Effect(now.memory.device_bytes * 2, (now.time.epoch_s or 0) * 0.9, 3.5, 5.5)
        ladder = (
            Recommendation(
                "batch",
                verbatim("Train with batch 512"),
                verbatim("A bigger batch pays the start of each operation less often."),
                {"batch_size": 512},
                before,
                bigger,
                changes_result=True,
            ),
            Recommendation(
                "precision",
                verbatim("Use mixed precision"),
                verbatim("Activations take half the memory in float16."),
                {"precision": "mixed_float16"},
                before,
                half,
                changes_result=True,
            ),
            Recommendation(
                "close",
                verbatim("Close other programs"),
                verbatim("A browser holds 1.2 GiB."),
                {},
                before,
                Effect(None, None),
                changes_result=False,
            ),
        )
        upgrades = (
            Upgrade(
                "gpu",
                verbatim("RTX 4060 8GB"),
                True,
                5000,
                1.9,
                1.5,
                2.4,
                3.1,
                299.0,
                "USD",
                verbatim("2026-01-05"),
                410.0,
                verbatim(WHY),
                worth=True,
                total_s=28.5,
                total_low_s=22.5,
                total_high_s=36.0,
                energy_kwh=0.001,
            ),
            Upgrade(
                "ram",
                verbatim("128 GiB RAM"),
                True,
                4000,
                18.0,
                16.0,
                20.0,
                1.0,
                320.0,
                why=verbatim("Not worth it. It waits for compute."),
                worth=False,
                total_s=270.0,
            ),
            Upgrade(
                "cloud",
                verbatim("lambda gpu_1x_h100"),
                True,
                70_000,
                0.4,
                None,
                None,
                40.0,
                2.49,
                "USD",
                verbatim("2025-11-02"),
                9.0,
                worth=True,
                total_s=6.0,
                cost=0.004,
                note=verbatim("needs an account"),
            ),
        )
        stages = (StageShare("decode", 0.001, 0.2), StageShare("compute", 0.004, 0.8))
        return Advice(
            now.fit,
            "compute",
            verbatim("traced memory, predicted time"),
            ladder,
            upgrades,
            (verbatim("one note"),),
            waits=verbatim("It waits for computing (80 % of a step)."),
            stages=stages,
        )

    def after(self, run: Run) -> Advice | None:
        self.script.note("advice_after")
        return self.advise(run.workload, run.machine, graph_of(run.workload))

    def prepare(
        self,
        workload: Workload,
        machine: Machine,
        on_event: EventSink | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        self.script.note("prepare_advice")
