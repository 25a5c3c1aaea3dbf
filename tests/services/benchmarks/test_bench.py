"""What the parent tells the child of a benchmark."""

from dataclasses import replace

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.types.basis import Range
from app.core.types.prediction import Prediction
from app.core.types.units import GIB
from app.core.types.whole import PredictedPhase, PredictedWhole
from app.core.types.workload import ModelRef, Plan, Workload
from app.services.benchmarks.bench import room_for
from tests.core.graphs import chain_graph
from tests.core.machines import card, desktop


def told() -> Prediction:
    workload = Workload(ModelRef("code", "chain"), None, Plan(8, device="gpu:0"))
    return Estimator(chain_graph()).predict(workload, desktop(card(gib=8)), Knowledge())


def test_a_card_is_asked_for_what_a_step_needs_at_most():
    assert room_for(told()) == told().memory.high_bytes


def test_and_never_for_more_than_it_may_use():
    large = replace(told(), memory=replace(told().memory, high_bytes=100 * GIB))
    assert room_for(large) == large.fit.allowed_bytes < 8 * GIB


def test_of_what_nobody_has_predicted_it_grows():
    assert room_for(None) is None
    assert room_for(replace(told(), fit=replace(told().fit, allowed_bytes=None))) is None


def test_a_whole_fit_gets_room_for_its_largest_phase():
    phase = PredictedPhase("validation", device=Range(4 * GIB, 3 * GIB, 5 * GIB))
    found = replace(told(), whole=PredictedWhole((phase,)))
    assert room_for(found, whole=True) == 5 * GIB
    assert room_for(found) == found.memory.high_bytes
