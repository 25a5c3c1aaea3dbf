"""The whole of a ``fit``: predicted phases against real trainings, what clean programs leave behind, and a leak.

    python -m studies.accuracy.whole_fit [--json]                 compare with what is stored
    python -m studies.accuracy.whole_fit --measure fits           train again, on this machine
    python -m studies.accuracy.whole_fit --measure clean|leaks    likewise

``others``: what other programs used of the processor meanwhile.  Beside a busy one no time is judged (``timed`` are the
rest): it is longer than told.

``fits``: trainings whose validation is larger than they are, in batch and samples, in full, each in a child of its
own, three times in turns: the median counts, and ``scatter`` is half of what the three lay apart.  ``peak``: the
highest of all phases that TensorFlow's allocator says; ``time``: from the child's first line to the end.  Each
prediction was made just before, by the product, from this machine's rates and no run.

``clean``: networks that leave nothing behind, some short epochs each; an alarm is an error.  ``leaks``: a model
that keeps a tensor, or an array, at every epoch's end, some short epochs, and then trained on until a limit of the
allocator ends it: the last epoch that was told against the last one that ended.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.catalog import typed_json
from app.core.runs.doubts import BUSY_HOST_PERCENT
from app.core.runs.growth import growths
from app.core.runs.whole_course import EPOCHS, peak_bytes
from app.core.types.messages import Done, Failed, Request
from app.core.types.units import MIB
from app.core.types.whole import Growth, Length, MeasuredWhole
from app.core.types.workload import Dataset, ModelRef, Plan, Workload
from app.probes.others_load import OthersLoad
from app.services.child.child_jobs import bench_arguments
from app.services.child.child_options import ChildOptions
from app.services.child.variables import child_variables
from app.services.child.worker_process import run_worker
from app.services.models.own_code import read_own
from studies.accuracy.command import finish, parser, percent, signed, table
from studies.accuracy.product import graph_of, open_advisor, say

STORED = Path(__file__).with_name("whole_truth.json")
TIMEOUT_S = 1800.0
SHORT = Length(3, 2, EPOCHS)
CLEAN = (
    "fashion_mnist_cnn mlp lstm_1 gru_1 lstm_2 gru_2 transformer_small srresnet mobilenet mobilenetv2 "
    "mobilenetv3small mobilenetv3large efficientnetb0 efficientnetv2b0 nasnetmobile resnet50 resnet50v2 densenet121 "
    "xception inceptionv3"
).split()
SIDES = {"fashion_mnist_cnn", "mlp", "lstm_1", "gru_1", "lstm_2", "gru_2", "transformer_small", "srresnet"}
"""Networks with an input of their own; all others get small images."""
TURNS = 3
LIMIT_MIB = 256
"""Of the allocator, which ends a training that leaks."""


@dataclass(frozen=True)
class Fit:
    """One training: its batch and samples, and those of its validation."""

    network: str
    batch: int
    samples: int
    validation_batch: int
    validation: int
    epochs: int = 2

    def workload(self) -> Workload:
        """What is trained: arrays, Adam, a checkpoint and a copy of the best weights at each epoch's end."""
        plan = Plan(
            batch_size=self.batch,
            epochs=self.epochs,
            device="cpu",
            jit=False,
            data="array",
            validation=self.validation,
            validation_batch=self.validation_batch,
            checkpoint_every=1,
            restore_best=True,
        )
        return Workload(ModelRef("catalog", self.network), Dataset("made up", samples=self.samples), plan)

    def length(self) -> Length:
        """All of it."""
        steps = math.ceil(self.samples / self.batch), math.ceil(self.validation / self.validation_batch)
        return Length(*steps, self.epochs)


FITS = (
    Fit("fashion_mnist_cnn", 64, 1024, 512, 2048),
    Fit("mlp", 128, 8192, 4096, 65_536),
    Fit("lstm_1", 16, 64, 128, 256),
    Fit("transformer_small", 8, 32, 64, 128),
    Fit("srresnet", 16, 64, 128, 256),
)


def main() -> None:
    """Measure if asked, compare."""
    options = parser(__doc__)
    options.add_argument("--measure", choices=("fits", "clean", "leaks"), help="what to run again")
    options.add_argument("--only", default="", metavar="TEXT", help="with --measure: only networks whose name holds it")
    given = options.parse_args()
    if given.measure:
        measure = {"fits": measure_fits, "clean": measure_clean, "leaks": measure_leaks}[given.measure]
        for name, found in measure(given.only):
            keep(given.measure, name, found)
    stored = read_stored()
    finish(answer_of(stored), as_json=given.json, tables=tables_of(stored))


