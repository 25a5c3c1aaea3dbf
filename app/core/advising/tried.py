"""What was tried and is not recommended: what each change would bring, and why it does not help.

Beside the proposals of the ladder stand other batches, as on the chart, and where memory is not short the ways to need
less of it all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from app.core.advising.recommend import LARGER, WORTH_MEMORY, WORTH_TIME, proposals, recommendation
from app.core.advising.ways_out import half_precision, ways_out
from app.core.pipeline.input_cost import SampleCost
from app.core.types.advice import Effect, Proposal, Recommendation, Tried
from app.core.types.errors import InvalidWorkload
from app.core.types.prediction import Prediction
from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, phrase
from app.core.types.units import format_count, format_share
from app.core.types.workload import Plan, Workload

SAME_TIME = 0.005
"""Epochs that differ by less take as long as each other."""


def tried_in_vain(
    workload: Workload,
    now: Prediction,
    predict: Callable[[Plan], Prediction],
    graph: StepGraph,
    cost: SampleCost | None,
    recommended: Iterable[Recommendation],
) -> tuple[Tried, ...]:
    """Every change that was tried and is not recommended, the shortest epoch first.

    Args:
        workload: What the user wants to train.
        now: The prediction for it.
        predict: Answers a changed plan; raises `InvalidWorkload` for one that it cannot answer.
        graph: The traced step.
        cost: What a sample costs the host; None without a dataset.
        recommended: What the ladder says already.
    """
    found: dict[Plan, Tried] = {}
    said = {replace(workload.plan, **one.changes) for one in recommended}
    for proposal in (*proposals(workload, now, graph, cost), *_more(workload, now, graph)):
        plan = replace(workload.plan, **proposal.changes)
        if plan in found or plan in said:
            continue
        try:
            after = predict(plan)
        except InvalidWorkload:
            continue
        found[plan] = _in_vain(proposal, now, after)
    return tuple(sorted(found.values(), key=_order))


def _more(workload: Workload, now: Prediction, graph: StepGraph) -> Iterable[Proposal]:
    """Other batches, and what makes a step smaller also where it fits."""
    own, largest = workload.plan.batch_size, now.fit.max_batch_size or 0
    why = phrase("the speed and the memory of other batches stand in the chart")
    for batch in (own // 2, 2 * own, LARGER * own):
        if 1 <= batch <= largest:
            title = phrase("Batch size {best}", best=format_count(batch))
            yield Proposal(f"batch_{batch}", title, why, {"batch_size": batch}, True)
    yield from ways_out(workload.plan, now, graph)


def _in_vain(proposal: Proposal, now: Prediction, after: Prediction) -> Tried:
    """A change with its numbers; of a precision that the device has no units for only the memory is known."""
    smaller = after.memory.allocator_peak_bytes <= WORTH_MEMORY * now.memory.allocator_peak_bytes
    change = recommendation(proposal, now, after)
    if "precision" in proposal.changes and half_precision(now.card) is None:
        without = replace(change, after=Effect(change.after.memory_bytes, None))
        return Tried(without, phrase("this device has no units that would make it quicker"), smaller)
    return Tried(change, _why_not(proposal, now, after), smaller)


def _why_not(proposal: Proposal, now: Prediction, after: Prediction) -> Text:
    """Why a change is not recommended."""
    if after.fit.verdict != now.fit.verdict and after.fit.verdict == "does_not_fit":
        return phrase("it would not fit any more")
    if after.fit.verdict != now.fit.verdict and after.fit.verdict == "tight":
        return phrase("memory would be tight")
    here, there = now.time.samples_per_s, after.time.samples_per_s
    if not here or not there:
        return phrase("how fast it would be is not known before a run")
    saved = 1 - here / there
    if abs(saved) <= SAME_TIME:
        return phrase("as quick as now")
    if saved < 0:
        return phrase("{share} slower", share=format_share(-saved))
    if saved < 1 - WORTH_TIME:
        least = format_share(1 - WORTH_TIME)
        return phrase("only {share} quicker, less than {least}", share=format_share(saved), least=least)
    share = format_share(saved)
    if not proposal.keeps_model:
        return phrase("{share} quicker, but another training", share=share)
    if proposal.changes_result and "batch_size" not in proposal.changes:
        return phrase("{share} quicker, but it changes what is learnt", share=share)
    return phrase("{share} quicker; what is recommended brings as much", share=share)


def _order(one: Tried) -> tuple[float, float]:
    """The shortest epoch first, then what needs least."""
    after = one.change.after
    return (after.epoch_s or 0.0, float(after.memory_bytes or 0))
