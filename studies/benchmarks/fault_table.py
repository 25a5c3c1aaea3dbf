"""The faults that are injected: how, and which kind of problem must come of each."""

from __future__ import annotations

import contextlib
import struct
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

import numpy as np

from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.services.child.patience import Patience
from studies.benchmarks.fault_children import PHASES
from tests.fakes.own_code import allowed_data, own_model

ROOT = Path(__file__).resolve().parents[2]
SHORT = Patience(start_s=4, import_s=60, build_s=60, compile_s=60, first_step_s=10, floor_s=1.5, steps=5)
LONGER = replace(SHORT, start_s=20, floor_s=6.0)
"""Where silence is not the fault, and where TensorFlow runs: beside other work its phases begin slowly."""
MIB = 1024**2
DAMAGED = 3
OWN = """
import keras, numpy as np, tensorflow as tf, time

def dense(layer=None):
    middle = [layer] if layer is not None else []
    return keras.Sequential([keras.Input((8,)), *middle, keras.layers.Dense(4), keras.layers.Dense(1)])

def explodes():
    infinite = keras.initializers.Constant(np.inf)
    return keras.Sequential([keras.Input((8,)), keras.layers.Dense(1, kernel_initializer=infinite)])

def broken():
    return {}["no such layer"]

class OnHost(keras.layers.Layer):
    def __init__(self, function):
        super().__init__()
        self.function = function
    def call(self, x):
        out = tf.py_function(self.function, [x], x.dtype)
        out.set_shape(x.shape)
        return out
    def compute_output_shape(self, shape):
        return shape

def host_layer():
    return dense(OnHost(lambda x: x))

def raise_in_step(x):
    raise RuntimeError("the user's layer failed")

def raises_in_step():
    return dense(OnHost(raise_in_step))

calls = []
def sleep_later(x):
    calls.append(1)
    if len(calls) > 20:
        time.sleep(3217)
    return x

def hangs_in_step():
    return dense(OnHost(sleep_later))

class OnlyOnCards(keras.layers.Layer):
    def call(self, x):
        state = tf.zeros((1, tf.shape(x)[0], 8))
        rnn = tf.raw_ops.CudnnRNN(input=x[None], input_h=state, input_c=state, params=tf.zeros((1000,)))
        return tf.reshape(rnn.output, tf.shape(x))
    def compute_output_shape(self, shape):
        return shape

def no_kernel():
    return dense(OnlyOnCards())

def prints():
    print("hello from the model" * 5000)
    return dense()

def batch(width, batch_size):
    return np.zeros((batch_size, width), "float32"), np.zeros((batch_size, 1), "float32")

stock = list(range(40))
def ends(batch_size):
    while stock:
        stock.pop()
        yield batch(8, batch_size)

def raises(batch_size):
    for _ in range(30):
        yield batch(8, batch_size)
    raise ValueError("no more pictures")

def stalls(batch_size):
    for _ in range(30):
        yield batch(8, batch_size)
    time.sleep(3217)

def wide(batch_size):
    yield batch(5, batch_size)
"""
"""Models and input pipelines of a user, one function each."""


@dataclass(frozen=True)
class Fault:
    """One injection.  ``expected`` is the kind of problem; None means that the run must succeed all the same."""

    name: str
    expected: str | None
    job: str = ""
    """Of `studies.benchmarks.fault_children`."""
    script: str = ""
    """Python in place of the worker."""
    program: str = ""
    """An interpreter in place of ours."""
    model: str = ""
    """A function of `OWN`, or a catalog name: TensorFlow trains it."""
    plan: Plan = Plan(batch_size=16, device="cpu", jit=False)
    environment: Mapping[str, str] = field(default_factory=dict)
    data: str = ""
    limit_bytes: int | None = None
    cancel_s: float | None = None
    oom_kills: tuple[int | None, int | None] | None = None
    """What the system's count of memory kills is made to say before and after."""

    @property
    def needs_tensorflow(self) -> bool:
        """Does TensorFlow run in the child?"""
        return bool(self.model)


