"""The program's own ``--refine`` on an emulated card, XLA as Keras decides, against the truths of cards.

    python -m studies.accuracy.card_refined [--rows 40] [--part 0/2] [--json]

The whole program is asked on the command line (``estimate --refine``), with the driver of `card_truth` as its card:
XLA compiles the step for that card and no step runs.  Rows in the order in which `card_rows` drew them, those that XLA
compiles.  ``before`` is the answer from the graph alone, ``seconds`` the whole command.  Rows that this very program
has finished before are not repeated; rows of the held half are printed nowhere one by one.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.core.types.units import MIB
from studies.accuracy import card_truth
from studies.accuracy.card_rows import CARDS, NETWORKS, CardRow, draw
from studies.accuracy.command import add_part, figures_table, finish, parser, part_of, signed, table
from studies.accuracy.figures import Pair, summary
from studies.accuracy.kept import Kept, program_digest
from studies.accuracy.product import homes, say
from studies.accuracy.truth_table import ChildFailed, ask_child

ON_ONE_LINE = "import json, sys; print(json.dumps(json.load(sys.stdin)))"
"""`ask_child` reads a last line; the program's JSON has many."""


@dataclass(frozen=True)
class Refined:
    """One row: what was said before and after the refinement, and what it took."""

    row: CardRow
    before: Pair
    after: Pair
    seconds: float


def main() -> None:
    """Refine rows that are not known yet, compare all."""
    options = parser(__doc__)
    options.add_argument("--rows", type=int, default=40, help="how many rows that XLA compiles")
    add_part(options)
    given = options.parse_args()
    truths, kept = card_truth.TRUTHS.load(), Kept("card-refined")
    found = []
    for row in part_of(compiled_rows(given.rows), given.part):
        if row.key not in truths:
            continue
        done = kept.get(row.key)
        if done is None or done["program"] != program_digest():
            try:
                done = {**ask(row), "program": program_digest()}
            except ChildFailed as error:
                say(f"{row.shown}: {error if row.group == 'open' else 'no answer'}")
                continue
            kept.put(row.key, done)
        truth = int(truths[row.key]["steady_peak_bytes"])
        found.append(Refined(row, _pair(done["before"], truth), _pair(done["after"], truth), done["seconds"]))
    if not found:
        sys.exit("error: no row has both a truth and an answer; expected some")
    tables = [rows_table(found), figures_table("steady peak", groups(found))]
    finish(answer_of(found), as_json=given.json, tables=tables)


def compiled_rows(count: int) -> list[CardRow]:
    """The first rows of the draw that XLA compiles: Keras leaves recurrent layers to cuDNN."""
    rows = [row for row in draw() if row.xla == "auto" and NETWORKS[row.network].family != "recurrent"]
    return rows[:count]


def ask(row: CardRow) -> dict[str, Any]:
    """What the program says before and after it has compiled the row's step; bytes and seconds.

    Raises:
        ChildFailed: A command of the program failed.
    """
    driver, python = card_truth.instrument()
    environment = card_truth.environment(driver, card_truth.wheels_of(python), row.card)
    with tempfile.TemporaryDirectory() as folder:
        environment |= {**homes(Path(folder)), "CUDA_FAKECUDA_CARD": CARDS[row.card].emulated}
        words = [*words_of(row), "--python", str(python), "--json"]
        before = ask_child(_command(words), environment)["memory"]
        started = time.perf_counter()
        after = ask_child(_command([*words, "--refine"]), environment)["memory"]
    seconds = time.perf_counter() - started
    if after["basis"] != "compiled":
        raise ChildFailed(f"the answer's basis is {after['basis']}; expected compiled")
    change = "" if row.group == "held" else f": {before['allocator_peak_bytes']} -> {after['allocator_peak_bytes']}"
    say(f"{row.shown}{change}, {seconds:.0f} s")
    return {"before": before, "after": after, "seconds": seconds}


def words_of(row: CardRow) -> list[str]:
    """The command's words for a row."""
    model, shape = NETWORKS[row.network].model, NETWORKS[row.network].input_shape
    name = f"{model.path}:{model.function}" if model.path else model.name
    words = ["estimate", name, "--batch-size", str(row.batch), "--optimizer", row.optimizer]
    words += ["--precision", row.precision, *(() if shape == "-" else ("--input-shape", shape))]
    return [*words, "--trust"] if model.path else words


def _command(words: list[str]) -> list[str]:
    """The program's process, its JSON brought on one line."""
    shell = 'set -o pipefail; "$0" -m app "$@" | "$0" -c "$ON_ONE_LINE"'
    return ["env", f"ON_ONE_LINE={ON_ONE_LINE}", "bash", "-c", shell, sys.executable, *words]


def _pair(memory: dict[str, Any], truth: int) -> Pair:
    """An answer beside its truth."""
    return Pair(memory["allocator_peak_bytes"], truth, memory["low_bytes"], memory["high_bytes"])


def answer_of(found: list[Refined]) -> dict[str, Any]:
    """The command's figures: all rows, and each half before and after."""
    return {
        "table": "card_refined",
        **summary([one.after for one in found]),
        "baselines": {},
        "seconds_median": sorted(one.seconds for one in found)[len(found) // 2],
        "groups": groups(found),
        "rows": [{"row": o.row.label, **asdict(o.after)} for o in found if o.row.group == "open"],
    }


def groups(found: list[Refined]) -> dict[str, dict[str, float | int | None]]:
    """Figures of each half, before and after."""
    named: dict[str, dict[str, float | int | None]] = {}
    for group in ("open", "held"):
        rows = [one for one in found if one.row.group == group]
        if rows:
            named[f"{group}, from the graph"] = summary([one.before for one in rows])
            named[f"{group}, refined"] = summary([one.after for one in rows])
    return named


def rows_table(found: list[Refined]) -> str:
    """Every row that may be seen."""
    head = ("row", "truth, MiB", "before", "refined", "inside", "seconds")
    rows = [
        (
            one.row.label,
            round(one.after.truth / MIB, 1),
            signed(one.before.error),
            signed(one.after.error),
            one.after.inside,
            round(one.seconds),
        )
        for one in found
        if one.row.group == "open"
    ]
    return table("compiled for a card, no step run", head, rows)


if __name__ == "__main__":
    main()