def read_stored() -> dict[str, Any]:
    """What was measured, by kind and name."""
    stored: dict[str, Any] = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    return stored


def keep(kind: str, name: str, found: Any) -> None:
    """Store one truth at once: a measurement may be ended at any time."""
    stored = read_stored()
    stored.setdefault(kind, {})[name] = found
    STORED.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def run_whole(workload: Workload, length: Length, limit_mib: int | None = None) -> tuple[MeasuredWhole | None, str]:
    """Run a training in a child; what was measured of it, and why it ended."""
    environment = {**child_variables("tensorflow", "cpu")}
    if limit_mib is not None:
        environment["TF_CPU_BFC_MEM_LIMIT_IN_MB"] = str(limit_mib)
    arguments = {**bench_arguments(workload, 0), "cache_dir": None, "length": asdict(length)}
    ended = run_worker(Request("whole", arguments), ChildOptions(environment=environment, timeout_s=TIMEOUT_S))
    found = (ended.result if isinstance(ended, Done) else ended.partial) or {}
    why = f"{ended.kind}: {ended.message}" if isinstance(ended, Failed) else ""
    whole = found.get("whole")
    return (None if whole is None else typed_json.convert(whole, MeasuredWhole)), why


def measure_fits(only: str) -> Iterator[tuple[str, Any]]:
    """Predict, then train."""
    advisor = open_advisor()
    machine = advisor.machine.read()
    advisor.machine.rates("cpu")
    runs: dict[str, list[dict[str, Any]]] = {}
    for fit in [fit for _ in range(TURNS) for fit in FITS if only in fit.network]:
        workload = fit.workload()
        graph = graph_of(advisor, workload, fit.network)
        advisor.predictor.graph(workload)
        told = advisor.predictor.predict(workload, machine, graph, chart=False).whole
        others = OthersLoad()
        measured, why = run_whole(workload, fit.length())
        if measured is None or told is None or told.total_s is None or why:
            say(f"{fit.network}: {why}")
            continue
        run = {"measured": typed_json.plain(measured), "others_cpu_percent": others.percent()}
        runs.setdefault(fit.network, []).append(run)
        phases = {
            one.kind: [one.device and list(one.device), one.host and list(one.host), one.total_s] for one in told.phases
        }
        predicted = {"phases": phases, "total_s": list(told.total_s)}
        yield fit.network, {"fit": asdict(fit), "predicted": predicted, "runs": runs[fit.network]}
        say(f"{fit.network}: {measured.epochs[-1].seconds:.0f} s")


def measure_clean(only: str) -> Iterator[tuple[str, Any]]:
    """Some short epochs of each network."""
    for network in CLEAN:
        if only not in network:
            continue
        plan = Plan(batch_size=2, device="cpu", jit=False, validation=8, validation_batch=4, checkpoint_every=1)
        shape = None if network in SIDES else (96, 96, 3)
        measured, why = run_whole(Workload(ModelRef("catalog", network), None, plan, shape), SHORT)
        if measured is None:
            say(f"{network}: {why}")
            continue
        found = typed_json.plain(measured.epochs)
        yield network, found
        say(f"{network}: {[one.place for one in growths_of(found)]}")


def measure_leaks(only: str) -> Iterator[tuple[str, Any]]:
    """Some short epochs of a model that leaks, and then as many as a limit allows."""
    path = str(Path(__file__).with_name("whole_leaks.py"))
    for function in ("keeps_tensors", "keeps_large_tensors"):
        if only not in function:
            continue
        consent = tuple(read_own(path).digests.values())
        model = ModelRef("code", function, path=path, function=function, trusted=True, consent=consent)
        plan = Plan(batch_size=8, device="cpu", jit=False, validation=16)
        short, _ = run_whole(Workload(model, None, plan), SHORT, LIMIT_MIB)
        long, why = run_whole(Workload(model, None, plan), Length(3, 2, 2000), LIMIT_MIB)
        if short is None or long is None:
            say(f"{function}: {why}")
            continue
        found = {
            "epochs": typed_json.plain(short.epochs),
            "peak_bytes": peak_bytes(short),
            "ended": len(long.epochs),
            "why": why.partition(":")[0],
        }
        yield function, found
        say(f"{function}: told {last_epoch(found)}, ended {found['ended']}")


def last_epoch(leak: dict[str, Any]) -> int | None:
    """What is told of a leak: the last epoch that ends well; None if it is not found."""
    grown = growths_of(leak["epochs"], LIMIT_MIB * MIB - leak["peak_bytes"])
    return grown[0].last_epoch if grown and grown[0].place == "device" else None


