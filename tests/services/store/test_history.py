import json
import sqlite3
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.catalog import typed_json
from app.core.types.errors import StoreError, UsageError
from app.core.types.machine import Gpu, Machine
from app.core.types.measurement import Doubt, MeasuredMemory, MeasuredStep, Measurement, Problem, RunResult, Sample
from app.core.types.plan import Plan
from app.core.types.prediction import Prediction, Uncalibrated
from app.core.types.run import Run
from app.core.types.text import Text, phrase
from app.core.types.units import GIB, MIB, format_bytes
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.store import forecasts
from app.services.store.forecasts import Outlook
from app.services.store.history import TRACKED_RUNS, History
from app.services.store.history_schema import MIGRATIONS, migrate
from tests.cli import answers

MEASURED = Measurement(
    step=MeasuredStep(0.02, 0.019, 0.03, 100),
    first_step_s=1.5,
    samples_per_s=12_800.0,
    epoch_s=4.7,
    memory=MeasuredMemory(allocator_peak_bytes=300_000_000, host_bytes=900_000_000),
)
GOOD = RunResult("succeeded", MEASURED, samples=(Sample(0.5, "measure", step=3, ram_bytes=5),))


def workload(model: str = "fashion_mnist_cnn", **plan: object) -> Workload:
    return Workload(ModelRef("catalog", model), Dataset("fashion_mnist", samples=60_000), Plan(**plan))


def run(of: Workload, result: RunResult = GOOD, note: str = "") -> Run:
    return Run(0, "", of, Machine(gpus=(Gpu(name="RTX 2060"),)), None, result, note)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "deep" / "history.sqlite3")


def test_a_stored_run_comes_back_whole(history: History):
    stored = history.add(run(workload(batch_size=256), note="first"))
    assert stored.run_id == 1
    assert stored.created_at.endswith("+00:00")
    assert history.get(1) == stored
    assert History(history.path).get(1) == stored


def test_a_failed_run_is_kept_with_its_problem(history: History):
    failed = RunResult("out_of_memory", problem=Problem("out_of_memory", "OOM", needed_bytes=9, had_bytes=8))
    history.add(run(workload(), failed))
    assert history.get(1).result.problem == failed.problem
    assert history.list()[0].step_s is None
    assert history.newest_matching(workload()) is None


def test_the_list_is_newest_first_and_limited(history: History):
    for size in (1, 2, 3):
        history.add(run(workload(batch_size=size)))
    assert [s.batch_size for s in history.list()] == [3, 2, 1]
    assert [s.batch_size for s in history.list(limit=2)] == [3, 2]
    first = history.list()[0]
    assert (first.model, first.dataset, first.step_s) == ("fashion_mnist_cnn", "fashion_mnist", 0.02)
    assert first.allocator_peak_bytes == 300_000_000


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("resnet", ["resnet50"]),
        ("RES 50", ["resnet50"]),
        ("", ["vgg16", "resnet50"]),
        ("100%", ["vgg16"]),
        ("_", ["vgg16", "resnet50"]),
        ("%", ["vgg16"]),
        ("o'brien", ["resnet50"]),
        ("nothing", []),
    ],
)
def test_the_list_is_filtered_by_words(history: History, text: str, found: list[str]):
    history.add(run(workload("resnet50"), note="o'Brien"))
    history.add(run(workload("vgg16"), note="100% sure"))
    assert [s.model for s in history.list(text)] == found


def test_matching_looks_at_the_whole_plan_but_the_epochs(history: History):
    history.add(run(workload(batch_size=8)))
    newest = history.add(run(workload(batch_size=8, epochs=5)))
    history.add(run(workload(batch_size=16)))
    history.add(run(workload(batch_size=8, precision="mixed_float16")))
    assert history.newest_matching(workload(batch_size=8, epochs=99)) == newest
    assert history.newest_matching(workload(batch_size=8, optimizer="sgd")) is None
    assert history.newest_matching(replace(workload(batch_size=8), dataset=None)) is None
    assert len(history.runs_of_model(workload(batch_size=512))) == 4
    assert history.runs_of_model(workload("vgg16")) == ()


def test_two_files_with_one_name_are_two_models(history: History):
    here, there = (Workload(ModelRef("file", "net.keras", path=path)) for path in ("/a/net.keras", "/b/net.keras"))
    history.add(run(here))
    assert history.newest_matching(there) is None
    assert history.newest_matching(here) is not None


def test_a_note_can_be_changed_and_searched(history: History):
    history.add(run(workload()))
    history.set_note(1, "after the new driver")
    assert history.get(1).note == "after the new driver"
    assert len(history.list("driver")) == 1


