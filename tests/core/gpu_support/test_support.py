"""Every trap of the field: a card that is present and cannot be used, by name, with reason and fix."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.gpu_support.arithmetic import has_kernels, version_tuple, visible, visible_entries
from app.core.gpu_support.support import gpu_support
from app.core.types.machine import FrameworkBuild, Gpu, Interpreter, Machine

GIB = 1024**3
RTX_2060 = Gpu(0, "NVIDIA", "NVIDIA GeForce RTX 2060", "GPU-aaaa", 6 * GIB, compute_capability=(7, 5))
RTX_5090 = Gpu(0, "NVIDIA", "NVIDIA GeForce RTX 5090", "GPU-bbbb", 32 * GIB, compute_capability=(12, 0))
GTX_960 = Gpu(0, "NVIDIA", "NVIDIA GeForce GTX 960", "GPU-cccc", 4 * GIB, compute_capability=(5, 2))
RADEON = Gpu(0, "AMD", "AMD Radeon RX 7900 XTX", None, 24 * GIB)
ARC = Gpu(0, "Intel", "Intel Arc A770", None, 16 * GIB)
UHD = Gpu(0, "Intel", "Intel UHD Graphics", None, 16 * GIB, unified=True)
M2 = Gpu(0, "Apple", "Apple M2 GPU", None, 16 * GIB, unified=True)

LINUX = Machine(os="Linux", gpus=(RTX_2060,), nvidia_driver="580.95.05", cuda_version="13.0")
WINDOWS = replace(LINUX, os="Windows")
MAC = Machine(os="macOS", gpus=(M2,))

STOCK = ("sm_60", "sm_70", "sm_80", "sm_89", "compute_90")
TF = FrameworkBuild("tensorflow", "2.21.0", "12.5.1", ("CPU:0",), compute_capabilities=STOCK, cuda_libraries=True)
TF_GPU = replace(TF, devices=("CPU:0", "GPU:0"), gpu_names=(RTX_2060.name,))
TF_CPU = FrameworkBuild("tensorflow", "2.21.0", None, ("CPU:0",))
TORCH_GPU = FrameworkBuild("torch", "2.9.0", "12.8", ("CPU:0", "GPU:0"), (RTX_2060.name,))
KERAS = FrameworkBuild("keras", "3.15.0")


def interpreter(*frameworks, **environment):
    return Interpreter("/env/bin/python", "3.11.7", frameworks, environment)


def only(machine, *frameworks, **environment):
    (found,) = gpu_support(machine, interpreter(*frameworks, **environment))
    return found


def test_card_that_works():
    found = only(LINUX, TF_GPU)
    assert (found.usable, found.fix, found.interpreter) == (True, "", "/env/bin/python")
    assert found.reason == "TensorFlow 2.21.0 offers this card"


def test_trap_native_windows_since_2_11():
    found = only(WINDOWS, TF_CPU)
    assert found.usable is False
    assert "2.10 was the last" in found.reason
    assert "KERAS_BACKEND=torch" in found.fix
    assert "WSL2" in found.fix


def test_native_windows_with_2_10_is_no_trap():
    assert only(WINDOWS, replace(TF_GPU, version="2.10.1", cuda="11.2")).usable is True


def test_trap_native_windows_jax():
    assert "Windows" in only(WINDOWS, FrameworkBuild("jax", "0.8.0", None, ("CPU:0",))).reason


def test_trap_native_windows_torch_in_the_same_interpreter_is_the_fix():
    tf, torch = gpu_support(WINDOWS, interpreter(TF_CPU, TORCH_GPU, KERAS))
    assert (tf.usable, torch.usable) == (False, True)
    assert tf.fix.startswith("set KERAS_BACKEND=torch: PyTorch in this interpreter can use the card")


def test_trap_rtx_50_on_stock_wheel():
    machine = replace(LINUX, gpus=(RTX_5090,))
    tf = replace(TF, notes=("GPU:0: the build carries no code for compute capability 12.0",))
    found = only(machine, tf)
    assert found.usable is False
    assert "12.0" in found.reason
    assert "RTX 50" in found.reason
    assert "KERAS_BACKEND=torch" in found.fix
    assert "container" in found.fix


def test_trap_rtx_50_on_old_torch():
    torch = FrameworkBuild("torch", "2.5.0", "12.4", ("CPU:0",), compute_capabilities=("sm_80", "sm_90"))
    found = only(replace(LINUX, gpus=(RTX_5090,)), torch)
    assert "CUDA 12.8 or newer" in found.fix


def test_trap_rtx_50_on_old_jax_that_lists_no_generations():
    found = only(replace(LINUX, gpus=(RTX_5090,)), FrameworkBuild("jax", "0.4.30", "12.3", ("CPU:0",)))
    assert "RTX 50" in found.reason


def test_rtx_50_on_a_build_for_it():
    torch = FrameworkBuild("torch", "2.9.0", "12.8", ("CPU:0", "GPU:0"), (RTX_5090.name,))
    torch = replace(torch, compute_capabilities=("sm_90", "sm_120"))
    assert only(replace(LINUX, gpus=(RTX_5090,)), torch).usable is True


def test_trap_card_too_old_for_the_build():
    found = only(replace(LINUX, gpus=(GTX_960,)), TF)
    assert "no longer carries code for compute capability 5.2" in found.reason


def test_trap_macos_without_plugin():
    found = only(MAC, TF_CPU)
    assert found.usable is False
    assert "no maintainer" in found.reason
    assert "KERAS_BACKEND=torch" in found.fix


def test_trap_tensorflow_metal_breaks_the_import():
    plugins = ("tensorflow-metal 1.2.0",)
    broken = FrameworkBuild("tensorflow", "2.19.0", problem="NotFoundError: dlopen", plugins=plugins)
    found = only(MAC, broken)
    assert found.usable is False
    assert "tensorflow-metal 1.2.0" in found.reason
    assert "uninstall tensorflow-metal" in found.fix


def test_tensorflow_metal_that_works_is_usable_with_a_warning():
    build = replace(TF_CPU, version="2.16.2", devices=("CPU:0", "GPU:0"), plugins=("tensorflow-metal 1.2.0",))
    found = only(MAC, build)
    assert found.usable is True
    assert "no maintainer" in found.reason
    assert "KERAS_BACKEND=torch" in found.fix


def test_apple_with_torch():
    assert only(MAC, FrameworkBuild("torch", "2.9.0", None, ("CPU:0", "GPU:0"), ("MPS",))).usable is True


def test_trap_cpu_only_wheel():
    found = only(LINUX, TF_CPU)
    assert found.reason == "this build of TensorFlow 2.21.0 was made for the CPU only"
    assert found.fix == 'pip install "tensorflow[and-cuda]"'


def test_trap_cuda_build_without_cuda_libraries():
    found = only(LINUX, replace(TF, cuda_libraries=False))
    assert "CUDA's libraries are not installed" in found.reason
    assert "and-cuda" in found.fix


def test_trap_driver_too_old_for_the_build():
    found = only(replace(LINUX, nvidia_driver="470.82", cuda_version="11.4"), TF)
    assert "470.82 supports CUDA 11.4" in found.reason
    assert found.fix == "update the NVIDIA driver to 525 or newer"


def test_older_minor_version_of_the_driver_is_no_cause():
    found = only(replace(LINUX, nvidia_driver="525.60", cuda_version="12.0"), TF)
    assert "does not say why" in found.reason


def test_trap_driver_missing():
    bare = Gpu(0, "NVIDIA", "NVIDIA GPU (10de:1f08)")
    machine = Machine(os="Linux", gpus=(bare,), unavailable={"nvidia_driver": "no NVIDIA driver is installed"})
    found = only(machine, TF)
    assert (found.reason, found.fix) == ("no NVIDIA driver is installed", "install NVIDIA's driver and restart")
    assert "in Windows, not inside WSL" in only(replace(machine, wsl=True), TF).fix
    assert "--gpus all" in only(replace(machine, container=True), TF).fix


def test_trap_card_lost():
    lost = replace(RTX_2060, memory_total_bytes=None)
    machine = replace(LINUX, gpus=(lost,), unavailable={"gpus.0.memory_total_bytes": "the card was lost: restart"})
    assert "lost" in only(machine, TF).reason


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("", "is empty"),
        ("-1", "is -1"),
        ("NoDevFiles", "is NoDevFiles"),
        ("1", "leaves this card out"),
        ("GPU-ffff", "leaves this card out"),
        ("-1,0", "hides all"),
    ],
)
def test_trap_cuda_visible_devices(value, words):
    found = only(LINUX, TF, CUDA_VISIBLE_DEVICES=value)
    assert words in found.reason
    assert found.fix.startswith("unset CUDA_VISIBLE_DEVICES")


def test_trap_cuda_visible_devices_hides_one_of_two():
    second = replace(RTX_2060, index=1, uuid="GPU-dddd")
    machine = replace(LINUX, gpus=(RTX_2060, second))
    first, other = gpu_support(machine, interpreter(TF_GPU, CUDA_VISIBLE_DEVICES="1"))
    assert (first.usable, other.usable) == (False, True)
    assert "leaves this card out" in first.reason


def test_trap_cuda_counts_cards_of_different_kinds_in_its_own_order():
    machine = replace(LINUX, gpus=(GTX_960, replace(RTX_2060, index=1)))  # for CUDA, 0 is the faster one
    slow, fast = gpu_support(machine, interpreter(replace(TF_GPU, compute_capabilities=()), CUDA_VISIBLE_DEVICES="0"))
    assert (slow.usable, fast.usable) == (False, True)
    assert "leaves this card out" in slow.reason


def test_trap_jax_platforms():
    jax = FrameworkBuild("jax", "0.8.0", "12.9", ("CPU:0",))
    assert only(LINUX, jax, JAX_PLATFORMS="cpu").fix == "unset JAX_PLATFORMS"


def test_trap_amd_without_rocm_build():
    machine = Machine(os="Linux", gpus=(RADEON,))
    found = only(machine, TF)
    assert "not made for AMD cards" in found.reason
    assert "ROCm build of PyTorch" in found.fix
    assert "WSL2" in only(replace(machine, os="Windows"), TF_CPU).fix


def test_amd_with_rocm_build():
    torch = FrameworkBuild("torch", "2.9.0", None, ("CPU:0", "GPU:0"), ("Radeon RX 7900 XTX",), rocm="6.4")
    machine = Machine(os="Linux", gpus=(RADEON,))
    assert only(machine, torch).usable is True
    unseen = replace(torch, devices=("CPU:0",))
    assert "HIP_VISIBLE_DEVICES hides" in only(machine, unseen, HIP_VISIBLE_DEVICES="").reason
    assert "render and video" in only(machine, unseen).fix


@pytest.mark.parametrize("gpu", [ARC, UHD])
def test_trap_intel(gpu):
    machine = Machine(os="Linux", gpus=(gpu,))
    assert "XPU build of PyTorch and set KERAS_BACKEND=torch" in only(machine, TF).fix
    assert only(machine, FrameworkBuild("torch", "2.9.0", None, ("CPU:0",))).fix == "install the XPU build of PyTorch"
    assert only(machine, FrameworkBuild("torch", "2.9.0", None, ("CPU:0", "XPU:0"), (gpu.name,))).usable is True


def test_wsl2_is_usable_and_warns_of_the_silent_spill():
    found = only(replace(LINUX, wsl=True), TF_GPU)
    assert found.usable is True
    assert "host memory" in found.fix


def test_trap_trial_computation_failed():
    found = only(LINUX, replace(TF, notes=("GPU:0: a trial sum failed: out of memory",)))
    assert found.reason == "TensorFlow 2.21.0: GPU:0: a trial sum failed: out of memory"


def test_trap_framework_that_cannot_be_imported():
    broken = FrameworkBuild("tensorflow", "2.21.0", problem="ImportError: libfoo.so.1: cannot open shared object file")
    found = only(LINUX, broken)
    assert "cannot be imported: ImportError: libfoo.so.1" in found.reason
    assert "reinstall" in found.fix


def test_no_framework_no_answer_no_card():
    assert only(LINUX, KERAS).reason == "no framework is installed in this interpreter"
    (silent,) = gpu_support(LINUX, Interpreter("/x", problem="there is no interpreter at /x"))
    assert (silent.usable, silent.reason) == (None, "no answer: there is no interpreter at /x")
    assert gpu_support(Machine(), interpreter(TF)) == ()


def test_simulated_card_is_not_judged():
    found = only(replace(LINUX, gpus=(replace(RTX_2060, simulated=True),)), TF_GPU)
    assert found.usable is None


def test_two_cards_in_one_machine_of_two_makers():
    machine = replace(LINUX, gpus=(RTX_2060, replace(RADEON, index=1)))
    nvidia, amd = gpu_support(machine, interpreter(TF_GPU))
    assert (nvidia.usable, amd.usable) == (True, False)


@pytest.mark.parametrize(
    ("capability", "runs"),
    [
        ((6, 1), True),
        ((7, 5), True),
        ((8, 6), True),
        ((8, 9), True),
        ((9, 0), True),
        ((5, 2), False),
        ((10, 0), False),
        ((12, 0), False),
    ],
)
def test_kernels_of_the_stock_wheel(capability, runs):
    assert has_kernels(STOCK, capability) is runs


def test_kernels_for_one_chip_only():
    assert has_kernels(("sm_90a",), (9, 0))
    assert not has_kernels(("sm_100a",), (10, 3))


@given(st.text(max_size=40))
def test_any_text_in_the_variables_is_read(text):
    assert visible(text, RTX_2060) in (True, False)
    assert len(visible_entries(text)) <= text.count(",") + 1
    version_tuple(text)
    has_kernels((text,), (8, 6))
