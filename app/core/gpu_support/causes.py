"""Why a framework does not offer a card, and the way out: one small rule per trap of the field."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.core.gpu_support.arithmetic import (
    BLACKWELL,
    code_capability,
    has_kernels,
    version_tuple,
    visible,
    visible_entries,
)
from app.core.types.backends import TITLES
from app.core.types.machine import FrameworkBuild, Gpu, Interpreter, Machine
from app.core.types.text import Text, phrase

CUDA_INSTALL = {
    "tensorflow": 'pip install "tensorflow[and-cuda]"',
    "jax": 'pip install -U "jax[cuda12]"',
    "torch": phrase("install the CUDA build of PyTorch (its start page gives the command)"),
}
TORCH_BACKEND = phrase("install PyTorch and run Keras on it: set KERAS_BACKEND=torch")

_LAST_WINDOWS_TENSORFLOW = (2, 10)
_FIRST_CUDA_FOR_BLACKWELL = (12, 8)
_MIN_DRIVER_BY_CUDA = {11: "450", 12: "525", 13: "580"}
"""First driver branch for each CUDA major version (NVIDIA, "Minor Version Compatibility")."""


@dataclass(frozen=True)
class Question:
    """One card and one framework in one interpreter."""

    machine: Machine
    interpreter: Interpreter
    gpu: Gpu
    build: FrameworkBuild

    @property
    def title(self) -> str:
        """The framework and its version."""
        return f"{TITLES[self.build.name]} {self.build.version}".strip()

    @property
    def offered_devices(self) -> list[str]:
        """What the framework offers besides the CPU."""
        return [device for device in self.build.devices if not device.upper().startswith("CPU")]

    @property
    def cuda_visible(self) -> str | None:
        """CUDA_VISIBLE_DEVICES, None if it is not set."""
        return self.interpreter.environment.get("CUDA_VISIBLE_DEVICES")


@dataclass(frozen=True)
class Cause:
    """Why a card cannot be used, and the way out."""

    reason: str
    fix: str


Rule = Callable[[Question], Cause | None]


def first_cause(question: Question) -> Cause:
    """The most fundamental cause that applies; if none does, that is the answer."""
    for rule in _rules(question.gpu):
        cause = rule(question)
        if cause is not None:
            return cause
    seen = phrase("{title} does not offer this card and does not say why", title=question.title)
    return Cause(seen, phrase("look at what it prints when it starts; restart the machine after a driver update"))


def _rules(gpu: Gpu) -> Iterable[Rule]:
    """The rules for a card's maker, in order."""
    by_vendor: dict[str | None, tuple[Rule, ...]] = {
        "NVIDIA": (
            _card_lost,
            _driver_missing,
            _windows_native,
            _broken_import,
            _hidden,
            _platform_forced,
            _cpu_only_nvidia,
            _driver_too_old,
            _no_kernels,
            _libraries_missing,
            _noted,
        ),
        "AMD": (_broken_import, _hidden_amd, _amd_without_rocm, _noted),
        "Intel": (_intel, _broken_import, _noted),
        "Apple": (_metal_plugin_broken, _broken_import, _apple, _noted),
    }
    return by_vendor.get(gpu.vendor, (_broken_import, _noted))


def _card_lost(q: Question) -> Cause | None:
    """The card fell off the bus."""
    reasons = [r for path, r in q.machine.unavailable.items() if path.startswith(f"gpus.{q.gpu.index}.")]
    if q.gpu.memory_total_bytes is None and any("lost" in reason for reason in reasons):
        return Cause(
            phrase("the card was lost: it no longer answers the driver"),
            phrase("restart the machine; check power and slot"),
        )
    return None


def _driver_missing(q: Question) -> Cause | None:
    """The bus shows the card, but no driver speaks for it."""
    if q.machine.nvidia_driver is not None or q.gpu.memory_total_bytes is not None:
        return None
    why = q.machine.unavailable.get("nvidia_driver", "no NVIDIA driver is installed")
    if q.machine.wsl:
        return Cause(why, phrase("install NVIDIA's driver in Windows, not inside WSL"))
    if q.machine.container:
        fix = phrase("start the container with access to the card (docker run --gpus all)")
        return Cause(phrase("inside this container {why}", why=why), fix)
    return Cause(why, phrase("install NVIDIA's driver and restart"))


