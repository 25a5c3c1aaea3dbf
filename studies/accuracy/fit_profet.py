"""Does it fit: the product's verdict for 760 training runs of TensorFlow 2.5 on four cards.

    python -m studies.accuracy.fit_profet [--data FOLDER] [--json]

Table: ``profet_fit_labels.csv`` (ddps-lab/profet, MIT licence): Keras ``fit``, SGD, float32, no XLA.

The data is held as NumPy arrays, and Keras then keeps *all* of it on the card: ``fit`` turns the arrays
into tensors on the default device and its dataset holds on to them
(keras/engine/data_adapter.py, ``TensorLikeDataAdapter``, in TensorFlow 2.5); the validation arrays join
them at the end of the first epoch and stay.  So the plan says ``data="array"``, and the dataset has as many
samples as fill the column ``numpy_dataset_mib_train_plus_val``.

What the cards allow is the product's own answer for a simulated card.  ``wrongly_fits`` is the share of
the runs that failed that are called "fits", ``wrongly_refused`` the share of the runs that worked that
are called "does not fit"; "tight" is neither, so its share is shown as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.types.machine import Machine
from app.core.types.prediction import Verdict
from app.core.types.units import GIB, MIB
from app.core.types.workload import Dataset, Plan, Workload
from app.services.advisor import Advisor
from studies.accuracy.command import finish, parser, percent, read_table, table
from studies.accuracy.figures import share
from studies.accuracy.product import graph_of, open_advisor
from studies.accuracy.published import machine_with, profet_model

TABLE = "profet_fit_labels.csv"


@dataclass(frozen=True)
class Verdicted:
    """One run of the table with what the product says about it."""

    card: str
    model: str
    side: int
    batch: int
    ran: bool
    verdict: Verdict
    needed_bytes: int
    high_bytes: int
    allowed_bytes: int
    textbook_bytes: int
    dataset_bytes: int


def main() -> None:
    """Predict every run and count."""
    given = parser(__doc__).parse_args()
    found = predict(open_advisor(), read_table(given.data, TABLE))
    finish(answer_of(found), as_json=given.json, tables=(wrong_table(found), groups_table(found)))


def predict(advisor: Advisor, records: list[dict[str, str]]) -> list[Verdicted]:
    """The product's verdict for every run."""
    machines: dict[str, Machine] = {}
    estimators: dict[tuple[str, str], Estimator] = {}
    found = []
    for r in records:
        machine = machines.setdefault(r["gpu"], machine_with(advisor, r["gpu"]))
        plan = Plan(int(r["batch"]), "sgd", jit=False, device="gpu:0", data="array")
        side = int(r["img_size"])
        workload = Workload(profet_model(r["model"]), None, plan, (side, side, 3), int(r["num_classes"]))
        key = (r["model"], r["img_size"])
        if key not in estimators:
            estimators[key] = Estimator(graph_of(advisor, workload, f"{r['model']} {side}"))
        estimator = estimators[key]
        data = dataset_of(estimator, int(float(r["numpy_dataset_mib_train_plus_val"]) * MIB))
        told = estimator.predict(replace(workload, dataset=data), machine, Knowledge())
        memory = told.memory
        found.append(
            Verdicted(
                r["gpu"],
                r["model"],
                side,
                plan.batch_size,
                r["ran_ok"] == "1",
                told.fit.verdict,
                memory.allocator_peak_bytes,
                memory.high_bytes,
                told.fit.allowed_bytes or 0,
                told.textbook_bytes or 0,
                memory.dataset_bytes,
            )
        )
    return found


def dataset_of(estimator: Estimator, held_bytes: int) -> Dataset:
    """A dataset whose samples together take so many bytes."""
    graph = estimator.graph
    sample_bytes = sum(graph.sizes[t].per_sample for t in graph.input_tensors)
    return Dataset("arrays", samples=round(held_bytes / sample_bytes))


def answer_of(found: list[Verdicted]) -> dict[str, object]:
    """The shares; errors are null, because the table holds answers and no sizes."""
    return {
        "table": "profet_fit_labels",
        "n": len(found),
        "median_error": None,
        "p95_error": None,
        "coverage": None,
        **wrong_shares(found, lambda v: v.verdict),
        "tight_of_ran": share([v.verdict == "tight" for v in found if v.ran]),
        "tight_of_failed": share([v.verdict == "tight" for v in found if not v.ran]),
        "wrong": share([_wrong(v.ran, v.verdict) for v in found]),
        "baselines": {
            "textbook + data (share of wrong verdicts)": share([_wrong(v.ran, _textbook(v)) for v in found]),
            "always fits (share of wrong verdicts)": share([not v.ran for v in found]),
        },
        "baselines_wrong": {
            "textbook + data": wrong_shares(found, _textbook),
            "ours without the data": wrong_shares(found, _without_data),
        },
    }


def wrong_shares(found: list[Verdicted], verdict: Callable[[Verdicted], Verdict]) -> dict[str, float | None]:
    """``wrongly_fits`` and ``wrongly_refused`` of any way to judge."""
    return {
        "wrongly_fits": share([verdict(v) == "fits" for v in found if not v.ran]),
        "wrongly_refused": share([verdict(v) == "does_not_fit" for v in found if v.ran]),
    }


def _textbook(v: Verdicted) -> Verdict:
    """What the formula would say, the data added."""
    return "fits" if v.textbook_bytes + v.dataset_bytes <= v.allowed_bytes else "does_not_fit"


def _without_data(v: Verdicted) -> Verdict:
    """Our verdict if nobody knew that the data stays on the card."""
    return "fits" if v.high_bytes - v.dataset_bytes <= v.allowed_bytes else "does_not_fit"


def _wrong(ran: bool, verdict: Verdict) -> bool:
    """Is the verdict the opposite of what happened."""
    return verdict == ("does_not_fit" if ran else "fits")


def wrong_table(found: list[Verdicted]) -> str:
    """The runs that were judged wrongly."""
    return table(
        "judged wrongly, GiB",
        ("card and network", "side", "batch", "ran", "verdict", "needed", "high", "allowed"),
        [
            (
                f"{v.card} {v.model}",
                v.side,
                v.batch,
                v.ran,
                v.verdict,
                v.needed_bytes / GIB,
                v.high_bytes / GIB,
                v.allowed_bytes / GIB,
            )
            for v in found
            if _wrong(v.ran, v.verdict)
        ],
    )


def groups_table(found: list[Verdicted]) -> str:
    """Counts by card and by network."""
    rows = []
    keys: dict[str, Callable[[Verdicted], str]] = {"card": lambda v: v.card, "network": lambda v: v.model}
    for title, key in keys.items():
        for name in dict.fromkeys(key(v) for v in found):
            members = [v for v in found if key(v) == name]
            ran, failed = [v for v in members if v.ran], [v for v in members if not v.ran]
            rows.append(
                (
                    f"{title} {name}",
                    len(ran),
                    len(failed),
                    percent(share([v.verdict == "does_not_fit" for v in ran])),
                    percent(share([v.verdict == "tight" for v in ran])),
                    percent(share([v.verdict == "fits" for v in failed])),
                    percent(share([v.verdict == "tight" for v in failed])),
                )
            )
    return table("by card and network", ("rows", "ran", "failed", "refused", "tight", "let through", "tight"), rows)


if __name__ == "__main__":
    main()
