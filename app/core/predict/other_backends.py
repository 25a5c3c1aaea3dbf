"""What an estimate from TensorFlow's traced step is worth where Keras runs on JAX or PyTorch.

* JAX compiles the whole step with the same compiler as TensorFlow's XLA, so its need is that of
  `app.core.simulate.xla.memory`: weights, slots and batch, and one block for everything else.  On a processor no
  allocator rounds it, because JAX has none there.
* PyTorch runs it op by op, which `app.core.simulate.torch_step` follows, and keeps workspaces for cuBLAS in the same
  pool, which on a card outweigh a small network (`app.core.predict.torch_memory`).
* Where the step has loops (recurrent layers) TensorFlow's keeps a list of every step's values that JAX's ``scan``
  does not have.  Nobody has followed these, nor JAX op by op: only a range is told, from what must be there at once to
  three times what TensorFlow's step would take.
"""

from __future__ import annotations

from dataclasses import replace

from app.core.predict.memory import StepMemory
from app.core.predict.torch_memory import as_torch, torch_range
from app.core.simulate.device import Allowed, TargetDevice, context_bytes
from app.core.types.backends import JAX_MEMORY_FRACTION, TITLES
from app.core.types.basis import Explanation, Range
from app.core.types.predicted_memory import PredictedMemory
from app.core.types.prediction import Fit, Verdict
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_bytes, format_number, format_share
from app.core.types.workload import Plan

JAX_BELOW, JAX_ABOVE = 0.25, 0.25
"""Relative half-widths for a step that JAX compiles.  The compiler is the same, what Keras hands it is not: other
lowerings of convolutions in one dimension, transposed ones and attention moved the open rows of
studies/accuracy/backends by +18 %, -14 % and -10 %, the other six without loops by less than 5 %."""

RANGE_ABOVE = 3.0
"""Upper end of JAX's range, over what TensorFlow's step would take; nobody knows of a bound."""

LOOPS = frozenset({"While", "StatelessWhile", "TensorListPushBack", "TensorListSetItem", "TensorListReserve"})
"""Operations of TensorFlow's recurrent layers."""


def only_a_range(step: StepMemory, plan: Plan) -> bool:
    """Is nothing but a range known of the memory?"""
    if plan.backend == "tensorflow":
        return False
    loops = any(op.kind in LOOPS for op in step.graph.operations)
    return loops or plan.remat if plan.backend == "torch" else loops or not step.xla


def backend_memory(traced: PredictedMemory, step: StepMemory, plan: Plan, device: TargetDevice) -> PredictedMemory:
    """The memory of TensorFlow's step as that of the plan's backend.

    Args:
        traced: What TensorFlow would need.
        step: The step; compiled if the backend compiles it.
        plan: Names the backend.
        device: Where.
    """
    if plan.backend == "tensorflow":
        return traced
    told = backend_range(traced.range, step, plan, device, plan.batch_size)
    if plan.backend == "torch":
        return as_torch(_of_backend(traced, told), step, plan, device, ranged=only_a_range(step, plan))
    if only_a_range(step, plan):
        return _range(traced, told, step)
    return replace(
        _of_backend(traced, told),
        dominant_assumption=phrase(
            "JAX compiles the step with the same compiler as TensorFlow's XLA; followed from "
            "TensorFlow's graph, not from a compilation by JAX"
        ),
        explanation=(*traced.explanation[:2], _block_line(step, plan.batch_size)),
    )


def backend_range(traced: Range, step: StepMemory, plan: Plan, device: TargetDevice, batch_size: int) -> Range:
    """The figures of that at any batch, bytes."""
    if plan.backend == "torch":
        return torch_range(step, plan, device, batch_size, ranged=only_a_range(step, plan))
    resident = step.resident_bytes(batch_size)
    if only_a_range(step, plan):
        most = max(resident, traced.value)
        return Range(most, resident, int(RANGE_ABOVE * most))
    on_host = device.gpu is None
    peak = step.live_bytes(batch_size) if on_host else traced.value
    low = min(int(peak * (1 - JAX_BELOW)), peak if on_host else traced.low)
    high = int(peak * (1 + JAX_ABOVE))
    return Range(peak, max(low, min(peak, resident)), high if on_host else max(traced.high, high))


def why_no_rates(backend: str) -> Text:
    """Why no time is predicted; rates are those of TensorFlow's kernels."""
    if backend == "tensorflow":
        return phrase("the speed of this device has not been measured yet")
    return phrase(
        "the speed of {titles} here is not known before a run: `bench --backend {backend}` measures it",
        titles=TITLES[backend],
        backend=backend,
    )


