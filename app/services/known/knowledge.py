"""Predictions from all that is known without asking a child: answers of earlier children, and runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.catalog.models import ModelEntry
from app.core.predict.corrections import Calibration
from app.core.predict.track_record import percent_words, record_title, record_words
from app.core.simulate.xla.choice import uses_xla
from app.core.types.machine import Machine
from app.core.types.prediction import Explanation, Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.text import phrase, verbatim
from app.core.types.track_record import Errors, TrackRecord
from app.core.types.workload import OPTIMIZERS, Workload
from app.services.known.answers import Answers
from app.services.known.estimators import Estimators
from app.services.known.experience import Experience
from app.services.settings import Settings
from app.services.store.history import History

FAR_BATCH = 1024
"""How far a slider is expected to go; the chart around this batch simulates every smaller one it needs."""


class Knowledge:
    """Everything here answers at once.

    Args:
        settings: Folders.
        history: Runs that teach.
        interpreter: Whose framework traces and trains.
        entry: Finds the catalog's entry of a workload's model.

    Attributes:
        answers: What children have answered.
        experience: What runs have taught.
    """

    def __init__(
        self,
        settings: Settings,
        history: History,
        interpreter: str | None,
        entry: Callable[[Workload], ModelEntry | None],
    ) -> None:
        self.answers = Answers(settings, interpreter, entry)
        self._estimators = Estimators()
        self.experience = Experience(history, self.answers, self._estimators)

    def predict(
        self,
        workload: Workload,
        machine: Machine,
        graph: StepGraph,
        otherwise: Calibration | None = None,
        *,
        only: bool = False,
        brief: bool = False,
    ) -> Prediction:
        """Predict, corrected by a run of the same kind, or by ``otherwise`` if there is none, or by that ``only``.

        ``brief``: one of many to be compared (`Estimator.predict`).
        """
        answers, experience = self.answers, self.experience
        calibration = otherwise if only else experience.calibration(workload, machine, graph) or otherwise
        measured = calibration is not None and calibration.exact and calibration.memory_factor is not None
        refined = None if measured else answers.refined(workload, machine, graph)
        lessons = experience.about_device(workload, machine, graph)
        timed = calibration is not None and (only or calibration.teaches_time)
        elsewhere = None if timed else experience.transfer(workload, machine, graph)
        rates, usable = answers.rates_of(machine), answers.usable.get(workload.plan.backend)
        found = self._estimators.of(graph).predict(
            workload, machine, rates, usable, calibration, refined, lessons, elsewhere, brief=brief
        )
        if brief:
            return found
        return _with_record(_with_earlier(found, experience.earlier_version(workload)), experience.track_record())

    def anticipate(self, workload: Workload, machine: Machine, graph: StepGraph, cancelled: Callable[[], bool]) -> None:
        """Simulate what may be asked next, so that it answers at once: other batches, optimizers and state of XLA.

        Args:
            workload: What has just been answered.
            machine: For which machine.
            graph: Its traced step.
            cancelled: Asked before each simulation.
        """
        plan = workload.plan
        compiled = uses_xla(plan, self.answers.device(workload, machine), graph)
        larger = replace(plan, batch_size=max(plan.batch_size, FAR_BATCH))
        others = [replace(larger, optimizer=name) for name in OPTIMIZERS if name != plan.optimizer]
        octaves = [replace(plan, batch_size=1 << n) for n in range(larger.batch_size.bit_length())]
        for changed in (larger, *octaves, *others, replace(larger, jit=not compiled)):
            if cancelled():
                return
            self.predict(replace(workload, plan=changed), machine, graph)


def _with_earlier(prediction: Prediction, run_id: int | None) -> Prediction:
    """The prediction with word of a run that measured something else than what the file holds now."""
    if run_id is None:
        return prediction
    words = phrase(
        "run {run_id} was of an earlier version of this file: it counts like a run of another model", run_id=run_id
    )
    return replace(prediction, assumptions=(*prediction.assumptions, words))


def _with_record(prediction: Prediction, record: TrackRecord | None) -> Prediction:
    """The prediction with a line in its basis on how good such predictions have been."""
    if record is None:
        return prediction
    memory, time = prediction.memory, prediction.time
    about_memory, about_time = _record_line(record, record.memory), _record_line(record, record.time)
    return replace(
        prediction,
        memory=replace(memory, explanation=(*memory.explanation, about_memory)),
        time=replace(time, explanation=(*time.explanation, about_time)) if time.explanation else time,
        track_record=record,
    )


def _record_line(record: TrackRecord, errors: Errors | None) -> Explanation:
    """The track record as a line in the basis of one of its quantities."""
    value = phrase("median error {percent}", percent=percent_words(errors.median_error)) if errors else ""
    return Explanation(
        record_title(record), verbatim(value), verbatim(record_words(record)), phrase("predicted against measured here")
    )
