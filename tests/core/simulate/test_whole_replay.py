"""A whole fit on one allocator."""

from app.core.predict.memory import StepMemory
from app.core.simulate.whole_replay import COURSES, Steps, courses_of, replayed_course
from app.core.types.units import MIB
from tests.core.graphs import SAMPLE_BYTES, chain_graph

GRAPH = chain_graph()
STEP = StepMemory(GRAPH, "adam")
BATCH, LARGER = 32, 256


def steps(batch, arrays=(), ahead=0):
    return Steps(STEP.rounds(batch), batch, arrays, batch * SAMPLE_BYTES, ahead)


def course(training, evaluation=None):
    return replayed_course(training, evaluation or steps(BATCH), COURSES[0], on_host=True)


def test_a_training_by_itself_has_the_peak_of_its_steps():
    assert abs(course(steps(BATCH)).training / STEP.peak_bytes(BATCH) - 1) < 0.05


def test_a_larger_validation_is_the_peak_and_leaves_its_array_behind():
    alone, beside = course(steps(BATCH)), course(steps(BATCH), steps(LARGER, (64 * MIB,)))
    assert beside.validation > beside.training == alone.training
    assert beside.later - alone.later >= 64 * MIB


def test_arrays_and_batches_made_ahead_lie_beside_every_step():
    alone, beside = course(steps(BATCH)), course(steps(BATCH, (40 * MIB,), ahead=3))
    assert beside.training - alone.training >= 40 * MIB + 2 * BATCH * SAMPLE_BYTES
    assert beside.first_step >= alone.first_step + 40 * MIB


def test_of_a_small_network_every_order_is_replayed():
    assert courses_of(steps(BATCH)) == COURSES


def test_the_same_course_is_the_same_again():
    training, evaluation = steps(BATCH, (MIB,), 2), steps(LARGER, (3 * MIB,), 2)
    assert course(training, evaluation) == course(training, evaluation)
