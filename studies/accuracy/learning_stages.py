"""The product at every stage of knowledge of the learning table, taught from what was measured for it."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from app.core.types.machine import Machine
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Workload
from app.services.advisor import Advisor
from app.services.settings import Folders, Settings
from app.services.store.history import History
from studies.accuracy.figures import Pair
from studies.accuracy.learning_truth import (
    ALONE,
    BEFORE_UNSEEN,
    BESIDE,
    FARTHER,
    REFINED,
    REFINED_BESIDE,
    RUN_BESIDE,
    RUNS,
    Taken,
    Truth,
    batches,
)

STAGES = (
    "none",
    "machine",
    "refine",
    "one run",
    "three runs",
    "refine, three runs",
    "machine beside load",
    "refine beside load",
    "run beside load",
    "load gone, one run",
)
TAUGHT_BY = {
    "refine": (REFINED,),
    "one run": RUNS[:1],
    "three runs": RUNS,
    "refine, three runs": (*RUNS, REFINED),
    "refine beside load": (REFINED_BESIDE,),
    "run beside load": (RUN_BESIDE,),
    "load gone, one run": RUNS[:1],
}
"""The pieces that a stage has learnt from, by number: its truth are the rounds before and after them, since the machine
is another one some minutes later.  The other stages know nothing of the network and are judged by all rounds."""


def stages(taken: Taken, machine: Machine, workload: Workload) -> Iterator[tuple[str, Advisor]]:
    """The product at every stage of knowledge that was measured."""
    network, batch = workload.model.name, workload.plan.batch_size
    with tempfile.TemporaryDirectory() as folder:
        knows = Knowing(Path(folder, "alone"), taken, machine, workload)
        knows.glance()
        yield "none", knows.advisor
        if not knows.rates(ALONE):
            return
        yield "machine", knows.advisor
        if knows.run(batch, ALONE):
            yield "one run", knows.advisor
        if all(knows.run(other, ALONE) for other in batches(network, FARTHER)):
            yield "three runs", knows.advisor
            if knows.refined(ALONE):
                yield "refine, three runs", knows.advisor
        lessons: tuple[tuple[str, Callable[[Knowing], bool]], ...] = (
            ("refine", lambda knows: knows.rates(ALONE) and knows.refined(ALONE)),
            ("machine beside load", lambda knows: knows.rates(BESIDE)),
            ("refine beside load", lambda knows: knows.rates(ALONE) and knows.refined(BESIDE)),
            ("run beside load", lambda knows: knows.rates(ALONE) and knows.run(batch, BESIDE)),
        )
        for stage, learn in lessons:
            knows = Knowing(Path(folder, stage), taken, machine, workload)
            knows.glance()
            if learn(knows):
                yield stage, knows.advisor
        if knows.refined(BESIDE) and knows.run(batch, ALONE):
            yield "load gone, one run", knows.advisor


def before_any_run(taken: Taken, machine: Machine, workload: Workload) -> Iterator[tuple[str, Advisor]]:
    """The stages that an unseen network has."""
    with tempfile.TemporaryDirectory() as folder:
        knows = Knowing(Path(folder, "unseen"), taken, machine, workload)
        knows.glance()
        yield "none", knows.advisor
        if knows.rates(BEFORE_UNSEEN):
            yield "machine", knows.advisor


class Knowing:
    """The product on a folder of its own, and what it is taught."""

    def __init__(self, folder: Path, taken: Taken, machine: Machine, workload: Workload) -> None:
        settings = Settings(folders=Folders(*(folder / name for name in ("data", "cache", "config"))))
        settings.history_path.parent.mkdir(parents=True)
        self.advisor = Advisor(settings, History(settings.history_path))
        self._taken, self._machine, self._workload = taken, machine, workload

    def glance(self) -> None:
        """What was seen of the processor."""
        seen = self._taken.glance()
        if seen is not None:
            self.advisor.machine.facts.keep_glance(self._machine, seen)

    def rates(self, where: str) -> bool:
        """What was measured of the machine, if it was."""
        known = self._taken.rates(where)
        if known is not None:
            self.advisor.machine.facts.keep_probe(self._machine, "cpu", known[0])
            self.advisor.machine.facts.keep_rates(self._machine, "cpu", known[1])
        return known is not None

    def refined(self, where: str) -> bool:
        """Likewise of a refinement."""
        answer = self._taken.refined(self._workload.model.name, where)
        if answer is not None:
            self.advisor.predictor.refinements.keep(self._workload, self._machine, answer["batch_sizes"][0], answer)
        return answer is not None

    def run(self, batch: int, where: str) -> bool:
        """Likewise of a run."""
        run = self._taken.run(self._workload.model.name, batch, where)
        if run is None or run.result.measurement is None:
            return False
        content = self.advisor.predictor.contents.digest(self._workload.model)
        work = at(self._workload, batch)
        self.advisor.history.add(replace(run, run_id=0, created_at="", workload=work, content=content))
        return True


def told(advisor: Advisor, machine: Machine, workload: Workload, graph: StepGraph, truth: Truth) -> Pair | None:
    """What the product says of a step; None if it says nothing."""
    found = advisor.predictor.predict(workload, machine, graph, brief=True).time
    if found.step_s is None:
        return None
    return Pair(found.step_s, statistics.median(truth.step_s), found.low_s, found.high_s)


def at(workload: Workload, batch: int) -> Workload:
    """The same at another batch."""
    return replace(workload, plan=replace(workload.plan, batch_size=batch))
