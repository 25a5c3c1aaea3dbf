"""``willittrain bench --compare``: variants of a plan side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from app.cli.bench_modes import ModeOptions
from app.cli.exit_codes import INTERRUPTED, WORKER_FAILED
from app.cli.output import SCHEMA, bench_json, dataset_json, model_or_name_json, print_json
from app.cli.text import list_text, plain_table, show
from app.core.advising.variants import read_wishes
from app.core.runs.comparison import ratio_words
from app.core.types.plan import plan_to_json
from app.core.types.units import format_bytes, format_count, format_seconds
from app.presentation.words import MARK_MEASURED, OUTCOMES

if TYPE_CHECKING:
    from app.core.types.machine import Machine
    from app.core.types.workload import Workload
    from app.services.advisor import Advisor
    from app.services.benchmarks.compared import Comparison, VariantRun

_COLUMNS = ("Total", "Epoch", "Step", "from", "to", "Samples/s", "CPU use", "GPU use", "GPU needed", "GPU held", "RAM")
"""``from`` and ``to`` are the 5th and 95th percentile of the step; a column in which nothing is known is left out."""


def compare(
    advisor: Advisor, workload: Workload, machine: Machine, modes: ModeOptions, seconds: float, *, json: bool
) -> int:
    """Measure the variants, print what was found, and give the exit code."""
    from app.cli.session import live
    from app.cli.work import prepare_if_possible

    wishes = read_wishes(modes.compare or ())  # before anything takes time
    with live("comparing") as state:
        prepare_if_possible(advisor, workload, machine, state)
        found = advisor.benchmarks.compare(
            workload, machine, wishes, seconds=seconds, on_event=state.on_event, cancel=state.cancel
        )
    if json:
        print_json(comparison_json(found))
    else:
        show(comparison_text(found))
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


def comparison_text(found: Comparison) -> RenderableType:
    """One table, then what can be said and what cannot."""
    rows = [_cells(one) for one in found.variants]
    shown = [name for name in _COLUMNS if any(row.get(name) for row in rows)]
    table = plain_table("Variant", *shown, "Run", numbers=(*shown, "Run"))
    for one, row in zip(found.variants, rows, strict=True):
        table.add_row(one.label, *(row.get(name, "") for name in shown), str(one.run.run_id))
    verdict = f"{found.winner} is fastest" if found.winner else "No variant is faster than all others beyond chance"
    lines = [ratio_words(ratio) for ratio in found.ratios]
    failed = [
        f"{one.label}: {OUTCOMES[one.run.result.outcome]}, {one.run.result.problem.message}"
        for one in found.variants
        if one.run.result.problem is not None
    ]
    way = "in turns" if found.interleaved else "one after the other, several times (they do not fit together)"
    parts: list[RenderableType] = [table, Text(), Text(verdict, style="bold" if found.winner else "bold yellow")]
    parts += list_text("Side by side", lines)
    parts += list_text("What they waited for", [found.diagnosis] if found.diagnosis else [])
    parts += list_text("Did not work", failed)
    parts += list_text("Please note", _notes(found))
    return Group(*parts, Text(), Text(f"{MARK_MEASURED} measured here, {way}; {found.method}", style="dim"))


def _notes(found: Comparison) -> list[str]:
    """What casts doubt on figures, with the variant unless it holds for all."""
    warnings = {one.label: one.run.result.warnings for one in found.variants if one.run.result.measurement}
    common = [w for w in next(iter(warnings.values()), ()) if all(w in others for others in warnings.values())]
    own = [f"{label}: {w}" for label, several in warnings.items() for w in several if w not in common]
    return common + own


def _cells(one: VariantRun) -> dict[str, str]:
    """The cells of one variant by column; its outcome where nothing was measured."""
    result = one.run.result
    found, epochs = result.measurement, one.run.workload.plan.epochs
    if found is None:
        return {"Step": OUTCOMES[result.outcome]}
    on_gpu = "GPU" in result.environment.get("device", "")
    memory = found.memory
    return {
        "Total": _known(one.total_s if epochs > 1 else None, format_seconds),
        "Epoch": _known(found.epoch_s, format_seconds),
        "Step": _known(found.step.median_s, format_seconds),
        "from": format_seconds(found.step.low_s),
        "to": format_seconds(found.step.high_s),
        "Samples/s": _known(found.samples_per_s, format_count),
        "CPU use": _known(found.cpu_percent, lambda share: f"{share:.0f} %"),
        "GPU use": _known(found.gpu_percent, lambda share: f"{share:.0f} %"),
        "GPU needed": _known(memory.allocator_peak_bytes if on_gpu else None, format_bytes),
        "GPU held": _known(memory.held_bytes or memory.device_bytes if on_gpu else None, format_bytes),
        "RAM": _known(memory.host_bytes, format_bytes),
    }


def _known(value: float | None, write: Any) -> str:
    """A measured value with its mark; nothing where it is not known."""
    return "" if value is None else f"{MARK_MEASURED} {write(value)}"


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