def test_a_note_of_the_program_keeps_what_it_is_made_of_and_a_users_word_stays(history: History):
    made = history.add(replace(answers.run(), note=phrase("compared: {label}", label="XLA on"))).run_id
    typed = history.add(replace(answers.run(), note='{"text": "compared: {label}"}')).run_id
    for note in (history.get(made).note, next(row.note for row in history.list() if row.run_id == made)):
        assert isinstance(note, Text)
        assert (note.template, note) == ("compared: {label}", "compared: XLA on")
    assert history.get(typed).note == '{"text": "compared: {label}"}'
    assert [row.run_id for row in history.list("compared: XLA")] == [made]
    history.set_note(made, "\x1fmine")
    assert history.get(made).note == "mine"


def test_deleting_can_be_undone(history: History):
    history.add(run(workload()))
    history.delete(1)
    assert history.list() == ()
    assert [s.run_id for s in history.list(deleted=True)] == [1]
    assert history.newest_matching(workload()) is None
    assert history.get(1).deleted
    history.restore(1)
    assert history.newest_matching(workload()) is not None


def test_an_unknown_run_is_a_usage_error(history: History):
    for ask in (history.get, history.delete, history.restore, lambda n: history.set_note(n, "x")):
        with pytest.raises(UsageError, match="no such run"):
            ask(7)


def test_export_is_json_of_whole_runs(history: History):
    for size in (1, 2, 3):
        history.add(run(workload(batch_size=size)))
    history.delete(2)
    document = json.loads(history.export())
    assert document["schema"] == 1
    assert [r["workload"]["plan"]["batch_size"] for r in document["runs"]] == [1, 3]
    assert len(json.loads(history.export([2]))["runs"]) == 1


def with_a_name_that_is_no_text() -> bytes:
    """A database whose schema SQLite complains of by a name of bytes that no text has."""
    store = sqlite3.connect(":memory:")
    store.execute("CREATE TABLE named (one)")
    return store.serialize().replace(b"TABLE", b"TABXE").replace(b"named", b"n\xbfmed")


DAMAGED = (b"this is no database" * 100, b"SQLite format 3\0" + b"\7" * 5000, with_a_name_that_is_no_text())


@pytest.mark.parametrize("content", DAMAGED)
def test_a_damaged_file_is_set_aside(tmp_path: Path, content: bytes):
    path = tmp_path / "history.sqlite3"
    path.write_bytes(content)
    history = History(path)
    history.add(run(workload()))
    assert history.notice is not None
    (kept,) = tmp_path.glob("*.damaged-*")
    assert str(kept) in history.notice
    assert kept.read_bytes() == content
    assert len(History(path).list()) == 1


def test_a_newer_file_is_left_alone(history: History):
    history.add(run(workload()))
    with sqlite3.connect(history.path) as store:
        store.execute("PRAGMA user_version = 99")
    store.close()
    before, newer = history.path.read_bytes(), History(history.path)
    assert newer.list() == ()
    assert newer.notice is not None
    assert "newer version" in newer.notice
    with pytest.raises(StoreError, match="newer version"):
        newer.add(run(workload()))
    measured = newer.keep(run(workload()))
    assert measured.result.measurement is not None
    assert "was not stored" in measured.result.warnings[-1]
    assert history.path.read_bytes() == before


def test_a_run_that_cannot_be_decoded_is_told(history: History):
    history.add(run(workload()))
    with sqlite3.connect(history.path) as store:
        store.execute("UPDATE run SET result_json = '{}'")
    store.close()
    with pytest.raises(StoreError, match="run 1 cannot be read"):
        history.get(1)
    assert len(history.list()) == 1


def test_a_migration_keeps_what_is_there_and_is_whole_or_not_at_all(tmp_path: Path):
    store = sqlite3.connect(tmp_path / "x.sqlite3")
    migrate(store, MIGRATIONS)
    more = (*MIGRATIONS, ("ALTER TABLE run ADD COLUMN tag TEXT",))
    with pytest.raises(sqlite3.OperationalError):
        migrate(store, (*MIGRATIONS, ("ALTER TABLE run ADD COLUMN tag TEXT", "ALTER TABLE nowhere ADD COLUMN x TEXT")))
    migrate(store, more)
    assert "tag" in [row[1] for row in store.execute("PRAGMA table_info(run)")]
    assert store.execute("PRAGMA user_version").fetchone() == (len(more),)
    store.close()


def forecast(
    model: str = "fashion_mnist_cnn",
    *,
    told: Prediction = answers.PREDICTION,
    result: RunResult = GOOD,
    machine: Machine | None = None,
) -> Run:
    return Run(0, "", workload(model), machine or Machine(gpus=(Gpu(name="RTX 2060"),)), told, result)


