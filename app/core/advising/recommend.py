"""The ladder of changes on this machine, each tried out on the predictor before it is recommended.

A rule proposes a changed plan; the predictor answers for it; the change is kept if it turns "does not fit" into
something better, or saves enough time or memory to be worth a sentence.  Changes of a program of one's own are
counted on the stages of the step (`app.core.advising.input_advice`), surroundings by themselves
(`app.core.advising.surroundings`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from app.core.advising.input_advice import effect_of, input_advice
from app.core.advising.input_proposals import PARTS, input_proposals
from app.core.advising.surroundings import Surroundings, surroundings_advice
from app.core.advising.ways_out import half_precision, ways_out
from app.core.pipeline.input_cost import SampleCost
from app.core.pipeline.stages import gain_limit
from app.core.predict.corrections import Calibration
from app.core.types.advice import Proposal, Recommendation
from app.core.types.errors import InvalidWorkload
from app.core.types.prediction import Prediction, basis_words
from app.core.types.stepgraph import StepGraph
from app.core.types.text import Text, phrase, verbatim
from app.core.types.units import format_count, format_number, format_share
from app.core.types.workload import Plan, Workload

WORTH_TIME = 0.95
"""Recommend if an epoch takes at most 95 % of the time …"""
WORTH_MEMORY = 0.9
"""… or if memory is short and the change needs at most 90 % of it."""

LARGER = 16
"""Somebody asked what a batch 16 times as large buys (docs/evidence.md, "Case S1")."""

SHORT = ("tight", "does_not_fit")
"""Verdicts that say that memory is short."""

URGENT = ("usable_card", "plug_in", "power_saver", "cooling")

Predict = Callable[[Plan], Prediction]


def recommend(
    workload: Workload,
    now: Prediction,
    predict: Predict,
    graph: StepGraph,
    *,
    cost: SampleCost | None = None,
    taught: Calibration | None = None,
    around: Surroundings | None = None,
) -> tuple[Recommendation, ...]:
    """The ladder, what costs least first; empty if there is nothing to gain.

    Args:
        workload: What the user wants to train.
        now: The prediction for it.
        predict: Answers a changed plan on the same machine; raises `InvalidWorkload` for one that it cannot answer.
        graph: The traced step, which knows the layers.
        cost: What a sample costs the host; None without a dataset.
        taught: What a run has taught.
        around: What is known of the machine besides.
    """
    found = []
    for proposal in proposals(workload, now, graph, cost):
        try:
            after = predict(replace(workload.plan, **proposal.changes))
        except InvalidWorkload:
            continue
        if _worth(now, after):
            found.append(recommendation(proposal, now, after))
    own = [one for one in input_advice(workload, now, cost, taught) if _gains(one)]
    asked = {one.id for one in found}
    found += [one for one in own if one.id not in asked]
    found += surroundings_advice(workload, now, around or Surroundings())
    return tuple(sorted(found, key=lambda one: _rank(one, now)))


def proposals(
    workload: Workload, now: Prediction, graph: StepGraph, cost: SampleCost | None = None
) -> Iterable[Proposal]:
    """Everything that could be tried, in order of cost to the user."""
    yield from input_proposals(workload, now, cost)
    yield from _compile_proposals(now)
    yield from _batch_proposals(workload, now)
    yield from _precision_proposals(workload.plan, now)
    if now.fit.verdict in SHORT:
        yield from ways_out(workload.plan, now, graph)


def larger_batch_words(workload: Workload, now: Prediction, predict: Predict) -> Text:
    """What a batch 16 times as large would buy; empty if it does not fit, is no faster, or nobody knows."""
    plan, here = workload.plan, now.time.samples_per_s
    larger = plan.batch_size * LARGER
    if here is None or not now.fit.max_batch_size or larger > now.fit.max_batch_size:
        return Text()
    after = predict(replace(plan, batch_size=larger)).time.samples_per_s
    if after is None or after <= here:
        return Text()
    return phrase(
        "a batch of {larger}, {larger2} times as large, would fit and make it {after} times as "
        "fast: fewer updates in an epoch, which may cost accuracy",
        larger=format_count(larger),
        larger2=LARGER,
        after=format_number(after / here, ".2f"),
    )


def nothing_to_gain(now: Prediction, found: tuple[Recommendation, ...]) -> Text:
    """Why no change is recommended; empty if one is."""
    if found:
        return Text()
    if now.time.step_s is None:
        return phrase("the plan fits; how fast it runs is not known before a run, so nothing can be said about time")
    shorter = format_share(1 - WORTH_TIME)
    return phrase("of all changes that were tried none makes an epoch {worth_time} shorter", worth_time=shorter)


def _batch_proposals(workload: Workload, now: Prediction) -> Iterable[Proposal]:
    """The best batch of the chart, larger or smaller; where memory is short it is one of the ways out."""
    best, own = now.fit.best_batch_size, workload.plan.batch_size
    if not best or best == own or (best < own and now.fit.verdict in SHORT):
        return
    why = (
        phrase("larger steps keep the device busier")
        if best > own
        else phrase("smaller steps take less time for each sample")
    )
    yield Proposal(
        "batch_best",
        phrase("Batch size {best}", best=best),
        phrase("{why}; {updates}", why=why, updates=_updates_words(workload, best)),
        {"batch_size": best},
        True,
    )


def _updates_words(workload: Workload, batch_size: int) -> Text:
    """What another batch does to the updates of the weights."""
    plan, changed = workload.plan, replace(workload, plan=replace(workload.plan, batch_size=batch_size))
    before, after = (one.steps_per_epoch for one in (workload, changed))
    if before is None or after is None:
        times = format_number(max(batch_size, plan.batch_size) / min(batch_size, plan.batch_size), ".3g")
        if batch_size < plan.batch_size:
            return phrase("an epoch has {times} times as many updates", times=times)
        return phrase("an epoch has 1/{times} of the updates", times=times)
    updates = [-(-steps // plan.accumulate) for steps in (after, before)]
    return phrase(
        "an epoch has {after} updates instead of {before}",
        after=format_count(updates[0]),
        before=format_count(updates[1]),
    )


def _precision_proposals(plan: Plan, now: Prediction) -> Iterable[Proposal]:
    """Mixed precision where the card has units for it."""
    precision = half_precision(now.card)
    if plan.precision != "float32" or precision is None or now.fit.verdict in SHORT:
        return
    yield Proposal(
        "mixed_precision",
        phrase("Mixed precision ({precision})", precision=precision),
        phrase("products run on tensor cores and activations take half the memory"),
        {"precision": precision},
        True,
        how=phrase('keras.config.set_dtype_policy("{precision}") before the model is built', precision=precision),
    )


def _compile_proposals(now: Prediction) -> Iterable[Proposal]:
    """XLA the other way round; what another backend would do then is not followed."""
    if now.plan.backend != "tensorflow":
        return
    if now.xla:
        yield Proposal(
            "xla_off",
            phrase("Switch XLA off"),
            phrase("op-by-op execution needs less memory for some networks"),
            {"jit": False},
            False,
            how=verbatim("model.compile(…, jit_compile=False)"),
        )
    else:
        yield Proposal(
            "xla_on",
            phrase("Compile with XLA"),
            phrase("fused kernels read and write memory less often"),
            {"jit": True},
            False,
            how=verbatim("model.compile(…, jit_compile=True)"),
        )


def _worth(now: Prediction, after: Prediction) -> bool:
    """Does the change help with what hurts."""
    order = {"fits": 0, "tight": 1, "unknown": 2, "does_not_fit": 3}
    if order[after.fit.verdict] < order[now.fit.verdict]:
        return True
    if order[after.fit.verdict] > order[now.fit.verdict]:
        return False
    smaller = after.memory.allocator_peak_bytes <= WORTH_MEMORY * now.memory.allocator_peak_bytes
    if now.fit.verdict == "does_not_fit":
        return smaller
    return _faster(now, after) or (smaller and now.fit.verdict == "tight")


def _faster(now: Prediction, after: Prediction) -> bool:
    """Is a sample notably cheaper."""
    before_s, after_s = _pace(now), _pace(after)
    return before_s is not None and after_s is not None and after_s <= WORTH_TIME * before_s


def _gains(one: Recommendation) -> bool:
    """Is the epoch after it notably shorter, as far as anybody knows."""
    before, after = one.before.epoch_s, one.after.epoch_s
    return before is None or after is None or after <= WORTH_TIME * before


def _pace(prediction: Prediction) -> float | None:
    """Seconds per sample, comparable between batch sizes."""
    rate = prediction.time.samples_per_s
    return 1 / rate if rate else None


def _rank(one: Recommendation, now: Prediction) -> tuple[float, ...]:
    """The rungs: what is urgent, what is free and keeps the result, what changes it, what is another question.

    On a rung what gains most stands first: memory where it is short, else time.
    """
    rung = 0 if one.id in URGENT else 1
    rung = 4 if not one.free else 3 if not one.keeps_model else 2 if one.changes_result else rung
    if now.fit.verdict in SHORT:
        return (rung, float(one.after.memory_bytes or 0))
    before, after = one.before.epoch_s, one.after.epoch_s
    return (rung, after / before if before and after else 1.0)


def recommendation(proposal: Proposal, now: Prediction, after: Prediction) -> Recommendation:
    """A proposal with its numbers."""
    stages = now.time.stages
    part = PARTS.get(proposal.id, "gpu")
    return Recommendation(
        proposal.id,
        proposal.title,
        proposal.why,
        proposal.changes,
        effect_of(now),
        effect_of(after),
        proposal.changes_result,
        basis=basis_words(after),
        keeps_model=proposal.keeps_model,
        how=proposal.how,
        gain_limit=gain_limit(stages, part) if stages else None,
    )
