"""What people read: verdict first, every number with its mark, unknown said as such."""

import re
from dataclasses import replace

import pytest

from app.cli.text import show
from app.cli.text_machine import doctor_blocks
from app.core.predict.track_record import track_record
from app.core.types.machine import DeviceProbe, FrameworkBuild, GpuProcess, GpuSupport, Interpreter
from app.core.types.track_record import Judged, PastRun
from app.core.types.units import MIB
from app.presentation.advice import advice_blocks
from app.presentation.estimate import busy_lines, estimate_blocks
from app.presentation.history import SHORT_LIST, runs_table, side_by_side
from app.presentation.layout import Table
from app.presentation.machine import machine_table
from app.presentation.run import ending_lines, result_blocks, run_facts
from app.services.machine.doctor import Doctor
from app.services.store.history import History
from tests.cli import answers


@pytest.fixture
def shown(capsys):
    def text_of(*parts):
        show(*parts)
        return capsys.readouterr().out

    return text_of


def test_a_narrow_terminal_tears_no_word_and_gives_up_columns_that_can_be_spared(shown, monkeypatch):
    names = ("No", "Name", "Step", "As of", "Interval", "Note")
    row = ("1", "fashion_mnist_cnn", "✓ 19.1 ms", "2025-06 (indicative)", "18.2 ms to 20.3 ms", "a note of some length")
    table = Table(names, (row,), (0, 2), spare=(4, 5))
    monkeypatch.setenv("COLUMNS", "48")
    text = shown(table)
    assert max(map(len, text.splitlines())) <= 48
    for word in ("fashion_mnist_cnn", "✓ 19.1 ms", "2025-06", "(indicative)"):
        assert word in text
    assert "Interval" not in text
    monkeypatch.setenv("COLUMNS", "130")
    wide = shown(table)
    assert "18.2 ms to 20.3 ms" in wide
    assert "a note" in wide
    monkeypatch.setenv("COLUMNS", "12")
    assert max(map(len, shown(table).splitlines())) <= 12
    monkeypatch.setenv("COLUMNS", "many")
    assert "18.2 ms to 20.3 ms" in shown(table)


def test_the_verdict_comes_first(shown):
    lines = shown(*estimate_blocks(answers.PREDICTION)).splitlines()
    assert lines[0] == "✔ Fits — needs ~ 1.0 GiB of 4.0 GiB allowed on RTX 2060"
    assert lines[1] == "  Batch 256 · largest batch ~ 1,024 · best ~ 512"
    assert lines[2] == "  ~ 19 ms per step (16 ms to 23 ms) · ~ 4.46 s per epoch · ~ 67 s for 15 epochs"
    assert lines[3] == "  It waits for computing (74 % of a step)"


def test_an_estimate_shows_parts_textbook_and_assumptions(shown):
    text = shown(*estimate_blocks(answers.PREDICTION))
    for words in ("Weights", "~ 100.0 MiB", "textbook formula says 230.0 MiB", "loss cross-entropy", "frozen: conv*"):
        assert words in text
    assert "Gradients" not in text
    assert re.search(r"The process in RAM +not available", text)


def test_the_products_own_error_is_told_with_what_it_missed_most(shown):
    past = [PastRun(n, "cnn", Judged(100 + n, 90, 110, 100), Judged(2.0, 1.0, 3.0, 2.5)) for n in (3, 2, 1)]
    record = track_record(past)
    words = "Your last 3 runs lay inside their intervals."
    text = shown(*estimate_blocks(replace(answers.PREDICTION, track_record=record)))
    assert words in text
    assert "Memory: median error 2.0 %, largest 3.0 % in run 3 (cnn), too much was predicted." in text
    assert "Time: median error 20 %, largest 20 % in run 3 (cnn), too little was predicted." in text
    probe = DeviceProbe("gpu:0", "tensorflow 2.21", 700 * MIB, None, 3 * MIB, 1.0, 1.012)
    told = shown(*doctor_blocks(Doctor(answers.MACHINE, probes=(probe,), track_record=record), details=True))
    assert words in told
    assert "700.0 MiB" in told
    assert "× 1.000 to 1.012" in told


def test_unknown_time_is_said(shown):
    time = replace(answers.PREDICTION.time, step_s=None, low_s=None, high_s=None, device_bound=None)
    text = shown(*estimate_blocks(replace(answers.PREDICTION, time=time)))
    assert "time not available" in text
    assert "waits for" not in text


def test_a_name_is_never_read_as_markup(shown):
    facts = replace(answers.PREDICTION.model, name="[red]net[/red]")
    assert "[red]net[/red]" in shown(*estimate_blocks(replace(answers.PREDICTION, model=facts)))


def test_a_run_shows_estimate_beside_measurement(shown):
    text = shown(*ending_lines(answers.run()), *result_blocks(answers.run()))
    assert text.startswith("Succeeded — ✓ 20 ms per step (19 ms to 30 ms, 100 steps) · 12,800 samples/s")
    assert "✓ 1.1 GiB" in text
    assert "−5 %" in text
    assert "on battery" in text


