"""Once per machine, framework build and device: tiny steps in a child, beside the measurement of its rates.

What the framework's context takes of a card only the driver can tell, so this side reads it while the child
holds still.  Where the driver does not tell what a process holds (WDDM, WSL2), it stays unknown.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from app.catalog import typed_json
from app.core.predict.disturbed import Speed
from app.core.predict.time import speed_then
from app.core.timing.host_prior import vector_floats
from app.core.types.errors import WorkerFailed
from app.core.types.machine import DeviceProbe, DeviceRates, Machine, TimedOperation
from app.core.types.messages import Phase, Request
from app.core.types.plausible import Implausible, check_plausible
from app.core.types.text import phrase
from app.core.types.units import GIB
from app.probes.others_load import OthersLoad
from app.probes.sampler import Sampler
from app.services.child.child_jobs import CALIBRATE_TIMEOUT_S, EventSink, run_job
from app.services.child.child_options import ChildOptions
from app.services.child.load_watch import LoadWatch
from app.services.child.watch import Event
from app.services.child.worker_process import CancelFlag

HOLD_PHASE = "hold"
"""The child's phase (`app.worker.rates.calibrate`) in which it holds its memory still for the driver to be asked."""

LOOK_S = 0.5
"""How long to look whether other programs are busy."""

MOST_RESERVED_BYTES = 4 * GIB
"""What the child's allocator takes of a card, if half of what is free is not less."""


@dataclass(frozen=True)
class Calibrated:
    """What the child found."""

    probe: DeviceProbe
    rates: DeviceRates | None


def calibrate_device(
    machine: Machine,
    device: str,
    *,
    interpreter: str | None,
    rates: bool,
    timed: Sequence[TimedOperation] = (),
    on_event: EventSink | None = None,
    cancel: CancelFlag | None = None,
    keep: Callable[[Calibrated], None] | None = None,
) -> Calibrated:
    """Run the ``calibrate`` job.

    Args:
        machine: This machine.
        device: ``cpu`` or ``gpu:N``.
        interpreter: Whose Python; this program's own if None.
        rates: Measure the device's rates too.
        timed: What an interrupted measurement has timed of them.
        on_event: Hears what the child says.
        cancel: Ends the child.
        keep: Hears what an interrupted measurement has found.

    Raises:
        WorkerFailed: The child died, failed, or answered what this version does not understand.
        Cancelled: The user cancelled.
    """
    load = LoadWatch(on_event)
    watch = ContextWatch(device, load.on_event)

    def started(pid: int) -> None:
        watch.on_started(pid)
        load.on_started(pid)

    def told(answer: dict[str, Any]) -> Calibrated:
        return _understood(answer, machine, watch, load)

    arguments = {"device": device, "rates": rates, "reserve_bytes": _reserve_bytes(machine, device)}
    answer = run_job(
        Request("calibrate", {**arguments, "timed": typed_json.plain(timed)} if timed else arguments),
        device,
        ChildOptions(interpreter, timeout_s=CALIBRATE_TIMEOUT_S),
        on_event=watch.on_event,
        cancel=cancel,
        on_started=started,
        on_partial=None if keep is None else lambda partial: keep(told(partial)),
    )
    return told(answer)


def _understood(answer: dict[str, Any], machine: Machine, watch: ContextWatch, load: LoadWatch) -> Calibrated:
    """What the child answered, with what was seen from outside.

    Raises:
        WorkerFailed: It is not what this version understands.
    """
    try:
        probe = typed_json.convert(answer["probe"], DeviceProbe)
        measured = typed_json.convert(answer["rates"], DeviceRates | None)
        reserved_bytes = typed_json.convert(answer["reserved_bytes"], int | None)
        check_plausible((probe, measured, {"reserved_bytes": reserved_bytes}))
    except (KeyError, msgspec.ValidationError, Implausible) as error:
        raise WorkerFailed(phrase("the child's calibration was not understood"), received=str(error)) from error
    if measured is not None:
        measured = replace(measured, others_percent=load.others_percent(), vector_floats=vector_floats(machine.cpu))
    return Calibrated(replace(probe, context_bytes=watch.context_bytes(reserved_bytes)), measured)


class ContextWatch:
    """Reads what the child holds of a card while it holds still.

    Args:
        device: ``cpu`` or ``gpu:N``.
        on_event: Hears everything too.

    Attributes:
        held_bytes: What the driver says that the child holds; None if it was not asked or does not tell.
    """

    def __init__(self, device: str, on_event: EventSink | None = None) -> None:
        self.held_bytes: int | None = None
        self._index = int(device.removeprefix("gpu:")) if device.startswith("gpu:") else None
        self._on_event = on_event
        self._pid: int | None = None

    def on_started(self, pid: int) -> None:
        """The child runs."""
        self._pid = pid

    def on_event(self, event: Event) -> None:
        """The child said something; it may be that it holds still now."""
        if isinstance(event, Phase) and event.name == HOLD_PHASE and self._pid is not None:
            self.held_bytes = self._read(self._pid)
        if self._on_event is not None:
            self._on_event(event)

    def context_bytes(self, reserved_bytes: int | None) -> int | None:
        """What the child holds besides its allocator's memory."""
        if self.held_bytes is None or reserved_bytes is None or self.held_bytes < reserved_bytes:
            return None
        return self.held_bytes - reserved_bytes

    def _read(self, pid: int) -> int | None:
        """What a process and its children hold of the card."""
        if self._index is None:
            return None
        with Sampler(pid) as sampler:
            cards: dict[int, Any] = {gpu.index: gpu for gpu in sampler.take().gpus}
        card = cards.get(self._index)
        return card.process_memory_bytes if card else None


def _reserve_bytes(machine: Machine, device: str) -> int | None:
    """How much of a card the child's allocator shall take at once, so that it is known; None for a processor."""
    for gpu in machine.gpus:
        if device == f"gpu:{gpu.index}":
            return min(MOST_RESERVED_BYTES, (gpu.memory_free_bytes or GIB) // 2)
    return None


def beside_others(rates: DeviceRates) -> bool:
    """Did other programs take a notable part of the processor when a device was measured?"""
    return speed_then(rates).beside_others


def busy_now() -> bool:
    """Do other programs take a notable part of the processor now?"""
    others = OthersLoad()
    time.sleep(LOOK_S)
    return Speed(None, others.percent()).beside_others