def growths_of(epochs: Any, left_bytes: int | None = None) -> tuple[Growth, ...]:
    """What is told of stored epochs."""
    known = typed_json.convert({"phases": [], "epochs": epochs}, MeasuredWhole).epochs
    return growths(known, device_left_bytes=left_bytes, host_left_bytes=None)


def predicted_peak(row: dict[str, Any]) -> float:
    """The highest device peak of all phases."""
    return float(max(device[0] for device, *_ in row["predicted"]["phases"].values() if device))


def peaks_of(row: dict[str, Any]) -> list[float]:
    """The same of every run."""
    return [max(one["device_bytes"] or 0 for one in run["measured"]["phases"]) for run in row["runs"]]


def times_of(row: dict[str, Any]) -> list[float]:
    """How long every run took beside which nobody else was busy, seconds."""
    quiet = [run for run in row["runs"] if (run["others_cpu_percent"] or 0.0) < BUSY_HOST_PERCENT]
    return [run["measured"]["epochs"][-1]["seconds"] for run in quiet]


def scatter(found: list[float]) -> float:
    """Half of what runs lie apart, over their median."""
    return (max(found) - min(found)) / statistics.median(found) / 2


def answer_of(stored: dict[str, Any]) -> dict[str, Any]:
    """The figures."""
    fits, clean, leaks = (stored.get(name, {}) for name in ("fits", "clean", "leaks"))
    pairs = [(predicted_peak(row), statistics.median(peaks_of(row))) for row in fits.values()]
    times = [
        (row["predicted"]["total_s"], statistics.median(found)) for row in fits.values() if (found := times_of(row))
    ]
    last = [(told, one["ended"]) for one in leaks.values() if (told := last_epoch(one)) is not None]
    return {
        "table": "whole_fit",
        "n": len(fits),
        "median_error": statistics.median(abs(told / truth - 1) for told, truth in pairs) if pairs else None,
        "median_scatter": statistics.median(scatter(peaks_of(row)) for row in fits.values()) if fits else None,
        "timed": len(times),
        "time_median_error": statistics.median(abs(t[0] / truth - 1) for t, truth in times) if times else None,
        "time_inside": sum(t[1] <= truth <= t[2] for t, truth in times),
        "clean_programs": len(clean),
        "false_alarms": sum(bool(growths_of(epochs)) for epochs in clean.values()),
        "leaks": len(leaks),
        "leaks_found": len(last),
        "last_epoch_worst_error": max((abs(told / truth - 1) for told, truth in last), default=None),
        "baselines": {},
    }


def tables_of(stored: dict[str, Any]) -> list[str]:
    """Each fit by phase (its last run), its peak and its time, and the leaks."""
    rows, peaks, times = [], [], []
    for network, row in stored.get("fits", {}).items():
        for one in row["runs"][-1]["measured"]["phases"]:
            device, host, seconds = row["predicted"]["phases"].get(one["kind"], (None, None, None))
            rows.append(
                (
                    f"{network} {one['kind']}",
                    *_compared(device, one["device_bytes"]),
                    *_compared(host, one["host_bytes"]),
                    round(seconds[0], 1) if seconds else "",
                    round(one["seconds"], 1),
                )
            )
        found = peaks_of(row)
        compared = _compared([predicted_peak(row)], statistics.median(found))
        peaks.append((network, *compared, percent(scatter(found)), len(found)))
        total, taken = row["predicted"]["total_s"], times_of(row)
        if taken:
            truth = statistics.median(taken)
            told = [round(end, 1) for end in (*total, truth)]
            times.append((network, *told, signed(total[0] / truth - 1), percent(scatter(taken)), len(taken)))
    head = ("phase", "told MiB", "truth MiB", "error", "RAM told", "truth", "error", "told s", "truth s")
    leaks = [
        (name, last_epoch(one) or "none", one["ended"], one["why"]) for name, one in stored.get("leaks", {}).items()
    ]
    return [
        table("by phase", head, rows),
        table("highest peak", ("network", "told MiB", "truth MiB", "error", "scatter", "runs"), peaks),
        table("whole time, seconds", ("network", "told", "low", "high", "truth", "error", "scatter", "runs"), times),
        table("leaks", ("model", "last epoch told", "last epoch", "ended by"), leaks),
    ]


def _compared(told: list[float] | None, truth: float | None) -> tuple[object, object, object]:
    """A size told, its truth and the error."""
    if told is None or truth is None:
        return "", "", ""
    return round(told[0] / MIB, 1), round(truth / MIB, 1), signed(told[0] / truth - 1)


if __name__ == "__main__":
    main()
