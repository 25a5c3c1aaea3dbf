"""What is fuzzed: everything that reads what another program or a person wrote.

A target is a strategy and a check.  The check lets pass what the parser documents, an answer or an error of
`app.core.types.errors`, and raises on everything else, so that whatever comes out of it is a finding.
"""

from __future__ import annotations

import dataclasses
import io
import json
import struct
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from hypothesis import strategies as st

from app.catalog import clouds, datasets, gpus, models, prices, typed_json
from app.catalog.paths import resource_path
from app.cli.machine_file import parse_machine
from app.cli.options import parse_shape
from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.runs.fault_text import framework_cause
from app.core.runs.oom_text import requested_bytes
from app.core.types.errors import BadDataset, BadModel, StoreError, UsageError, WillItTrainError, WorkerFailed
from app.core.types.machine import Machine
from app.core.types.plan_values import read_device, read_image_size
from app.core.types.stepgraph import GRAPH_SCHEMA, StepGraph
from app.core.types.units import parse_bytes
from app.core.types.workload import Plan, Workload
from app.services.benchmarks.bench import _measurement
from app.services.child.watch import Watch
from app.services.child.worker_endings import crash_report
from app.services.child.worker_streams import decode_line
from app.services.datasets.code import code_dataset
from app.services.datasets.described import describe_dataset, is_description
from app.services.models.find import find_model
from app.services.reports.report import report_html, report_json, report_markdown, report_print_html
from app.services.settings import Folders, Settings
from app.services.store.graph_store import graph_from_json
from app.services.store.history import History
from app.worker.channel import Channel, JobCancelled, ProtocolError
from app.worker.models.own.saved_config import (
    declared_inputs,
    output_units,
    with_classes,
    with_input_shape,
    with_precision,
)
from app.worker.models.own.saved_file import read_saved
from app.worker.scanning.image_headers import parse_image_header
from app.worker.scanning.records import masked_crc32c, parse_example
from app.worker.scanning.scan import scan
from tests.cli import answers
from tests.core.graphs import chain_graph
from tests.fuzz.mutation import WILD_VALUES, as_json, mutated, wild_json
from tests.fuzz.target import Target, given_file, of_bytes
from tests.fuzz.targets_code import CODE_TARGETS
from tests.fuzz.targets_kept import KEPT_TARGETS
from tests.fuzz.targets_large import large_targets
from tests.fuzz.targets_meaning import MEANING_TARGETS
from tests.fuzz.targets_system import SYSTEM_TARGETS


def _estimate(machine: Machine, graph: StepGraph, device: str) -> None:
    """What is let in can be calculated with."""
    workload = Workload(answers.WORKLOAD.model, None, Plan(device=device))
    typed_json.encode(Estimator(graph).predict(workload, machine, Knowledge()))


# The protocol

LINES = [
    b'{"v":1,"kind":"hello","body":{"pid":7,"python_version":"3.11.9"}}',
    b'{"v":1,"kind":"reading","body":{"t_s":1.5,"step":3,"step_s":0.02,"current_bytes":10,"peak_bytes":20}}',
    b'{"v":1,"kind":"progress","body":{"fraction":0.5,"text":"building"}}',
    b'{"v":1,"kind":"paused","body":{"steps":3,"seconds":0.5,"cpu_s":0.4}}',
    b'{"v":1,"kind":"failed","body":{"kind":"bad_model","message":"no such layer","needed_bytes":7,"stderr":["x"]}}',
    b'{"v":1,"kind":"done","body":{"result":{"measurement":{"step":{"median_s":0.01}}}}}',
]


def child_line(line: bytes) -> None:
    """A line from the child is a message or is refused."""
    decode_line(line)


def child_values(document: Any) -> None:
    """Messages with wild numbers."""
    decode_line(as_json(document))


def parent_lines(content: bytes) -> None:
    """What the child reads: a request, then turns and cancels."""
    channel = Channel(io.BytesIO(), io.BytesIO(content))
    with suppress(ProtocolError, EOFError):
        channel.read_request()
    with suppress(JobCancelled):
        channel.listen()


def child_measurement(document: Any) -> None:
    """A measurement from the child is sound or is refused."""
    found = msgspec.json.decode(as_json(document)) if _is_json(document) else None
    with suppress(WorkerFailed):
        _measurement(found, Watch(None))


def _is_json(document: Any) -> bool:
    """Would it reach the parser at all?  NaN, say, is refused a step before."""
    try:
        msgspec.json.decode(as_json(document))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


