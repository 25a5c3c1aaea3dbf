"""What other predictors answered for rows that they published with the truth, beside the product's answer for the same.

    python -m studies.accuracy.peers [--data FOLDER] [--json]

Tables: ``neusight_e2e_measured_and_predicted.csv`` (sitar-lab/NeuSight, MIT) has the answers of NeuSight, Habitat,
a roofline and Li et al. for step times; ``xmem_sample_rtx3060_rtx4060.csv`` (a sample of xMem's runs, MIT) those of
xMem, DNNMem, SchedTune and LLMem for the memory that the driver sees of PyTorch, which the product answers with a range
and not with a figure.  A peer is judged on the rows that it answered, and the product on the same.
"""

from __future__ import annotations

from typing import Any

from studies.accuracy.command import finish, parser, percent, read_table, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.product import open_advisor
from studies.accuracy.time_neusight import TABLE as TIMES
from studies.accuracy.time_neusight import predict

MEMORY = "xmem_sample_rtx3060_rtx4060.csv"
OF_TIME = {"NeuSight": "neusight", "Habitat": "habitat", "Li et al.": "micro", "roofline": "roofline"}
OF_MEMORY = {"xMem": "xmem", "DNNMem": "dnnmem", "SchedTune": "schedtune", "LLMem": "llmem"}
"""The beginning of each one's columns."""


def main() -> None:
    """Judge every peer."""
    given = parser(__doc__).parse_args()
    times = [(r, timed.pair) for r, timed in predict(open_advisor(), read_table(given.data, TIMES))]
    rows = [_of_time(name, column, times) for name, column in OF_TIME.items()]
    memory = read_table(given.data, MEMORY)
    rows += [_of_memory(name, column, memory) for name, column in OF_MEMORY.items()]
    shown = [
        (r["peer"], r["of"], r["n"], percent(r["median_error"]), percent(r["p95_error"]), percent(r["ours"]))
        for r in rows
    ]
    head = ("peer", "of", "n", "median", "p95", "ours")
    answer = {"table": "peers", "n": len(times) + len(memory), "peers": rows}
    finish(answer, as_json=given.json, tables=(table("the same rows, predicted by others", head, shown),))


def _of_time(name: str, column: str, rows: list[tuple[dict[str, str], Pair]]) -> dict[str, Any]:
    """A predictor of step times."""
    answered = [
        (float(r[f"{column}_all_e2e_latency"]) / 1e3, ours) for r, ours in rows if r[f"{column}_all_e2e_latency"]
    ]
    return {
        **_judged(name, "time", [Pair(told, ours.truth) for told, ours in answered]),
        "ours": summary([ours for _, ours in answered])["median_error"],
    }


def _of_memory(name: str, column: str, rows: list[dict[str, str]]) -> dict[str, Any]:
    """A predictor of memory."""
    answered = [r for r in rows if r[f"{column}_bytes"] and r["ground_nvml_bytes"]]
    pairs = [Pair(float(r[f"{column}_bytes"]), float(r["ground_nvml_bytes"])) for r in answered]
    return {**_judged(name, "memory", pairs), "ours": None}


def _judged(name: str, of: str, pairs: list[Pair]) -> dict[str, Any]:
    """A peer's own figures."""
    figures = summary(pairs)
    return {"peer": name, "of": of, **{key: figures[key] for key in ("n", "median_error", "p95_error")}}


if __name__ == "__main__":
    main()
