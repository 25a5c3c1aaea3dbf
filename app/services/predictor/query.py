"""One question of the predictor, with everything that its answer is found under, each made once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.core.simulate.device import TargetDevice
from app.core.types.machine import Machine
from app.core.types.stepgraph import StepGraph
from app.core.types.workload import Plan, Workload
from app.services.store.graph_key import GraphKey


@dataclass(frozen=True)
class Query:
    """A workload on a machine.

    Attributes:
        workload: What to train.
        machine: On which machine.
        graph: The workload's traced step.
        device: The device that the plan means there.
        key: What the graph is found under as the model's file is now; None if that cannot be read any more.
    """

    workload: Workload
    machine: Machine
    graph: StepGraph
    device: TargetDevice
    key: GraphKey | None

    @property
    def plan(self) -> Plan:
        """How to train."""
        return self.workload.plan

    def with_plan(self, plan: Plan) -> Query:
        """The same with another batch."""
        return replace(self, workload=replace(self.workload, plan=plan))

    @property
    def content(self) -> str | None:
        """A digest of the model's file and what it imports; None for one of the catalog, or if it cannot be read."""
        return self.key.content if self.key is not None and self.workload.model.path else None
