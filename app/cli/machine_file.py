"""Read a machine from a file: what ``doctor --json`` printed, or one written by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from app.catalog import typed_json
from app.cli.given_file import read_given
from app.cli.session import warn
from app.core.types.errors import UsageError
from app.core.types.machine import Machine
from app.core.types.plausible import Implausible, check_plausible
from app.core.types.text import phrase

EVERY_PART = ("cpu", "ram", "disk", "gpu")
_HINT = phrase("make one with `willittrain doctor --json > machine.json`")


def read_machine(path: str) -> Machine:
    """The machine in a file.  None of its parts is of this machine, so all are marked as simulated.

    Raises:
        UsageError: The file cannot be read or does not describe a machine.
    """
    machine, unknown = parse_machine(read_given(path, _HINT))
    for name in unknown:
        warn(phrase("{path}: {name} is not known and has no effect", path=path, name=name))
    return machine


def parse_machine(content: bytes) -> tuple[Machine, tuple[str, ...]]:
    """The machine in a JSON text, and the names in it that mean nothing to us.

    Raises:
        UsageError: The text does not describe a machine.
    """
    try:
        document = typed_json.decode(content, dict[str, Any])
        described = document.get("machine", document)
        machine = typed_json.convert(described, Machine)
        check_plausible(machine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Implausible) as error:
        raise UsageError(phrase("this is no machine file"), received=str(error), hint=_HINT) from error
    unknown = tuple(_unknown_names(described, typed_json.plain(machine)))
    gpus = tuple(replace(gpu, simulated=True) for gpu in machine.gpus)
    return replace(machine, gpus=gpus, simulated=EVERY_PART), unknown


def _unknown_names(given: Any, understood: Any, path: str = "") -> list[str]:
    """Names that were given and not understood, by path; typing errors would otherwise pass in silence."""
    if isinstance(given, dict) and isinstance(understood, dict):
        found = [path + name for name in given if name not in understood]
        for name in given.keys() & understood.keys():
            found += _unknown_names(given[name], understood[name], f"{path}{name}.")
        return sorted(found)
    if isinstance(given, list) and isinstance(understood, list | tuple):
        return [
            name
            for index, (one, other) in enumerate(zip(given, understood, strict=False))
            for name in _unknown_names(one, other, f"{path}{index}.")
        ]
    return []