def _windows_native(q: Question) -> Cause | None:
    """TensorFlow 2.10 was the last with a GPU on native Windows; JAX never had one there."""
    if q.machine.os != "Windows":
        return None
    if q.build.name == "tensorflow" and version_tuple(q.build.version) > _LAST_WINDOWS_TENSORFLOW:
        reason = phrase("{title} has no GPU support on Windows itself: 2.10 was the last that had", title=q.title)
    elif q.build.name == "jax":
        reason = phrase("{title} has no GPU support on Windows itself", title=q.title)
    else:
        return None
    inside = CUDA_INSTALL[q.build.name]
    return Cause(
        reason, phrase("{torch_backend}; or use WSL2 and there {inside}", torch_backend=TORCH_BACKEND, inside=inside)
    )


def _broken_import(q: Question) -> Cause | None:
    """The framework is installed but cannot be imported."""
    if q.build.problem is None:
        return None
    return Cause(
        phrase("{title} cannot be imported: {problem}", title=q.title, problem=q.build.problem),
        phrase("reinstall {build} in this interpreter", build=q.build.name),
    )


def _hidden(q: Question) -> Cause | None:
    """CUDA_VISIBLE_DEVICES leaves the card out."""
    value = q.cuda_visible
    if value is None:
        return None
    entries, unset = visible_entries(value), phrase("unset CUDA_VISIBLE_DEVICES")
    if not entries:
        said = phrase("is empty") if not value.strip() else phrase("is {value}", value=value)
        return Cause(phrase("CUDA_VISIBLE_DEVICES {said}, which hides all cards", said=said), unset)
    # By CUDA's own numbering the list may mean another card: all that it shows are offered, and this one is not.
    all_shown_are_offered = len(entries) == len(q.offered_devices)
    if visible(value, q.gpu) and not all_shown_are_offered:
        return None
    return Cause(
        phrase("CUDA_VISIBLE_DEVICES={value} leaves this card out", value=value),
        phrase("{unset}, or add this card to it", unset=unset),
    )


def _platform_forced(q: Question) -> Cause | None:
    """JAX_PLATFORMS names only other devices."""
    value = q.interpreter.environment.get("JAX_PLATFORMS", "")
    names = {name.strip().lower() for name in value.split(",")}
    if q.build.name != "jax" or not value or names & {"cuda", "gpu"}:
        return None
    return Cause(phrase("JAX_PLATFORMS={value} leaves cards out", value=value), phrase("unset JAX_PLATFORMS"))


def _cpu_only_nvidia(q: Question) -> Cause | None:
    """The build has no CUDA in it."""
    if q.build.cuda is not None:
        return None
    made_for = phrase("for AMD cards") if q.build.rocm is not None else phrase("for the CPU only")
    return Cause(
        phrase("this build of {title} was made {made_for}", title=q.title, made_for=made_for),
        CUDA_INSTALL[q.build.name],
    )


def _driver_too_old(q: Question) -> Cause | None:
    """The driver knows an older CUDA major version than the build needs; minor versions may differ."""
    needs, has = version_tuple(q.build.cuda or ""), version_tuple(q.machine.cuda_version or "")
    if not needs or not has or has[0] >= needs[0]:
        return None
    driver = q.machine.nvidia_driver or "installed"
    reason = phrase(
        "the NVIDIA driver {driver} supports CUDA {cuda_version}, {title} needs CUDA {cuda}",
        driver=driver,
        cuda_version=q.machine.cuda_version,
        title=q.title,
        cuda=q.build.cuda,
    )
    branch = _MIN_DRIVER_BY_CUDA.get(needs[0])
    where = " in Windows" if q.machine.wsl else ""
    return Cause(
        reason, phrase("update the NVIDIA driver{where}", where=where) + (f" to {branch} or newer" if branch else "")
    )


def _no_kernels(q: Question) -> Cause | None:
    """The build carries no code for the card: too new (RTX 50 on stock wheels) or too old."""
    capability = q.gpu.compute_capability
    if capability is None:
        return None
    dotted = f"{capability[0]}.{capability[1]}"
    if q.build.compute_capabilities:
        if has_kernels(q.build.compute_capabilities, capability):
            return None
        if capability < min(code_capability(code) for code in q.build.compute_capabilities):
            reason = phrase(
                "{title} no longer carries code for compute capability {dotted}", title=q.title, dotted=dotted
            )
            return Cause(reason, phrase("install an older version of {build}, or use another card", build=q.build.name))
    elif capability < BLACKWELL or version_tuple(q.build.cuda or "") >= _FIRST_CUDA_FOR_BLACKWELL:
        return None
    reason = phrase(
        "{title} carries no code for compute capability {dotted} (RTX 50 and other Blackwell cards)",
        title=q.title,
        dotted=dotted,
    )
    return Cause(reason, _newer_build(q.build.name))


