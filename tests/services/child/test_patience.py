"""How long a child may be silent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.services.child.patience import Patience


def test_silence_is_measured_by_the_step():
    patience = Patience()
    assert patience.allowed_s("compile", None, stepped=False) == 1800
    assert patience.allowed_s("measure", None, stepped=False) == patience.first_step_s
    assert patience.allowed_s("measure", 0.1, stepped=True) == patience.floor_s
    assert patience.allowed_s("measure", 10.0, stepped=True) == 300
    assert patience.allowed_s("data-only", 100.0, stepped=False) == 3000


@given(st.floats(0, 1e4), st.floats(0, 1e4), st.booleans())
def test_a_slower_step_never_shortens_patience(one, other, stepped):
    low, high = sorted((one, other))
    allowed = [Patience().allowed_s("measure", s, stepped=stepped) for s in (low, high)]
    assert allowed[0] <= allowed[1]
    assert allowed[1] >= 30 * high
