"""The largest and the best batch, checked against every batch there is."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.predict.batch_sizes import (
    LARGEST_BATCH,
    NEAR,
    ROOM_LEFT,
    best_batch,
    charted,
    largest_around,
    largest_that,
)
from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.model_steps import ModelSteps
from app.core.predict.step_needs import StepNeeds
from app.core.predict.time import Rates
from app.core.simulate.device import choose_device
from app.core.types.machine import Machine
from app.core.types.stepgraph import PerBatch
from app.core.types.units import MIB
from app.core.types.workload import ModelRef, Plan, Workload
from tests.core.graphs import SAMPLE_BYTES, chain_graph
from tests.core.machines import HOST_RATES, card, desktop

MODEL = ModelRef("catalog", "chain")
GRAPH = chain_graph(layers=6)
ESTIMATOR = Estimator(chain_graph(sample_bytes=4_000_000))


def needs_of(graph, machine, **plan):
    """What a step needs of a machine's device, uncorrected."""
    workload = Workload(MODEL, None, Plan(batch_size=1, **plan))
    return StepNeeds(ModelSteps(graph), workload, choose_device(machine, "auto"), Knowledge())


NEEDS = needs_of(GRAPH, desktop())


def needed_bytes(batch):
    return max(NEEDS.need(batch).peak_bytes, NEEDS.need(batch).first_bytes)


def largest_in(room):
    return largest_that(lambda batch: NEEDS.fits(batch, room))


def comfortable_in(room, needs=NEEDS):
    return largest_that(lambda batch: needs.fits_comfortably(batch, room))


class Speeds:
    """Samples per second of the whole step and of the device alone."""

    def __init__(self, told, device=None):
        self.samples_per_s, self.device_samples_per_s = told, device or told


@given(room=st.integers(1, 3_000 * MIB))
@settings(max_examples=40, deadline=None)
def test_the_largest_batch_is_the_last_one_that_fits(room):
    largest = largest_in(room)
    assert largest == 0 or needed_bytes(largest) <= room
    assert needed_bytes(largest + 1) > room


def test_every_batch_up_to_the_largest_fits_and_none_of_the_next_ones():
    """Overheads wobble by less than a hundredth, so that much is left between "fits" and "does not"."""
    for room in (150 * MIB, 400 * MIB, 1000 * MIB):
        largest = largest_in(room)
        peaks = {batch: needed_bytes(batch) for batch in range(1, 4 * largest)}
        assert max(peaks[batch] for batch in range(1, largest + 1)) <= 1.01 * room
        assert min(peaks[batch] for batch in range(largest + 1, 4 * largest)) >= 0.99 * room


@given(room=st.integers(1, 3_000 * MIB), more=st.integers(0, 1_000 * MIB))
@settings(max_examples=30, deadline=None)
def test_more_room_never_means_a_smaller_batch(room, more):
    assert largest_in(room + more) >= largest_in(room)
    assert largest_in(room) >= comfortable_in(room)


def test_room_for_nothing_and_unknown_room():
    assert largest_in(1) == 0
    assert largest_in(1 << 60) == LARGEST_BATCH
    unknown = Estimator(GRAPH).predict(Workload(MODEL, None, Plan()), Machine(), Knowledge()).fit
    assert (unknown.max_batch_size, unknown.best_batch_size) == (None, None)


@given(limit=st.integers(0, 5000))
def test_doubling_and_bisection_find_the_border(limit):
    assert largest_that(lambda batch: batch <= limit) == limit


@given(limit=st.integers(0, 5000), start=st.integers(1, 5000))
def test_from_anywhere_the_same_border_is_found(limit, start):
    assert largest_around(lambda batch: batch <= limit, start) == limit


def test_no_batch_is_larger_than_the_largest():
    assert largest_that(lambda batch: True) == LARGEST_BATCH
    assert largest_around(lambda batch: True, 32) == largest_around(lambda batch: True, LARGEST_BATCH) == LARGEST_BATCH


