"""A stored prediction has every key that an older version reads, and an older one is read whole."""

import json
from dataclasses import replace

import msgspec
import pytest

from app.core.predict.knowledge import Knowledge
from app.core.predict.quick import quick_prediction
from app.core.predict.refined import Refined
from app.core.simulate.device import choose_device
from app.core.simulate.recorded_trace import StepPeaks
from app.core.types.units import MIB
from app.core.types.workload import Plan, Workload
from app.services.store.stored_prediction import decode, encode
from tests.cli.answers import PREDICTION
from tests.core.machines import card, desktop
from tests.core.predict.lessons import known
from tests.core.predict.test_estimate import ARRAYS, ESTIMATOR, MODEL, PHOTOS, RATES

MEMORY = """allocator_peak_bytes low_bytes high_bytes device_bytes wanted_workspace_bytes host_bytes parts basis
dominant_assumption largest_layers timeline explanation first_step_peak_bytes dataset_bytes""".split()
TIME = """step_s low_s high_s epoch_s total_s samples_per_s bound_by bound_share basis parts dominant_assumption
explanation stages first_epoch_s""".split()
FIT = """verdict allowed_bytes headroom_bytes max_batch_size best_batch_size device_name reasons explanation""".split()


def told(machine, dataset=PHOTOS, **plan):
    return ESTIMATOR.predict(Workload(MODEL, dataset, Plan(**plan)), machine, Knowledge(RATES))


def quick(machine):
    device = choose_device(machine, "auto")
    return quick_prediction(Workload(MODEL, None, Plan()), machine, device, params=1000, input_shape=(8,))


def as_an_older_version_wrote_it(prediction):
    """Only the keys of version 0.9, and the textbook's context beside its parts."""
    row = json.loads(encode(prediction))
    row["memory"] = {name: row["memory"][name] for name in MEMORY}
    row["time"] = {name: row["time"][name] for name in TIME}
    row["fit"] = {name: row["fit"][name] for name in FIT}
    if prediction.memory.basis == "formula":
        row["memory"]["parts"]["framework"] = 0
    return json.dumps(row)


PREDICTIONS = {
    "processor": told(desktop(), epochs=3),
    "card": told(desktop(card()), epochs=3),
    "array": told(desktop(card()), ARRAYS, data="array"),
    "textbook": quick(desktop(card())),
    "textbook on a processor": quick(desktop()),
    "no data": told(desktop(), None),
    "jax": told(desktop(), None, backend="jax"),
    "made up": PREDICTION,
}


@pytest.mark.parametrize("name", PREDICTIONS)
def test_what_is_written_is_read_again(name):
    found = PREDICTIONS[name]
    assert decode(encode(found)) == found


@pytest.mark.parametrize("name", PREDICTIONS)
def test_an_older_versions_keys_are_written(name):
    row = json.loads(as_an_older_version_wrote_it(PREDICTIONS[name]))
    assert set(row["memory"]) == set(MEMORY)
    assert set(row["time"]) == set(TIME)
    assert set(row["fit"]) == set(FIT)


@pytest.mark.parametrize("name", PREDICTIONS)
def test_what_an_older_version_wrote_says_the_same_numbers(name):
    found = PREDICTIONS[name]
    read = decode(as_an_older_version_wrote_it(found))
    assert (read.memory.device_bytes, read.memory.host_bytes) == (found.memory.device_bytes, found.memory.host_bytes)
    assert read.fit.headroom_bytes == found.fit.headroom_bytes
    for key in ("step_s", "epoch_s", "total_s", "first_epoch_s", "samples_per_s", "bound_by"):
        told_then, told_now = getattr(found.time, key), getattr(read.time, key)
        if key == "samples_per_s" or told_then is not None:
            assert told_now == (
                told_then if isinstance(told_then, str) or told_then is None else pytest.approx(told_then)
            )


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"memory": {}, "fit": {}, "time": {}, "plan": {}}', '{"memory": 3}']
)
def test_what_is_no_prediction_is_refused(text):
    with pytest.raises(msgspec.DecodeError):
        decode(text)


def test_a_refined_prediction_is_read_again():
    refined = Refined(True, (32,), (StepPeaks(32, 300 * MIB, (200 * MIB, 200 * MIB, 200 * MIB)),))
    found = ESTIMATOR.predict(Workload(MODEL, None, Plan()), desktop(), known(RATES, 32, refined=refined))
    assert decode(encode(replace(found, textbook_reason="x"))).memory == found.memory
