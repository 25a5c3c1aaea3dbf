"""``willittrain bench --compare``: variants of a plan side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from app.cli.bench_modes import ModeOptions
from app.cli.output import SCHEMA, bench_json, dataset_json, model_or_name_json, plan_json, print_json
from app.cli.text import list_text, plain_table, show
from app.core.comparison import ratio_words
from app.core.units import format_bytes, format_count, format_seconds
from app.core.variants import read_wishes
from app.services.words import MARK_MEASURED, OUTCOMES

if TYPE_CHECKING:
    from app.core.machine import Machine
    from app.core.workload import Workload
    from app.services.advisor import Advisor
    from app.services.compare import Comparison, VariantRun

WORKER_FAILED = 4
INTERRUPTED = 130
_COLUMNS = ("Total", "Epoch", "Step", "Samples/s", "CPU use", "GPU use", "GPU needed", "GPU held", "RAM")


def compare(
    advisor: Advisor, workload: Workload, machine: Machine, modes: ModeOptions, seconds: float, *, json: bool
) -> int:
    """Measure the variants, print what was found, and give the exit code."""
    from app.cli.session import live
    from app.cli.work import prepare_if_possible

    wishes = read_wishes(modes.compare or ())
    with live("comparing") as state:
        prepare_if_possible(advisor, workload, machine, state)
        found = advisor.compare(
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
    epochs = found.variants[0].run.workload.plan.epochs
    names = (f"{epochs} epochs" if epochs > 1 else "", *_COLUMNS[1:])
    table = plain_table("Variant", *(name for name in names if name), "Run", numbers=(*names, "Run"))
    for one in found.variants:
        table.add_row(one.label, *(_cells(one) if epochs > 1 else _cells(one)[1:]), str(one.run.run_id))
    verdict = f"{found.winner} is fastest" if found.winner else "No variant is faster than all others beyond chance"
    lines = [ratio_words(ratio) for ratio in found.ratios]
    failed = [
        f"{one.label}: {OUTCOMES[one.run.result.outcome]}, {one.run.result.problem.message}"
        for one in found.variants if one.run.result.problem is not None
    ]  # fmt: skip
    notes = [f"{one.label}: {warning}" for one in found.variants for warning in one.run.result.warnings]
    way = "in turns" if found.interleaved else "one after the other, several times (they do not fit together)"
    parts: list[RenderableType] = [table, Text(), Text(verdict, style="bold" if found.winner else "bold yellow")]
    parts += list_text("Side by side", lines)
    parts += list_text("What they waited for", [found.diagnosis] if found.diagnosis else [])
    parts += list_text("Did not work", failed)
    parts += list_text("Please note", notes)
    return Group(*parts, Text(), Text(f"{MARK_MEASURED} measured here, {way}; {found.method}", style="dim"))


def _cells(one: VariantRun) -> list[str]:
    """The cells of one variant; its outcome where nothing was measured."""
    result = one.run.result
    found = result.measurement
    if found is None:
        return ["", "", OUTCOMES[result.outcome], *[""] * 6]
    on_gpu = "GPU" in result.environment.get("device", "")
    step = found.step
    return [
        _known(one.total_s, format_seconds),
        _known(found.epoch_s, format_seconds),
        f"{format_seconds(step.median_s)} ({format_seconds(step.low_s)} – {format_seconds(step.high_s)})",
        format_count(found.samples_per_s),
        _known(found.cpu_percent, lambda share: f"{share:.0f} %"),
        _known(found.gpu_percent, lambda share: f"{share:.0f} %"),
        _known(found.memory.allocator_peak_bytes if on_gpu else None, format_bytes),
        _known(found.memory.held_bytes or found.memory.device_bytes if on_gpu else None, format_bytes),
        _known(found.memory.host_bytes, format_bytes),
    ]


def _known(value: float | None, write: Any) -> str:
    """A measured value with its mark; nothing where it is not known."""
    return "" if value is None else f"{MARK_MEASURED} {write(value)}"


def _variant_json(one: VariantRun) -> dict[str, Any]:
    """One variant."""
    run = bench_json(one.run)
    found = one.run.result.measurement
    return {
        "label": one.label,
        "plan": plan_json(one.run.workload.plan),
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
