"""What TensorFlow, JAX and PyTorch say about their build and their devices, and whether it is true."""

from __future__ import annotations

import ctypes
import importlib
import importlib.metadata
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any

from app.core.gpu_support.arithmetic import has_kernels
from app.core.types.machine import FrameworkBuild
from app.core.types.text import Text, phrase, verbatim

Errors = tuple[type[BaseException], ...]

TF_PLUGINS = ("tensorflow-metal", "tensorflow-directml-plugin", "intel-extension-for-tensorflow")


def ask_tensorflow() -> FrameworkBuild:
    """TensorFlow: build information, and a sum on each GPU."""
    tf = importlib.import_module("tensorflow")
    info = dict(tf.sysconfig.get_build_info())
    cuda = cuda_version(info.get("cuda_version")) if info.get("is_cuda_build") else None
    codes = tuple(str(code) for code in info.get("cuda_compute_capabilities") or ())
    trial = _Trial()
    for number, gpu in enumerate(tf.config.list_physical_devices("GPU")):
        details = tf.config.experimental.get_device_details(gpu)
        capability = details.get("compute_capability")
        name = str(details.get("device_name") or "")
        if capability is not None and codes and not has_kernels(codes, tuple(capability)):
            trial.refuse(
                f"GPU:{number}",
                phrase("the build carries no code for compute capability {dotted}", dotted=_dotted(capability)),
            )
            continue

        def compute(place: str = f"/GPU:{number}") -> None:
            with tf.device(place):
                (tf.constant([1.0]) + 1.0).numpy()

        trial.attempt(f"GPU:{number}", name, compute, (tf.errors.OpError, RuntimeError))
    plugins = [(name, installed_version((name,))) for name in TF_PLUGINS]
    return FrameworkBuild(
        name="tensorflow",
        version=str(tf.__version__),
        cuda=cuda,
        rocm=str(info.get("rocm_version") or "unknown") if info.get("is_rocm_build") else None,
        devices=("CPU:0", *trial.devices),
        gpu_names=tuple(trial.names),
        compute_capabilities=codes,
        cuda_libraries=_cuda_libraries(cuda, info.get("cudnn_version")),
        plugins=tuple(f"{name} {version}" for name, version in plugins if version is not None),
        notes=tuple(trial.notes),
    )


def ask_jax() -> FrameworkBuild:
    """JAX: its CUDA comes as a plugin package; the devices of its default platform."""
    jax = importlib.import_module("jax")
    trial = _Trial()
    try:
        devices = jax.devices()
    except RuntimeError as error:  # a platform was asked for that does not start
        devices = []
        trial.notes.append(verbatim(first_line(error)))
    for device in devices:
        if device.platform != "cpu":

            def compute(place: Any = device) -> None:
                (jax.device_put(1.0, place) + 1.0).block_until_ready()

            trial.attempt(f"GPU:{device.id}", str(device.device_kind), compute, (RuntimeError, ValueError))
    return FrameworkBuild(
        name="jax",
        version=str(jax.__version__),
        cuda=_plugin_cuda(),
        rocm=next((v for v in ("7", "60") if installed_version((f"jax-rocm{v}-plugin",))), None),
        devices=("CPU:0", *trial.devices),
        gpu_names=tuple(trial.names),
        notes=tuple(trial.notes),
    )


def ask_torch() -> FrameworkBuild:
    """PyTorch: CUDA or ROCm cards, Apple's MPS, Intel's XPU."""
    torch = importlib.import_module("torch")
    trial = _Trial()
    cuda, rocm = torch.version.cuda, getattr(torch.version, "hip", None)
    if cuda is not None or rocm is not None:
        _try_torch_cuda(torch, trial)
    if getattr(torch.backends, "mps", None) is not None and torch.backends.mps.is_available():
        trial.attempt("GPU:0", "MPS", lambda: (torch.ones(1, device="mps") + 1).item(), (RuntimeError,))
    if getattr(torch, "xpu", None) is not None and torch.xpu.is_available():
        for number in range(torch.xpu.device_count()):
            name = str(torch.xpu.get_device_name(number))
            trial.attempt(f"XPU:{number}", name, _torch_sum(torch, f"xpu:{number}"), (RuntimeError,))
    codes = torch.cuda.get_arch_list() if cuda is not None and trial.devices else _built_codes(torch)
    return FrameworkBuild(
        name="torch",
        version=str(torch.__version__),
        cuda=cuda,
        rocm=rocm,
        devices=("CPU:0", *trial.devices),
        gpu_names=tuple(trial.names),
        compute_capabilities=tuple(code for code in codes if code.startswith(("sm_", "compute_"))),
        notes=tuple(trial.notes),
    )


