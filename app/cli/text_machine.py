"""What the terminal shows of a machine and its frameworks."""

from __future__ import annotations

from app.core.types.machine import DeviceProbe, Interpreter
from app.core.types.text import phrase
from app.core.types.units import NOT_AVAILABLE, format_bytes, format_number
from app.presentation.doctor import verdict
from app.presentation.history import record_lines
from app.presentation.layout import BLANK, Block, Line, Table, points
from app.presentation.machine import machine_table, support_table, unavailable_reasons
from app.services.machine.doctor import Doctor


def doctor_blocks(doctor: Doctor, *, details: bool = False) -> tuple[Block, ...]:
    """The verdict, then machine and frameworks; with ``details`` all readings, and why some are not available."""
    first = verdict(doctor.machine, doctor.interpreters, doctor.support)
    frameworks, cards = framework_table(doctor.interpreters), support_table(doctor.support)
    if not details:
        more = Line(
            phrase("Caches, what is not available and why, what was measured: `willittrain doctor --details`"), "soft"
        )
        return (first, machine_table(doctor.machine, short=True), *_filled(frameworks, cards), BLANK, more)
    tables = (machine_table(doctor.machine), frameworks, cards, probe_table(doctor.probes))
    record = doctor.track_record
    told = points(phrase("How good the predictions were"), record_lines(record)) if record is not None else ()
    return (first, *_filled(*tables, unavailable_reasons(doctor.machine)), *told)


def _filled(*tables: Table) -> tuple[Table, ...]:
    """Those that say something."""
    return tuple(table for table in tables if table.rows)


def framework_table(interpreters: tuple[Interpreter, ...]) -> Table:
    """The frameworks of each interpreter, and the devices each offers."""
    rows: list[tuple[str, ...]] = []
    for interpreter in interpreters:
        version = interpreter.python_version or NOT_AVAILABLE
        name: str = phrase("{version} at {path}", version=version, path=interpreter.path)
        if interpreter.problem or not interpreter.frameworks:
            rows.append((phrase("none"), "", interpreter.problem or phrase("no framework found"), name))
        for build in interpreter.frameworks:
            cuda = f" (CUDA {build.cuda})" if build.cuda else ""
            rows.append((build.name, build.version + cuda, build.problem or ", ".join(build.devices), name))
            name = ""
    columns = (phrase("Framework"), phrase("Version"), phrase("Devices"), "Python")
    return Table(columns, tuple(rows), title=phrase("Frameworks"))


def probe_table(probes: tuple[DeviceProbe, ...]) -> Table:
    """What tiny steps have shown of each device."""
    rows = tuple(
        (
            f"{probe.device}, {probe.framework}",
            format_bytes(probe.host_process_bytes),
            phrase("none") if probe.device == "cpu" else format_bytes(probe.context_bytes),
            format_bytes(probe.workspace_bytes),
            NOT_AVAILABLE
            if probe.slack_low is None or probe.slack_high is None
            else phrase(
                "× {low} to {high}",
                low=format_number(probe.slack_low, ".3f"),
                high=format_number(probe.slack_high, ".3f"),
            ),
        )
        for probe in probes
    )
    columns = (
        phrase("Device"),
        phrase("Process in RAM"),
        phrase("Context"),
        phrase("Kernel scratch"),
        phrase("Allocator over count"),
    )
    return Table(columns, rows, title=phrase("Measured once"))
