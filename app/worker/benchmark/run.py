"""The ``bench`` job: train the user's workload for some seconds and say what was measured.

Phases: import, build, compile (the first step), warm-up, measure, where the data is real data-only and
compute-only, and profile (one step, `app.worker.benchmark.profile`).  The time budget counts from the end of
``compile``.

A step is that of ``fit``'s own loop on the data's own pipeline (`app.worker.backends`).
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.core.runs.oom_text import requested_bytes
from app.core.types.backends import TITLES
from app.core.types.plan import Plan
from app.core.types.plans import plan_from_json
from app.core.types.text import phrase
from app.worker.backends.base import Backend, Device, Runner, load, readable, take_device
from app.worker.backends.keras_calls import one_step_in_a_call, set_seed
from app.worker.benchmark.batch_check import shapes_explained
from app.worker.benchmark.environment import describe_environment
from app.worker.benchmark.feed import Feed, chosen_feed, one_batch
from app.worker.benchmark.findings import Findings
from app.worker.benchmark.loop import TrainingLoop
from app.worker.benchmark.parts import take_apart
from app.worker.benchmark.profile import ProfileWish, profile_step
from app.worker.benchmark.progress import RunProgress
from app.worker.benchmark.timing import repeat
from app.worker.benchmark.turns import InTurns, Repeat
from app.worker.channel import Channel, JobFailed
from app.worker.data.broken_images import LEAST_LOOK_S, LONGEST_LOOK_S, find_broken
from app.worker.data.fit import channels_of
from app.worker.failures import OUT_OF_MEMORY_HINT, cause_of, first_line, is_out_of_memory
from app.worker.models.build import build_for, dataset_among
from app.worker.rates.reference import Reference, SpeedLog

BROKEN_SHARE = 0.05
"""Share of the time that is spent on looking for images that cannot be decoded."""


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Benchmark the workload that ``arguments`` describe.

    Args:
        arguments: ``model``, ``dataset``, ``input_shape``, ``classes``, the fields of `Plan`, ``seconds``.
        channel: To the parent.

    With ``turns`` among the arguments the measurement pauses and goes on as the parent says.

    Returns:
        ``measurement`` (`Measurement` as JSON), ``warnings`` and ``environment``.
    """
    started = time.perf_counter()
    channel.phase("import")
    plan = plan_from_json(arguments)
    channel.progress(0.0, phrase("loading {titles}", titles=TITLES[plan.backend]))
    backend = load(plan.backend)
    dataset, notes = readable(dataset_among(arguments))
    device = take_device(backend, plan, arguments.get("room_bytes"))
    set_seed(0)
    channel.check()
    channel.phase("build")
    channel.progress(0.05, phrase("building the model"))
    built = build_for(arguments, plan)
    channel.check()
    findings = Findings(plan, dataset, build_s=time.perf_counter() - started, notes=notes)
    wish = Wish(
        float(arguments["seconds"]),
        arguments.get("cache_dir"),
        InTurns(channel, plan.accumulate) if arguments.get("turns") else repeat,
        ProfileWish(arguments.get("profile"), arguments.get("trace_dir")),
    )
    return Benchmark(backend, built, findings, device, channel, wish).run()


@dataclass(frozen=True)
class Wish:
    """How a benchmark is to be done.

    Attributes:
        seconds: Time to use after compiling.
        cache_dir: Where a cache on disk goes.
        way: How the steps of the measurement are repeated.
        profile: Whether a step is profiled afterwards.
    """

    seconds: float
    cache_dir: str | None
    way: Repeat
    profile: ProfileWish


@dataclass(frozen=True)
class Own:
    """What the author's own program trains with, in place of what the plan would give.

    Attributes:
        feed: Its batches.
        runner: Takes its steps.
    """

    feed: Feed
    runner: Callable[[Any, Plan], Runner]


