"""Watch a running benchmark from outside: live samples and phases."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from types import TracebackType

from app.core.runs.doubts import Conditions
from app.core.types.measurement import PhaseSpan, Sample
from app.core.types.messages import Hello, Paused, Phase, Progress, Reading
from app.probes.conditions import read_conditions
from app.probes.sampler import Sampler, Snapshot
from app.services.child.awake_clock import AwakeClock
from app.services.child.samples import PowerLog, SampleLog, sample_of, used_card
from app.services.child.worker_process import START_PHASE, CancelFlag, LiveMessage

Event = Hello | Phase | Progress | Reading | Paused | Sample

SAMPLES_PER_S = 4.0
KEPT_READINGS = 2000
LEAVE_S = 2.0
"""How long the last reading may take after the run; a driver that hangs keeps its thread and not us."""


class Watch:
    """Collects what happens during one run; use it as a context around `run_worker`.

    Args:
        limit_bytes: Host memory that the child and its children may hold; None if nobody knows.
        on_event: Called with every message and sample, never twice at once.
        cancel: The user's wish to stop.
        samples_per_s: 2 to 10.

    Attributes:
        phase: The phase the child is in.
        slept_s: How long the computer slept, or this program was stopped, while the child ran.
        lowest_available_bytes: The least memory that the machine had left; None before the first sample.
        readings: What the child last told of its steps while measuring.
        power: Energy of card and processor while measuring.
        cpu_energy_reason: Why the processor's is not known.
        before, after: The machine's state at both ends of the run.
        driver_hangs: The machine could not be read any more because a driver did not answer.
        cancel: Set when the user cancels or ``on_event`` raised.
    """

    def __init__(
        self,
        limit_bytes: int | None,
        *,
        on_event: Callable[[Event], None] | None = None,
        cancel: CancelFlag | None = None,
        samples_per_s: float = SAMPLES_PER_S,
    ) -> None:
        self.limit_bytes = limit_bytes
        self.slept_s = 0.0
        self.lowest_available_bytes: int | None = None
        self.power = PowerLog()
        self.cpu_energy_reason = ""
        self.before = self.after = Conditions()
        self.readings: deque[Reading] = deque(maxlen=KEPT_READINGS)
        self._log = SampleLog()
        self._interval_s = 1 / samples_per_s
        self.phase = START_PHASE
        self.driver_hangs = False
        self.cancel = _Either(cancel)
        self._on_event = on_event
        self._error: BaseException | None = None
        self._lock = threading.Lock()
        self._started_s = time.monotonic()
        self._awake = AwakeClock()
        self._ended_s = 0.0
        self._marks: list[tuple[str, float]] = [(START_PHASE, 0.0)]
        self._reading: Reading | None = None
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Watch:
        self._started_s = time.monotonic()
        self._awake = AwakeClock()
        self.before = read_conditions()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join(LEAVE_S)
            self.driver_hangs = self._thread.is_alive()
        self._ended_s = self.elapsed_s()
        self.slept_s = 0.0 if self.driver_hangs else self._awake.asleep_s()
        self.after = read_conditions()

    @property
    def samples(self) -> list[Sample]:
        """The samples so far; of a long run every second, fourth … one."""
        return self._log.kept

    def elapsed_s(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self._started_s

    def on_started(self, pid: int) -> None:
        """The child runs: watch it."""
        self._thread = threading.Thread(target=self._watch, args=(pid,), name="bench-watch", daemon=True)
        self._thread.start()

    def on_message(self, message: LiveMessage) -> None:
        """The child said something."""
        if isinstance(message, Phase):
            self.phase = message.name
            self._marks.append((message.name, self.elapsed_s()))
        elif isinstance(message, Reading):
            self._reading = message
            if self.phase == "measure":
                self.readings.append(message)
        self._emit(message)

    def phases(self) -> tuple[PhaseSpan, ...]:
        """The phases so far, each ending where the next begins."""
        ends = [start for _, start in self._marks[1:]] + [self._ended_s or self.elapsed_s()]
        return tuple(PhaseSpan(name, start, end) for (name, start), end in zip(self._marks, ends, strict=True))

    def raise_if_failed(self) -> None:
        """Raise in the caller's thread what ``on_event`` raised in the second one."""
        if self._error is not None:
            raise self._error

    def _watch(self, pid: int) -> None:
        """Take samples until the run is over."""
        try:
            with Sampler(pid) as sampler:
                self.cpu_energy_reason = sampler.meters.energy_reason
                next_s = self._interval_s
                while not self._over.wait(max(0.0, next_s - self.elapsed_s())):
                    self._awake()
                    next_s = self.elapsed_s() + self._interval_s
                    now = sampler.take()
                    if not self._over.is_set():  # a driver may have taken its time
                        self._take(now)
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread by raise_if_failed
            self._error = error
            self.cancel.set()

    def _take(self, now: Snapshot) -> None:
        """Join the machine's readings and the child's last one into a sample."""
        available = now.ram_available_bytes
        if available is not None:
            self.lowest_available_bytes = min(self.lowest_available_bytes or available, available)
        card, power_w = used_card(now), None
        if self.phase == "measure":
            power_w = self.power.take(now, card)
        else:
            self.power.pause()
        sample = sample_of(now, card, self._reading, t_s=self.elapsed_s(), phase=self.phase, cpu_power_w=power_w)
        self._log.add(sample)
        self._emit(sample)

    def _emit(self, event: Event) -> None:
        """Pass an event on, one at a time."""
        if self._on_event is not None:
            with self._lock:
                self._on_event(event)


class _Either:
    """Set when the user's flag or our own is."""

    def __init__(self, wish: CancelFlag | None) -> None:
        self._wish = wish
        self._own = threading.Event()

    def set(self) -> None:
        """Stop the run."""
        self._own.set()

    def is_set(self) -> bool:
        """Shall the run stop?"""
        return self._own.is_set() or (self._wish is not None and self._wish.is_set())


def mean(values: Sequence[float | None]) -> float | None:
    """Mean of what is known; None if nothing is."""
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None