def measured(peak_bytes: int, step_s: float) -> RunResult:
    step, memory = replace(MEASURED.step, median_s=step_s), replace(MEASURED.memory, allocator_peak_bytes=peak_bytes)
    return RunResult("succeeded", replace(MEASURED, step=step, memory=memory))


def basis(memory: str, time: str) -> Prediction:
    """What is told after a run of the very same plan, with what would have been told without it."""
    told = answers.PREDICTION
    return replace(
        told,
        memory=replace(told.memory, basis=memory),
        time=replace(told.time, basis=time),
        uncalibrated=Uncalibrated(2 * GIB, GIB, 3 * GIB, 0.04, 0.03, 0.05),
    )


def test_the_track_record_compares_what_was_told_with_what_came(history: History):
    assert history.track_record() is None
    history.add(forecast(result=measured(GIB, 0.019)))
    history.add(forecast(result=measured(2 * GIB, 0.038)))
    found = history.track_record()
    assert (found.runs, found.inside) == (2, 1)
    assert found.memory.median_error == pytest.approx(0.25)
    assert (found.time.worst_run_id, found.time.worst_error) == (2, pytest.approx(-0.5))
    history.delete(2)
    assert history.track_record().runs == 1
    assert history.track_record(0) is None


def test_a_number_that_was_measured_before_is_no_prediction(history: History):
    history.add(forecast(told=basis("measured", "measured"), result=measured(GIB, 0.02)))
    found = history.track_record()
    assert found.memory.worst_error == pytest.approx(1.0)
    assert found.time.worst_error == pytest.approx(1.0)
    history.add(forecast(told=basis("calibrated", "scaled"), result=measured(GIB, 0.019)))
    assert history.past_runs(1)[0].memory.error == pytest.approx(0)


@pytest.mark.parametrize(
    "kept",
    [
        replace(forecast(), prediction=None),
        forecast(result=RunResult("crashed", problem=Problem("crashed", "ended"))),
        forecast(result=answers.NO_MEMORY),
        forecast(machine=Machine(simulated=("gpu",))),
        forecast(result=replace(GOOD, measurement=None)),
    ],
)
def test_what_cannot_be_compared_does_not_count(history: History, kept: Run):
    history.add(kept)
    assert history.track_record() is None


def test_the_time_of_a_run_beside_other_programs_is_not_ours_to_judge(history: History):
    shared = Doubt("card_shared", "another program uses the card", value=60.0)
    disturbed = replace(measured(GIB, 0.2).measurement, doubts=(shared,))
    history.add(forecast(result=RunResult("succeeded", disturbed)))
    found = history.track_record()
    assert (found.runs, found.inside, found.time) == (1, 1, None)
    assert found.memory.runs == 1


def test_a_run_without_an_allocators_count_is_judged_by_its_time(history: History):
    history.add(forecast(result=RunResult("succeeded", replace(MEASURED, memory=MeasuredMemory()))))
    found = history.track_record()
    assert found.memory is None
    assert found.time.runs == 1


def test_runs_of_other_models_on_the_same_device_are_witnesses(history: History):
    told = basis("calibrated", "scaled")
    history.add(forecast("vgg16", told=told, result=measured(3 * GIB, 0.04)))
    history.add(forecast("resnet50", told=replace(told, xla=True), result=measured(3 * GIB, 0.04)))
    history.add(forecast("unet", told=replace(told, fit=replace(told.fit, device_name="A100")), result=GOOD))
    history.add(forecast(told=told))
    outlook = Outlook("RTX 2060", compiled=False)
    found = history.witnesses(workload(), None, outlook)
    assert [(w.predicted, w.score) for w in found.memory] == [(2 * GIB, pytest.approx(1.0))]
    assert [(w.predicted, w.score) for w in found.time] == [(0.04, pytest.approx(0.0))]
    assert len(history.witnesses(workload("vgg16"), None, outlook).memory) == 1
    assert history.witnesses(workload("vgg16"), None, replace(outlook, device="TPU")).memory == ()


def test_a_run_that_died_of_too_little_memory_speaks_against_a_lower_prediction_only(history: History):
    told = basis("traced", "predicted")
    for needed in (8 * GIB, GIB):
        problem = Problem("out_of_memory", "full", needed_bytes=needed)
        history.add(forecast(f"net{needed}", told=told, result=RunResult("out_of_memory", problem=problem)))
    (witness,) = history.witnesses(workload(), None, Outlook("RTX 2060", compiled=False)).memory
    assert witness.score > 3
    assert history.track_record() is None


def test_another_versions_runs_judge_but_teach_nothing(history: History, monkeypatch: pytest.MonkeyPatch):
    history.add(forecast("vgg16", told=basis("traced", "predicted")))
    monkeypatch.setattr(forecasts, "__version__", "9.9")
    assert history.witnesses(workload(), None, Outlook("RTX 2060", compiled=False)).memory == ()
    assert history.track_record().runs == 1