class Benchmark:
    """One run of a built model, phase by phase.

    Args:
        backend: The framework below Keras.
        built: What `app.worker.models.build` made.
        findings: Filled here; says the plan and the dataset.  Real data is read from disk; for any other
            a batch is made up.
        device: Where.
        channel: To the parent.
        wish: For how long, and what of it.
        own: Of the author's own program, if that is what trains.
    """

    def __init__(
        self,
        backend: Backend,
        built: Any,
        findings: Findings,
        device: Device,
        channel: Channel,
        wish: Wish,
        own: Own | None = None,
    ) -> None:
        self._backend = backend
        self._built = built
        self._found = findings
        self._plan = findings.plan
        self._device = device
        self._channel = channel
        self._wish = wish
        self._own = own
        self._allocator = backend.memory(device)
        self._progress = RunProgress(channel, self._allocator, wish.seconds)
        self._runner: Runner | None = None

    def run(self) -> dict[str, Any]:
        """Run all phases; what was found before a failure or a cancel is left in the channel."""
        try:
            self._run()
        except BaseException as error:
            self._channel.partial = self._result()
            if isinstance(error, JobFailed) and (broken := self._broken(LONGEST_LOOK_S)):
                error.fields["received"] = broken
            if is_out_of_memory(error):
                raise self._out_of_memory(error) from error
            raise
        self._channel.phase("done")
        self._channel.progress(1.0, "done")
        return self._result()

    def _run(self) -> None:
        """The phases in order."""
        found, seconds, profile = self._found, self._wish.seconds, self._wish.profile
        before_bytes = self._current_bytes()
        feed = self._feed()
        batch = feed.batch_in_memory()
        found.pipeline_samples = feed.samples()
        by_pipeline = feed.real and self._plan.data == "pipeline"
        pipeline_bytes = max(0, self._current_bytes() - before_bytes) if by_pipeline else 0
        memory = one_batch(batch, self._plan.batch_size, self._backend) if feed.real else feed
        found.notes += filter(None, [one_step_in_a_call(self._built.model)])
        runner_of = self._backend.runner if self._own is None else self._own.runner
        runner = self._runner = runner_of(self._built, self._plan)
        self._channel.phase("compile")
        self._channel.progress(0.1, phrase("first step: tracing and compiling"))
        with shapes_explained(self._built.model, batch):
            found.first_step_s = memory.first(runner)
        found.loss_first = runner.loss()
        self._progress.begin()
        self._allocator.reset_peak()
        loop = TrainingLoop(runner, found, self._progress, self._allocator, seconds, pipeline_bytes)
        typical_s = loop.warm_up(memory)
        self._progress.reserve(profile.reserve_s(typical_s, seconds))
        needed = self._backend.needed(runner, batch, found.peak_bytes)
        found.planned = needed.peak_bytes != found.peak_bytes
        found.peak_bytes, found.needed_basis = needed.peak_bytes, needed.basis
        speed = SpeedLog(Reference(self._device.on_gpu, self._backend))
        found.reference_s = speed.times_s
        found.memory.begin(self._allocator)
        loop.measure(feed, typical_s, self._wish.way, speed)
        if feed.real:
            take_apart(runner, feed, memory, found, self._progress)
            found.notes += filter(None, [self._broken(max(LEAST_LOOK_S, BROKEN_SHARE * seconds))])
        if self._device.on_gpu:
            found.copy_s = self._backend.copy_s(batch)
        speed.take()
        found.drift = speed.drift()
        found.profiled = profile_step(
            self._backend,
            lambda: memory.train(runner),
            self._built.model,
            profile,
            self._channel,
            on_gpu=self._device.on_gpu,
            typical_s=typical_s,
            seconds=seconds,
        )
        for source in (feed, memory):
            source.close()  # an iterator that goes with its last name may take a second to end

    def _feed(self) -> Feed:
        """Where the batches come from."""
        if self._own is not None:
            return self._own.feed
        found = self._found
        return chosen_feed(self._built, found.plan, found.dataset, found.notes, self._backend, self._wish.cache_dir)

    def _broken(self, limit_s: float) -> str:
        """Which of the user's images cannot be decoded, in words; empty if none is known."""
        dataset = self._found.dataset
        if dataset is None or dataset.kind != "images" or not dataset.real:
            return ""
        return find_broken(dataset, channels_of(self._built), limit_s).words()

    def _current_bytes(self) -> int:
        """What the allocator has handed out now; 0 if it keeps no count."""
        reading = self._allocator.read()
        return reading.current_bytes if reading else 0

    def _result(self) -> dict[str, Any]:
        """Everything found so far as JSON values."""
        measurement = self._found.measurement()
        environment = describe_environment(self._backend, self._device)
        environment["data"] = "read" if self._found.real_data else "made up"
        if self._runner is not None:
            environment[self._backend.compiler] = "on" if self._runner.jit else "off"
        return {
            "measurement": dataclasses.asdict(measurement) if measurement else None,
            "warnings": self._found.warnings(),
            "environment": environment,
        }

    def _out_of_memory(self, error: BaseException) -> JobFailed:
        """The failure with what is known of need and limit: at least the peak and the piece refused."""
        reading, requested = self._allocator.read(), requested_bytes(str(error))
        needed = reading.peak_bytes + requested if reading and requested else requested
        return JobFailed(
            cause_of(error) or "out_of_memory",
            first_line(error) or phrase("out of memory"),
            hint=OUT_OF_MEMORY_HINT,
            needed_bytes=needed,
            had_bytes=self._allocator.limit_bytes(),
        )
