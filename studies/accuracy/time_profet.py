"""Predicted step time from data sheets against 695 measured ones on four cards of a cloud.

    python -m studies.accuracy.time_profet [--data FOLDER] [--json]

Table: ``profet_step_times.csv`` (ddps-lab/profet, MIT licence): TensorFlow 2.5, Keras ``fit``, SGD, float32,
no XLA, data in memory; the median of nine repeats (their spread: 3.7 %).  ``one_card`` is the error where
one other card was measured and the product scales its step.  No rate, share or coefficient is tuned to it; the width
of the intervals is from it and the other table.
"""

from __future__ import annotations

from app.core.types.workload import Workload
from studies.accuracy.command import finish, parser, read_table
from studies.accuracy.product import open_advisor
from studies.accuracy.published import PROFET_CARD_OF_INSTANCE, profet_model
from studies.accuracy.step_times import Clock, answer_of, cells_table, groups_table, one_card_table, plan_for

TABLE = "profet_step_times.csv"
CLASSES_OF_SIDE = {32: 10, 64: 100, 128: 100, 224: 1000, 256: 1000}
"""Classes of the study's made-up data by image side (data_generation/workload/dataset_info.py)."""

HOST_CLOCK_MHZ = {"g3s.xlarge": 2700, "g4dn.xlarge": 3100, "p2.xlarge": 2700, "p3.2xlarge": 2700}
"""All cores' turbo clock of the instances: Xeon E5-2686 v4, in g4dn 8259CL (Amazon EC2 instance types)."""


def main() -> None:
    """Predict every row."""
    given = parser(__doc__).parse_args()
    records = read_table(given.data, TABLE)
    clock = Clock(open_advisor())
    found = []
    for r in records:
        side, batch = int(r["img_size"]), int(r["batchsize"])
        workload = Workload(
            profet_model(r["model"]), None, plan_for(batch), (side, side, 3), CLASSES_OF_SIDE.get(side, 1000)
        )
        timed = clock.timed(
            PROFET_CARD_OF_INSTANCE[r["instance_name"]],
            workload,
            float(r["median"]),
            (side,),
            r["model"],
            HOST_CLOCK_MHZ[r["instance_name"]],
        )
        if timed is not None:
            found.append(timed)
    spreads = [float(r["max"]) / float(r["min"]) - 1 for r in records]
    answer = answer_of("profet_step_times", found, len(records), spreads=spreads)
    finish(answer, as_json=given.json, tables=(groups_table(found), cells_table(found), one_card_table(answer)))


if __name__ == "__main__":
    main()
