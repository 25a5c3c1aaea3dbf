"""``willittrain bench --compare``: variants of a plan side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.cli.bench_modes import ModeOptions
from app.cli.exit_codes import INTERRUPTED, WORKER_FAILED
from app.cli.output import SCHEMA, bench_json, dataset_json, model_or_name_json, print_json
from app.cli.text import show
from app.core.advising.variants import read_wishes
from app.core.runs.comparison import ratio_words
from app.core.types.plans import plan_to_json
from app.core.types.text import join, phrase
from app.presentation.layout import BLANK, Block, Line, points
from app.presentation.variants import problems, variants_table
from app.presentation.words import MARK_MEASURED

if TYPE_CHECKING:
    from app.core.types.machine import Machine
    from app.core.types.workload import Workload
    from app.services.advisor import Advisor
    from app.services.benchmarks.compared import Comparison, VariantRun


def compare(
    advisor: Advisor, workload: Workload, machine: Machine, modes: ModeOptions, seconds: float, *, json: bool
) -> int:
    """Measure the variants, print what was found, and give the exit code."""
    from app.cli.session import live, prepare_if_possible

    wishes = read_wishes(modes.compare or ())  # before anything takes time
    with live(phrase("comparing")) as state:
        prepare_if_possible(advisor, workload, machine, state)
        found = advisor.benchmarks.compare(
            workload, machine, wishes, seconds=seconds, on_event=state.on_event, cancel=state.cancel
        )
    if json:
        print_json(comparison_json(found))
    else:
        show(*comparison_blocks(found))
    if found.cancelled:
        return INTERRUPTED
    ended = {one.run.result.outcome for one in found.variants}
    return 0 if ended & {"succeeded", "out_of_memory"} else WORKER_FAILED


def comparison_json(found: Comparison) -> dict[str, Any]:
    """The answer of ``bench --compare``, schema 1; ``null`` is "not available", for a winner "nobody beyond chance"."""
    first = found.variants[0].run
    return {
        "schema": SCHEMA,
        "model": model_or_name_json(first),
        "dataset": dataset_json(first.workload.dataset),
        "variants": [_variant_json(one) for one in found.variants],
        "ratios": [
            {"of": r.of, "to": r.to, "median": r.median, "low": r.low, "high": r.high, "rounds": r.rounds}
            for r in found.ratios
        ],
        "winner": found.winner,
        "diagnosis": found.diagnosis,
        "interleaved": found.interleaved,
        "method": found.method,
    }


def comparison_blocks(found: Comparison) -> tuple[Block, ...]:
    """One table, then what can be said and what cannot."""
    variants = [(one.label, one.run) for one in found.variants]
    best = phrase("{winner} is fastest", winner=found.winner)
    none = phrase("No variant is faster than all others beyond chance")
    turns = phrase("in turns")
    visits = phrase("one after the other, several times (they do not fit together)")
    way = phrase("measured here, {way}; {method}", way=turns if found.interleaved else visits, method=found.method)
    return (
        variants_table(variants).known(),
        BLANK,
        Line(best, "strong") if found.winner else Line(none, "warning"),
        *points(phrase("Side by side"), [ratio_words(ratio) for ratio in found.ratios]),
        *points(phrase("What they waited for"), [found.diagnosis] if found.diagnosis else []),
        *points(phrase("Did not work"), problems(variants)),
        *points(phrase("Please note"), _notes(found)),
        BLANK,
        Line(join(" ", (MARK_MEASURED, way)), "soft"),
    )


def _notes(found: Comparison) -> list[str]:
    """What casts doubt on figures, with the variant unless it holds for all."""
    warnings = {one.label: one.run.result.warnings for one in found.variants if one.run.result.measurement}
    common = [w for w in next(iter(warnings.values()), ()) if all(w in others for others in warnings.values())]
    own: list[str] = [join(": ", (label, w)) for label, several in warnings.items() for w in several if w not in common]
    return common + own


def _variant_json(one: VariantRun) -> dict[str, Any]:
    """One variant."""
    run = bench_json(one.run)
    found = one.run.result.measurement
    return {
        "label": one.label,
        "plan": plan_to_json(one.run.workload.plan),
        "outcome": run["outcome"],
        "message": run["message"],
        "measured": run["measured"],
        "total_s": one.total_s,
        "cpu_percent": found.cpu_percent if found else None,
        "gpu_percent": found.gpu_percent if found else None,
        "waits_for_data": one.waits_for_data,
        "sample_s": list(one.sample_s),
        "predicted": run["predicted"],
        "warnings": run["warnings"],
        "run_id": one.run.run_id,
    }
