"""How soon the memory prediction answers, and what a first trace costs beside Keras's own.

::

    python -m studies.benchmarks.answer [--all] [--models NAME,NAME] [--trace] [--json]

Times of traced answers are processor time of one thread, so that other work on the machine does not count.
Without options: the textbook answer of a cold question, then traced answers over the shipped graphs (all of
them, three optimizers; ``--all`` takes all optimizers and needs a quarter of an hour).  "First" is the first
question about an optimizer, which simulates a step; the window asks it in the background for every optimizer
after the first answer (`Predictor.anticipate`).  "Octave" is the first question about a batch between two powers of
two, of which the window asks likewise.  "Then" is every later one: any batch, any of the precisions.
``--trace`` starts children with TensorFlow: processor seconds of eight networks against Keras's own, and the
memory of tracing networks whose weights would not fit.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.predict.time import Rates
from app.core.simulate.precision import cast_graph
from app.core.types.plan_values import OPTIMIZERS
from app.core.types.units import format_bytes
from app.core.types.workload import ModelRef, Plan, Workload
from tests.core.machines import HOST_RATES, card, desktop

BATCHES = (1, 2, 3, 8, 24, 32, 33, 100, 256, 1000)
SOME_OPTIMIZERS = ("sgd", "adam", "adafactor")
TRACED = tuple("fashion_mnist_cnn vgg16 lstm_2 transformer_small unet resnet50 efficientnetb0 mobilenetv2".split())
HEAVY = ("vgg19", "dense:1e12")
TRACE_LIMIT = 1.5
"""A first trace may take so much more than Keras itself needs."""

Row = dict[str, Any]


def first_answers() -> Row:
    """Milliseconds to the textbook answer: a new façade, a network at a size that nobody has traced."""
    from app.services.advisor import Advisor
    from app.services.settings import Folders, Settings
    from app.services.store.history import History

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        settings = replace(Settings(), folders=Folders(root / "data", root / "cache", root / "config"))
        machine = desktop(card())
        started = time.perf_counter()
        advisor = Advisor(settings, History(settings.history_path))
        times: list[float] = []
        for name in TRACED:
            asked = time.perf_counter() if times else started
            workload = Workload(advisor.catalog.find_model(name), None, Plan(batch_size=64, remat=True))
            found = advisor.predictor.quick(workload, machine)
            assert found is not None
            times.append(1e3 * (time.perf_counter() - asked))
    return {"cold_ms": times[0], "next_ms": statistics.median(times[1:]), "tensorflow": "tensorflow" in sys.modules}


def traced_answers(optimizers: Iterable[str], models: Iterable[str]) -> Iterable[Row]:
    """Milliseconds for each shipped graph, or for those of ``models``."""
    from app.catalog.paths import resource_path
    from app.services.store.shipped_graphs import read_graph

    for path in sorted(resource_path("graphs").glob("*.json.gz")):
        name = path.name.removesuffix(".json.gz")
        if models and name not in models:
            continue
        started = time.thread_time()
        graph = read_graph(path)
        loaded = 1e3 * (time.thread_time() - started)
        started = time.thread_time()
        half = cast_graph(graph, "mixed_bfloat16")
        cast = 1e3 * (time.thread_time() - started)
        first: list[float] = []
        octave: list[float] = []
        then: list[float] = []
        for traced in filter(None, (graph, half)):
            estimator = Estimator(traced)
            for optimizer in optimizers:
                first.append(_milliseconds(partial(_ask, estimator, optimizer, 32)))
                _ask(estimator, optimizer, max(BATCHES))  # the chart of the largest batch
                octaves = [1 << n for n in range(max(BATCHES).bit_length() + 1)]
                octave += [_milliseconds(partial(_ask, estimator, optimizer, b)) for b in octaves]
                then += [_milliseconds(partial(_ask, estimator, optimizer, b)) for b in BATCHES]
        yield {
            "model": name,
            "operations": len(graph.operations),
            "load_ms": loaded,
            "cast_ms": cast,
            "first_ms": statistics.median(first),
            "octave_ms": statistics.median(octave),
            "then_ms": then,
        }


def trace_costs() -> Iterable[Row]:
    """Processor seconds of a trace beside Keras's own build and trace, in processes of their own."""
    for name in TRACED:
        keras, ours = _trace_child("keras", name), _trace_child("ours", name)
        yield {
            "model": name,
            "keras_s": keras["cpu_s"],
            "ours_s": ours["cpu_s"],
            "wall_s": ours["wall_s"],
            "ratio": ours["cpu_s"] / keras["cpu_s"],
        }


