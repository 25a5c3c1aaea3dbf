"""Steps that tell what a training takes of the host: with real TensorFlow, counted as the model of time counts."""

import pytest

from app.core.timing.card_steptime import CardWork
from app.worker.models.built import BuiltModel, InputSpec
from app.worker.rates import training_steps
from app.worker.tracing.trace import trace_built

pytestmark = pytest.mark.worker


def test_the_branched_network_starts_as_many_operations_as_are_assumed():
    model = training_steps.branched()
    built = BuiltModel(model, "mse", (InputSpec((training_steps.WIDTH,)),), (InputSpec((1,)),))
    graph = trace_built(built, precision="float32", mode="train")
    assert graph.on_cuda is not None
    assert CardWork(graph.on_cuda, "adam").launches(xla=False) == training_steps.LAUNCHES


def test_a_step_of_many_operations_takes_longer_than_an_empty_one():
    overhead_s = training_steps.train_overhead_s()
    assert 0 < training_steps.launch_s(overhead_s) < overhead_s
