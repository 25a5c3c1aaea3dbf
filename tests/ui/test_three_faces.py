"""Terminal, window and reports show the same rows: each is given what was laid out once, and adds none of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from html import unescape

import pytest
from pytestqt.qtbot import QtBot

from app.cli.text import show
from app.core.types.advice import Tried
from app.core.types.machine import Battery, Cpu, Disk, Gpu, GpuProcess, Machine, Ram
from app.core.types.run import Run
from app.core.types.text import phrase, verbatim
from app.core.types.units import GIB
from app.presentation.advice import tried_tables
from app.presentation.history import settings, side_by_side
from app.presentation.layout import Block, Table
from app.presentation.machine import READINGS, machine_table, unavailable, unavailable_reasons
from app.presentation.profile import layers_table, moments_table, times_table
from app.presentation.run import comparisons, measured_facts, run_facts
from app.presentation.upgrades import best_rows, best_words, buying_blocks, upgrade_table
from app.services.reports.report import report_html
from app.ui.advice.advice_page import AdvicePage
from app.ui.advice.state_advice import advice_state
from app.ui.benchmark.profile_card import ProfileCards
from app.ui.benchmark.result_card import ResultCard
from app.ui.benchmark.state_bench import result_state
from app.ui.benchmark.state_profile import profile_state
from app.ui.kit.basics import DataTable
from app.ui.machine.machine_panel import MachinePanel
from app.ui.machine.state_machine import machine_state
from app.ui.runs.run_details import RunDetailsView
from app.ui.runs.state_runs import compare_runs, run_details
from tests.cli import answers
from tests.cli.test_profile import measured

MACHINE = replace(
    answers.MACHINE,
    disks=(Disk("/data", kind="nvme", filesystem="ext4", total_bytes=2 * GIB, free_bytes=GIB),),
    gpus=(replace(answers.MACHINE.gpus[0], processes=(GpuProcess(7, "game", GIB),)),),
    battery=Battery(plugged_in=False),
    unavailable={
        "ram.kind": verbatim("needs root"),
        "ram.speed_mts": verbatim("needs root"),
        "cuda_version": verbatim("no driver"),
        "disks.0.read_bytes_per_s": verbatim("not measured"),
        "gpus.0.power_w": verbatim("not supported"),
    },
)


@pytest.fixture
def run() -> Run:
    result = replace(answers.SUCCEEDED, measurement=measured(300))
    return replace(answers.run(result, note="mine"), machine=MACHINE)


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def text_of(*blocks: Block) -> str:
        show(*blocks)
        return capsys.readouterr().out

    return text_of


def cells(table: DataTable) -> list[tuple[str, ...]]:
    columns = range(table.columnCount())
    return [
        tuple(item.text() if (item := table.item(row, column)) is not None else "" for column in columns)
        for row in range(table.rowCount())
    ]


def rows_of(page: str) -> set[tuple[str, ...]]:
    """The rows of all tables of a page."""
    found = re.findall("<tr>(.*?)</tr>", page, re.DOTALL)
    return {tuple(map(unescape, re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL))) for row in found}


def without_date(table: Table) -> list[tuple[str, ...]]:
    return [row for row in table.rows if row[0] != "When"]


def told_by(terminal: str, table: Table) -> None:
    """Every cell stands in what the terminal printed, though it breaks long ones over several lines.

    A date is a value that each face writes in its own way.
    """
    printed = set(terminal.split())
    for row in without_date(table):
        assert {word for cell in row for word in cell.split()} <= printed


def test_the_machine_is_the_same_in_all_three(qtbot: QtBot, terminal: Callable[..., str], run: Run):
    table = machine_table(MACHINE)
    told_by(terminal(table), table)
    assert set(table.rows) <= rows_of(report_html(run))
    panel = MachinePanel()
    qtbot.addWidget(panel)
    panel.set_state(machine_state(MACHINE))
    panel.show_details()
    details = next(found for found in panel.findChildren(DataTable) if found.accessibleName() == "Machine details")
    assert cells(details) == list(table.rows)


def test_what_is_not_available_is_one_line_by_name_and_its_reasons_are_folded_away():
    assert unavailable(MACHINE) == ("CUDA version; Disk /data (read speed); GPU 0 (power); RAM (type, speed)")
    assert [row for row in machine_table(MACHINE).rows if row[0] == "Not available"] == [
        ("Not available", unavailable(MACHINE))
    ]
    assert ("RAM · type", "needs root") in unavailable_reasons(MACHINE).rows


def test_no_row_of_a_machine_says_a_key():
    keys = {field.name for kind in (Machine, Cpu, Ram, Disk, Gpu) for field in fields(kind) if "_" in field.name}
    everything = replace(
        MACHINE, unavailable={f"{part}.{key}": verbatim("") for part in ("cpu", "ram", "gpus.0") for key in keys}
    )
    told = " ".join(cell for row in machine_table(MACHINE).rows for cell in row)
    assert not {key for key in keys if key in told}
    assert unavailable(everything)


@pytest.mark.parametrize("part", [Cpu, Ram, Disk, Gpu])
def test_every_reading_that_can_be_missing_has_a_name(part: type):
    missing = {field.name for field in fields(part) if field.default is None} - {"device"}
    assert missing <= set(READINGS)


def test_a_run_is_the_same_in_all_three(qtbot: QtBot, terminal: Callable[..., str], run: Run):
    found = run.result.measurement
    assert found is not None
    trained, facts = run_facts(run), measured_facts(found)
    told_by(terminal(trained, facts), trained)
    page = rows_of(report_html(run))
    assert {*without_date(trained), *facts.rows} <= page
    view = RunDetailsView()
    qtbot.addWidget(view)
    view.set_details(run_details(run))
    shown = cells(view.trained.table)
    assert [row for row in shown if row[0] != "When"] == without_date(trained)
    assert [row[0] for row in shown] == [row[0] for row in trained.rows]
    assert dict(cells(view.facts.table)) == {name: value for name, value in settings(run).items() if value}


def test_what_was_measured_beside_the_estimate_is_the_same_in_all_three(
    qtbot: QtBot, terminal: Callable[..., str], run: Run
):
    rows = [row for row in comparisons(run.prediction, run.result.measurement) if row.known]
    card = ResultCard()
    qtbot.addWidget(card)
    card.set_state(result_state(run))
    shown = {name.text(): off.text() for name, _, _, off in card._rows.values() if not name.isHidden()}
    assert shown == {row.name: row.difference for row in rows}
    page = rows_of(report_html(run))
    assert {
        (row.name, row.measured.marked, row.estimated.marked, row.estimated.range, row.difference) for row in rows
    } <= page
    card._more.click()
    found = run.result.measurement
    assert found is not None
    assert cells(card.facts) == list(measured_facts(found).rows)


def test_a_profile_is_the_same_in_all_three(qtbot: QtBot, terminal: Callable[..., str], run: Run):
    found = run.result.measurement
    assert found is not None
    assert found.profile is not None
    tables = (moments_table(found), layers_table(run), times_table(found.profile))
    page = rows_of(report_html(run))
    cards = ProfileCards()
    qtbot.addWidget(cards)
    cards.set_state(profile_state(run))
    for table, shown in zip(tables[1:], (cards.layers, cards.times), strict=True):
        assert cells(shown) == list(table.rows)
    cards.over_time.table_button.click()
    assert cells(cards.over_time.table) == list(tables[0].rows)
    for table in tables:
        assert table.rows
        told_by(terminal(table), table)
        assert set(table.rows) <= page


def test_two_runs_differ_by_the_same_rows_in_terminal_and_window(qtbot: QtBot, terminal: Callable[..., str], run: Run):
    other = replace(run, run_id=8, workload=replace(run.workload, plan=replace(run.workload.plan, batch_size=512)))
    table = side_by_side((run, other))
    told_by(terminal(table), table)
    view = RunDetailsView()
    qtbot.addWidget(view)
    view.set_comparison(compare_runs((run, other)))
    assert view.comparison is not None
    assert cells(view.comparison) == list(table.rows)
    assert table.rows[table.rule] == ("Batch size", "256", "512")


def test_what_was_tried_in_vain_is_the_same_in_all_three(qtbot: QtBot, terminal: Callable[..., str], run: Run):
    half = replace(answers.ADVICE.recommendations[0], title=verbatim("Batch size 16"))
    tried = Tried(half, phrase("as quick as now")), Tried(half, phrase("{share} slower", share="9 %"), smaller=True)
    advice = replace(answers.ADVICE, tried=tried, would_matter=(phrase("the disk is idle"),))
    tables = tried_tables(advice, "predicted")
    assert [[row[3] for row in table.rows] for table in tables] == [["", "As quick as now"], ["", "9 % slower"]]
    page = AdvicePage()
    qtbot.addWidget(page)
    page.set_state(advice_state(advice, "predicted"))
    told = rows_of(report_html(run, advice))
    for table, shown in zip(tables, page.vain.tables, strict=True):
        told_by(terminal(table), table)
        assert cells(shown) == list(table.rows)
        assert {row[3] for row in table.rows} <= {row[3] for row in told if len(row) == 4}
    assert "The disk is idle" in report_html(run, advice)


def test_hardware_is_the_same_in_terminal_and_report(terminal: Callable[..., str], run: Run):
    table = upgrade_table(answers.ADVICE.upgrades, 1)
    told_by(terminal(table), table)
    for row in best_rows(answers.ADVICE.upgrades):
        assert str(best_words(row)) in " ".join(terminal(*buying_blocks(answers.ADVICE, 1)).split())
        assert str(best_words(row)) in unescape(report_html(run, answers.ADVICE))
    rows = upgrade_table(answers.ADVICE.upgrades, run.workload.plan.epochs).rows
    assert set(rows) <= rows_of(report_html(run, answers.ADVICE))


def test_a_table_without_a_value_has_no_row_for_it():
    names = [name for name, _ in machine_table(Machine()).rows]
    assert names == ["System", "Processor", "RAM", "GPU"]
    assert phrase("Swap") not in names
