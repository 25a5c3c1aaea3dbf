"""Model files that would do harm: read without running, unpacking or following anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from app.core.types.errors import BadModel
from app.services.child.worker_endings import crash_report
from app.worker.models.own.saved_config import declared_inputs, output_units
from app.worker.models.own.saved_file import MAX_CONFIG_BYTES, read_saved

NETWORK = {
    "class_name": "Sequential",
    "registered_name": "Sequential",
    "config": {"name": "net", "layers": [{"class_name": "Dense", "config": {"units": 3}}]},
}


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path):
    bomb = zipped(tmp_path / "bomb.keras", {"config.json": b"[" * (2 * MAX_CONFIG_BYTES)})
    with pytest.raises(BadModel, match="too large"):
        read_saved(bomb)
    small = zipped(tmp_path / "small.keras", {"config.json": b" " * 30_000_000})
    with pytest.raises(BadModel, match="too large"):
        read_saved(small)


def test_members_with_other_paths_are_not_touched(tmp_path: Path):
    evil = {"config.json": json.dumps(NETWORK).encode(), "../../escaped": b"x", "/tmp/escaped": b"x"}
    saved = read_saved(zipped(tmp_path / "net.keras", evil))
    assert saved.config["config"]["name"] == "net"
    assert [path.name for path in tmp_path.rglob("*")] == ["net.keras"]


def test_links_of_an_hdf5_file_are_not_followed(tmp_path: Path):
    h5py = pytest.importorskip("h5py")
    pipe = tmp_path / "waits-for-ever"
    os.mkfifo(pipe)  # whoever opens it to read would wait
    with h5py.File(tmp_path / "net.h5", "w") as file:
        file["model_weights"] = h5py.ExternalLink(str(pipe), "/")
        file["me"] = h5py.SoftLink("/me")
        file["outside"] = h5py.SoftLink(str(pipe))
        elsewhere = h5py.VirtualLayout((4,), "f4")
        elsewhere[:] = h5py.VirtualSource(str(pipe), "x", (4,))
        file.create_virtual_dataset("virtual", elsewhere)
        file.create_dataset("kept elsewhere", (4,), "f4", external=[(str(pipe), 0, 16)])
        file.attrs["model_config"] = json.dumps(NETWORK)
    assert read_saved(tmp_path / "net.h5").config["class_name"] == "Sequential"


def test_a_row_of_layers_as_keras_1_wrote_it_is_read(tmp_path: Path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "net.h5", "w") as file:
        file.attrs["model_config"] = json.dumps({"class_name": "Sequential", "config": NETWORK["config"]["layers"]})
    config = read_saved(tmp_path / "net.h5").config
    assert declared_inputs(config) == declared_inputs(NETWORK)
    assert output_units(config) == output_units(NETWORK)


@pytest.mark.parametrize(
    "value", [7, [1.0, 2.0], "not json", "[]", "{}", '{"class_name": "Sequential"}', '{"class_name": "S", "config": 1}']
)
def test_an_hdf5_attribute_of_another_kind_is_refused(tmp_path: Path, value: object):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "net.h5", "w") as file:
        file.attrs["model_config"] = value
    with pytest.raises(BadModel):
        read_saved(tmp_path / "net.h5")


def test_a_damaged_hdf5_file_is_refused_wherever_it_is_damaged(tmp_path: Path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "net.h5", "w") as file:
        file.attrs["model_config"] = json.dumps(NETWORK)
    content = (tmp_path / "net.h5").read_bytes()
    for at in range(0, len(content), 97):
        damaged = tmp_path / "damaged.h5"
        damaged.write_bytes(content[:at] + b"\xff" * 8 + content[at + 8 :])
        with suppress(BadModel):
            read_saved(damaged)


def test_a_file_that_hdf5_reads_for_ever_ends_its_reader_and_is_called_damaged():
    pytest.importorskip("h5py")
    program = (
        "import sys; from pathlib import Path; from app.worker.models.own import saved_file; "
        "saved_file.LONGEST_READ_S = 1.0; saved_file.read_saved(Path(sys.argv[1]))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(Path(__file__).with_name("endless.h5"))], capture_output=True, check=False
    )
    told = crash_report(ended.returncode, tuple(ended.stderr.decode().splitlines()), "build")
    assert told.kind == "bad_model"
    assert "does not come to an end" in told.message


def test_who_ends_himself_for_another_reason_is_not_called_a_damaged_file():
    program = "import faulthandler, time; faulthandler.dump_traceback_later(0.2, exit=True); time.sleep(60)"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    told = crash_report(ended.returncode, tuple(ended.stderr.decode().splitlines()), "build")
    assert told.kind != "bad_model"
