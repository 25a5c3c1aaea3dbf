"""What runs of other networks do to an interval, on our own truth: ``python -m studies.accuracy.sharpening [--json]``.

A user is drawn who has run some networks, one row each; asked about a row of one more network, the product sharpens
its interval by those runs (`app.core.predict.device_corrections`).  Coverage must hold for any number of runs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.predict.device_corrections import Witness, sharpening
from app.core.predict.intervals import score
from app.core.types.track_record import Judged as Forecast
from studies.accuracy.command import finish, parser, percent, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.memory import judge
from studies.accuracy.memory_rows import rows

RUNS = (0, 1, 2, 4, 8, 12, 16, 24)
USERS = 3000


@dataclass(frozen=True)
class Said:
    """What was said of one row of a network, and the truth."""

    network: str
    pair: Pair


def main() -> None:
    """Judge the rows and draw users."""
    options = parser(__doc__)
    options.add_argument("--only", default="", metavar="TEXT", help="only rows whose network holds TEXT")
    given = options.parse_args()
    judged = judge([row for row in rows() if given.only in row.network])
    kinds = {
        "op by op": [Said(j.row.network, j.pair) for j in judged if j.row.kind != "XLA"],
        "XLA": [Said(j.row.network, j.pair) for j in judged if j.row.kind == "XLA"],
    }
    found = {kind: by_runs(said) for kind, said in kinds.items() if len({s.network for s in said}) > 1}
    lines = [
        (
            kind,
            runs,
            percent(f["coverage"]),
            percent(f["truth_above_high"]),
            f["high_over_truth"],
            percent(f["median_error"]),
        )
        for kind, figures in found.items()
        for runs, f in figures.items()
    ]
    head = ("rows", "runs of others", "coverage", "above high", "high/truth", "median")
    answer = {"table": "sharpening", "n": len(judged), "users": USERS, "kinds": found}
    finish(answer, as_json=given.json, tables=(table("intervals after runs of other networks", head, lines),))


def by_runs(said: Sequence[Said]) -> dict[int, dict[str, float | int | None]]:
    """The usual figures over drawn users, by how many other networks they have run."""
    generator = random.Random(0)
    most = len({s.network for s in said}) - 1
    return {
        runs: summary([asked_by_a_user(generator, said, runs) for _ in range(USERS)]) for runs in RUNS if runs <= most
    }


def asked_by_a_user(generator: random.Random, said: Sequence[Said], runs: int) -> Pair:
    """One row as a user would be told of it after runs of that many other networks."""
    asked = generator.choice(said)
    networks = sorted({s.network for s in said} - {asked.network})
    witnesses = tuple(
        _witness(generator.choice([s for s in said if s.network == network]))
        for network in generator.sample(networks, runs)
    )
    predicted, low, high = _interval(asked.pair)
    value, low, high = sharpening(witnesses, predicted).applied(predicted, low, high)
    return Pair(value, asked.pair.truth, low, high, asked.pair.highest)


def _witness(said: Said) -> Witness:
    """A run of another network."""
    predicted, low, high = _interval(said.pair)
    return Witness(said.network, predicted, score(Forecast(predicted, low, high, said.pair.truth)))


def _interval(pair: Pair) -> tuple[float, float, float]:
    """A prediction and its interval."""
    assert pair.low is not None
    assert pair.high is not None
    return pair.predicted, pair.low, pair.high


if __name__ == "__main__":
    main()
