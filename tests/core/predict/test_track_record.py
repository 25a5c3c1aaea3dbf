import pytest

from app.core.predict.track_record import record_title, record_words, track_record
from app.core.types.track_record import Judged, PastRun


def test_without_a_comparison_there_is_no_record():
    assert track_record([]) is None
    assert track_record([PastRun(1, "cnn")]) is None


def test_the_record_counts_medians_inside_and_the_worst():
    past = [
        PastRun(3, "cnn", Judged(102, 90, 110, 100), Judged(1.5, 0.8, 1.7, 1.0)),
        PastRun(2, "mlp", Judged(80, 70, 90, 100), None),
        PastRun(1, "lstm", Judged(99, 90, 110, 100), Judged(1.1, 0.8, 1.2, 1.0)),
    ]
    found = track_record(past)
    assert (found.runs, found.inside) == (3, 2)
    assert found.memory.median_error == pytest.approx(0.02)
    assert (found.memory.runs, found.memory.inside, found.memory.worst_run_id) == (3, 2, 2)
    assert found.memory.worst_error == pytest.approx(-0.2)
    assert (found.time.runs, found.time.inside, found.time.worst_model) == (2, 2, "cnn")
    assert found.time.median_error == pytest.approx(0.3)


def test_the_words_are_those_of_a_person():
    past = [PastRun(n, "cnn", Judged(102, 90, 110, 100), Judged(1.2, 0.5, 2, 1.0)) for n in range(12)]
    found = track_record(past)
    assert record_title(found) == "your last 12 runs"
    assert record_words(found) == "memory median 2.0 %, time median 20 %, 12 of 12 inside the interval"
    alone = track_record([PastRun(1, "cnn", None, Judged(1.0, 0.9, 1.1, 1.2))])
    assert record_title(alone) == "your last run"
    assert record_words(alone) == "time median 17 %, 0 of 1 inside the interval"