GRAPH = {
    "schema": GRAPH_SCHEMA,
    "model": {"name": "x", "source": "y", "params": 6, "trainable_params": 6, "input_shapes": [[3]]},
    "precision": "float32",
    "mode": "train",
    "variables": [
        {
            "path": "k",
            "shape": [3, 2],
            "dtype": "float32",
            "size_bytes": 24,
            "trainable": True,
            "gradient": 3,
            "layer": 0,
        }
    ],
    "layers": [{"name": "dense", "kind": "Dense", "params": 6, "output_elements": 2}],
    "sizes": [[0, 12], [24, 0], [0, 8], [24, 0]],
    "operations": [
        ["ReadVariableOp", [], [1], "forward", None, [0, 0], [0, 0], [0, 0], [], 0, None, [], None, []],
        ["MatMul", [0, 1], [2], "forward", 0, [0, 12], [0, 0], [0, 0], [], None, 0, [], None, [1, 0]],
        ["MatMul", [0, 2], [3], "backward", 0, [0, 12], [0, 0], [0, 0], [1], None, None, [[4, 2]], None, []],
    ],
    "input_tensors": [0],
    "constants": [],
    "outputs": [],
    "jit_allowed": True,
    "framework": "none",
    "trace_s": 0.1,
    "notes": [],
    "loops": [[7, 2, None]],
    "on_cuda": None,
}


def traced_graph(document: Any) -> None:
    """A graph is whole and can be calculated with, or is refused as a damaged file is."""
    if not _is_json(document):
        return
    try:
        graph = graph_from_json(msgspec.json.decode(as_json(document)))
    except (KeyError, TypeError, ValueError, IndexError):
        return
    with suppress(WillItTrainError):
        _estimate(answers.MACHINE, graph, "cpu")


def stderr_of_a_crash(lines: list[str]) -> None:
    """Whatever a dying child wrote, its end is described."""
    for code in (-11, -6, -9, 0, 1, 0xC0000005, None):
        crash_report(code, tuple(lines), "measure", half_line=code == 0)
    framework_cause("\n".join(lines))
    requested_bytes("\n".join(lines))


# Files of ours

SETTINGS = [{"theme": "dark", "interpreter": "/usr/bin/python3", "bench_seconds": 20.0, "reserve_ram_bytes": 2**30}]
MACHINE = typed_json.plain(answers.MACHINE)
RUN = typed_json.plain(answers.run())


def settings_file(content: bytes) -> None:
    """Settings are read, or set aside with a notice."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        folders = Folders(Path(folder), Path(folder), Path(folder))
        (Path(folder) / "settings.json").write_bytes(content)
        found = Settings.load(folders)
        if not 0 < found.bench_seconds <= 1e6:
            raise AssertionError(f"a benchmark of {found.bench_seconds} s")


def machine_file(document: Any) -> None:
    """A machine is read and can be calculated with, or is refused."""
    machine_bytes(as_json(document))


def machine_bytes(content: bytes) -> None:
    """The same from bytes."""
    try:
        machine, _ = parse_machine(content)
    except UsageError:
        return
    for device in ("auto", "cpu"):
        with suppress(WillItTrainError):
            _estimate(machine, chain_graph(), device)


def stored_run(document: Any) -> None:
    """A damaged record of the history is told, and hides no other."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        history = History(Path(folder) / "history.sqlite3")
        for _ in range(2):
            history.add(answers.run())
        cells = {f"{part}_json": as_json(document.get(part)) for part in ("workload", "machine", "result")}
        with history._connection() as store:
            for name, cell in cells.items():
                store.execute(f"UPDATE run SET {name} = ? WHERE run_id = 2", (cell.decode("utf-8", "replace"),))
        with suppress(StoreError):
            history.get(2)
        history.get(1)
        history.list("x")
        history.runs_of_model(answers.WORKLOAD)


def tables(row: tuple[str, bytes]) -> None:
    """A user's own table extends ours or is refused with its line."""
    name, content = row
    readers: dict[str, Callable[[Path], object]] = {
        "gpus.csv": gpus.load_gpus,
        "datasets.csv": datasets.load_datasets,
        "models.csv": models.load_models,
        "clouds.csv": clouds.load_clouds,
        "prices.csv": prices.load_prices,
    }
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        (Path(folder) / name).write_bytes(content)
        with suppress(StoreError):
            readers[name](Path(folder))


def _table_seeds(name: str) -> list[bytes]:
    """Head and first rows of one of our tables."""
    lines = resource_path(name).read_bytes().splitlines(keepends=True)
    return [b"".join(lines[:3]), b"".join(lines[:1] + lines[-2:])]


# Files of users


