import pytest

from app.core.simulate.xla.card import SPEEDS
from app.core.simulate.xla.op_cycles import CHEAP_CYCLES, OTHERS, PROFILES, cycles_of_element


@pytest.mark.parametrize(
    ("kind", "profile", "float16", "cycles"),
    [
        ("Exp", "sm_70", False, 79),
        ("Exp", "sm_70", True, 128),
        ("Exp", "sm_80", False, CHEAP_CYCLES),  # nobody measured it on an A100
        ("Div", "sm_86", False, CHEAP_CYCLES),
        ("Div", "sm_90", True, 43),
        ("Tanh", "sm_75", False, 167),
        ("Softplus", "sm_90", False, 79 + 229),
        ("Select", "sm_90", False, None),
    ],
)
def test_an_operation_costs_what_was_measured_on_its_generation(kind, profile, float16, cycles):
    assert cycles_of_element(kind, profile, float16=float16) == cycles


def test_every_card_that_stands_for_others_has_a_profile():
    assert {speed.profile for known in SPEEDS.values() for speed in known} <= PROFILES.keys()
    assert OTHERS in PROFILES


def test_a_series_divides_anew_for_each_term():
    assert cycles_of_element("Erfc", "sm_70", float16=False) == 52 * CHEAP_CYCLES + 8 * 21
