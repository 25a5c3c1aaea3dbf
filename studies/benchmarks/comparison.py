"""What ``bench --compare`` says of a small CNN, and how often it names a winner where there is none.

::

    python -m studies.benchmarks.comparison [--compare xla,precision,threads] [--model NAME] [--seconds 20]
    python -m studies.benchmarks.comparison --same 10 [--seconds 8]

The first form is the demonstration.  ``--same N`` compares a plan with itself N times, with real TensorFlow
children on whatever machine this is: at most one of twenty may have a winner.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.cli.bench_compare import comparison_blocks, comparison_json
from app.cli.session import Live, prepare
from app.cli.text import show
from app.core.advising.variants import Variant, read_wishes
from app.core.runs.comparison import ratio_words
from app.core.types.plan import Plan
from app.core.types.run import Run
from app.core.types.workload import Workload
from app.services.advisor import Advisor
from app.services.benchmarks.bench import BenchOptions
from app.services.benchmarks.compare import Comparer
from app.services.settings import Folders, Settings
from app.services.store.history import History


def same(advisor: Advisor, workload: Workload, times: int, seconds: float) -> dict[str, Any]:
    """Compare a plan with itself."""
    machine = advisor.machine.read()
    compared = [Variant(label, workload.plan) for label in ("this", "the same")]
    graph = advisor.predictor.graphs.get(workload)
    assert graph is not None
    told = advisor.predictor.predict(workload, machine, graph)
    ratios = []
    for number in range(times):
        comparer = Comparer(workload, machine, compared, {one.label: told for one in compared}, BenchOptions(seconds))
        found = comparer.run(lambda label, work, told, result: Run(0, "", work, machine, told, result))
        (ratio,) = found.ratios
        ratios.append({"median": ratio.median, "low": ratio.low, "high": ratio.high, "winner": found.winner})
        print(f"{number + 1:>3}: {ratio_words(ratio)}", flush=True)
    return {"compared": times, "false_winners": sum(row["winner"] is not None for row in ratios), "ratios": ratios}


def main() -> None:
    """Answer the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compare", default="xla,precision,threads")
    parser.add_argument("--model", default="fashion_mnist_cnn")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--same", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        settings = replace(Settings(), folders=Folders(root / "data", Folders.default().cache_dir, root / "config"))
        advisor = Advisor(settings, History(settings.history_path))
        data = next(found for found in advisor.catalog.datasets() if found.name == "fashion_mnist")
        plan = Plan(batch_size=32, device="cpu", jit=False)
        workload = Workload(advisor.catalog.find_model(chosen.model), data, plan)
        prepare(advisor, workload, advisor.machine.read(), Live(threading.Event()))
        if chosen.same:
            answer = same(advisor, workload, chosen.same, chosen.seconds)
            print(json.dumps(answer) if chosen.json else f"false winners: {answer['false_winners']} of {chosen.same}")
            return
        found = advisor.benchmarks.compare(
            workload, advisor.machine.read(), read_wishes([chosen.compare]), seconds=chosen.seconds
        )
        if chosen.json:
            print(json.dumps(comparison_json(found)))
        else:
            show(*comparison_blocks(found))


if __name__ == "__main__":
    main()
