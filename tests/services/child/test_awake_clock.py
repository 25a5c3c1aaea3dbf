"""Sleep is not waited for."""

import pytest

from app.core.types.messages import Phase, Reading
from app.services.child.awake_clock import LONGEST_LOOK_S, AwakeClock
from app.services.child.heartbeat import Heartbeat
from app.services.child.patience import Patience


def test_what_passes_between_two_looks_counts_unless_it_is_too_long():
    now = [100.0]
    clock = AwakeClock(clock=lambda: now[0], with_sleep=lambda: now[0])
    for _ in range(10):
        now[0] += 0.5
        clock()
    assert clock() == 5.0
    now[0] += 3600.0
    assert clock() == 5.0
    now[0] += LONGEST_LOOK_S - 0.1
    assert clock() == pytest.approx(5.0 + LONGEST_LOOK_S - 0.1)
    assert clock.asleep_s() == pytest.approx(3600.0)


def test_sleep_that_the_system_does_not_count_is_told_all_the_same():
    """Linux: the monotonic clock stands still, the boot time goes on."""
    now, slept = [0.0], [0.0]
    clock = AwakeClock(clock=lambda: now[0], with_sleep=lambda: now[0] + slept[0])
    now[0], slept[0] = 1.0, 600.0
    assert clock() == 1.0
    assert clock.asleep_s() == 600.0


def test_a_child_is_not_hung_because_the_computer_slept():
    now = [0.0]
    heart = Heartbeat(Patience(floor_s=6.0), clock=AwakeClock(clock=lambda: now[0], with_sleep=lambda: now[0]))
    heart.beat(Phase("measure", 0.0))
    heart.beat(Reading(0.0, 1, 0.01))
    now[0] += 7200.0
    assert heart.overdue_s() is None
    for _ in range(70):
        now[0] += 0.1
        overdue_s = heart.overdue_s()
    assert overdue_s is not None, "a child that says nothing while the computer is awake hangs"
