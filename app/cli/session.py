"""What a verb needs around its work: the façade, what costs seconds before an answer, progress, Ctrl+C as a cancel."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any

from app.cli.options import OthersOptions, TypedPlan, WorkloadOptions, workload_from
from app.core.types.backends import TITLES
from app.core.types.errors import Cancelled, WorkerFailed
from app.core.types.measurement import Sample
from app.core.types.messages import Phase, Progress
from app.core.types.text import join, phrase, verbatim
from app.core.types.units import format_seconds
from app.presentation import streams
from app.presentation.layout import Say
from app.presentation.words import PHASES

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from app.core.types.machine import Machine
    from app.core.types.stepgraph import StepGraph
    from app.core.types.workload import Workload
    from app.services.advisor import Advisor


PATIENCE_S = 60.0
"""After so long somebody who sees no progress is told what is going on."""


def open_advisor(interpreter: str | None = None, timeout_s: float | None = None) -> Advisor:
    """The façade, with this user's settings and history; ``interpreter`` overrides the settings'.

    Args:
        interpreter: Whose Python.
        timeout_s: How long building a model, or a script up to its training, may take.

    Raises:
        UsageError: There is no such interpreter.
    """
    from app.services.advisor import Advisor
    from app.services.settings import Settings
    from app.services.store.history import History

    settings = Settings.load()
    if settings.notice:
        warn(settings.notice)
    chosen = interpreter or settings.interpreter
    history = History(settings.history_path, on_notice=warn)
    advisor = Advisor(settings, history, checked_interpreter(chosen) if chosen else None)
    if timeout_s is not None:
        advisor.predictor.timeout_s = timeout_s
    return advisor


def listen(advisor: Advisor, others: OthersOptions) -> dict[str, Any]:
    """Let runs that other people shared count, and say what was left out; what JSON says of it.

    Raises:
        UsageError: The folder cannot be read.
    """
    if others.community is None:
        return {}
    from app.cli.output import community_json
    from app.services.sharing.community import read_community

    found = read_community(others.community)
    advisor.predictor.listen_to(found.runs)
    tell(found.words)
    return {"community": community_json(found)}


def checked_interpreter(text: str) -> str:
    """The path of a Python named by path or by a name on PATH.

    Raises:
        UsageError: Nothing that can be run has that name.
    """
    from app.core.types.errors import UsageError
    from app.services.child.start_place import found_program

    found = found_program(text)
    if found is None:
        raise UsageError(
            phrase("no such interpreter"),
            expected=phrase("the path of a Python"),
            received=text,
            hint=phrase("those that can train: `willittrain runtime`"),
            instead=_like_on_path(text),
        )
    return found


def _like_on_path(text: str) -> str:
    """The Python on PATH whose name is most like a mistyped one; empty for a path, and if there is none."""
    import difflib
    import os
    from pathlib import Path

    if os.path.basename(text) != text:
        return ""
    folders = (Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder)
    names = {found.name for folder in folders for found in folder.glob("python*") if os.access(found, os.X_OK)}
    return next(iter(difflib.get_close_matches(text, sorted(names), n=1)), "")


def warn(text: str) -> None:
    """One line on stderr that does not stop the work."""
    tell(phrase("warning: {text}", text=text))


def tell(text: str) -> None:
    """One line on stderr, beside the answer."""
    from app.cli.language import said

    streams.tell(said(text))


@dataclass
class Live:
    """What a verb hands to the façade: where events go, and the flag that cancels."""

    cancel: threading.Event
    bar: Bar | None = None
    task: TaskID | None = None
    phase: str = ""
    doing: str = ""
    say: Say = str
    ends_s: float | None = None
    """When it should end, on the clock that only grows; None where nobody can tell."""

    def on_event(self, event: Any) -> None:
        """Show one event, if somebody is looking."""
        if isinstance(event, Phase):
            self.phase = self.doing = _phase(event.name)
        elif isinstance(event, Progress):
            self.doing = event.text or self.phase
            self.ends_s = None if event.left_s is None else time.monotonic() + event.left_s
        if self.bar is None or self.task is None:
            return
        if isinstance(event, Progress):
            self.bar.update(self.task, completed=event.fraction, description=self.say(event.text or self.phase))
        elif isinstance(event, Phase):
            self.bar.update(self.task, description=self.say(self.phase))
        elif isinstance(event, Sample) and event.step_s is not None:
            parts = (_phase(event.phase), phrase("step {step}", step=event.step), format_seconds(event.step_s))
            self.bar.update(self.task, description=self.say(join(" · ", parts)))

    @property
    def left(self) -> str:
        """How long it will take yet, in words; empty where nobody can tell, or where it should have ended."""
        left_s = 0.0 if self.ends_s is None else self.ends_s - time.monotonic()
        return self.say(phrase("about {seconds} left", seconds=format_seconds(round(left_s)))) if left_s >= 1 else ""


@contextmanager
def live(title: str) -> Iterator[Live]:
    """Show progress on stderr while something runs, if stderr is a terminal; Ctrl+C sets the cancel flag.

    A second Ctrl+C is the ordinary `KeyboardInterrupt`.
    """
    state = Live(threading.Event())
    with _polite_interrupt(state.cancel):
        if not sys.stderr.isatty():
            with _word_for_the_patient(state, title):
                yield state
            return
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        from app.cli.language import terminal_language

        text = TextColumn("{task.description}", markup=False)
        left = TextColumn("{task.fields[state].left}", markup=False)
        with Bar(
            text, BarColumn(), TimeElapsedColumn(), left, console=Console(stderr=True, soft_wrap=True), transient=True
        ) as bar:
            state.say = terminal_language().say
            state.bar, state.task = bar, bar.add_task(state.say(title), total=1.0, state=state)
            yield state


@contextmanager
def _word_for_the_patient(state: Live, title: str) -> Iterator[None]:
    """Where no bar is shown: say now and then what is going on, if it takes long."""
    ended = threading.Event()

    def words() -> None:
        times = 0
        while not ended.wait(PATIENCE_S):
            times += 1
            waited = format_seconds(times * PATIENCE_S)
            doing = join(" · ", filter(None, (state.doing or title, state.left)))
            tell(phrase("after {seconds}: {doing}", seconds=waited, doing=doing))

    threading.Thread(target=words, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def asked(advisor: Advisor, options: WorkloadOptions, typed: TypedPlan) -> Workload:
    """What the options describe, with the plan of the model's author where they say nothing.

    Raises:
        BadModel: There is no such model, or it cannot be built.
        WorkerFailed: The child died.
        Cancelled: The user cancelled.
    """
    workload = workload_from(advisor, options, typed.plan)
    with live(phrase("reading the model")) as state:
        written = advisor.predictor.as_written(workload, typed.given, state.on_event, state.cancel)
    if state.cancel.is_set():  # what was known already was given without a look at the flag, and all else begins now
        raise Cancelled(verbatim("cancelled"))
    return written


def prepare(advisor: Advisor, workload: Workload, machine: Machine, state: Live) -> StepGraph:
    """Everything that costs seconds before an estimate; all of it is kept for the next time.

    Raises:
        BadModel: The model cannot be built.
        WorkerFailed: The child died.
        Cancelled: The user cancelled.
    """
    device = device_key(advisor, workload, machine, state)
    graph = advisor.predictor.graph(workload, state.on_event, state.cancel)
    measure_device(advisor, device, state)
    return graph


def measure_device(advisor: Advisor, device: str | None, state: Live) -> None:
    """Measure a device if nobody has done it before; one that cannot be measured is told and forgotten.

    Raises:
        Cancelled: The user cancelled.
    """
    if device is None:
        return
    try:
        advisor.machine.rates(device, state.on_event, state.cancel)
    except WorkerFailed as error:
        warn(phrase("the speed of this machine could not be measured: {error}", error=error))


def prepare_if_possible(advisor: Advisor, workload: Workload, machine: Machine, state: Live) -> None:
    """Likewise before a measurement, which needs no estimate: a child that died is told and forgotten.

    Raises:
        BadModel: The model cannot be built.
        Cancelled: The user cancelled.
    """
    try:
        prepare(advisor, workload, machine, state)
    except WorkerFailed as error:
        warn(phrase("no estimate to compare with: {error}", error=error))


def device_key(advisor: Advisor, workload: Workload, machine: Machine, state: Live) -> str | None:
    """``cpu`` or ``gpu:N`` for the device of this machine that will train with the kernels whose rates are measured.

    None if it is a simulated one, or if the framework is not TensorFlow.
    A card that is present may still be of no use to the framework, so a child is asked where it matters.
    """
    from app.core.simulate.device import choose_device

    usable = None
    own_cards = [gpu for gpu in machine.gpus if not gpu.simulated]
    if own_cards and workload.plan.device == "auto":
        backend = workload.plan.backend
        state.on_event(Phase(phrase("asking {framework} which cards it can use", framework=TITLES[backend]), 0.0))
        usable = advisor.machine.usable_cards(backend)
    device = choose_device(machine, workload.plan.device, usable)
    if workload.plan.backend != "tensorflow":
        return None
    if device.gpu is None:
        return None if "cpu" in machine.simulated else "cpu"
    return None if device.gpu.simulated else f"gpu:{device.gpu.index}"


def _phase(name: str) -> str:
    """A phase in words; those of our own are texts already."""
    return PHASES.get(name, name)


@contextmanager
def _polite_interrupt(cancel: threading.Event) -> Iterator[None]:
    """Turn the first Ctrl+C into the flag; only the main thread may listen to signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupted(number: int, frame: FrameType | None) -> None:
        if cancel.is_set():
            raise KeyboardInterrupt
        cancel.set()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