def _say(kind: str, **body: object) -> str:
    """Python that writes a message."""
    import json

    return f"sys.stdout.write({json.dumps({'v': 1, 'kind': kind, 'body': body})!r} + chr(10)); sys.stdout.flush()"


FAULTS = (
    Fault("nothing goes wrong", None, job="answers"),
    Fault("an array of 1 EiB in Python", "host_memory", job="host_memory"),
    Fault("std::bad_alloc", "host_memory", job="bad_alloc"),
    Fault("RAM above the limit", "memory_limit", job="takes_memory", limit_bytes=300 * MIB),
    Fault("a grandchild's RAM above the limit", "memory_limit", job="grandchild_takes_memory", limit_bytes=300 * MIB),
    Fault("a daemon's RAM above the limit", "memory_limit", job="daemon_takes_memory", limit_bytes=300 * MIB),
    Fault("a stray's RAM above the limit", "memory_limit", job="stray_takes_memory", limit_bytes=300 * MIB),
    Fault("SIGKILL, the kernel counts a memory kill", "memory_killer", job="killed", oom_kills=(1, 2)),
    Fault("SIGKILL on a system that does not count", "memory_killer", job="killed", oom_kills=(None, None)),
    Fault("SIGKILL by somebody else", "killed", job="killed"),
    Fault("a check fails on CUDA_ERROR_OUT_OF_MEMORY", "out_of_memory", job="check_failed_on_a_card"),
    Fault("SIGKILL before the first word", "killed", script="os.kill(os.getpid(), 9)"),
    *(Fault(f"SIGKILL in {phase}", "killed", job=f"killed_in_{phase.replace('-', '_')}") for phase in PHASES),
    Fault("reads address zero", "segmentation_fault", job="touches_address_zero"),
    Fault("reads beyond a mapped file", "bus_error", job="reads_beyond_a_file"),
    Fault("abort()", "aborted", job="aborts"),
    Fault("SIGILL", "illegal_instruction", job="unknown_instruction"),
    Fault("SIGFPE", "arithmetic", job="divides_by_zero"),
    Fault("SIGTERM from outside", "cancelled", job="told_to_end"),
    Fault("sys.exit in the model", "bad_model", job="exits"),
    Fault("_exit(7)", "crashed", job="exits_at_once"),
    Fault("garbage on standard output", None, job="prints_garbage"),
    Fault("garbage on every descriptor", "garbled", job="writes_to_all_descriptors"),
    Fault("closes standard output", None, job="closes_standard_output"),
    Fault("closes every descriptor", "closed_output", job="closes_all_descriptors"),
    Fault("half a message", "cut_off", script='sys.stdout.write(\'{"v":1,"ki\'); sys.stdout.flush(); os._exit(0)'),
    Fault("a line of 100 MB", "garbled", script="sys.stdout.write('x' * 100_000_000); time.sleep(3217)"),
    Fault("a message of another version", "other_version", script='print(\'{"v":9,"kind":"hello","body":{}}\')'),
    Fault("a message without its body", "garbled", script=_say("phase")),
    Fault("an answer that is not JSON", "error", job="answers_nan"),
    Fault("52 MB on standard error", None, job="floods_standard_error"),
    Fault("1 GB on standard output", None, job="floods_standard_output"),
    Fault(
        "1 GB of messages",
        None,
        script=f"text = {_say('progress', fraction=0.5, text='x' * 9950)!r}\n"
        "code = compile(text, '', 'exec')\nfor _ in range(100_000): exec(code)\n" + _say("done", result={}),
    ),
    Fault(
        "1 GB of garbage instead of messages",
        "garbled",
        script="for _ in range(10_000): os.write(1, b'x' * 99_999 + b'\\n')",
    ),
    Fault("a step of -5 s", "garbled", script=_say("reading", t_s=1.0, step=1, step_s=-5.0)),
    Fault("a peak of 1e30 bytes", "garbled", script=_say("reading", t_s=1.0, step=1, peak_bytes=10**30)),
    Fault("sleeps in a step", "hung", job="sleeps_in_a_step"),
    Fault("hangs in C, interpreter locked, SIGTERM ignored", "hung", job="hangs_in_c"),
    Fault("stops itself (SIGSTOP)", "hung", job="stops_itself"),
    Fault("never says a word", "hung", script="time.sleep(3217)"),
    Fault("cancelled while it ignores SIGTERM", "cancelled", job="hangs_in_c", cancel_s=0.7),
    Fault("forks", None, job="forks"),
    Fault("leaves a daemon in its own session", None, job="leaves_a_daemon"),
    Fault("aborts beside a daemon", "aborted", job="crashes_beside_a_daemon"),
    Fault("cancelled beside twenty children", "cancelled", job="starts_twenty", cancel_s=1.5),
    Fault("leaves a stray: no variable, session or file of ours", None, job="leaves_a_stray"),
    Fault("aborts beside a stray", "aborted", job="aborts_beside_a_stray"),
    Fault("SIGKILL beside a stray", "killed", job="killed_beside_a_stray"),
    Fault("cancelled beside a stray", "cancelled", job="sleeps_beside_a_stray", cancel_s=1.5),
    Fault("leaves one that forks and forks", None, job="leaves_one_that_forks_and_forks"),
    Fault("user's model raises", "bad_model", job="user_code_raises"),
    Fault("user's data pipeline raises", "bad_dataset", job="user_data_raises"),
    Fault("no such interpreter", "missing", program="/no/such/python"),
    Fault("a program that is no Python", "crashed", program="/bin/false"),
    # With TensorFlow
    Fault("TensorFlow: model raises while it is built", "bad_model", model="broken"),
    Fault("TensorFlow: model prints 100 kB", None, model="prints"),
    Fault("TensorFlow: infinite loss", "not_finite", model="explodes"),
    Fault("TensorFlow: a layer raises in the step", "bad_model", model="raises_in_step"),
    Fault("TensorFlow: a layer hangs in the step", "hung", model="hangs_in_step"),
    Fault("TensorFlow: no kernel (cuDNN's RNN on a CPU)", "missing_op", model="no_kernel"),
    Fault(
        "XLA: an operation without XLA kernel",
        "xla_failed",
        model="host_layer",
        plan=Plan(batch_size=16, device="cpu", jit=True),
    ),
    Fault(
        "XLA: allocator's limit",
        "out_of_memory",
        model="fashion_mnist_cnn",
        plan=Plan(batch_size=512, device="cpu", jit=True),
        environment={"TF_CPU_BFC_MEM_LIMIT_IN_MB": "200"},
    ),
    Fault(
        "op by op: allocator's limit",
        "out_of_memory",
        model="fashion_mnist_cnn",
        plan=Plan(batch_size=512, device="cpu", jit=False),
        environment={"TF_CPU_BFC_MEM_LIMIT_IN_MB": "200"},
    ),
    Fault("data: damaged JPEG files", "bad_dataset", model="fashion_mnist_cnn", data="damaged"),
    Fault("data: 3 of 64 images damaged inside", None, model="fashion_mnist_cnn", data="some damaged"),
    Fault(
        "data: the same, in one batch of 64",
        "bad_dataset",
        model="fashion_mnist_cnn",
        data="some damaged",
        plan=Plan(batch_size=64, device="cpu", jit=False),
    ),
    Fault("data: fewer samples than a batch", "bad_dataset", model="fashion_mnist_cnn", data="few"),
    Fault("data: the user's pipeline raises", "bad_dataset", model="dense", data="raises"),
    Fault("data: the user's pipeline ends for good", "data_ended", model="dense", data="ends"),
    Fault("data: the user's pipeline stalls", "hung", model="dense", data="stalls"),
    Fault("data: the user's batches have another shape", "data_shape", model="dense", data="wide"),
    Fault("device: no such card", "missing", model="fashion_mnist_cnn", plan=Plan(device="gpu:7")),
)