@given(gib=st.sampled_from([4, 6, 8, 12, 24]), held=st.floats(0, 2), batch=st.integers(1, 2000))
@settings(max_examples=40, deadline=None)
def test_on_any_card_the_verdict_agrees_with_the_largest_and_the_best_batch(gib, held, batch):
    machine = desktop(card(gib=gib, held_gib=held))

    def verdict(size):
        workload = Workload(MODEL, None, Plan(batch_size=size))
        return ESTIMATOR.predict(workload, machine, Knowledge(Rates(HOST_RATES))).fit

    found = verdict(batch)
    largest = found.max_batch_size
    assert batch > largest or found.verdict != "does_not_fit"
    assert batch <= largest or found.verdict != "fits"
    assert verdict(found.best_batch_size).verdict == "fits"
    assert verdict(largest).verdict in ("fits", "tight")
    assert verdict(largest + 1).verdict in ("tight", "does_not_fit")
    assert verdict(largest + 2 + int(2 * ROOM_LEFT * largest)).verdict == "does_not_fit"


@given(best=st.integers(1, 4096), start_s=st.floats(1e-4, 1e-1))
def test_the_best_batch_is_the_smallest_power_of_two_that_is_nearly_as_fast_as_any(best, start_s):
    def speed(batch):
        return batch / (start_s + 1e-4 * batch)

    found = best_batch(best, Speeds(speed), 1)
    powers = [1 << i for i in range(13) if 1 << i <= best]
    fastest = max(map(speed, powers))
    assert found in powers
    assert speed(found) >= 0.95 * fastest
    assert all(speed(batch) < 0.95 * fastest for batch in powers if batch < found)


def test_without_rates_nobody_knows_the_best_batch():
    assert best_batch(64, Speeds(lambda _batch: None), 1) is None
    assert best_batch(0, Speeds(float), 1) is None


def test_where_the_input_is_waited_for_the_device_decides():
    waiting = Speeds(lambda _batch: 100.0, lambda batch: batch / (0.01 + 1e-4 * batch))
    assert best_batch(4096, waiting, 32) == best_batch(4096, Speeds(waiting.device_samples_per_s), 1)


def test_the_best_batch_is_worth_changing_to():
    rates = {16: 90.0, 32: 96.0, 64: 100.0}
    speeds = Speeds(lambda batch: rates.get(batch, 1.0))
    assert best_batch(64, speeds, 32) == 32
    assert best_batch(64, Speeds(lambda batch: 94.0 if batch == 48 else rates.get(batch, 1.0)), 48) == 64


def test_comfortable_leaves_room_for_workspace_on_a_card():
    wish = replace(GRAPH.operations[1], wanted_workspace=PerBatch(0, 20 * SAMPLE_BYTES))
    greedy = replace(GRAPH, operations=(GRAPH.operations[0], wish, *GRAPH.operations[2:]))
    room, machine = 64 * MIB + 2000 * SAMPLE_BYTES, desktop(card())
    modest, wishing = (needs_of(graph, machine, optimizer="sgd", jit=False) for graph in (GRAPH, greedy))
    assert comfortable_in(room, wishing) < comfortable_in(room, modest)


@pytest.mark.parametrize("batch", [1, 7, 512])
def test_the_chart_goes_well_beyond_the_batch_that_is_asked_about(batch):
    batches = charted(batch, 100, 64)
    assert batches == sorted(set(batches))
    assert batches[-1] >= 4 * batch
    assert 64 in batches


@given(guess=st.integers(0, 5000), limit=st.integers(0, 5000))
def test_what_lies_near_a_guess_is_found_in_few_questions(guess, limit):
    asked = []

    def fits(batch):
        asked.append(batch)
        return batch <= limit

    assert largest_around(fits, guess) == limit
    assert len(asked) <= 2 * 14
    between = 2 * max(1, guess // NEAR)  # the widest stretch that is halved, after three questions
    assert abs(guess - limit) > 2 * guess // NEAR or len(asked) <= 3 + (between - 1).bit_length()