def judge_range(memory: PredictedMemory, allowed: Allowed, device_name: str) -> Fit:
    """The verdict where only a range is known: sure at its ends, else "cannot tell"."""
    verdict: Verdict = "unknown"
    reason = phrase("the device does not say how much memory is free")
    if allowed.bytes is not None and memory.low_bytes > allowed.bytes:
        verdict = "does_not_fit"
        reason = phrase("weights, their state and the batch alone need {low}", low=format_bytes(memory.low_bytes))
    elif allowed.bytes is not None and memory.high_bytes <= allowed.bytes:
        verdict, reason = (
            "fits",
            phrase("even {high}, the upper end of the range, has room", high=format_bytes(memory.high_bytes)),
        )
    elif allowed.bytes is not None:
        reason = phrase(
            "only a range is known, and it crosses what may be used; `bench` with the same options measures"
        )
    return Fit(
        verdict, allowed.bytes, memory.allocator_peak_bytes, None, None, device_name, (reason,), allowed.explanation
    )


def backend_allowed(allowed: Allowed, backend: str, device: TargetDevice) -> Allowed:
    """What a backend's allocator may take; ``allowed`` is TensorFlow's answer.

    TensorFlow keeps back a part of a card for the system, the others do not; JAX takes at most three quarters.
    """
    if backend == "tensorflow":
        return allowed
    gpu, name = device.gpu, TITLES[backend]
    if gpu is None or allowed.bytes is None or gpu.unified:
        return Allowed(
            allowed.bytes,
            tuple(
                replace(
                    line,
                    name=verbatim(line.name.replace("TensorFlow", name)),
                    formula=verbatim(line.formula.replace("TensorFlow", name)),
                )
                for line in allowed.explanation
            ),
        )
    free = gpu.memory_free_bytes
    if free is None:
        free = (gpu.memory_total_bytes or 0) - (gpu.memory_used_bytes or 0)
    context = context_bytes(device, None)
    lines = [
        Explanation(phrase("free now on the card"), format_bytes(free), phrase("total - held by others")),
        Explanation(
            phrase("framework's context"), format_bytes(context), Text(), phrase("300-500 MB, differs by card")
        ),
    ]
    most = max(0, free - context)
    if backend == "jax" and gpu.memory_total_bytes is not None:
        share = int(JAX_MEMORY_FRACTION * gpu.memory_total_bytes)
        most = min(most, share)
        lines.append(
            Explanation(
                phrase("JAX takes at most"),
                format_bytes(share),
                phrase("{jax_memory_fraction} of the card", jax_memory_fraction=format_share(JAX_MEMORY_FRACTION)),
                verbatim("XLA_PYTHON_CLIENT_MEM_FRACTION"),
            )
        )
    return Allowed(most, (*lines, Explanation(phrase("allowed"), format_bytes(most), phrase("the least of these"))))


def _range(traced: PredictedMemory, told: Range, step: StepMemory) -> PredictedMemory:
    """From what must be there at once to a multiple of what TensorFlow's step would take."""
    why = (
        phrase("keeps other values than TensorFlow's loops")
        if step.xla
        else phrase("runs op by op and frees in another order")
    )
    return replace(
        _of_backend(traced, told),
        basis="formula",
        dominant_assumption=phrase(
            "{name} {why}: only a range is known, around what TensorFlow's step would take", name=TITLES["jax"], why=why
        ),
        explanation=(
            *traced.explanation[:2],
            Explanation(phrase("at least"), format_bytes(told.low), phrase("what is alive at once in every step")),
            Explanation(
                phrase("TensorFlow's step"),
                format_bytes(traced.allocator_peak_bytes),
                Text(),
                verbatim(step.graph.framework),
            ),
            Explanation(
                phrase("at most"),
                format_bytes(told.high),
                phrase("{range_above} × that", range_above=format_number(RANGE_ABOVE, "g")),
            ),
        ),
    )


def _of_backend(traced: PredictedMemory, told: Range) -> PredictedMemory:
    """TensorFlow's step with another peak; what is alive when is TensorFlow's still, the process is not known.

    What TensorFlow's kernels would like to have, and what its counter shows, says nothing of others.
    """
    return replace(
        traced.at(told),
        process_bytes=None,
        wanted_workspace_bytes=0,
        shown_peak_bytes=None,
        first_step_peak_bytes=None,
        timeline=traced.timeline,
        largest_layers=traced.largest_layers,
    )


def _block_line(step: StepMemory, batch_size: int) -> Explanation:
    """The basis: what the compiler plans besides the residents."""
    block = step.live_bytes(batch_size) - step.resident_bytes(batch_size)
    return Explanation(
        phrase("the compiler's block for everything else"),
        format_bytes(block),
        phrase("live buffers of the step"),
        verbatim("xla/service/buffer_assignment.cc"),
    )