def test_an_old_file_gets_its_log_from_what_it_stored(tmp_path: Path):
    path = tmp_path / "history.sqlite3"
    store = sqlite3.connect(path)
    migrate(store, MIGRATIONS[:1])
    for number, told in enumerate([("traced", "predicted"), ("measured", "scaled"), None], start=1):
        prediction = "torn{"
        if told:
            document = typed_json.plain(basis(*told))
            del document["uncalibrated"], document["track_record"]
            prediction = json.dumps(document)
        store.execute(
            "INSERT INTO run VALUES (?, '2026-01-01', 'vgg16', '', 1, 'adam', 'float32', 'train', 'auto', 'succeeded',"
            " 0.038, 10, 1073741824, '\"vgg16\"', 'p', 's', '', 0, '{}', '{\"simulated\": []}', ?, '{}')",
            (number, prediction),
        )
    store.commit()
    store.close()
    history = History(path)
    second, first = history.past_runs()
    assert first.memory.error == pytest.approx(0)
    assert first.time.error == pytest.approx(-0.5)
    assert second.memory is None
    assert second.time.measured == 0.038
    assert history.witnesses(workload(), None, Outlook("RTX 2060", compiled=False)).memory == ()
    assert history.add(forecast()).run_id == 4
    assert len(history.past_runs()) == 3


def test_ten_thousand_runs_cost_the_record_and_the_witnesses_no_time(history: History):
    history.add(forecast("vgg16", told=basis("traced", "predicted")))
    with sqlite3.connect(history.path) as store:
        names = [row[1] for row in store.execute("PRAGMA table_info(run)")]
        others = ", ".join(names[1:])
        store.execute(
            f"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
            f" INSERT INTO run ({', '.join(names)}) SELECT i, {others} FROM n, run WHERE run_id = 1"
        )
        columns = ", ".join([row[1] for row in store.execute("PRAGMA table_info(forecast)")][1:])
        store.execute(
            f"INSERT INTO forecast SELECT new.id, {columns} FROM (SELECT run_id AS id FROM run) new, forecast"
            " WHERE new.id > 1"
        )
    store.close()
    seconds = []
    for _ in range(5):
        started = time.process_time()
        assert history.track_record().runs == TRACKED_RUNS
        found = history.witnesses(workload(), None, Outlook("RTX 2060", compiled=False))
        assert len(found.memory) == forecasts.TEACHING_RUNS
        seconds.append(time.process_time() - started)
    assert min(seconds) < 0.1, "of the processor, which a busy machine does not change"


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot use the history"):
        History(tmp_path / "file" / "history.sqlite3").add(run(workload()))
    assert History(tmp_path / "file" / "history.sqlite3").list() == ()


def test_threads_store_side_by_side(history: History):
    def store_some() -> None:
        for size in range(1, 6):
            history.add(run(workload(batch_size=size)))

    threads = [threading.Thread(target=store_some) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [s.run_id for s in history.list()] == list(range(20, 0, -1))


def test_windows_that_make_the_file_together_all_get_it(tmp_path: Path):
    """SQLite answers "locked" at once where a waiting switch to write-ahead could deadlock; seen once in 50."""
    failures: list[StoreError] = []

    def first_look(path: Path) -> None:
        try:
            History(path).list()
        except StoreError as error:
            failures.append(error)

    for attempt in range(30):
        path = tmp_path / str(attempt) / "history.sqlite3"
        windows = [threading.Thread(target=first_look, args=(path,)) for _ in range(8)]
        for window in windows:
            window.start()
        for window in windows:
            window.join()
    assert failures == []


def test_runs_of_before_a_setting_existed_are_still_found(history: History):
    """Their keys do not name it, and a plan that leaves it alone means the same."""
    history.add(run(workload(batch_size=8)))
    assert "lora_rank" not in sqlite3.connect(history.path).execute("SELECT plan_key FROM run").fetchone()[0]
    assert history.newest_matching(workload(batch_size=8, lora_rank=4)) is None
    history.add(run(workload(batch_size=8, lora_rank=4)))
    assert history.newest_matching(workload(batch_size=8, lora_rank=4)).run_id == 2
    assert history.newest_matching(workload(batch_size=8)).run_id == 1


def test_a_text_in_a_field_for_plain_strings_does_not_make_a_run_unreadable(tmp_path):
    run = answers.run()
    told = {**run.result.environment, "data": phrase("made up, {bytes}", bytes=format_bytes(MIB))}
    history = History(tmp_path / "history.sqlite3")
    kept = history.add(replace(run, result=replace(run.result, environment=told)))
    assert history.get(kept.run_id).result.environment["data"] == "made up, 1.0 MiB"
