"""Which framework can use which card; if not, why, and what to do about it.

Pure rules over what was read (`Machine`) and what an interpreter answered (`Interpreter`).  The
framework's own answer comes first: a card that it offers is usable.  Only for a card that it does not
offer do the rules of `app.core.gpu_support.causes` look for the cause, the most fundamental first.  Public
threads behind them: tensorflow #60650 (Windows), #89272 and #97387 (RTX 50), #126384 (tensorflow-metal).
"""

from __future__ import annotations

from dataclasses import replace

from app.core.gpu_support.arithmetic import visible
from app.core.gpu_support.causes import CUDA_INSTALL, TORCH_BACKEND, Question, first_cause
from app.core.types.backends import BACKENDS, TITLES
from app.core.types.machine import FrameworkBuild, Gpu, GpuSupport, Interpreter, Machine
from app.core.types.text import Text, phrase, verbatim

SIMULATED = phrase("this card is simulated: no framework here can be asked about it")


def gpu_support(machine: Machine, interpreter: Interpreter) -> tuple[GpuSupport, ...]:
    """Say for each card and each framework of an interpreter whether they work together.

    Args:
        machine: The machine with its cards.
        interpreter: What a child of that interpreter answered.

    Returns:
        One entry per card and framework, in the order of the cards; without any framework one entry
        per card says so.
    """
    found = []
    for gpu in machine.gpus:
        if gpu.simulated:
            found.append(GpuSupport(gpu.index, gpu.name, "tensorflow", None, SIMULATED))
            continue
        answers = [_answer(Question(machine, interpreter, gpu, b)) for b in _builds(interpreter)]
        found += _with_alternative(answers, interpreter) if answers else [_no_framework(gpu, interpreter)]
    return tuple(replace(support, interpreter=interpreter.path) for support in found)


def _builds(interpreter: Interpreter) -> list[FrameworkBuild]:
    """The frameworks that compute, whether or not they can be imported."""
    return [build for name in BACKENDS for build in interpreter.frameworks if build.name == name]


def _no_framework(gpu: Gpu, interpreter: Interpreter) -> GpuSupport:
    """An interpreter that has no framework or gave no answer."""
    if interpreter.problem is not None:
        fix = phrase("choose another interpreter, or repair this one")
        return GpuSupport(
            gpu.index, gpu.name, "tensorflow", None, phrase("no answer: {problem}", problem=interpreter.problem), fix
        )
    reason = phrase("no framework is installed in this interpreter")
    return GpuSupport(gpu.index, gpu.name, "tensorflow", False, reason, verbatim(CUDA_INSTALL["tensorflow"]))


def _answer(question: Question) -> GpuSupport:
    """The framework's own answer, else the first cause that applies."""
    gpu, build = question.gpu, question.build
    if build.problem is None and _offered(question):
        return GpuSupport(gpu.index, gpu.name, build.name, True, *_caveat(question))
    cause = first_cause(question)
    return GpuSupport(gpu.index, gpu.name, build.name, False, verbatim(cause.reason), verbatim(cause.fix))


def _with_alternative(answers: list[GpuSupport], interpreter: Interpreter) -> list[GpuSupport]:
    """Where another framework of the same interpreter can use the card, that is the nearest fix."""
    working = next((a.framework for a in answers if a.usable), None)
    if working is None or interpreter.framework("keras") is None:
        return answers
    tip = phrase(
        "set KERAS_BACKEND={working}: {titles} in this interpreter can use the card",
        working=working,
        titles=TITLES[working],
    )
    return [a if a.usable else replace(a, fix=phrase("{tip}; or: {fix}", tip=tip, fix=a.fix)) for a in answers]


def _offered(question: Question) -> bool:
    """Whether the card is among the devices that the framework really offers.

    Names tell cards apart.  Of equal cards of which only some are offered, the visible and lower ones count.
    """
    gpu, build, devices = question.gpu, question.build, question.offered_devices
    if not devices:
        return False
    if gpu.vendor != "NVIDIA":
        same = [g for g in question.machine.gpus if g.vendor == gpu.vendor]
        return _speaks_for(build, gpu) and len(devices) > same.index(gpu)
    equal = [g for g in question.machine.gpus if g.vendor == "NVIDIA" and _same_name(g.name, gpu.name)]
    names = sum(_same_name(name, gpu.name) for name in build.gpu_names)
    if not build.gpu_names and build.cuda is not None:
        names = len(devices) if len(equal) == sum(g.vendor == "NVIDIA" for g in question.machine.gpus) else 0
    ranked = sorted(equal, key=lambda g: (not visible(question.cuda_visible, g), g.index))
    return ranked.index(gpu) < names


def _speaks_for(build: FrameworkBuild, gpu: Gpu) -> bool:
    """Whether a device of this build could be a card of this maker."""
    if gpu.vendor == "AMD":
        return build.rocm is not None or any("directml" in p for p in build.plugins)
    if gpu.vendor == "Apple":
        return build.cuda is None and build.rocm is None
    return gpu.vendor == "Intel" and (any(d.upper().startswith("XPU") for d in build.devices))


def _same_name(one: str, other: str) -> bool:
    """Names without the maker's name, which some drivers leave out."""
    return one.upper().removeprefix("NVIDIA ").strip() == other.upper().removeprefix("NVIDIA ").strip()


def _caveat(question: Question) -> tuple[Text, Text]:
    """Reason and fix for a card that works, perhaps not for long."""
    offered = phrase("{title} offers this card", title=question.title)
    if question.gpu.vendor == "Apple" and question.build.name == "tensorflow":
        reason = phrase(
            "{offered} through tensorflow-metal, which has had no maintainer since January 2025", offered=offered
        )
        return reason, phrase(
            "expect errors with new versions; the safer way: {torch_backend}", torch_backend=TORCH_BACKEND
        )
    if question.machine.wsl:
        fix = phrase(
            "keep below the limit: under WSL2 the driver moves what does not fit to host memory, which is slow"
        )
        return phrase("{offered} under WSL2", offered=offered), fix
    return offered, Text()
