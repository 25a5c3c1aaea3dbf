"""Watch a running benchmark from outside: live samples, phases, and a guard over the host's memory."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from types import TracebackType

import psutil

from app.core.runs.doubts import Conditions
from app.core.types.measurement import PhaseSpan, Sample
from app.core.types.messages import Hello, Paused, Phase, Progress, Reading
from app.core.types.units import GIB
from app.probes.conditions import read_conditions
from app.probes.memory import read_ram
from app.probes.sampler import Sampler, Snapshot
from app.services.child.awake_clock import AwakeClock
from app.services.child.child_tree import kill_tree
from app.services.child.heartbeat import Heartbeat, ask_where
from app.services.child.patience import Patience
from app.services.child.samples import PowerLog, SampleLog, sample_of, used_card
from app.services.child.worker_process import CancelFlag, LiveMessage

Event = Hello | Phase | Progress | Reading | Paused | Sample

SAMPLES_PER_S = 4.0
GUARD_INTERVAL_S = 0.1
MIN_RESERVE_BYTES = GIB
RESERVE_SHARE = 0.1
START_PHASE = "start"
KEPT_READINGS = 2000


def memory_limit_bytes(reserve_bytes: int | None = None) -> int | None:
    """Host memory that a child may hold: what is available now less a reserve for everything else.

    Args:
        reserve_bytes: None for 1 GiB or 10 % of what is available, whichever is more.

    Returns:
        The limit, at least half of what is available, or None if the system does not tell.
    """
    available = read_ram().value.available_bytes
    if available is None:
        return None
    reserve = reserve_bytes if reserve_bytes is not None else max(MIN_RESERVE_BYTES, int(available * RESERVE_SHARE))
    return max(available - reserve, available // 2)


class Watch:
    """Collects what happens during one run; use it as a context around `run_worker`.

    The guard is a watchdog and no limit of the system's, because those count address space, of which
    TensorFlow reserves far more than it uses.

    Args:
        limit_bytes: Host memory that the child and its children may hold; None for no guard.
        on_event: Called with every message and sample, never twice at once.
        cancel: The user's wish to stop.
        patience: How long the child may be silent; None for ever.
        samples_per_s: 2 to 10.

    Attributes:
        phase: The phase the child is in.
        stopped_at_bytes: What the child held when the guard ended it; None if it did not.
        hung_s: How long the child had been silent when it was ended for that; None if it was not.
        slept_s: How long the computer slept, or this program was stopped, while the child ran.
        lowest_available_bytes: The least memory that the machine had left; None before the first sample.
        heartbeat: Notices a child that hangs; None without a patience.
        readings: What the child last told of its steps while measuring.
        power: Energy of card and processor while measuring.
        cpu_energy_reason: Why the processor's is not known.
        before, after: The machine's state at both ends of the run.
        cancel: Set when the user cancels, the child hangs, or ``on_event`` raised.
    """

    def __init__(
        self,
        limit_bytes: int | None,
        *,
        on_event: Callable[[Event], None] | None = None,
        cancel: CancelFlag | None = None,
        patience: Patience | None = None,
        samples_per_s: float = SAMPLES_PER_S,
    ) -> None:
        self.limit_bytes = limit_bytes
        self.hung_s: float | None = None
        self.slept_s = 0.0
        self.lowest_available_bytes: int | None = None
        self.heartbeat = Heartbeat(patience) if patience is not None else None
        self.power = PowerLog()
        self.cpu_energy_reason = ""
        self.before = self.after = Conditions()
        self.readings: deque[Reading] = deque(maxlen=KEPT_READINGS)
        self._log = SampleLog()
        self._interval_s = 1 / samples_per_s
        self.phase = START_PHASE
        self.stopped_at_bytes: int | None = None
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
            self._thread.join()
        self._ended_s = self.elapsed_s()
        self.slept_s = self._awake.asleep_s()
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
        if self.heartbeat is not None:
            self.heartbeat.beat(message)
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
        """Take samples and guard the memory until the run is over."""
        next_sample_s = 0.0
        try:
            with Sampler(pid) as sampler:
                self.cpu_energy_reason = sampler.meters.energy_reason
                while not self._over.wait(GUARD_INTERVAL_S):
                    self._awake()
                    self._guard(pid)
                    self._end_if_hung(pid)
                    if self.elapsed_s() >= next_sample_s:
                        next_sample_s = self.elapsed_s() + self._interval_s - GUARD_INTERVAL_S / 2
                        self._take(sampler.take(), pid)
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread by raise_if_failed
            self._error = error
            self.cancel.set()

    def _take(self, now: Snapshot, pid: int) -> None:
        """Join the machine's readings and the child's last one into a sample."""
        if now.process and self.limit_bytes is not None and self.stopped_at_bytes is None:
            self._stop_above(self.limit_bytes, now.process.rss_bytes, pid)
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

    def _guard(self, pid: int) -> None:
        """End the child if it holds more than the machine can spare."""
        if self.limit_bytes is not None and self.stopped_at_bytes is None:
            self._stop_above(self.limit_bytes, tree_rss_bytes(pid, self.limit_bytes // 4), pid)

    def _end_if_hung(self, pid: int) -> None:
        """Ask a child that is silent for too long where it is, then end it."""
        silent_s = self.heartbeat.overdue_s() if self.heartbeat is not None else None
        if silent_s is not None and self.hung_s is None and not self.cancel.is_set():
            self.hung_s = silent_s
            ask_where(pid)
            self.cancel.set()

    def _stop_above(self, limit_bytes: int, held_bytes: int, pid: int) -> None:
        """End the child if it holds more than the limit."""
        if held_bytes > limit_bytes:
            self.stopped_at_bytes = held_bytes
            kill_tree(pid)

    def _emit(self, event: Event) -> None:
        """Pass an event on, one at a time."""
        if self._on_event is not None:
            with self._lock:
                self._on_event(event)


def tree_rss_bytes(pid: int, count_children_from: int = 0) -> int:
    """Resident memory of a process and those it started; 0 once it is gone.

    Args:
        pid: The process.
        count_children_from: Looking for children means reading the whole process table, so it is done
            only if the process itself holds this much.  (The sampler counts them too, less often.)
    """
    try:
        process = psutil.Process(pid)
        held: int = process.memory_info().rss
        if held >= count_children_from:
            held += sum(_rss_bytes(child) for child in process.children(recursive=True))
    except psutil.Error:
        return 0
    return held


def _rss_bytes(process: psutil.Process) -> int:
    """Resident memory of one process; 0 once it is gone."""
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


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
