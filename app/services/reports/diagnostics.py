"""What helps somebody else to see what went wrong: facts of the program and the machine, without names and paths.

The text is shown before anything is copied, and nothing is sent anywhere.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import platform
import re
import socket
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path

from app import __version__
from app.core.types.machine import Machine
from app.core.types.units import format_bytes
from app.core.types.workload import Plan, Workload

HIDDEN = "…"
_PATH = re.compile(r"(?<![\w/.])(?:~|[A-Za-z]:)?(?:[\\/][^\\/\s:\"'<>|,;()]+){2,}[\\/]?")
"""Two folders or more, as Unix and Windows write them; a single slash is also "per"."""
_ADDRESS = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b|[\w.+-]+@[\w-]+\.[\w.]+")
_SHORTEST_NAME = 3
"""A name of one or two letters would be cut out of every other word."""


def diagnostics(
    facts: Mapping[str, str],
    machine: Machine | None = None,
    workload: Workload | None = None,
    frameworks: Iterable[str] = (),
) -> str:
    """A text to paste.

    Args:
        facts: What happened: name and words, in order.
        machine: The machine, if it has been read.
        workload: What was asked about, if anything.
        frameworks: Name and version of each.

    Returns:
        Lines of ``name: value``; user, host, folders and addresses are left out.
    """
    lines = [f"willittrain {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"]
    lines += [f"framework: {name}" for name in frameworks]
    if machine is not None:
        lines += _machine_lines(machine)
    if workload is not None:
        lines += _workload_lines(workload)
    lines += [f"{name}: {value}" for name, value in facts.items() if value]
    return without_names("\n".join(lines)) + "\n"


def without_names(text: str, names: Iterable[str] | None = None) -> str:
    """A text without paths, addresses, and the names of user and host.

    Args:
        text: Any text.
        names: Words to leave out; user, home folder and host of this machine by default.
    """
    for path in sorted(set(_PATH.findall(text)), key=len, reverse=True):
        text = text.replace(path, _hidden_path(path))
    text = _ADDRESS.sub(HIDDEN, text)
    for name in own_names() if names is None else names:
        if len(name) >= _SHORTEST_NAME:
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", HIDDEN, text, flags=re.IGNORECASE)
    return text


def own_names() -> set[str]:
    """Names that tell who and where this is; what cannot be found out cannot be told either."""
    names = {socket.gethostname(), socket.gethostname().partition(".")[0], Path.home().name}
    names |= {os.environ.get(variable, "") for variable in ("USER", "USERNAME", "LOGNAME", "HOSTNAME", "COMPUTERNAME")}
    with contextlib.suppress(KeyError, OSError):
        names.add(getpass.getuser())
    # "root" and "localhost" are everybody's, and "root" is a word of many messages.
    return {name for name in names if name} - {"root", "localhost"}


def _hidden_path(path: str) -> str:
    """A path of which only the kind of file is left."""
    return HIDDEN + Path(path.replace("\\", "/")).suffix


def _machine_lines(machine: Machine) -> list[str]:
    """Processor, memory and cards."""
    cpu, ram = machine.cpu, machine.ram
    lines = [
        f"system: {machine.os} {machine.os_version or ''}".strip(),
        f"processor: {cpu.name}, {cpu.physical_cores} cores, {cpu.usable_cores} usable",
        f"memory: {format_bytes(ram.available_bytes)} free of {format_bytes(ram.total_bytes)}, "
        f"limit {format_bytes(ram.limit_bytes)}",
    ]
    lines += [
        f"card {gpu.index}: {gpu.name}, {format_bytes(gpu.memory_free_bytes)} free of "
        f"{format_bytes(gpu.memory_total_bytes)}{', simulated' if gpu.simulated else ''}"
        for gpu in machine.gpus
    ]
    return lines + [f"simulated: {', '.join(machine.simulated)}"] * bool(machine.simulated)


def _workload_lines(workload: Workload) -> list[str]:
    """Model and data by kind, by name only if the catalog names them; of the plan what is not usual."""
    model, data, usual = workload.model, workload.dataset, Plan()
    chosen = {f.name: getattr(workload.plan, f.name) for f in fields(usual)}
    unusual = [f"{name}={value}" for name, value in chosen.items() if value != getattr(usual, name)]
    lines = [f"model: {model.name if model.kind == 'catalog' else f'a {model.kind} of the user'}"]
    if data is not None:
        own = f"{data.kind} of the user, {data.samples} samples of {data.sample_shape}"
        lines.append(f"data: {data.name if data.kind in ('catalog', 'keras') else own}")
    return [*lines, f"plan: {', '.join(unusual) or 'as usual'}"]