def command_of(fault: Fault) -> list[str] | None:
    """The child; None for the worker itself."""
    if fault.script:
        return [sys.executable, "-c", f"import os, sys, time\n{fault.script}"]
    if fault.job:
        module = f"studies.benchmarks.fault_children:{fault.job}"
        code = f"from app.worker.main import main; main({{'bench': {module!r}}})"
        code = f"import sys; sys.path[:0] = [{str(ROOT)!r}]; {code}"
        return [sys.executable, "-c", code]
    return None


def workload_of(fault: Fault, folder: Path) -> Workload:
    """What the child is asked to train."""
    own = folder / "mine.py"
    own.write_text(OWN)
    if f"def {fault.data}(" in OWN:
        data = allowed_data(Dataset(fault.data, "code", str(own), function=fault.data, real=True))
        model = own_model(own, fault.model)
        return Workload(model, data, fault.plan)
    if fault.data:
        return Workload(ModelRef("catalog", fault.model), _data(fault.data, folder), fault.plan)
    if fault.needs_tensorflow and f"def {fault.model}(" not in OWN:
        data = Dataset("fashion_mnist", samples=60_000, sample_shape=(28, 28, 1), classes=10)
        return Workload(ModelRef("catalog", fault.model), data, fault.plan)
    if fault.job == "user_data_raises":
        plain = folder / "data.py"
        plain.write_text("def broken():\n    raise ValueError('no more pictures')\n")
        return Workload(ModelRef("catalog", "x"), Dataset("mine", "images", str(plain), real=True), fault.plan)
    if fault.job == "user_code_raises":
        own.write_text("def broken():\n    raise ValueError('no such layer')\n")
    function = fault.model or "broken"
    return Workload(own_model(own, function), plan=fault.plan)


