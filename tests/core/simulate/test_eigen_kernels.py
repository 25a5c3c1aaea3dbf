"""Scratch of convolutions without oneDNN, against what TensorFlow 2.21 asked for in recorded steps of 16 samples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.predict.memory import StepMemory
from app.core.predict.model_steps import ModelSteps
from app.core.simulate.device import TargetDevice, as_measured, choose_device
from app.core.simulate.eigen_kernels import EigenKernels, column_buffers, runs_onednn
from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.types.machine import Cpu, DeviceProbe, Machine
from app.core.types.stepgraph import NOTHING, Loop, Operation, PerBatch
from app.core.types.units import MIB
from app.core.types.workload import Plan
from tests.core.graphs import chain_graph

CHAIN = chain_graph()


def with_convolution(kind, pixels, window, channels, **changes):
    """The chain with one gradient of a convolution: ``pixels`` and ``channels`` of its image and of its result."""
    (side_in, side_out), (given, made) = pixels, channels
    image = PerBatch(0, 4 * side_in * given)
    kernel, result = PerBatch(4 * window * given * made), PerBatch(0, 4 * side_out * made)
    first = len(CHAIN.sizes)
    sizes = (*CHAIN.sizes, PerBatch(16), image, kernel, result)
    shape, image_at, kernel_at, result_at = range(first, first + 4)
    flops = PerBatch(0, 2.0 * side_out * window * given * made)
    inputs = (image_at, shape, result_at) if "Filter" in kind else (shape, kernel_at, result_at)
    made_at = kernel_at if "Filter" in kind else image_at
    operation = replace(Operation(kind, inputs, (made_at,), "backward", flops=flops), **changes)
    return replace(CHAIN, sizes=sizes, operations=(*CHAIN.operations, operation))


def columns(graph, batch_size=16, threads=2, **cache):
    found = column_buffers(graph, batch_size, EigenKernels(threads, **cache))
    return [dict(buffers).get(len(graph.operations) - 1, NOTHING).fixed for buffers in found]


FIRST = ((48 * 48, 48 * 48), 9, (3, 32))
POINTWISE = ((9 * 9, 9 * 9), 1, (24, 48))
SECOND = ((24 * 24, 24 * 24), 9, (32, 64))


@pytest.mark.parametrize(
    ("kind", "geometry", "recorded"),
    [
        ("Conv2DBackpropFilter", FIRST, 14_432_256),
        ("Conv2DBackpropFilter", SECOND, 23_887_872),
        ("Conv2DBackpropFilter", ((2000, 1000), 9, (2, 32)), 11_232_000),
        ("Conv2DBackpropFilter", ((40 * 40, 20 * 20), 25, (3, 24)), 22_800_000),
        ("Conv2DBackpropFilter", POINTWISE, 8_763_552),
        ("Conv2DBackpropInput", POINTWISE, 8_763_552),
        ("Conv2DBackpropInput", SECOND, 663_552),
        ("Conv2DBackpropInput", ((1000, 500), 9, (32, 64)), 576_000),
    ],
)
def test_columns_are_as_large_as_recorded(kind, geometry, recorded):
    assert columns(with_convolution(kind, *geometry)) == [recorded]


def test_the_batch_does_not_matter_but_one_sample_is_multiplied_by_itself():
    filters, inputs = (with_convolution(f"Conv2DBackprop{of}", *FIRST) for of in ("Filter", "Input"))
    assert columns(filters, 1) == columns(filters, 128)
    assert columns(inputs, 1) == [4 * 48 * 48 * 27]


def test_many_threads_take_many_samples_of_the_inputs_gradient():
    graph = with_convolution("Conv2DBackpropInput", *SECOND)
    assert columns(graph, threads=2) == [663_552]
    assert columns(graph, threads=8) == [23_887_872]


def test_a_loop_counts_the_work_of_all_its_turns():
    once = with_convolution("Conv2DBackpropFilter", *FIRST)
    last = once.operations[-1]
    turned = replace(last, loop=0, flops=last.flops.times(7))
    looped = replace(once, operations=(*once.operations[:-1], turned), loops=(Loop(7),))
    assert columns(looped) == columns(once)


def test_a_grouped_convolution_is_compiled_and_takes_what_was_traced():
    graph = with_convolution("Conv2DBackpropFilter", *FIRST, scratch=PerBatch(1000))
    assert columns(graph) == [0]


SPATIAL = ((8 * 32 * 32, 8 * 32 * 32), 27, (3, 16))


def test_in_three_dimensions_the_cache_decides():
    graph = with_convolution("Conv3DBackpropFilterV2", *SPATIAL)
    assert columns(graph, cache_bytes=256 * MIB) == [225_607_680]
    assert columns(graph, cache_bytes=384 * MIB) == [0]  # more than 25 times its tensors: Eigen does without
    assert columns(graph, 1, cache_bytes=16 * MIB) == [4 * 8192 * 81]


def test_a_cache_that_nobody_has_measured_leaves_a_range():
    graph = with_convolution("Conv3DBackpropFilterV2", *SPATIAL)
    likely, least, most = columns(graph, likely_cache_bytes=32 * MIB)
    assert least == 0 < likely < most
    known = StepMemory(graph, "sgd", eigen=EigenKernels(2, 32 * MIB))
    unknown = StepMemory(graph, "sgd", eigen=EigenKernels(2, likely_cache_bytes=32 * MIB))
    assert known.peak_bytes(16) == unknown.peak_bytes(16)
    assert unknown.interval_bytes(16)[0] < known.interval_bytes(16)[0]
    assert unknown.interval_bytes(16)[1] > most


def test_a_step_holds_the_columns():
    graph = with_convolution("Conv2DBackpropFilter", *SECOND)
    by_onednn, by_eigen = StepMemory(graph, "sgd"), StepMemory(graph, "sgd", eigen=EigenKernels(2))
    assert by_eigen.peak_bytes(16) > by_onednn.peak_bytes(16) + 20 * MIB
    assert by_eigen.parts(16, by_eigen.peak_bytes(16)).workspace >= 23_887_872


def test_without_onednn_pooling_notes_its_winners_in_the_gradient_only():
    first = len(CHAIN.sizes)
    sizes = (*CHAIN.sizes, PerBatch(0, 4000), PerBatch(0, 4000), PerBatch(0, 16_000))
    pooled, gradient, made = range(first, first + 3)
    operations = (
        *CHAIN.operations,
        Operation("MaxPool", (0,), (pooled,)),
        Operation("MaxPoolGrad", (0, pooled, gradient), (made,), "backward"),
    )
    graph = replace(CHAIN, sizes=sizes, operations=operations)

    def last_two(onednn):
        program = build_program(graph, "sgd", LoweringOptions(kernels="host", onednn=onednn))
        pooling = next(op for op in program.ops if op.kind == "MaxPool")
        return len(pooling.writes), next(op.scratch for op in program.ops if op.kind == "MaxPoolGrad")

    assert last_two(True) == (2, ())
    assert last_two(False) == (1, (PerBatch(0, 8000),))


@pytest.mark.parametrize(
    ("machine", "on"),
    [
        (Machine(os="Linux", cpu=Cpu(features=("avx2", "fma"))), False),
        (Machine(os="Linux", cpu=Cpu(features=("avx2", "avx_vnni"))), True),
        (Machine(os="Linux", cpu=Cpu(features=("asimd",), microarchitecture="neoverse_v1")), True),
        (Machine(os="Linux", cpu=Cpu(features=("asimd",), microarchitecture="neoverse_n1")), False),
        (Machine(os="Linux", cpu=Cpu(features=("avx2", "fma")), onednn=True), True),
        (Machine(os="Linux", cpu=Cpu(features=("avx2", "avx_vnni")), onednn=False), False),
        (Machine(os="Windows", cpu=Cpu(features=("avx2", "fma"))), True),
        (Machine(os="macOS", cpu=Cpu(features=("asimd",))), False),
        (Machine(), True),
    ],
)
def test_when_tensorflow_uses_onednn(machine, on):
    assert runs_onednn(machine) is on
    assert choose_device(machine, "cpu").onednn is on


def test_what_was_measured_counts():
    device = TargetDevice("CPU", onednn=True, likely_cache_bytes=MIB)
    assert as_measured(device, None) == as_measured(device, DeviceProbe("cpu", "tensorflow")) == device
    measured = as_measured(device, DeviceProbe("cpu", "tensorflow", onednn=False, cache_bytes=MIB))
    steps = ModelSteps(CHAIN)
    assert steps.step_memory(Plan(jit=False), measured).eigen == EigenKernels(2, MIB, MIB)
    assert steps.step_memory(Plan(jit=True), measured).eigen is None
    assert steps.step_memory(Plan(jit=False), device).eigen is None
