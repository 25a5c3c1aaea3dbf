"""Step time on this machine: predicted before any run, then measured.

    python -m tests.accuracy.time_here [--seconds 6] [--networks 6] [--json]

For each network the rates of this machine are measured first, then every batch size is predicted from
them and run for real, all within the same minute or two, because shared machines drift by a third within
half an hour.  The machine's own noise (spread of the rates) is shown beside the errors.  ``--data`` is
accepted like everywhere and not used.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

import msgspec

from app.core.errors import WillItTrainError
from app.core.estimate import Estimator
from app.core.estimate_time import Rates
from app.core.machine import DeviceRates
from app.core.messages import Done, Request
from app.core.workload import Plan, Workload
from app.services.advisor import Advisor
from app.services.worker_process import run_worker
from tests.accuracy import memory_networks
from tests.accuracy.command import finish, parser, percent, signed, table
from tests.accuracy.figures import Pair, summary
from tests.accuracy.product import graph_of, open_advisor, say

SMALL = (96, 96, 3)
NETWORKS: tuple[tuple[str, tuple[int, ...] | None], ...] = (
    ("vgg19", (64, 64, 3)), ("resnet50v2", SMALL), ("conv1d", None), ("mobilenet", SMALL), ("attention", None),
    ("two_inputs", None), ("autoencoder", None), ("vit_small", SMALL), ("inceptionv3", SMALL), ("segmenter", None),
    ("conv3d", None), ("gru_1", None), ("xception", SMALL), ("siamese", None), ("efficientnetv2b0", SMALL),
    ("wide_embedding", None), ("bidirectional", None), ("mobilenetv3small", SMALL), ("srresnet", None),
    ("convnexttiny", SMALL),
)  # fmt: skip
BATCHES = (4, 16)
RATES_TIMEOUT_S = 120.0


@dataclass(frozen=True)
class Timed:
    """One network at one batch size."""

    network: str
    batch: int
    pair: Pair
    matmul_only: Pair
    bound_by: str
    noise: float | None
    drift: float
    """Change of the machine's convolution rate between before and after."""


def main() -> None:
    """Measure, predict, run."""
    options = parser(__doc__)
    options.add_argument("--seconds", type=float, default=6.0, help="how long each run measures")
    options.add_argument("--networks", type=int, default=len(NETWORKS), metavar="N", help="only the first N")
    options.add_argument("--only", default="", metavar="TEXT", help="only networks whose name holds TEXT")
    given = options.parse_args()
    advisor = open_advisor()
    found: list[Timed] = []
    for network, shape in [n for n in NETWORKS if given.only in n[0]][: given.networks]:
        try:
            found += _time_network(advisor, network, shape, given.seconds)
        except WillItTrainError as error:
            say(f"{network}: {error}")
    if not found:
        sys.exit("error: nothing could be measured; expected TensorFlow in this interpreter")
    finish(answer_of(found), as_json=given.json, tables=(rows_table(found),))


def _time_network(advisor: Advisor, network: str, shape: tuple[int, ...] | None, seconds: float) -> list[Timed]:
    """Rates, predictions and runs of one network, close together."""
    workload = Workload(memory_networks.network(network).model, None, Plan(device="cpu", jit=False), shape)
    estimator = Estimator(graph_of(advisor, workload, network))
    before = measure_rates()
    runs = []
    for batch in BATCHES:
        asked = replace(workload, plan=replace(workload.plan, batch_size=batch))
        run = advisor.bench(asked, advisor.machine(), seconds=seconds)
        measurement = run.result.measurement
        if measurement is None:
            say(f"{network} b{batch}: {run.result.outcome} {run.result.message}")
            continue
        runs.append((asked, measurement.step.median_s))
        say(f"{network} b{batch}: {measurement.step.median_s * 1e3:.1f} ms")
    after = measure_rates()
    return [_compare(advisor, estimator, asked, truth_s, before, after) for asked, truth_s in runs]


def _compare(
    advisor: Advisor, estimator: Estimator, workload: Workload, truth_s: float, before: DeviceRates, after: DeviceRates
) -> Timed:
    """The prediction from the rates before the run, beside the run."""
    told = estimator.predict(workload, advisor.machine(), Rates(host=before)).time
    work = sum(op.flops.at(workload.plan.batch_size) for op in estimator.graph.operations)
    naive = work / (before.matmul_flops_per_s or 1.0)
    pair = Pair(told.step_s or 0.0, truth_s, told.low_s, told.high_s)
    drift = (after.conv_flops_per_s or 1.0) / (before.conv_flops_per_s or 1.0) - 1
    return Timed(
        workload.model.name, workload.plan.batch_size, pair, Pair(naive, truth_s), str(told.bound_by), before.spread,
        drift,
    )  # fmt: skip


def measure_rates() -> DeviceRates:
    """This machine's rates now, not those of the cache."""
    ended = run_worker(
        Request("rates", {"device": "cpu"}),
        interpreter=None,
        environment={"CUDA_VISIBLE_DEVICES": "-1"},
        on_message=None,
        cancel=None,
        timeout_s=RATES_TIMEOUT_S,
    )
    if not isinstance(ended, Done):
        raise WillItTrainError(f"cannot measure rates: {ended.message}")
    return msgspec.convert(ended.result, DeviceRates)


def answer_of(found: list[Timed]) -> dict[str, object]:
    """The figures, and the machine's own noise."""
    noises = [t.noise for t in found if t.noise is not None]
    widths = [t.pair.high / t.pair.low for t in found if t.pair.low and t.pair.high]
    return {
        "table": "time_here",
        **summary([t.pair for t in found]),
        "interval_width": max(widths, default=None),
        "machine_noise": sum(noises) / len(noises) if noises else None,
        "machine_drift": summary([Pair(1 + t.drift, 1.0) for t in found])["median_error"],
        "baselines": {"work / matmul rate": summary([t.matmul_only for t in found])["median_error"]},
        "rows": [
            {"network": t.network, "batch": t.batch, "truth_s": t.pair.truth, "predicted_s": t.pair.predicted,
             "error": t.pair.error, "inside": t.pair.inside, "drift": t.drift}
            for t in found
        ],
    }  # fmt: skip


def rows_table(found: list[Timed]) -> str:
    """Every network and batch."""
    return table(
        "step time here, ms",
        ("network", "batch", "truth", "predicted", "error", "inside", "bound by", "work/matmul", "drift"),
        [
            (
                t.network, t.batch, round(1e3 * t.pair.truth, 1), round(1e3 * t.pair.predicted, 1),
                signed(t.pair.error), t.pair.inside, t.bound_by, signed(t.matmul_only.error), percent(t.drift),
            )
            for t in found
        ],
    )  # fmt: skip


if __name__ == "__main__":
    main()