@contextlib.contextmanager
def circumstances(fault: Fault) -> Iterator[Path]:
    """A scratch folder, and what the system is made to say."""
    with contextlib.ExitStack() as stack:
        if fault.limit_bytes is not None:
            limit = fault.limit_bytes
            told_limit = "app.services.child.child_options.memory_limit_bytes"
            stack.enter_context(patch(told_limit, lambda reserve_bytes=None: limit))
        if fault.oom_kills is not None:
            told = iter(fault.oom_kills)
            stack.enter_context(patch("app.services.child.worker_process.oom_kills", lambda: next(told)))
        yield Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fault-")))


def _data(kind: str, folder: Path) -> Dataset:
    """Data of a user that is not what it should be."""
    if kind == "few":
        path = folder / "few.npz"
        np.savez(path, x=np.zeros((4, 28, 28, 1), np.uint8), y=np.zeros(4, np.int64))
        return Dataset("few", "npz", str(path), samples=4, sample_shape=(28, 28, 1), classes=10, real=True)
    whole = _png(zlib.compress(bytes(28 * 29)))
    broken = _png(b"\xff" * 40)
    for number in range(64):
        place = folder / "data" / f"class{number % 2}"
        place.mkdir(parents=True, exist_ok=True)
        if kind == "damaged":
            (place / f"{number}.jpg").write_bytes(b"\xff\xd8\xff\xe0 this is no picture")
        else:
            (place / f"{number}.png").write_bytes(broken if number < DAMAGED else whole)
    return Dataset(
        kind, "images", str(folder / "data"), samples=64, sample_shape=(28, 28, 1), dtype="uint8", classes=2, real=True
    )


def _png(pixels: bytes) -> bytes:
    """A grey PNG file of 28 x 28 with this compressed content (w3.org/TR/png, section 5.3)."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", 28, 28, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
