"""The whole of a training: its own graph and that of its validation, followed through one allocator."""

from __future__ import annotations

from typing import Protocol

from app.core.pipeline.input_cost import cached_sample_bytes, cores_of
from app.core.predict.time import sample_elements
from app.core.predict.whole import Pieces, evaluation_of, predict_whole
from app.core.predict.whole_times import WholeTimes, Work
from app.core.simulate.device import as_measured
from app.core.simulate.whole_replay import Rounds
from app.core.types.machine import Machine
from app.core.types.prediction import Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.whole import PredictedWhole
from app.core.types.workload import Workload
from app.services.machine.device_facts import DeviceFacts
from app.services.predictor.graph_cache import GraphCache


class Predict(Protocol):
    """Predicts a step (`app.services.predictor.predictor.Predictor.predict`)."""

    def __call__(self, workload: Workload, machine: Machine, graph: StepGraph, *, brief: bool = False) -> Prediction:
        """The answer."""
        ...


class WholeTrainings:
    """Puts a training's step, its validation's and all besides together.

    Args:
        graphs: Traced graphs; a validation that nobody has traced is missing in the answer.
        facts: What was measured of devices.
        predict: Predicts the step of a validation.
    """

    def __init__(self, graphs: GraphCache, facts: DeviceFacts, predict: Predict) -> None:
        self._graphs = graphs
        self._facts = facts
        self._predict = predict

    def of(self, workload: Workload, graph: StepGraph, training: Prediction) -> PredictedWhole:
        """The whole of a training.

        Args:
            workload: What is trained.
            graph: Its traced step.
            training: What is predicted of that.
        """
        asked, machine = evaluation_of(workload), training.machine
        traced = None if asked is None else self._graphs.get(asked)
        evaluation = None
        if asked is not None and traced is not None:
            evaluation = self._predict(asked, machine, traced, brief=True)
        operations, updates = self._graphs.estimator(graph).steps.program_operations(workload.plan)
        evaluated = len(traced.operations) if traced is not None else 0
        probe = self._facts.probe_of(machine, self._facts.device(workload, machine))
        import_s = probe.import_s if probe is not None else None
        work = Work(operations, updates, evaluated, training.xla, training.card is not None, import_s)
        cached = cached_sample_bytes(workload, machine, sample_elements(graph))
        times = WholeTimes(workload, training, evaluation, work, cached)
        threads = workload.plan.threads or round(cores_of(machine))
        replayed = self._replayed(workload, graph, asked, traced, machine)
        return predict_whole(Pieces(workload, graph, training, evaluation, threads, times, replayed))

    def _replayed(
        self, workload: Workload, graph: StepGraph, asked: Workload | None, traced: StepGraph | None, machine: Machine
    ) -> tuple[Rounds, Rounds] | None:
        """What both steps ask of the allocator; None where nobody follows it, or without a validation."""
        if workload.plan.backend != "tensorflow" or asked is None or traced is None:
            return None
        trained, validated = self._requests(workload, graph, machine), self._requests(asked, traced, machine)
        return None if trained is None or validated is None else (trained, validated)

    def _requests(self, workload: Workload, graph: StepGraph, machine: Machine) -> Rounds | None:
        """What a step asks of the allocator; None for a compiled one."""
        device = self._facts.device(workload, machine)
        measured = as_measured(device, self._facts.probe_of(machine, device))
        step = self._graphs.estimator(graph).steps.step_memory(workload.plan, measured)
        return step.rounds(workload.plan.batch_size)
