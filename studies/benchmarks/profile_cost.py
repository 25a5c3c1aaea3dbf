"""What a profiled step costs a benchmark, whether its peak is the measured one, and whether the time given is kept.

``python -m studies.benchmarks.profile_cost [--seconds 20] [--json] [NAME:BATCH ...]`` benchmarks networks of the
catalog on the processor. ``used`` is what ran from the first warm-up step to the end over the time given (the aim: at
most 1.15), ``cost`` the profile phase over the time given (the aim: below 0.1), ``peak`` the profiled step's peak
over the measured one, ``held`` what the allocator held over that, ``found`` the share of the operations' time that
belongs to layers or to the update.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from app.core.types.workload import ModelRef, Plan, Workload
from app.services.benchmarks.bench import BenchOptions, bench

FIGURES = ("used", "cost", "peak", "held", "found")
NETWORKS = ("fashion_mnist_cnn:64", "mlp:256", "lstm_1:32", "mobilenetv2:4", "resnet50:4")


def main() -> None:
    """Answer the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("networks", nargs="*", default=NETWORKS)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [profiled(name, options.seconds) for name in options.networks]
    if options.json:
        print(json.dumps({"table": "profile_cost", "rows": rows}))
        return
    print(f"{'network':<24}{'used':>8}{'cost':>8}{'peak':>8}{'held':>8}{'found':>8}  why not")
    for row in rows:
        figures = (row[name] for name in FIGURES)
        print(
            f"{row['network']:<24}" + "".join(f"{'-' if f is None else format(f, '.3f'):>8}" for f in figures),
            f" {row['skipped']}",
        )


def profiled(network: str, seconds: float) -> dict[str, Any]:
    """One run with a profiled step."""
    name, _, batch = network.partition(":")
    workload = Workload(ModelRef("catalog", name), None, Plan(batch_size=int(batch), device="cpu"))
    result = bench(workload, options=BenchOptions(seconds=seconds))
    row: dict[str, Any] = dict.fromkeys(FIGURES)
    row |= {"network": network, "skipped": result.problem.message if result.problem else ""}
    begins = {span.name: span.start_s for span in result.phases}
    if "warm-up" in begins and "done" in begins:
        row["used"] = (begins["done"] - begins["warm-up"]) / seconds
    measured = result.measurement
    if measured is None or measured.profile is None:
        return {**row, "skipped": measured.profile_skipped if measured else row["skipped"]}
    profile, span = measured.profile, next(s for s in result.phases if s.name == "profile")
    peak = max((point.peak_bytes for point in measured.memory_over_time), default=0)
    row["cost"] = ((span.end_s or span.start_s) - span.start_s) / seconds
    row["found"] = (profile.layers_s + profile.update_s) / profile.operations_s
    if profile.peak_bytes is not None and peak:
        row |= {"peak": profile.peak_bytes / peak, "held": profile.held_bytes / peak if profile.held_bytes else None}
    return row


if __name__ == "__main__":
    main()