def trace_memory() -> Iterable[Row]:
    """Resident memory of tracing networks with many weights."""
    for name in HEAVY:
        found = _trace_child("ours", name)
        yield {
            "model": name,
            "weights_bytes": found["weights_bytes"],
            "resident_bytes": found["resident_bytes"],
            "more_than_imports_bytes": found["resident_bytes"] - found["resident_before_bytes"],
        }


def _ask(estimator: Estimator, optimizer: str, batch_size: int) -> None:
    """One answer, as a move of the slider asks for it."""
    workload = Workload(ModelRef("catalog", "any"), None, Plan(batch_size=batch_size, optimizer=optimizer))
    estimator.predict(workload, desktop(), Knowledge(Rates(HOST_RATES)))


def _milliseconds(ask: Callable[[], None]) -> float:
    """How long a question takes."""
    started = time.thread_time()
    ask()
    return 1e3 * (time.thread_time() - started)


def _trace_child(way: str, name: str) -> Row:
    """What a fresh process answers."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    done = subprocess.run(
        [sys.executable, "-m", "studies.benchmarks.trace_child", way, name],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    answer: Row = json.loads(done.stdout.splitlines()[-1])
    return answer


def _share(values: list[float], limit: float) -> float:
    """Share of values below a limit."""
    return sum(value < limit for value in values) / len(values)


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="all optimizers")
    parser.add_argument("--models", type=lambda text: text.split(","), default=[], help="only these networks")
    parser.add_argument("--trace", action="store_true", help="what a first trace costs, in children with TensorFlow")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    optimizers = OPTIMIZERS if chosen.all else SOME_OPTIMIZERS
    answer = _traces(chosen.json) if chosen.trace else _answers(optimizers, chosen.models, chosen.json)
    if chosen.json:
        print(json.dumps(answer, indent=1))


def _answers(optimizers: Iterable[str], models: Iterable[str], quiet: bool) -> Row:
    """The first table."""
    first = first_answers()
    rows = []
    if not quiet:
        print(f"textbook answer: {first['cold_ms']:.1f} ms cold, {first['next_ms']:.2f} ms then\n")
        print(
            f"{'model':<20}{'operations':>11}{'load':>8}{'cast':>8}{'first':>8}{'octave':>8}{'then':>8}{'worst':>8}  ms"
        )
    for row in traced_answers(optimizers, models):
        rows.append(row)
        if not quiet:
            print(
                f"{row['model']:<20}{row['operations']:>11,}{row['load_ms']:>8.0f}{row['cast_ms']:>8.0f}"
                f"{row['first_ms']:>8.0f}{row['octave_ms']:>8.1f}{statistics.median(row['then_ms']):>8.2f}{max(row['then_ms']):>8.1f}",
                flush=True,
            )
    then = [value for row in rows for value in row["then_ms"]]
    total = {
        "answers": len(then),
        "median_ms": statistics.median(then),
        "below_1_ms": _share(then, 1),
        "below_10_ms": _share(then, 10),
        "first_median_ms": statistics.median(row["first_ms"] for row in rows),
    }
    if not quiet:
        print(
            f"\n{len(then):,} answers: median {total['median_ms']:.2f} ms, {total['below_1_ms']:.1%} below 1 ms, "
            f"{total['below_10_ms']:.1%} below 10 ms; TensorFlow loaded: {'tensorflow' in sys.modules}"
        )
    return {"first_answer": first, "traced": total, "models": rows}


def _traces(quiet: bool) -> Row:
    """The second table."""
    costs, memory = [], []
    for row in trace_costs():
        costs.append(row)
        if not quiet:
            print(
                f"{row['model']:<20} Keras {row['keras_s']:6.2f} s   ours {row['ours_s']:6.2f} s   "
                f"{row['ratio']:.2f} × (at most {TRACE_LIMIT})",
                flush=True,
            )
    for row in trace_memory():
        memory.append(row)
        if not quiet:
            print(
                f"{row['model']:<20} weights {format_bytes(row['weights_bytes'])}, resident "
                f"{format_bytes(row['resident_bytes'])}, {format_bytes(row['more_than_imports_bytes'])} "
                "of it beyond the imports",
                flush=True,
            )
    return {"costs": costs, "memory": memory}


if __name__ == "__main__":
    main()
