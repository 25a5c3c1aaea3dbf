"""Why a benchmark ended, from the child's last word and from what was seen outside."""

from __future__ import annotations

from app.core.types.faults import fault, outcome_of
from app.core.types.measurement import Measurement, Problem
from app.core.types.messages import Failed
from app.core.types.text import phrase
from app.core.types.units import format_bytes
from app.probes.memory import read_ram
from app.services.child.watch import Watch

_LOW_SHARE = 0.05
_LOW_BYTES = 512 * 1024**2


def problem_of(failed: Failed, watch: Watch) -> Problem:
    """Why the run ended, in the user's words."""
    message, kind = failed.message, failed.kind
    if kind == "killed" and memory_was_low(watch.lowest_available_bytes):
        # Memory daemons of user space (systemd-oomd, earlyoom) kill before the kernel must.
        kind = "memory_killer"
        left = format_bytes(watch.lowest_available_bytes)
        message += phrase(", but only {left} of memory were left: most likely a memory daemon", left=left)
    if failed.expected:
        message += phrase("; expected {expected}", expected=failed.expected)
    if failed.received:
        message += phrase("; received {received}", received=failed.received)
    needed, had = _need_and_have(failed, kind, watch)
    return Problem(
        kind=kind,
        message=message,
        phase=failed.phase or watch.phase,
        hint=fault(kind).hint if kind != failed.kind else failed.hint or fault(kind).hint,
        needed_bytes=needed,
        had_bytes=had,
        where=failed.where,
        stderr=failed.stderr,
    )


def not_finite(measurement: Measurement | None) -> Problem | None:
    """A run that went through, but whose loss says that this plan does not train."""
    found = next((d for d in measurement.doubts if d.kind == "not_finite"), None) if measurement else None
    return None if found is None else Problem("not_finite", found.text, phase="measure", hint=fault("not_finite").hint)


def memory_was_low(available_bytes: int | None) -> bool:
    """Was so little left that a memory daemon would act?"""
    total = read_ram().value.total_bytes
    return available_bytes is not None and available_bytes < max(_LOW_BYTES, int(_LOW_SHARE * (total or 0)))


def _need_and_have(failed: Failed, kind: str, watch: Watch) -> tuple[int | None, int | None]:
    """Bytes needed and bytes there, as far as the child or the samples tell."""
    needed, had = failed.needed_bytes, failed.had_bytes
    if outcome_of(kind) != "out_of_memory" or had is not None:
        return needed, had
    if kind in ("memory_killer", "host_memory"):
        held = max((s.ram_bytes for s in watch.samples if s.ram_bytes is not None), default=None)
        return needed if needed is not None else held, watch.limit_bytes
    cards = [s for s in watch.samples if s.gpu_total_bytes is not None]
    if cards:
        last = cards[-1]
        others = max(0, (last.gpu_used_bytes or 0) - (last.gpu_memory_bytes or 0)) if last.gpu_memory_bytes else 0
        had = (last.gpu_total_bytes or 0) - others
    return needed, had