def image(content: bytes) -> None:
    """An image's header."""
    found = parse_image_header(io.BytesIO(content))
    if found is not None and not (0 < found.width < 2**32 and 0 < found.height < 2**32 and 0 < found.channels < 256):
        raise AssertionError(f"an image of {found}")


def example(content: bytes) -> None:
    """A serialised tf.train.Example."""
    parse_example(content)


def data_file(suffix: str) -> Callable[[bytes], None]:
    """A file of data is described, with sizes that can be, or refused."""

    def check(content: bytes) -> None:
        with given_file(content, f"input{suffix}") as path:
            try:
                found = scan(path)
            except BadDataset:
                return
        sides = found.sample_shape or ()
        if min([side for side in sides if side is not None], default=1) < 0 or (found.classes or 0) < 0:
            raise AssertionError(f"data of shape {sides} and {found.classes} classes")

    return check


def model_file(suffix: str) -> Callable[[bytes], None]:
    """A model's configuration is read and adapted, or refused."""

    def check(content: bytes) -> None:
        with given_file(content, f"input{suffix}") as path, suppress(BadModel):
            saved = read_saved(path)
            declared_inputs(saved.config)
            output_units(saved.config)
            with_input_shape(saved.config, (32, 32, 3))
            with_classes(saved.config, 7)
            with_precision(saved.config, "mixed_float16")

    return check


def model_config(document: Any) -> None:
    """The same with a configuration that is wrong inside."""
    model_file(".json")(as_json(document))


# What people type


def typed(text: str) -> None:
    """Sizes, shapes, devices, names."""
    readers: tuple[Callable[[str], object], ...] = (
        parse_bytes,
        parse_shape,
        read_device,
        read_image_size,
        describe_dataset,
        is_description,
        lambda name: find_model(name, models.load_models()),
        code_dataset,
    )
    for read in readers:
        with suppress(WillItTrainError):
            read(text)


def reported(text: str) -> None:
    """Texts of users cannot break out of a report."""
    text = text.encode("utf-8", "replace").decode()  # the history holds nothing else
    run = answers.run(note=text)
    model = dataclasses.replace(run.workload.model, name=text)
    run = dataclasses.replace(run, workload=dataclasses.replace(run.workload, model=model))
    plain = dataclasses.replace(answers.run(note="x"))
    for write in (report_html, report_print_html):
        page, innocent = write(run), write(plain)
        page.encode()
        if page.count("<script") != innocent.count("<script") or page.count("<img") != innocent.count("<img"):
            raise AssertionError("markup came through")
    report_markdown(run).encode()
    json.loads(report_json(run))


# Seeds


def _npz(**arrays: Any) -> bytes:
    """An .npz file."""
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def _record(data: bytes) -> bytes:
    """One framed record."""
    head = struct.pack("<Q", len(data))
    return head + struct.pack("<I", masked_crc32c(head)) + data + struct.pack("<I", masked_crc32c(data))


