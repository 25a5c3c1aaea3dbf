"""One profiled step after the measurement: what fills the memory, which layer made it, and where the time goes.

Nothing measured comes from it, and nothing that goes wrong in it costs a measured figure.  The raw trace is left
in a folder of the parent's (`app.services.store.traces`).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.core.runs.profiled_step import profile_of
from app.core.types.backends import TITLES
from app.core.types.step_profile import StepProfile
from app.core.types.text import Text, phrase
from app.core.types.units import MIB, format_bytes, format_seconds
from app.worker.backends.base import Backend
from app.worker.channel import Channel, JobCancelled
from app.worker.failures import first_line
from app.worker.recording.outline import outline
from app.worker.recording.step import Recording, as_trace_events, read_recording, record

BUDGET_SHARE = 0.1
"""Unasked, a profile may cost this share of the run's time."""
ASKED_S = 30.0
"""The longest step that is profiled even if it is asked for."""
READ_BYTES_PER_S = 2.0 * MIB
"""How fast a trace is read; 2.2 MB took 1.0 s on two busy cores."""
OVERHEAD_S = 0.1
MAX_READ_BYTES = 48 * MIB
XPLANE_FILE, CHROME_FILE = "step.xplane.pb", "step.trace.json.gz"


@dataclass(frozen=True)
class ProfileWish:
    """Whether a step shall be profiled.

    ``asked`` is True for a profile whatever it costs (within bounds), False for none, None for one if it is cheap;
    ``folder`` is where the raw trace goes, None to keep none.
    """

    asked: bool | None = None
    folder: str | None = None

    def reserve_s(self, typical_s: float, seconds: float) -> float:
        """Time to leave of ``seconds`` for a profile that nobody asked for; one that was asked for comes on top."""
        share_s = BUDGET_SHARE * seconds
        return share_s if self.asked is None and typical_s + OVERHEAD_S <= share_s else 0.0


@dataclass(frozen=True)
class Profiled:
    """A profile, or in words why there is none."""

    profile: StepProfile | None = None
    skipped: str = ""

    @property
    def held_bytes(self) -> int | None:
        """What the allocator has taken from the system, which never shrinks."""
        return self.profile.held_bytes if self.profile else None


def profile_step(
    backend: Backend,
    step: Callable[[], object],
    model: Any,
    wish: ProfileWish,
    channel: Channel,
    *,
    on_gpu: bool,
    typical_s: float,
    seconds: float,
) -> Profiled:
    """Run one more step under the profiler.

    Args:
        backend: The framework below Keras.
        step: Runs it, the device synchronised.
        model: The Keras model.
        wish: Whether, and where the trace goes.
        channel: To the parent.
        on_gpu: It runs on a card.
        typical_s: How long a step takes.
        seconds: The run's time after compiling.
    """
    if wish.asked is False:
        return Profiled()
    if not backend.profiles:
        return Profiled(skipped=phrase("steps on {titles} are not profiled", titles=TITLES[backend.name]))
    allowed_s = ASKED_S if wish.asked else BUDGET_SHARE * seconds
    if typical_s + OVERHEAD_S > allowed_s:
        return Profiled(
            skipped=phrase(
                "no step was profiled, because one takes {typical}{hint}",
                typical=format_seconds(typical_s),
                hint=_hint(wish),
            )
        )
    channel.phase("profile")
    channel.progress(0.97, phrase("profiling one step"))
    try:
        content = record(lambda: _ignore(step()), on_gpu=on_gpu)
        limit = min(MAX_READ_BYTES, int(READ_BYTES_PER_S * (allowed_s - typical_s)))
        if len(content) > limit:
            size = format_bytes(len(content))
            return Profiled(
                skipped=phrase(
                    "the trace of a step is too large to read in time ({size}){hint}", size=size, hint=_hint(wish)
                )
            )
        recording = read_recording(content, on_gpu=on_gpu)
        profile = profile_of(recording.step_s, recording.requests, recording.operations, outline(model, recording))
        kept = _keep(Path(wish.folder), content, recording) if wish.folder else None
        return Profiled(replace(profile, trace_bytes=kept))
    except JobCancelled:
        raise
    except Exception as error:  # noqa: BLE001 - the figures have been measured; an extra shall not lose them
        return Profiled(
            skipped=phrase(
                "the step could not be profiled: {first_line}", first_line=first_line(error) or type(error).__name__
            )
        )


def _hint(wish: ProfileWish) -> Text:
    """What can be done about a profile that would cost too much."""
    return Text() if wish.asked else phrase("; `willittrain bench --profile` does it all the same")


def _keep(folder: Path, content: bytes, recording: Recording) -> int:
    """Write the trace as XProf reads it, and as Perfetto does; returns their size together."""
    (folder / XPLANE_FILE).write_bytes(content)
    events = {"displayTimeUnit": "ms", "traceEvents": as_trace_events(recording)}
    with gzip.open(folder / CHROME_FILE, "wt", encoding="utf-8", compresslevel=5) as file:
        json.dump(events, file, allow_nan=False, separators=(",", ":"))
    return sum((folder / name).stat().st_size for name in (XPLANE_FILE, CHROME_FILE))


def _ignore(_: object) -> None:
    """A step's own answer is of no interest."""
