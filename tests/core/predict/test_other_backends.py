"""What an estimate is worth on JAX and PyTorch: arithmetic on graphs made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.model_steps import ModelSteps
from app.core.predict.other_backends import RANGE_ABOVE, backend_allowed, judge_range, only_a_range
from app.core.predict.time import Rates
from app.core.predict.torch_memory import LOOPS_ABOVE
from app.core.simulate.device import Allowed, TargetDevice
from app.core.simulate.xla.choice import uses_xla
from app.core.types.errors import InvalidWorkload
from app.core.types.machine import Cpu, Gpu, Machine, Ram
from app.core.types.plans import plan_from_json
from app.core.types.stepgraph import PerBatch
from app.core.types.units import GIB, MIB
from app.core.types.workload import ModelRef, Plan, Workload
from tests.core.graphs import WEIGHT_BYTES, chain_graph
from tests.core.machines import HOST_RATES

CPU = TargetDevice("CPU", None, 2)
MACHINE = Machine(cpu=Cpu("Test CPU", usable_cores=2.0), ram=Ram(16 * GIB, 12 * GIB))
CARD = Gpu(0, "NVIDIA", "RTX 3060", memory_total_bytes=12 * GIB, memory_free_bytes=11 * GIB, compute_capability=(8, 6))


def predict(plan: Plan, graph=None, machine: Machine = MACHINE):
    workload = Workload(ModelRef("catalog", "mlp"), None, plan)
    return Estimator(graph or chain_graph()).predict(workload, machine, Knowledge(Rates(HOST_RATES)))


@pytest.mark.parametrize(
    "wrong", [{"backend": "mxnet"}, {"backend": "jax", "data": "array"}, {"backend": "torch", "cache": "disk"}]
)
def test_what_a_backend_cannot_obey_is_no_plan(wrong):
    with pytest.raises(InvalidWorkload):
        Plan(**wrong)


def test_the_backend_travels_with_the_plan():
    assert plan_from_json({"backend": "jax", "model": "x"}) == Plan(backend="jax")
    assert Plan().backend == "tensorflow"


def test_jax_compiles_everywhere_and_torch_nowhere():
    graph = chain_graph()
    assert not uses_xla(Plan(), CPU, graph)
    assert uses_xla(Plan(backend="jax"), CPU, graph)
    assert not uses_xla(Plan(backend="jax", jit=False), CPU, graph)
    assert not uses_xla(Plan(backend="torch", jit=True), CPU, graph)
    assert not uses_xla(Plan(backend="jax"), CPU, replace(graph, jit_allowed=False))


def test_jax_on_a_processor_needs_the_compiled_step_without_the_allocator():
    told = predict(Plan(backend="jax", device="cpu"))
    step = ModelSteps(chain_graph()).step_memory(Plan(jit=True, device="cpu"), CPU)
    assert told.memory.basis == "traced"
    assert told.memory.allocator_peak_bytes == step.live_bytes(32)
    assert told.memory.low_bytes < told.memory.allocator_peak_bytes < told.memory.high_bytes
    assert "JAX" in told.memory.dominant_assumption
    assert told.memory.host_bytes is None


def test_jax_op_by_op_only_a_range_is_told():
    told = predict(Plan(backend="jax", jit=False, device="cpu"))
    assert told.memory.basis == "formula"
    assert told.memory.high_bytes == pytest.approx(RANGE_ABOVE * told.memory.allocator_peak_bytes, rel=1e-6)
    assert 0 < told.memory.low_bytes <= told.memory.allocator_peak_bytes
    assert told.fit.max_batch_size is None
    assert told.batch_curve == ()


def test_pytorch_is_followed_layer_by_layer():
    told = predict(Plan(backend="torch", device="cpu"))
    assert told.memory.basis == "traced"
    assert told.memory.low_bytes < told.memory.allocator_peak_bytes < told.memory.high_bytes < 2 * told.memory.low_bytes
    assert "layer by layer" in told.memory.dominant_assumption
    assert told.fit.max_batch_size
    assert told.memory.host_bytes is None
    parts = told.memory.parts
    assert (parts.weights, parts.optimizer_state, parts.gradients) == (
        2 * WEIGHT_BYTES,
        4 * WEIGHT_BYTES,
        2 * WEIGHT_BYTES,
    )
    assert parts.exact_bytes + parts.gradients + parts.activations + parts.workspace == told.memory.allocator_peak_bytes


@pytest.mark.parametrize("remat", [False, True])
def test_pytorch_too_is_told_a_range_where_it_is_not_followed(remat):
    graph = chain_graph()
    loop = replace(graph.operations[-1], kind="TensorListReserve")
    looped = graph if remat else replace(graph, operations=(*graph.operations[:-1], loop))
    told = predict(Plan(backend="torch", device="cpu", remat=remat), looped)
    assert told.memory.basis == "formula"
    assert told.memory.high_bytes == pytest.approx((1 + LOOPS_ABOVE) * told.memory.allocator_peak_bytes, rel=1e-6)
    assert 0 < told.memory.low_bytes <= told.memory.allocator_peak_bytes
    assert told.fit.max_batch_size is None
    assert told.batch_curve == ()


def test_pytorch_keeps_two_workspaces_on_a_cuda_card():
    """A real H100's step took 47.75 MiB more than an emulated A100's: twice the difference of one workspace."""
    plan, graph = Plan(backend="torch", device="gpu:0"), chain_graph()
    product = replace(graph, operations=(*graph.operations[:-1], replace(graph.operations[-1], kind="MatMul")))
    ampere, hopper = (
        predict(plan, product, replace(MACHINE, gpus=(replace(CARD, compute_capability=capability),))).memory
        for capability in ((8, 6), (9, 0))
    )
    for name in ("low_bytes", "allocator_peak_bytes", "high_bytes"):
        assert getattr(hopper, name) - getattr(ampere, name) == 47.75 * MIB, name
    assert [line.value for line in hopper.explanation if line.name == "workspaces of cuBLAS"] == ["64.0 MiB"]
    on_host = predict(replace(plan, device="cpu"), product).memory
    assert not any(line.name == "workspaces of cuBLAS" for line in on_host.explanation)


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_what_tensorflow_would_show_or_wish_is_not_told_of_others(backend):
    machine = replace(MACHINE, gpus=(CARD,))
    graph = chain_graph()
    wishing = replace(graph, operations=tuple(replace(op, wanted_workspace=PerBatch(MIB)) for op in graph.operations))
    own = predict(Plan(device="gpu:0", jit=False), wishing, machine).memory
    assert own.wanted_workspace_bytes
    assert own.shown_peak_bytes
    told = predict(Plan(backend=backend, device="gpu:0"), wishing, machine).memory
    assert (told.wanted_workspace_bytes, told.shown_peak_bytes) == (0, None)


def test_loops_make_jax_a_range_too():
    graph = chain_graph()
    loop = replace(graph.operations[-1], kind="TensorListReserve")
    looped = replace(graph, operations=(*graph.operations[:-1], loop))
    plan = Plan(backend="jax", device="cpu")
    step = ModelSteps(looped).step_memory(plan, CPU)
    assert only_a_range(step, plan)
    assert not only_a_range(step, Plan(jit=True))


@pytest.mark.parametrize("backend", ["jax", "torch"])
def test_rates_of_tensorflow_say_nothing_of_others(backend):
    assert predict(Plan(device="cpu")).time.step_s is not None
    told = predict(Plan(backend=backend, device="cpu"))
    assert told.time.step_s is None
    assert f"--backend {backend}" in told.time.dominant_assumption


@pytest.mark.parametrize(
    ("allowed", "verdict"), [(None, "unknown"), (50, "does_not_fit"), (150, "unknown"), (400, "fits")]
)
def test_a_range_is_judged_at_its_ends_only(allowed, verdict):
    memory = replace(
        predict(Plan(backend="torch", device="cpu")).memory,
        low_bytes=100 * MIB,
        allocator_peak_bytes=140 * MIB,
        high_bytes=280 * MIB,
    )
    fit = judge_range(memory, Allowed(None if allowed is None else allowed * MIB, ()), "CPU")
    assert fit.verdict == verdict
    assert fit.reasons


def test_jax_takes_three_quarters_of_a_card_and_torch_all_that_is_free():
    device = TargetDevice(CARD.name, CARD)
    tensorflow = Allowed(9 * GIB, ())
    assert backend_allowed(tensorflow, "tensorflow", device) is tensorflow
    assert backend_allowed(tensorflow, "jax", device).bytes == 9 * GIB
    assert 10 * GIB < backend_allowed(tensorflow, "torch", device).bytes < 11 * GIB  # type: ignore[operator]
    busy = replace(CARD, memory_free_bytes=2 * GIB)
    assert backend_allowed(tensorflow, "jax", TargetDevice(CARD.name, busy)).bytes < 2 * GIB  # type: ignore[operator]


def test_a_machine_with_a_card_says_what_jax_may_take():
    told = predict(Plan(backend="jax", device="gpu:0"), machine=replace(MACHINE, gpus=(CARD,)))
    assert told.fit.allowed_bytes == 9 * GIB
    assert any("JAX" in line.name for line in told.fit.explanation)
