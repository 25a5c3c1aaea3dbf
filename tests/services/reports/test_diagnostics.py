"""A text that helps, and tells neither who nor where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.types.machine import Cpu, Gpu, Machine, Ram
from app.core.types.plan import Plan
from app.core.types.units import GIB
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.reports.diagnostics import diagnostics
from app.services.reports.redaction import without_names

NAMES = ("jane", "workhorse")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("cannot read /home/jane/secret/net.keras: no", "cannot read …/net.keras: no"),
        (r"open C:\Users\Jane\Desktop\secret\net.py failed", "open …/net.py failed"),
        ('File "/data/customers/acme/train.py", line 3', 'File "…/train.py", line 3'),
        ("ssh jane@workhorse.example.com from 192.168.0.17", "ssh … from …"),
        ("/home/jane/my secret plans/net v2.keras", "…/net v2.keras"),
        ("card GPU-5a1c0b1e-0000-4d2f-9a9b-0123456789ab is busy", "card … is busy"),
        ("Jane's run on WORKHORSE", "…'s run on …"),
        ("~/projects/secret is full", "…/secret is full"),
        ("13 samples/s at 3 GB/s, 4.1/5.3 GiB", "13 samples/s at 3 GB/s, 4.1/5.3 GiB"),
        ("OOM when allocating tensor with shape[256,64,28,28]", "OOM when allocating tensor with shape[256,64,28,28]"),
        ("janet keeps her name", "janet keeps her name"),
    ],
)
def test_names_paths_and_addresses_are_left_out(text, kept):
    assert without_names(text, NAMES) == kept


@given(st.lists(st.from_regex(r"[a-zA-Z0-9_-]{3,12}", fullmatch=True), min_size=2, max_size=6))
def test_no_folder_of_any_path_is_left(folders):
    text = without_names("error in /" + "/".join(folders) + " while reading", ())
    assert text == f"error in …/{folders[-1]} while reading"


def test_the_text_tells_program_machine_and_workload(monkeypatch):
    monkeypatch.setenv("USER", "jane")
    ram = Ram(total_bytes=64 * GIB, available_bytes=52 * GIB)
    machine = Machine(os="Linux", cpu=Cpu("Ryzen 7"), ram=ram, gpus=(Gpu(0, "nvidia", "RTX 2060"),))
    model = ModelRef("code", "secret.py:build", "/home/jane/secret.py", "build")
    data = Dataset("patients", "images", "/home/jane/patients", 12, (8, 8, 3))
    text = diagnostics(
        {"error": "no such file /home/jane/patients/x.jpg", "hint": ""},
        machine,
        Workload(model, data, Plan(batch_size=7)),
        ("TensorFlow 2.21.0",),
    )
    assert "framework: TensorFlow 2.21.0" in text
    assert "52.0 GiB free of 64.0 GiB" in text
    assert "GPU 0: RTX 2060" in text
    assert "model: a code of the user" in text
    assert "data: images of the user, 12 samples of (8, 8, 3)" in text
    assert "plan: batch_size=7" in text
    assert "error: no such file …/x.jpg" in text
    assert not any(word in text for word in ("jane", "secret", "patients", "hint"))


def test_names_of_the_catalog_are_kept():
    text = diagnostics({}, None, Workload(ModelRef("catalog", "resnet50"), Dataset("cifar10", "catalog")))
    assert "model: resnet50" in text
    assert "data: cifar10" in text
    assert "plan: as usual" in text
