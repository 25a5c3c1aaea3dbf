"""Some of everything of a ``fit``, run in a real child."""

import dataclasses
from pathlib import Path

import pytest

from app.catalog import typed_json
from app.core.runs.growth import growths
from app.core.types.messages import Done, Failed, Request
from app.core.types.units import MIB
from app.core.types.whole import Length, MeasuredWhole
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.child.child_jobs import bench_arguments
from app.services.child.child_options import ChildOptions
from app.services.child.variables import child_variables
from app.services.child.worker_process import run_worker
from app.services.models.own_code import read_own

pytestmark = pytest.mark.worker

LEAKS = """
import keras, tensorflow as tf
kept = []
class Leaking(keras.Model):
    def evaluate(self, *values, **named):
        kept.append(tf.zeros([{floats}]))
        return super().evaluate(*values, **named)
def net():
    inputs = keras.Input((32,))
    model = Leaking(inputs, keras.layers.Dense(1)(inputs))
    model.compile("adam", "mse")
    return model
"""


def ran(workload, length, limit_mib=None):
    environment = dict(child_variables("tensorflow", "cpu"))
    if limit_mib:
        environment["TF_CPU_BFC_MEM_LIMIT_IN_MB"] = str(limit_mib)
    arguments = {**bench_arguments(workload, 0), "length": dataclasses.asdict(length)}
    return run_worker(Request("whole", arguments), ChildOptions(environment=environment, timeout_s=240))


def whole_of(ended):
    found = ended.result if isinstance(ended, Done) else ended.partial
    return typed_json.convert(found["whole"], MeasuredWhole)


def leaking(folder: Path, floats: int) -> Workload:
    path = folder / "net.py"
    path.write_text(LEAKS.format(floats=floats))
    consent = tuple(read_own(str(path)).digests.values())
    model = ModelRef("code", "net", path=str(path), function="net", trusted=True, consent=consent)
    return Workload(model, None, Plan(8, device="cpu", jit=False, validation=16))


def test_every_phase_is_told_with_its_arrays():
    plan = Plan(
        64, epochs=3, device="cpu", jit=False, data="array", validation=4096, checkpoint_every=1, restore_best=True
    )
    workload = Workload(ModelRef("catalog", "mlp"), Dataset("made up", samples=1024), plan)
    ended = ran(workload, Length(16, 64, 3))
    assert isinstance(ended, Done), ended
    found = whole_of(ended)
    times = {one.kind: one.times for one in found.phases}
    assert times == {"prepare": 1, "first_step": 1, "training": 1, "validation": 3, "saving": 3, "later": 2}
    arrays = 4096 * 784 * 4
    before, after = (found.phase(kind).device_bytes for kind in ("training", "later"))
    # Beside them lie the batches that tf.data makes ahead: many of them while a busy machine delays the step.
    assert 0.95 * arrays <= after - before <= 1.5 * arrays
    assert found.saved_bytes == pytest.approx(3 * 669_706 * 4, rel=0.05)
    assert all(one.seconds > 0 for one in found.phases)


def test_a_tensor_that_is_kept_is_told_and_the_last_epoch_is_known(tmp_path):
    short = whole_of(ran(leaking(tmp_path, 1_000_000), Length(2, 2, 6)))
    peak = max(one.device_bytes for one in short.phases)
    limit = 128
    (told,) = growths(short.epochs, device_left_bytes=limit * MIB - peak, host_left_bytes=None)
    assert told.place == "device"
    assert told.bytes_per_epoch.value == pytest.approx(4_000_000, rel=0.02)
    ended = ran(leaking(tmp_path, 1_000_000), Length(2, 2, 200), limit)
    assert isinstance(ended, Failed)
    assert ended.kind == "out_of_memory"
    assert len(whole_of(ended).epochs) == pytest.approx(told.last_epoch, rel=0.1)
