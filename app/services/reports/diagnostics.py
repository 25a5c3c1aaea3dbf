"""What helps somebody else to see what went wrong: facts of the program and the machine, without names and folders.

The text is shown before anything is copied, and nothing is sent anywhere.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace

from app import __version__
from app.core.types.machine import Machine
from app.core.types.plan import Plan
from app.core.types.visible import visible
from app.core.types.workload import Workload
from app.presentation.machine import machine_table
from app.services.reports.redaction import redacted, without_names


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
        lines += [f"{name}: {value}" for name, value in machine_table(_without_places(machine)).rows]
    if workload is not None:
        lines += _workload_lines(workload)
    lines += [f"{name}: {value}" for name, value in redacted(dict(facts)).items() if value]
    return without_names("\n".join(map(visible, lines))) + "\n"


def _without_places(machine: Machine) -> Machine:
    """A machine without its disks and the programs that run on its cards, whose names are the user's own."""
    gpus = tuple(replace(gpu, processes=()) for gpu in machine.gpus)
    unavailable = {path: why for path, why in machine.unavailable.items() if not path.startswith("disks.")}
    return replace(machine, disks=(), gpus=gpus, unavailable=unavailable)


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
