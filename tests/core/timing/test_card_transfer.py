from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.timing.card_steptime import CardStep
from app.core.timing.card_transfer import SCALED_WIDTH, TENSOR_WIDTH, UNMEASURED_WIDTH, CardCase, transfer
from tests.core.machines import card

BUSY_STEP = CardStep(compute_s=0.08, memory_s=0.02, latency_s=0, copy_s=0, launching_s=0.01, between_s=0.002)
BUSY = CardCase(BUSY_STEP, card("Tesla V100"), "float32")
WAITING = replace(BUSY, step=replace(BUSY_STEP, launching_s=0.5))
KEPLER = replace(BUSY, gpu=card(compute_capability=(3, 7), tensor_fp16_flops_per_s=None))


def said(measured_s=0.2, input_share=None, run=BUSY, wanted=BUSY):
    return transfer(measured_s, input_share, run, wanted, run_id=7)


@given(st.floats(1e-4, 10))
def test_the_card_of_the_run_gets_the_run_back(measured_s):
    assert said(measured_s).factor * BUSY_STEP.step_s == pytest.approx(measured_s)


def test_what_was_waited_for_data_is_not_the_cards():
    assert said(0.2, 0.25).factor == pytest.approx(0.75 * said(0.2).factor)


def test_the_interval_is_wider_where_nobody_measured_an_architectures_kernels():
    assert said().width == SCALED_WIDTH
    assert said(wanted=KEPLER).width == said(run=KEPLER).width == UNMEASURED_WIDTH


def test_the_interval_is_wider_where_tensor_cores_compute():
    half = replace(BUSY, precision="mixed_float16")
    assert said(run=half, wanted=half).width == said(wanted=half).width == TENSOR_WIDTH
    assert SCALED_WIDTH < TENSOR_WIDTH < UNMEASURED_WIDTH


def test_a_run_that_waited_for_data_is_out_of_range():
    found = said(input_share=0.9)
    assert found.factor is None
    assert "90 %" in found.explanation[0].formula


def test_a_run_that_waited_for_its_host_says_nothing_of_a_busy_card():
    found = said(run=WAITING)
    assert found.factor is None
    assert "host" in found.explanation[0].formula
    assert said(run=WAITING, wanted=WAITING).factor is not None
    assert said(wanted=WAITING).factor is not None


def test_the_basis_names_the_run_and_its_card():
    assert "run 7 on Tesla V100" in said().assumption
    assert said().explanation[0].source
