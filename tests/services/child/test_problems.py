"""Why a run ended: the child's word and what was seen outside, put together."""

from dataclasses import replace

import pytest

from app.core.types.faults import FAULTS
from app.core.types.measurement import Doubt, MeasuredMemory, MeasuredStep, Measurement, Sample
from app.core.types.messages import Failed
from app.services.child.problems import not_finite, problem_of
from app.services.child.watch import Watch
from app.services.child.worker_endings import above_limit

GIB = 1024**3


def watch(*samples: Sample, lowest: int | None = 100 * GIB) -> Watch:
    made = Watch(8 * GIB)
    made.phase = "measure"
    made.lowest_available_bytes = lowest
    for sample in samples:
        made._log.add(sample)
    return made


def test_a_kill_while_memory_was_short_is_a_memory_daemons():
    killed = Failed("killed", "another program ended the child")
    problem = problem_of(killed, watch(Sample(0.0, "measure", ram_bytes=7 * GIB), lowest=100 * 1024**2))
    assert (problem.kind, problem.needed_bytes, problem.had_bytes) == ("memory_killer", 7 * GIB, 8 * GIB)
    assert "100" in problem.message
    assert problem.hint == FAULTS["memory_killer"].hint


@pytest.mark.parametrize("lowest", [100 * GIB, None])
def test_a_kill_while_there_was_memory_is_somebody_elses(lowest: int | None):
    problem = problem_of(Failed("killed", "m"), watch(lowest=lowest))
    assert (problem.kind, problem.hint) == ("killed", FAULTS["killed"].hint)


def test_what_a_card_had_is_its_memory_less_that_of_others():
    last = Sample(0.0, "measure", gpu_used_bytes=7 * GIB, gpu_memory_bytes=5 * GIB, gpu_total_bytes=8 * GIB)
    problem = problem_of(Failed("out_of_memory", "OOM", needed_bytes=9 * GIB), watch(last))
    assert (problem.needed_bytes, problem.had_bytes, problem.phase) == (9 * GIB, 6 * GIB, "measure")


def test_what_the_child_knows_is_kept():
    told = Failed("out_of_memory", "OOM", hint="h", needed_bytes=9, had_bytes=8, phase="compile")
    problem = problem_of(told, watch())
    assert (problem.needed_bytes, problem.had_bytes, problem.hint, problem.phase) == (9, 8, "h", "compile")


def test_what_the_guard_saw_is_told_with_what_was_allowed():
    problem = problem_of(above_limit(9 * GIB, 8 * GIB), watch())
    assert (problem.kind, problem.needed_bytes, problem.had_bytes) == ("memory_limit", 9 * GIB, 8 * GIB)
    assert (
        problem.message
        == "stopped because it held 9.0 GiB of this machine's memory and 8.0 GiB is all that can be spared"
    )
    assert problem.hint == FAULTS["memory_limit"].hint


def test_a_loss_that_is_no_number_is_a_problem_of_a_run_that_went_through():
    measured = Measurement(MeasuredStep(1, 1, 1, 1), 1, 1, None, MeasuredMemory())
    assert not_finite(None) is None
    assert not_finite(measured) is None
    doubtful = replace(measured, doubts=(Doubt("not_finite", "NaN"),))
    found = not_finite(doubtful)
    assert found is not None
    assert (found.kind, found.message) == ("not_finite", "NaN")
