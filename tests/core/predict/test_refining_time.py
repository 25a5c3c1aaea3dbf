"""How long a refinement will take yet."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.predict.refining_time import QUICKEST, SLOWEST, Refining, left_s

LARGE = Refining(16_908, 12_216, step_s=1.6, other_step_s=1.0, traced_once=True, import_s=1.6)
"""NASNetLarge, which took 99 s: at 5 the first batch began, at 59 the second, at 61 the record was read."""


def test_a_large_network_is_told_about_right_and_better_with_every_stage():
    stages = LARGE.stages()
    took = {0.02: 0.2, 0.2: 4.7, 0.6: 59.3, 0.8: 61.4, 0.85: 79.9, 0.9: 82.0}
    errors = [abs(left_s(stages, progress, at_s) - (99.0 - at_s)) for progress, at_s in took.items()]
    assert errors[1] < 0.25 * (99.0 - 4.7)
    assert errors[-1] < 10


def test_a_second_trace_and_a_compiler_take_longer():
    once, twice = (sum(s.seconds for s in Refining(5000, 4000, 0.1, 0.1, one).stages()) for one in (True, False))
    assert twice - once > 10
    assert sum(s.seconds for s in Refining(5000, 4000, xla=True).stages()) > 4 * (twice - once)


def test_a_machine_that_is_half_as_fast_is_believed():
    stages = LARGE.stages()
    expected = sum(stage.seconds for stage in stages[:2])
    slow, usual = (left_s(stages, 0.6, times * expected) for times in (2, 1))
    assert slow == 2 * usual


@given(
    st.builds(
        Refining,
        st.integers(1, 10**6),
        st.integers(0, 10**6),
        st.floats(0, 1e4),
        st.floats(0, 1e4),
        st.booleans(),
        st.booleans(),
        st.none() | st.floats(0.1, 100),
    ),
    st.floats(0, 1),
    st.floats(0, 1e6),
)
def test_what_is_left_ends_with_the_job_and_no_pace_is_believed_blindly(refining, progress, elapsed_s):
    stages = refining.stages()
    total = sum(stage.seconds for stage in stages)
    assert 0 <= left_s(stages, progress, elapsed_s) <= SLOWEST * total * (1 + 1e-9)
    assert left_s(stages, 1.0, elapsed_s) <= 1e-9 * total
    assert QUICKEST < 1 < SLOWEST
