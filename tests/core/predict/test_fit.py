import pytest

from app.core.predict.fit import judge
from app.core.simulate.device import Allowed
from app.core.types.predicted_memory import MemoryParts, PredictedMemory
from app.core.types.text import Text
from app.core.types.units import MIB

NEEDED = PredictedMemory(100 * MIB, 80 * MIB, 120 * MIB, 100 * MIB, 0, None, MemoryParts(), "traced", Text())


@pytest.mark.parametrize(
    ("allowed_mib", "place", "verdict"),
    [
        (500, "found", "fits"),
        (500, "in_doubt", "tight"),
        (500, "none", "does_not_fit"),
        (110, "in_doubt", "tight"),
        (90, "found", "does_not_fit"),
    ],
)
def test_what_may_find_no_place_in_one_piece_is_tight(allowed_mib, place, verdict):
    fit = judge(NEEDED, Allowed(allowed_mib * MIB, ()), "card", place=place)
    assert fit.verdict == verdict
    assert fit.reasons


def test_the_upper_end_is_named_where_it_may_find_no_place():
    reason = str(judge(NEEDED, Allowed(500 * MIB, ()), "card", place="in_doubt").reasons[0])
    assert "120.0 MiB" in reason
    assert "one piece" in reason
