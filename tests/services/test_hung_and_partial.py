"""Children that hang, what is kept of a run that broke off, and samples of long runs."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.core.types.measurement import PhaseSpan, Sample
from app.core.types.messages import Phase, Progress, Reading
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.probes.process_tree import ProcessTotals
from app.services.benchmarks.bench import BenchOptions, bench
from app.services.benchmarks.partial import partial_measurement
from app.services.child.child_options import ChildOptions
from app.services.child.heartbeat import Heartbeat
from app.services.child.patience import Patience
from app.services.child.samples import SampleLog
from app.services.child.stack_dump import Frame, take_apart
from studies.benchmarks.fault_table import FAULTS, SHORT, Fault, circumstances, command_of, workload_of
from studies.benchmarks.left_over import inherit_orphans, left

WORKLOAD = Workload(ModelRef("catalog", "x"), Dataset("d", samples=1000), Plan(batch_size=10))
PATIENCE = Patience(start_s=5, import_s=6, compile_s=100, first_step_s=50, floor_s=10, steps=20)
DUMP = """\
a last word
Fatal Python error: Segmentation fault

Current thread 0x00007f (most recent call first):
  File "/lib/ctypes.py", line 519 in string_at
  File "/home/mine.py", line 4 in model
  File "/lib/main.py", line 81 in run_job

Thread 0x00008f (most recent call first):
  <no Python frame>