def _newer_build(framework: str) -> Text:
    """Where code for the newest cards is found."""
    if framework == "tensorflow":
        return phrase(
            "{torch_backend} (its builds for CUDA 12.8 and newer have it); or use NVIDIA's "
            "TensorFlow container, or build TensorFlow for the card",
            torch_backend=TORCH_BACKEND,
        )
    return phrase("install the build of {titles} for CUDA 12.8 or newer", titles=TITLES[framework])


def _libraries_missing(q: Question) -> Cause | None:
    """A CUDA build without CUDA's libraries: plain ``pip install tensorflow`` on Linux."""
    if q.build.cuda_libraries is not False:
        return None
    reason = phrase(
        "{title} was built for CUDA {cuda}, but CUDA's libraries are not installed", title=q.title, cuda=q.build.cuda
    )
    return Cause(reason, CUDA_INSTALL[q.build.name])


def _noted(q: Question) -> Cause | None:
    """What the child found out by trying."""
    if not q.build.notes:
        return None
    fix = phrase("restart the machine after a driver update; close other programs that use the card")
    return Cause(f"{q.title}: {q.build.notes[0]}", fix)


def _hidden_amd(q: Question) -> Cause | None:
    """ROCm has variables of its own for the same purpose."""
    for name in ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"):
        value = q.interpreter.environment.get(name)
        if value is not None and q.build.rocm is not None and not visible_entries(value):
            return Cause(phrase("{name} hides all cards", name=name), phrase("unset {name}", name=name))
    return None


def _amd_without_rocm(q: Question) -> Cause | None:
    """Builds for AMD cards are separate ones, and only for some cards and systems."""
    if q.build.rocm is not None:
        reason = phrase(
            "{title} was built for ROCm {rocm} but does not offer this card", title=q.title, rocm=q.build.rocm
        )
        return Cause(
            reason, phrase("check that ROCm supports the card, and that you are in the groups render and video")
        )
    reason = phrase("this build of {title} was not made for AMD cards (ROCm)", title=q.title)
    if q.machine.os == "Windows":
        return Cause(reason, phrase("use Linux or WSL2 with the ROCm build of PyTorch and set KERAS_BACKEND=torch"))
    return Cause(
        reason, phrase("install the ROCm build of PyTorch and set KERAS_BACKEND=torch, or AMD's tensorflow-rocm")
    )


def _intel(q: Question) -> Cause | None:
    """Only PyTorch has maintained support for Intel's graphics."""
    kind = phrase("Intel's integrated graphics") if q.gpu.unified else phrase("this Intel card")
    if q.build.name == "torch":
        return Cause(
            phrase("this build of {title} does not offer {kind}", title=q.title, kind=kind),
            phrase("install the XPU build of PyTorch"),
        )
    return Cause(
        phrase("{title} cannot use {kind}", title=q.title, kind=kind),
        phrase("install the XPU build of PyTorch and set KERAS_BACKEND=torch"),
    )


def _metal_plugin_broken(q: Question) -> Cause | None:
    """The plugin was left behind: with new TensorFlow versions it breaks the import or offers nothing."""
    plugin = next((p for p in q.build.plugins if p.startswith("tensorflow-metal")), None)
    if plugin is None:
        return None
    reason = phrase(
        "{plugin} does not work with {title}: it has had no maintainer since January 2025", plugin=plugin, title=q.title
    )
    return Cause(reason, phrase("{torch_backend}; and pip uninstall tensorflow-metal", torch_backend=TORCH_BACKEND))


def _apple(q: Question) -> Cause | None:
    """TensorFlow and JAX have no GPU of their own on macOS."""
    if q.build.name == "torch":
        return Cause(
            phrase("{title} does not offer Apple's graphics (MPS)", title=q.title),
            phrase("use macOS 14 or newer and a current PyTorch"),
        )
    reason = phrase("{title} has no GPU support of its own on macOS; its Metal plugin has no maintainer", title=q.title)
    return Cause(reason, TORCH_BACKEND)
