"""A glance at this machine's own processor."""

import time

import pytest

from app.probes.glance import glance


@pytest.mark.parametrize("cores", [1.0, 2.5])
def test_a_glance_is_short_and_sees_a_processor(cores):
    begun = time.perf_counter()
    seen = glance(cores)
    assert 1e8 < seen.products_flops_per_s < 1e14
    assert 1e8 < seen.additions_bytes_per_s < 1e13
    assert time.perf_counter() - begun < 10