Extension modules: numpy, h5py (total: 2)""".splitlines()


def by_job(job: str) -> Fault:
    return next(f for f in FAULTS if f.job == job)


@pytest.fixture
def orphans() -> Iterator[None]:
    """What loses its parent is ours and is counted, for as long as the test runs."""
    inherit_orphans()
    yield
    inherit_orphans(False)


@pytest.mark.parametrize(
    "job",
    [
        "hangs_in_c",
        "grandchild_takes_memory",
        "reads_beyond_a_file",
        "closes_all_descriptors",
        "leaves_a_daemon",
        "writes_to_all_descriptors",
        "user_data_raises",
    ],
)
def test_a_fault_has_its_own_word_and_leaves_nothing(orphans: None, job: str):
    fault = by_job(job)
    with circumstances(fault) as folder:
        result = bench(
            workload_of(fault, folder),
            options=BenchOptions(patience=SHORT),
            child=ChildOptions(command=command_of(fault)),
        )
    assert (result.problem.kind if result.problem else None) == fault.expected
    assert left() == 0
    if result.problem is not None:
        assert result.problem.hint
        assert result.measurement is not None
        assert next(d.kind for d in result.measurement.doubts) == "partial"
        assert result.measurement.step.median_s == 0.06


def test_a_hung_child_says_where():
    fault = by_job("hangs_in_c")
    with circumstances(fault) as folder:
        result = bench(
            workload_of(fault, folder),
            options=BenchOptions(patience=SHORT),
            child=ChildOptions(command=command_of(fault)),
        )
    assert result.outcome == "failed"
    assert result.problem is not None
    assert any("in hangs_in_c" in line for line in result.problem.stderr)
    assert "during measure" in result.problem.message


def test_a_heart_beats_with_every_message_and_waits_by_the_slowest_step():
    now = [0.0]
    heart = Heartbeat(PATIENCE, clock=lambda: now[0])
    now[0] = 5.5
    assert heart.overdue_s() == 5.5
    heart.beat(Phase("compile", 5.5))
    now[0] = 100.0
    assert heart.overdue_s() is None
    heart.beat(Phase("measure", 100.0))
    now[0] = 149.0
    assert heart.overdue_s() is None
    heart.beat(Reading(149.0, 1, step_s=2.0))
    now[0] = 188.0
    assert heart.overdue_s() is None
    now[0] = 190.0
    assert heart.overdue_s() == 41.0
    heart.beat(Progress(0.5))
    assert heart.overdue_s() is None


def test_a_paused_child_may_be_silent():
    now = [0.0]
    heart = Heartbeat(PATIENCE, clock=lambda: now[0])
    heart.beat(Reading(0.0, 1, step_s=0.1))
    heart.beat(Phase("paused", 0.0))
    now[0] = 1e6
    assert heart.overdue_s() is None
    heart.beat(Phase("measure", 1e6))
    assert heart.overdue_s() is None
    now[0] += 50.1
    assert heart.overdue_s() is not None


def test_a_child_that_compiles_and_does_nothing_at_all_is_not_waited_for_as_long():
    now, worked = [0.0], [ProcessTotals((1,), 10.0, 0, 500)]
    heart = Heartbeat(Patience(compile_s=1800, idle_s=120), clock=lambda: now[0], look=lambda: worked[0])
    heart.beat(Phase("compile", 0.0))

    def silent_until(end_s: float, *, cpu_share: float, read_bytes: int = 0) -> float | None:
        while now[0] < end_s:
            now[0] += 1
            one = worked[0]
            worked[0] = replace(one, cpu_s=one.cpu_s + cpu_share, read_bytes=(one.read_bytes or 0) + read_bytes)
            if (silent_s := heart.overdue_s()) is not None:
                return silent_s
        return None

    assert silent_until(500, cpu_share=0.05) is None
    assert silent_until(1000, cpu_share=0.0, read_bytes=1) is None
    assert silent_until(1500, cpu_share=0.0001) is not None
    assert 1115 < now[0] < 1140
    heart.beat(Phase("build", now[0]))
    assert silent_until(now[0] + 800, cpu_share=0.0) is None


def test_a_child_whose_work_nobody_can_see_has_all_its_time():
    now = [0.0]
    heart = Heartbeat(Patience(compile_s=1800, idle_s=120), clock=lambda: now[0], look=lambda: None)
    heart.beat(Phase("compile", 0.0))
    for now[0] in range(0, 1800, 10):
        assert heart.overdue_s() is None


def test_stacks_are_taken_out_of_what_was_said():
    dump = take_apart(DUMP)
    assert dump.said == ("a last word",)
    assert dump.frames[1] == Frame("/home/mine.py", 4, "model")
    assert dump.where(frozenset({"/home/mine.py"})) == "/home/mine.py:4"
    assert dump.where(frozenset({"/home/other.py"})) is None
    assert dump.lines()[-3:][1] == '  File "/home/mine.py", line 4, in model'


def test_lines_without_a_stack_stay_as_they_are():
    lines = ("one", '  File "x.py", line 3, in f', "ValueError: two")
    assert take_apart(lines).lines() == lines


def test_partial_figures_come_from_the_readings():
    readings = [Reading(0.1 * n, n, step_s=0.1 + 0.01 * n, peak_bytes=50 + n) for n in range(5)]
    phases = [PhaseSpan("compile", 1.0, 3.5), PhaseSpan("measure", 3.5, 4.0)]
    found = partial_measurement(WORKLOAD, readings, [Sample(0.0, "measure", ram_bytes=7)], phases)
    assert found is not None
    assert (found.step.median_s, found.step.n, found.first_step_s) == (pytest.approx(0.12), 5, 2.5)
    assert (found.memory.allocator_peak_bytes, found.memory.host_bytes) == (54, 7)
    assert found.epoch_s == pytest.approx(12.0)
    assert partial_measurement(WORKLOAD, [], [], phases) is None


def test_an_hour_at_ten_a_second_stays_bounded_and_even():
    log = SampleLog(most=1000)
    for n in range(36_000):
        log.add(Sample(n / 10, "measure"))
    assert 500 <= len(log.kept) <= 1000
    assert (log.kept[0].t_s, log.kept[-1].t_s > 3590) == (0.0, True)
    gaps = {round(b.t_s - a.t_s, 3) for a, b in zip(log.kept, log.kept[1:], strict=False)}
    assert len(gaps) == 1
