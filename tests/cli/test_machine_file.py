"""Machines from files: printed by doctor, or written by hand."""

import json

import pytest

from app.cli.machine_file import parse_machine, read_machine
from app.cli.output import doctor_json
from app.core.types.errors import UsageError
from app.services.machine.doctor import Doctor
from tests.cli import answers


def test_what_doctor_printed_comes_back():
    machine, unknown = parse_machine(json.dumps(doctor_json(Doctor(answers.MACHINE))).encode())
    assert unknown == ()
    assert machine.cpu == answers.MACHINE.cpu
    assert machine.ram == answers.MACHINE.ram
    assert machine.gpus[0].name == "RTX 2060"


def test_nothing_of_it_counts_as_this_machine():
    machine, _ = parse_machine(b'{"gpus": [{"name": "RTX 3060"}], "ram": {"total_bytes": 1}}')
    assert machine.simulated == ("cpu", "ram", "disk", "gpu")
    assert machine.gpus[0].simulated
    assert machine.cpu.name is None


def test_a_misspelt_name_is_told():
    _, unknown = parse_machine(b'{"rams": {}, "gpus": [{"name": "A", "vram": 6}]}')
    assert unknown == ("gpus.0.vram", "rams")


@pytest.mark.parametrize("content", [b"", b"[]", b"nonsense", b'{"ram": {"total_bytes": "64 GB"}}', b"\xff\xfe"])
def test_what_is_no_machine_is_refused(content):
    with pytest.raises(UsageError, match="doctor --json"):
        parse_machine(content)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        read_machine(str(tmp_path / "none.json"))


def test_a_misspelt_name_is_told_on_stderr(tmp_path, capsys):
    path = tmp_path / "machine.json"
    path.write_text('{"oss": "Linux"}')
    read_machine(str(path))
    assert "oss is not known" in capsys.readouterr().err
