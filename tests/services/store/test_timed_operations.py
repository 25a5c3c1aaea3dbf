from app.core.types.machine import DeviceRates, TimedOperation
from app.services.store.timed_operations import TimedOperations

MEASURED = TimedOperation("Mul", (1024.0, 1.0), 1024.0, 1e-5, 2e-5)
HOT = TimedOperation("convolution", (784.0, 64.0, 64.0, 9.0, 1.0), 5.8e7, 6e-4)
RATES = DeviceRates("cpu", "tensorflow 2.21.0", operations=(MEASURED,), threads=2)


def test_what_a_refinement_timed_counts_for_every_later_prediction_here(tmp_path):
    kept = TimedOperations(tmp_path / "operations.json")
    kept.keep("this machine", [HOT])
    joined = TimedOperations(tmp_path / "operations.json").join("this machine", RATES)
    assert joined.operations == (MEASURED, HOT)


def test_another_machine_knows_nothing_of_it(tmp_path):
    kept = TimedOperations(tmp_path / "operations.json")
    kept.keep("this machine", [HOT])
    assert kept.join("another", RATES) is RATES


def test_the_same_operation_timed_again_takes_the_place_of_the_older_figure(tmp_path):
    kept = TimedOperations(tmp_path / "operations.json")
    kept.keep("this machine", [HOT])
    newer = TimedOperation(HOT.family, HOT.dimensions, HOT.work, 7e-4)
    kept.keep("this machine", [newer])
    assert kept.of("this machine") == [newer]


def test_joined_rates_stay_the_same_object_so_that_simulated_steps_are_kept(tmp_path):
    kept = TimedOperations(tmp_path / "operations.json")
    kept.keep("this machine", [HOT])
    assert kept.join("this machine", RATES) is kept.join("this machine", RATES)