class _Trial:
    """Devices on which a sum worked, their names, and what went wrong on the others."""

    def __init__(self) -> None:
        self.devices: list[str] = []
        self.names: list[str] = []
        self.notes: list[Text] = []

    def attempt(self, device: str, name: str, compute: Callable[[], Any], errors: Errors) -> None:
        """Compute on a device."""
        try:
            compute()
        except errors as error:
            self.refuse(device, phrase("a trial sum failed: {first_line}", first_line=first_line(error)))
        else:
            self.devices.append(device)
            if name:
                self.names.append(name)

    def refuse(self, device: str, why: str) -> None:
        """A device that is seen but cannot be used."""
        self.notes.append(phrase("{device}: {why}", device=device, why=why))


def _try_torch_cuda(torch: Any, trial: _Trial) -> None:
    """Cards of PyTorch's CUDA or ROCm build; without any, why."""
    if not torch.cuda.is_available():
        try:
            torch.cuda.init()
        except (RuntimeError, AssertionError) as error:
            trial.notes.append(verbatim(first_line(error)))
        return
    for number in range(torch.cuda.device_count()):
        name = str(torch.cuda.get_device_name(number))
        trial.attempt(f"GPU:{number}", name, _torch_sum(torch, f"cuda:{number}"), (RuntimeError,))


def _torch_sum(torch: Any, place: str) -> Callable[[], Any]:
    """A sum on a device of PyTorch."""
    return lambda: (torch.ones(1, device=place) + 1).item()


def _built_codes(torch: Any) -> list[str]:
    """The build's list of card generations, which PyTorch's public call hides when it sees no card."""
    flags = getattr(torch._C, "_cuda_getArchFlags", None)
    return str(flags() or "").split() if flags is not None else []


def first_line(error: BaseException) -> str:
    """The first line of an error's text that says something."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def installed_version(distributions: Iterable[str]) -> str | None:
    """Version of the first distribution that is installed."""
    for name in distributions:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return None


def cuda_version(text: object) -> str | None:
    """``12.5.1`` stays; TensorFlow on Windows writes 11.2 as ``64_112``."""
    if not text:
        return None
    match = re.fullmatch(r"64_(\d+)(\d)", str(text))
    return f"{match[1]}.{match[2]}" if match else str(text)


def _plugin_cuda() -> str | None:
    """CUDA version of JAX's plugin, from the runtime package that comes with it."""
    for major in ("13", "12"):
        if installed_version((f"jax-cuda{major}-plugin",)) is not None:
            runtime = installed_version((f"nvidia-cuda-runtime-cu{major}", "nvidia-cuda-runtime"))
            return major if runtime is None else ".".join(runtime.split(".")[:2])
    return None


def _cuda_libraries(cuda: str | None, cudnn: object) -> bool | None:
    """Whether the CUDA runtime and cuDNN of a build are there, as packages or on the library path."""
    if cuda is None or sys.platform != "linux":
        return None
    major = cuda.split(".")[0]
    wanted = [(f"nvidia-cuda-runtime-cu{major}", f"libcudart.so.{major}")]
    if cudnn:
        wanted.append((f"nvidia-cudnn-cu{major}", f"libcudnn.so.{cudnn}"))
    return all(installed_version((package,)) is not None or _loads(library) for package, library in wanted)


def _loads(library: str) -> bool:
    """Whether the dynamic linker finds a library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _dotted(capability: Iterable[int]) -> str:
    """``12.0``."""
    return ".".join(str(part) for part in capability)
