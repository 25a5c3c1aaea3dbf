"""The arithmetic of the table of whole trainings; no TensorFlow."""

from studies.accuracy.whole_fit import CLEAN, FITS, answer_of, tables_of


def fit(told, truth, seconds):
    phases = {"training": [[told / 2, 1, told], [9, 8, 10], [1, 1, 2]], "validation": [[told, 1, told], None, None]}
    measured = [
        {"kind": kind, "seconds": 1.0, "times": 1, "device_bytes": size, "host_bytes": None}
        for kind, size in (("training", truth // 2), ("validation", truth))
    ]
    run = {"measured": {"phases": measured, "epochs": [{"seconds": seconds}]}, "others_cpu_percent": 3.0}
    longer = {**run, "measured": {"phases": measured, "epochs": [{"seconds": 2 * seconds}]}}
    beside_others = {**longer, "others_cpu_percent": 80.0}
    return {"predicted": {"phases": phases, "total_s": [10, 8, 12]}, "runs": [beside_others, run]}


def epochs(*device):
    return [{"seconds": 1.0, "device_bytes": size, "host_bytes": 1, "traces": 2} for size in device]


STORED = {
    "fits": {"a": fit(110, 100, 9), "b": fit(98, 100, 20)},
    "clean": {"a": epochs(*[10**8] * 6), "b": epochs(*range(10**8, 16 * 10**8, 25 * 10**7))},
    "leaks": {
        "x": {
            "epochs": epochs(*range(10**6, 7 * 10**6, 10**6)),
            "peak_bytes": 256 * 2**20 - 89 * 10**6,
            "ended": 100,
            "why": "out_of_memory",
        }
    },
}


def test_the_figures_are_those_of_the_rows():
    found = answer_of(STORED)
    assert round(found["median_error"], 3) == 0.06
    assert (found["time_inside"], found["false_alarms"], found["clean_programs"]) == (1, 1, 2)
    assert (found["leaks_found"], round(found["last_epoch_worst_error"], 3)) == (1, 0.05)


def test_every_phase_has_its_row():
    tables = "\n".join(tables_of(STORED))
    for words in ("a training", "b validation", "out_of_memory", "highest peak", "0.0 %"):
        assert words in tables


def test_nothing_stored_says_so():
    assert answer_of({})["n"] == 0


def test_five_fits_validate_on_more_than_they_train_on_and_twenty_programs_are_clean():
    assert len(FITS) == 5
    assert all(one.validation > one.samples and one.validation_batch > one.batch for one in FITS)
    assert len(set(CLEAN)) == 20