def _keras(config: Any) -> bytes:
    """A .keras file without weights."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("config.json", json.dumps(config))
    return out.getvalue()


def _hdf5() -> bytes:
    """An HDF5 file of a whole model."""
    import h5py  # type: ignore[import-untyped]

    out = io.BytesIO()
    with h5py.File(out, "w", libver="latest") as file:
        file.attrs["model_config"] = json.dumps(NETWORK)
        file.attrs["training_config"] = json.dumps({"loss": "mse"})
    return out.getvalue()


EXAMPLE = (
    b"\x0a\x2f\x0a\x10\x0a\x05image\x12\x07\x0a\x05\x0a\x03abc\x0a\x0e\x0a\x05label\x12\x05\x1a\x03\x0a\x01\x03"
    b"\x0a\x0b\x0a\x01x\x12\x06\x12\x04\x0a\x02\x00\x00"
)
NETWORK = {
    "module": "keras",
    "class_name": "Sequential",
    "registered_name": "Sequential",
    "config": {
        "name": "net",
        "layers": [
            {
                "module": "keras.layers",
                "class_name": "InputLayer",
                "registered_name": None,
                "config": {"batch_shape": [None, 8], "dtype": "float32", "name": "in"},
            },
            {
                "module": "keras.layers",
                "class_name": "Dense",
                "registered_name": None,
                "build_config": {"input_shape": [8]},
                "config": {
                    "units": 4,
                    "dtype": {"class_name": "DTypePolicy", "config": {"name": "float32"}},
                    "name": "out",
                },
            },
        ],
        "output_layers": [["out", 0, 0]],
    },
    "compile_config": {"loss": "mse"},
}
IMAGES = [
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xc0\x00\x11\x08\x00\x20\x00\x30\x03\x01",
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x20\x00\x00\x00\x10\x08\x02\x00\x00\x00",
    b"GIF89a\x10\x00\x20\x00\xf7\x00\x00",
    b"BM" + b"\0" * 12 + struct.pack("<IiiHH", 40, 32, -16, 1, 24),
    b"RIFF\x24\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00\x1f\x00\x00\x0f\x00\x00",
    b"RIFF\x24\x00\x00\x00WEBPVP8L\x0a\x00\x00\x00\x2f\x1f\xc0\x03\x00" + b"\0" * 8,
]
TYPED = (
    "32GB",
    "0.5 TiB",
    "28x28x1:60000:10",
    "224,224,3",
    "gpu:0",
    "net.py:make",
    "480x640",
    "ResNet-50",
    "a/b.keras",
)
WORDS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(TYPED).flatmap(
        lambda t: st.integers(0, len(t)).flatmap(lambda i: st.text(max_size=4).map(lambda s: t[:i] + s + t[i:]))
    ),
    st.sampled_from([v for v in WILD_VALUES if isinstance(v, str)]),
)
STDERR = (
    "Fatal Python error: Segmentation fault",
    "Current thread 0x00007f (most recent call first):",
    '  File "/home/x/net.py", line 7 in call',
    "what():  std::bad_alloc",
    "  ...",
    "RESOURCE_EXHAUSTED: OOM when allocating tensor with shape[1024,1024] and type float on /device:GPU:0",
    "2026-01-01 00:00:00.000000: F tensorflow/x.cc:1] Check failed: CUDA_ERROR_OUT_OF_MEMORY: out of memory",
)


TARGETS: tuple[Target, ...] = (
    of_bytes("child_line", LINES, child_line),
    Target("child_values", wild_json([json.loads(line) for line in LINES]), child_values),
    of_bytes(
        "parent_lines",
        [
            b'{"v":1,"kind":"request","body":{"job":"trace","arguments":{}}}\n{"v":1,"kind":"resume",'
            b'"body":{"seconds":2,"lead_s":0.1}}\n{"v":1,"kind":"cancel","body":{}}\n'
        ],
        parent_lines,
    ),
    Target("child_measurement", wild_json([typed_json.plain(answers.MEASURED)]), child_measurement),
    Target("traced_graph", wild_json([GRAPH]), traced_graph),
    Target("stderr", st.lists(st.one_of(st.sampled_from(STDERR), st.text(max_size=40)), max_size=8), stderr_of_a_crash),
    of_bytes("settings", [as_json(one) for one in SETTINGS], settings_file),
    Target("settings_values", wild_json(SETTINGS).map(as_json), settings_file),
    of_bytes("machine", [as_json({"machine": MACHINE}), b'{"ram": {"total_bytes": 8589934592}}'], machine_bytes),
    Target("machine_values", wild_json([MACHINE]), machine_file),
    Target("stored_run", wild_json([RUN]), stored_run),
    Target(
        "tables",
        st.sampled_from(("gpus.csv", "datasets.csv", "models.csv", "clouds.csv", "prices.csv")).flatmap(
            lambda name: st.tuples(st.just(name), mutated(_table_seeds(name)))
        ),
        tables,
    ),
    of_bytes("image", IMAGES, image),
    of_bytes("example", [EXAMPLE], example),
    of_bytes(
        "npz", [_npz(x=np.zeros((4, 2, 2), "uint8"), y=np.arange(4)), _npz(x_train=np.zeros((3, 5)))], data_file(".npz")
    ),
    of_bytes("csv", [b"a,b,label\n1,2,x\n3,4,y\n", b"1;2;0\n3;4;1\n", b'"a","b"\r\n"1","2"\r\n'], data_file(".csv")),
    of_bytes("tfrecord", [_record(EXAMPLE) + _record(EXAMPLE)], data_file(".tfrecord")),
    of_bytes("keras", [_keras(NETWORK)], model_file(".keras")),
    of_bytes("keras_json", [as_json(NETWORK)], model_file(".json")),
    Target("keras_values", wild_json([NETWORK]), model_config),
    *([of_bytes("hdf5", [_hdf5()], model_file(".h5"), may_not_end=True)] if find_spec("h5py") else []),
    Target("typed", WORDS, typed),
    Target("reported", WORDS, reported),
    *large_targets(IMAGES, [_npz(x=np.zeros((4, 2, 2), "uint8"), y=np.arange(4))], EXAMPLE, _record(EXAMPLE)),
    *MEANING_TARGETS,
    *KEPT_TARGETS,
    *CODE_TARGETS,
    *SYSTEM_TARGETS,
)
