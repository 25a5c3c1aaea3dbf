"""What a doctor's answer comes to, in one line: does anything train here, and on what."""

from __future__ import annotations

from collections.abc import Sequence

from app.core.types.backends import TITLES
from app.core.types.machine import FrameworkBuild, GpuSupport, Interpreter, Machine
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_bytes
from app.presentation.layout import Line
from app.presentation.machine import why


def verdict(machine: Machine, interpreters: Sequence[Interpreter], support: Sequence[GpuSupport]) -> Line:
    """The first line: yes with the device, yes but not with the card, or no with the way to one."""
    able = [one for one in interpreters if one.framework("keras") is not None]
    builds = [build for one in able for build in one.frameworks if build.name in TITLES and not build.problem]
    if not builds:
        text = phrase(
            "✘ Nothing trains here: {why}; make one that does: `willittrain runtime create`", why=_lack(interpreters)
        )
        return Line(text, "bad")
    framework = _framework(builds[0])
    if usable := [one for one in support if one.usable]:
        return Line(_with_card(machine, usable[0]), "good")
    if not machine.gpus:
        text = phrase("✔ {framework} trains here on the processor; no graphics card was found", framework=framework)
        return Line(text, "good")
    refused = next((one for one in support if one.usable is False), None)
    if refused is None:
        text = phrase(
            "? {framework} trains here on the processor; whether it can use {gpu} cannot be told",
            framework=framework,
            gpu=machine.gpus[0].name,
        )
        return Line(text, "warning")
    return Line(
        phrase(
            "! {framework} trains here on the processor only, not on {gpu}: {why}",
            framework=framework,
            gpu=refused.gpu_name,
            why=why(refused),
        ),
        "warning",
    )


def _with_card(machine: Machine, usable: GpuSupport) -> Text:
    """A card that can be used, and its memory."""
    framework = TITLES.get(usable.framework, usable.framework)
    sizes = [gpu.memory_total_bytes for gpu in machine.gpus if gpu.index == usable.gpu_index]
    if sizes and sizes[0]:
        return phrase(
            "✔ {framework} trains here on {gpu} ({memory})",
            framework=framework,
            gpu=usable.gpu_name,
            memory=format_bytes(sizes[0]),
        )
    return phrase("✔ {framework} trains here on {gpu}", framework=framework, gpu=usable.gpu_name)


def _framework(build: FrameworkBuild) -> str:
    """A framework and its version."""
    return f"{TITLES[build.name]} {build.version}".strip()


def _lack(interpreters: Sequence[Interpreter]) -> Text:
    """Why nothing trains: a framework is broken or lacks Keras, a Python does not answer, or nothing is there."""
    builds = [build for one in interpreters for build in one.frameworks if build.name in TITLES]
    for build in builds:
        problem = build.problem or phrase("Keras is not")
        return phrase("{framework} is there, but {problem}", framework=_framework(build), problem=problem)
    problems = [one.problem for one in interpreters if one.problem]
    return verbatim(problems[0]) if problems else phrase("no TensorFlow, JAX or PyTorch was found")
