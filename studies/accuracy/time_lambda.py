"""Predicted step time from data sheets against tf_cnn_benchmarks on GTX 1080 Ti to A100.

    python -m studies.accuracy.time_lambda [--data FOLDER] [--json]

Table: ``lambda_tf_train_1gpu.csv`` (lambdal/lambda-tensorflow-benchmark, BSD-3): one card, made-up data,
float32 and float16, XLA on and off, TensorFlow 1.15 to 2.4. Repeated runs of one configuration count once, by
their median. Rows with real data are left out (they time a disk as well), as are cards that our table does not
have and rows of a TensorFlow that is older than its card. ``float16`` is predicted as Keras's
``mixed_float16``. Batches differ from card to card, so that cards are compared per sample. No rate, share or
coefficient is tuned to it; the width of the intervals is from it and the other table.
"""

from __future__ import annotations

import statistics

from app.core.types.errors import UsageError
from app.core.types.workload import Workload
from app.services.advisor import Advisor
from studies.accuracy.command import finish, parser, read_table
from studies.accuracy.product import open_advisor, say
from studies.accuracy.published import LAMBDA_SIDES, card, lambda_model
from studies.accuracy.step_times import Clock, Timed, answer_of, cells_table, groups_table, one_card_table, plan_for

TABLE = "lambda_tf_train_1gpu.csv"
PRECISIONS = {"fp32": "float32", "fp16": "mixed_float16"}


def main() -> None:
    """Predict every configuration."""
    given = parser(__doc__).parse_args()
    records = read_table(given.data, TABLE)
    advisor = open_advisor()
    usable = [r for r in records if r["data"] == "syn" and r["images_per_sec"] and r["oom_error"] != "True"]
    say(f"{len(records) - len(usable)} of {len(records)} rows are of real data or failed")
    older = [r for r in usable if _older_than_card(advisor, r)]
    usable = [r for r in usable if r not in older]
    say(f"{len(older)} rows are of a TensorFlow older than the card: {', '.join(sorted({r['gpu'] for r in older}))}")
    measured: dict[tuple[str, str, str, bool, int], list[float]] = {}
    for r in usable:
        batch = int(r["batch_per_gpu"])
        key = (r["gpu"], r["model"], r["precision"], r["xla"] == "True", batch)
        measured.setdefault(key, []).append(batch / float(r["images_per_sec"]))
    found = _predict(advisor, measured)
    spreads = [max(times_s) / min(times_s) - 1 for times_s in measured.values() if len(times_s) > 1]
    answer = answer_of("lambda_tf_train_1gpu", found, len(measured), any_batch=True, spreads=spreads)
    finish(answer, as_json=given.json, tables=(groups_table(found), cells_table(found), one_card_table(answer)))


def _older_than_card(advisor: Advisor, row: dict[str, str]) -> bool:
    """Ran the row on a TensorFlow that has no kernels for its card?

    TensorFlow 2.4 is the first with those of compute capability 8.0 (its release notes: CUDA 11, cuDNN 8, TF32);
    NVIDIA's own builds of 1.15 have them.  VGG16 in half precision took 16 times as long on 2.3 as predicted.
    """
    version = tuple(int(part) for part in row["tf"].split(".")[:2]) if row["tf"] else (9, 9)
    try:
        capability = card(advisor, row["gpu"]).compute_capability
    except UsageError:
        return False
    return capability is not None and capability >= (8, 0) and (2, 0) <= version < (2, 4)


def _predict(advisor: Advisor, measured: dict[tuple[str, str, str, bool, int], list[float]]) -> list[Timed]:
    """The product's answer for every configuration of a card that it knows."""
    clock = Clock(advisor, data_on_card=True)
    found, unknown = [], set()
    for (name, network, precision, xla, batch), times_s in measured.items():
        try:
            card(advisor, name)
        except UsageError:
            unknown.add(name)
            continue
        side = LAMBDA_SIDES[network]
        plan = plan_for(batch, precision=PRECISIONS[precision], xla=xla)
        workload = Workload(lambda_model(network), None, plan, (side, side, 3), 1000)
        settings = (precision, "XLA" if xla else "no XLA")
        timed = clock.timed(name, workload, statistics.median(times_s), settings, network)
        if timed is not None:
            found.append(timed)
    if unknown:
        say(f"not in our card table: {', '.join(sorted(unknown))}")
    return found


if __name__ == "__main__":
    main()
