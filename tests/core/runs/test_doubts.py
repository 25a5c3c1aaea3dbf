"""What casts doubt on a figure, from samples and from the machine's state."""

from dataclasses import replace

import pytest

from app.core.runs.doubts import VOIDING, Conditions, outside_doubts
from app.core.types.measurement import Sample

GIB = 1024**3
CALM = Conditions(cpu_throttles=5, power_saver="", on_battery=False, swapped_bytes=1000)
QUIET = Sample(
    0.0,
    "measure",
    step_s=0.1,
    gpu_percent=50.0,
    others_cpu_percent=2.0,
    gpu_used_bytes=4 * GIB,
    gpu_total_bytes=8 * GIB,
    gpu_throttle="",
)


def kinds(samples=(QUIET,) * 12, before=CALM, after=CALM, **keywords):
    return [d.kind for d in outside_doubts(samples, before, after, **keywords)]


def test_a_calm_machine_gives_no_doubt():
    assert kinds() == []


def test_a_machine_that_tells_nothing_gives_no_doubt():
    assert kinds((Sample(0.0, "measure"),) * 12, Conditions(), Conditions()) == []


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (replace(CALM, cpu_throttles=6), "cpu_throttled"),
        (replace(CALM, on_battery=True), "battery"),
        (replace(CALM, swapped_bytes=1000 + 65 * 1024**2), "swapping"),
    ],
)
def test_what_the_machine_did_meanwhile(after, kind):
    assert kinds(after=after) == [kind]


def test_a_power_saving_setting():
    found = outside_doubts((), replace(CALM, power_saver="governor powersave"), CALM)
    assert [d.kind for d in found] == ["power_saver"]
    assert "governor powersave" in found[0].text


def test_a_full_card_whose_steps_become_slow_spills():
    full = replace(QUIET, gpu_used_bytes=8 * GIB - 1)
    slow = replace(full, step_s=0.4)
    assert kinds((full,) * 6 + (slow,) * 6) == ["spill"]
    assert "spill" in VOIDING


def test_a_full_card_alone_or_slow_steps_alone_are_no_spill():
    assert kinds((replace(QUIET, gpu_used_bytes=8 * GIB - 1),) * 12) == []
    assert kinds((QUIET,) * 6 + (replace(QUIET, step_s=0.4),) * 6) == []


@pytest.mark.parametrize(
    ("words", "share", "kind"),
    [
        ("thermal slowdown", 0.25, "gpu_throttled"),
        ("power brake", 0.25, "gpu_throttled"),
        ("power limit", 0.75, "gpu_power_limit"),
        ("power limit, thermal slowdown", 1.0, "gpu_throttled"),
    ],
)
def test_a_card_that_holds_its_clock_down(words, share, kind):
    held = int(12 * share)
    assert kinds((replace(QUIET, gpu_throttle=words),) * held + (QUIET,) * (12 - held)) == [kind]


def test_a_power_limit_now_and_then_is_normal():
    assert kinds((replace(QUIET, gpu_throttle="power limit"),) * 3 + (QUIET,) * 9) == []


def test_a_card_in_use_before_the_child_came():
    early = tuple(replace(QUIET, phase="import", gpu_percent=60.0) for _ in range(4))
    assert kinds(early + (QUIET,) * 12) == ["card_shared"]


def test_a_busy_host():
    assert kinds((replace(QUIET, others_cpu_percent=40.0),) * 12) == ["busy_host"]


def test_low_priority_is_told():
    assert kinds(low_priority=True) == ["low_priority"]