def test_out_of_memory_says_what_helps(shown):
    text = shown(*ending_lines(answers.run(answers.NO_MEMORY)), *result_blocks(answers.run(answers.NO_MEMORY)))
    assert text.startswith("Out of memory during Warm-up")
    assert "Needed 8.0 GiB, had 4.0 GiB" in text
    assert "ry batch 128" in text


def test_advice_is_a_ladder_then_a_table(shown):
    text = shown(*advice_blocks(answers.PREDICTION, answers.ADVICE))
    assert "1. Turn XLA on" in text
    assert "memory ~ 1.0 GiB → ~ 512.0 MiB · epoch ~ 4.5 s → ~ 3 s (2.5 s to 4 s)" in text
    assert "1,600 USD" in text
    assert "GPU: 2025-06" in text
    assert "1: it computes; at most 8.0 ×" in text


def test_nothing_to_gain_is_an_answer(shown):
    content = replace(answers.ADVICE, recommendations=(), nothing_to_gain="it is busy")
    text = shown(*advice_blocks(answers.PREDICTION, content))
    assert "Nothing to gain: it is busy." in text


def test_doctor_says_why_and_what_to_do(shown):
    machine = replace(answers.MACHINE, unavailable={"gpus.0.power_w": "not supported by the card"})
    builds = (FrameworkBuild("tensorflow", "2.21.0", devices=("CPU:0",)), FrameworkBuild("torch", "", problem="broken"))
    support = (GpuSupport(0, "RTX 2060", "tensorflow", False, "this build is for the CPU only", "install CUDA"),)
    interpreters = (Interpreter("/venv/python", "3.11.7", builds), Interpreter("/other", problem="no NumPy there"))
    text = shown(*doctor_blocks(Doctor(machine, interpreters, support), details=True))
    for words in ("Test CPU", "✘ no", ". Install CUDA", "GPU 0 (power)", "broken", "no NumPy there", "AVX2"):
        assert words in text


def test_doctor_is_short_and_its_first_line_says_it_all(shown):
    builds = (FrameworkBuild("tensorflow", "2.21.0", devices=("CPU:0",)), FrameworkBuild("keras", "3.15.1"))
    machine = replace(answers.MACHINE, gpus=(), unavailable={"ram.kind": "no table"}, taken_at="2026-11-24T03:40:00")
    doctor = Doctor(machine, (Interpreter("/venv/python", "3.11.7", builds),))
    lines = shown(*doctor_blocks(doctor)).splitlines()
    assert lines[:3] == ["✔ TensorFlow 2.21.0 trains here on the processor; no graphics card was found", "", "Machine"]
    assert lines[-1].endswith("`willittrain doctor --details`")
    short, details = "\n".join(lines), shown(*doctor_blocks(doctor, details=True))
    for words in ("AVX2", "Read  ", "RAM (type)", "no table"):
        assert (words in short, words in details) == (False, True)


def test_a_card_names_who_holds_its_memory():
    gpu = replace(answers.MACHINE.gpus[0], processes=(GpuProcess(7, "game"),), compute_capability=(7, 5))
    rows = dict(machine_table(replace(answers.MACHINE, gpus=(gpu,))).rows)
    assert rows["GPU 0"] == "RTX 2060 · 5.0 GiB free of 6.0 GiB"
    assert (rows["GPU 0, in figures"], rows["GPU 0, held by"]) == ("compute capability 7.5", "game")


def test_runs_side_by_side_show_what_differs(shown, tmp_path):
    other = replace(answers.WORKLOAD, plan=replace(answers.PLAN, batch_size=512))
    first, second = answers.run(note="first"), replace(answers.run(), run_id=8, workload=other)
    table = side_by_side([first, second])
    assert [row[0] for row in table.rows[table.rule :]] == ["Batch size"]
    text = shown(table)
    assert "512" in text
    assert "Optimizer" not in text
    assert re.search("Note +first", shown(run_facts(first)))
    history = History(tmp_path / "history.sqlite3")
    history.add(first)
    assert "✓ 20 ms" in shown(runs_table(history.list()).pick(SHORT_LIST))


def test_no_line_is_filled_with_blanks(shown):
    for blocks in (estimate_blocks(answers.PREDICTION), advice_blocks(answers.PREDICTION, answers.ADVICE)):
        lines = shown(*blocks).splitlines()
        assert len(lines) > 5
        assert [line for line in lines if line != line.rstrip()] == []


@pytest.mark.parametrize(("percent", "told"), [(None, False), (3.0, False), (62.4, True)])
def test_an_estimate_says_that_the_processor_is_busy_now(shown, percent, told):
    assert ("use 62 % of the processor now" in shown(*busy_lines(percent))) is told
