"""Inference speed scaled from an RTX 3090 to an RTX 4090 and back, against 1,400 networks measured on both.

    python -m studies.accuracy.time_timm [--data FOLDER] [--json]

Tables: ``benchmark-infer-amp-nhwc-pt240-cu124-rtx3090.csv`` and ``…-rtx4090.csv`` (huggingface/pytorch-image-models,
Apache-2.0): PyTorch 2.4, half precision, channels last.  They tell work and activations of a whole network, not its
operations, so that each is two kernels here: one that computes and one that moves every activation out and in.  This
table was not looked at while the model was made.
"""

from __future__ import annotations

from app.core.timing.card_rates import card_rates
from app.core.timing.card_steptime import CardStep, CardWork
from app.core.timing.card_transfer import CardCase, transfer
from app.core.types.machine import Gpu
from app.core.types.stepgraph import ModelFacts, Operation, PerBatch, StepGraph
from app.core.types.text import verbatim
from studies.accuracy.command import finish, parser, read_table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.product import open_advisor
from studies.accuracy.published import machine_with

TABLE = "benchmark-infer-amp-nhwc-pt240-cu124-rtx{}.csv"
PRECISION = "mixed_float16"
BYTES = 2
"""Of an activation or a weight in half precision."""


def main() -> None:
    """Scale every network both ways."""
    given = parser(__doc__).parse_args()
    tables = {card: _complete(read_table(given.data, TABLE.format(card))) for card in ("3090", "4090")}
    advisor = open_advisor()
    gpus = {card: machine_with(advisor, f"GeForce RTX {card}").gpus[0] for card in tables}
    pairs, by_fp32, by_bandwidth = [], [], []
    for name in tables["3090"].keys() & tables["4090"].keys():
        for origin, target in (("3090", "4090"), ("4090", "3090")):
            there, here = tables[origin][name], tables[target][name]
            known = transfer(
                _measured_s(there),
                None,
                CardCase(_step(there, gpus[origin]), gpus[origin], PRECISION),
                case := CardCase(_step(here, gpus[target]), gpus[target], PRECISION),
                run_id=1,
            )
            truth = _measured_s(here)
            if known.factor is not None:
                value = case.step.step_s * known.factor
                pairs.append(Pair(value, truth, value / known.width, value * known.width))
            per_sample = _measured_s(there) / int(there["infer_batch_size"]) * int(here["infer_batch_size"])
            a, b = gpus[origin], gpus[target]
            by_fp32.append(Pair(per_sample * _ratio(a.fp32_flops_per_s, b.fp32_flops_per_s), truth))
            ratio = _ratio(a.memory_bandwidth_bytes_per_s, b.memory_bandwidth_bytes_per_s)
            by_bandwidth.append(Pair(per_sample * ratio, truth))
    both = [Pair((a.predicted * b.predicted) ** 0.5, a.truth) for a, b in zip(by_fp32, by_bandwidth, strict=True)]
    baselines = {"FP32 ratio": by_fp32, "bandwidth ratio": by_bandwidth, "geometric mean of the two": both}
    answer = {
        "table": "timm_rtx3090_rtx4090",
        **summary(pairs),
        "out_of_range": len(by_fp32) - len(pairs),
        "baselines": {title: summary(found)["median_error"] for title, found in baselines.items()},
    }
    finish(answer, as_json=given.json, tables=())


def _complete(rows: list[dict[str, str]]) -> dict[str, dict[str, str]]:
    """The rows that tell work and activations, by network and image size."""
    told = [row for row in rows if row["infer_gmacs"] and row["infer_macts"] and row["infer_samples_per_sec"]]
    return {f"{row['model']} {row['infer_img_size']}": row for row in told}


def _measured_s(row: dict[str, str]) -> float:
    """Seconds of one batch."""
    return int(row["infer_batch_size"]) / float(row["infer_samples_per_sec"])


def _step(row: dict[str, str], gpu: Gpu) -> CardStep:
    """The network's step on a card: all its work, and all its activations."""
    activations, weights = float(row["infer_macts"]) * 1e6 * BYTES, float(row["param_count"]) * 1e6 * BYTES
    computes = Operation("Conv2D", (), (), flops=PerBatch(0, 2e9 * float(row["infer_gmacs"])))
    moves = Operation("Relu", (0,), (1,))
    graph = StepGraph(
        ModelFacts(row["model"], verbatim("timm"), 0, 0, ()),
        PRECISION,
        "inference",
        (),
        (),
        (PerBatch(weights, activations), PerBatch(0, activations)),
        (computes, moves),
    )
    rates = card_rates(gpu, PRECISION)
    assert rates is not None
    found = CardWork(graph, "sgd").step(rates, int(row["infer_batch_size"]), xla=False)
    assert found is not None
    return found


def _ratio(of: float | None, to: float | None) -> float:
    """One data sheet's figure over another's; both cards stand in our table with it."""
    assert of is not None
    assert to is not None
    return of / to


if __name__ == "__main__":
    main()
