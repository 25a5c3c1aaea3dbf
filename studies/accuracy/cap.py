"""Does a training survive in the memory that was promised to be enough?

    python -m studies.accuracy.cap [--json]               30 configurations under a cap of ``high_bytes``
    python -m studies.accuracy.cap --refined              and under that of the refined answer
    python -m studies.accuracy.cap --only vit --part 1/6

TensorFlow's allocator is limited to ``high_bytes`` (``TF_CPU_BFC_MEM_LIMIT_IN_MB``, whole MiB, rounded down) and
three steps are run in a fresh process; an ending is kept, and not waited for again (but with ``--anew``).  That
asks for more than a peak below the cap: memory comes in regions that double, the last one gets what is left, and a
chunk must lie within one region.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from app.core.predict.estimate import Estimator
from app.core.predict.knowledge import Knowledge
from app.core.types.errors import WillItTrainError
from app.core.types.units import MIB
from app.services.advisor import Advisor
from studies.accuracy import truth
from studies.accuracy.command import finish, parser, percent, shown, table
from studies.accuracy.figures import share
from studies.accuracy.kept import Kept
from studies.accuracy.memory_rows import Row, rows
from studies.accuracy.product import graph_of, open_advisor, say

COUNT = 30
SEED = 4
CAP_VARIABLE = "TF_CPU_BFC_MEM_LIMIT_IN_MB"
_REFUSED = re.compile(r"OOM when allocating[^/]*|ran out of memory trying to allocate \S+|Out of memory[^.]*")


@dataclass(frozen=True)
class Ending:
    """How a capped run ended; ``reason`` is empty if it survived."""

    cap_mib: int
    survived: bool
    reason: str = ""


@dataclass(frozen=True)
class Capped:
    """One configuration: its free peak, and how it went under the cap of each kind of answer."""

    row: Row
    truth_bytes: int
    endings: dict[str, Ending]


def main() -> None:
    """Predict, cap, run."""
    options = parser(__doc__)
    options.add_argument("--refined", action="store_true", help="also refine, and cap at what that says")
    options.add_argument("--only", default="", metavar="TEXT", help="only rows whose network holds TEXT")
    options.add_argument("--part", default="1/1", metavar="N/OF", help="every OF-th row, from the N-th")
    options.add_argument("--anew", action="store_true", help="repeat runs that have ended before")
    given = options.parse_args()
    number, of = (int(n) for n in given.part.split("/"))
    known = truth.load()
    wanted = [row for row in chosen(list(rows()), known)[number - 1 :: of] if given.only in row.network]
    advisor = open_advisor()
    found = []
    for row in wanted:
        try:
            endings = _endings(advisor, row, refined=given.refined, anew=given.anew)
            found.append(Capped(row, known[row.key].peak_bytes, endings))
        except WillItTrainError as error:
            say(f"{row.label} xla {row.xla} {row.extra}: {error}")
    finish(answer_of(found), as_json=given.json, tables=(rows_table(found),))


def chosen(candidates: Sequence[Row], known: dict[tuple[str, ...], truth.Truth]) -> list[Row]:
    """Rows with a truth, drawn by chance, an equal share of each kind as far as there are so many."""
    drawn = random.Random(SEED).sample(candidates, len(candidates))
    by_kind: dict[str, list[Row]] = {}
    for row in drawn:
        if row.key in known:
            by_kind.setdefault(row.kind, []).append(row)
    turns = max((len(members) for members in by_kind.values()), default=0)
    mixed = [members[turn] for turn in range(turns) for members in by_kind.values() if turn < len(members)]
    return mixed[:COUNT]


def cap_mib(high_bytes: int) -> int:
    """The cap in the variable's unit; never more than was promised."""
    return max(1, high_bytes // MIB)


def _endings(advisor: Advisor, row: Row, *, refined: bool, anew: bool) -> dict[str, Ending]:
    """Run under the cap of the prediction and, if asked for, of the refined one."""
    workload, machine = row.workload(), advisor.machine.read()
    graph = graph_of(advisor, workload, row.label)
    predicted = Estimator(graph).predict(workload, machine, Knowledge()).memory
    endings = {"predicted": _ending(row, cap_mib(predicted.high_bytes), anew)}
    if refined:
        advisor.predictor.refine(workload, machine)
        sharper = advisor.predictor.predict(workload, machine, graph).memory
        endings["refined"] = _ending(row, cap_mib(sharper.high_bytes), anew)
    told = ", ".join(f"{kind} {e.cap_mib} MiB {e.reason or 'survived'}" for kind, e in endings.items())
    say(f"{row.label} xla {row.xla} {row.extra}: {told if row.group == 'open' else 'done'}")
    return endings


def _ending(row: Row, cap: int, anew: bool) -> Ending:
    """How the row ends under a cap: TensorFlow decides that, whichever version of this program named the cap.

    A death of something else than memory is not kept: another program may have ended the process.
    """
    kept = Kept("cap")
    done = None if anew else kept.get((*row.key, cap))
    if done is not None:
        return Ending(**done)
    ending = run_capped(row, cap)
    if ending.survived or _REFUSED.search(ending.reason):
        kept.put((*row.key, cap), asdict(ending))
    return ending


def run_capped(row: Row, cap: int) -> Ending:
    """Three steps in a fresh process whose allocator may take ``cap`` MiB."""
    command = [sys.executable, "-m", "studies.accuracy.truth_child", json.dumps(asdict(row))]
    variables = {**os.environ, **truth.ENVIRONMENT, CAP_VARIABLE: str(cap)}
    try:
        ended = subprocess.run(
            command,
            env=variables,
            cwd=truth.CHECKOUT,
            capture_output=True,
            text=True,
            timeout=truth.TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Ending(cap, False, f"no answer within {truth.TIMEOUT_S} s")
    if ended.returncode == 0:
        return Ending(cap, True)
    return Ending(cap, False, why(ended.returncode, ended.stderr))


def why(code: int, stderr: str) -> str:
    """The allocator's words; with oneDNN TensorFlow goes on without the memory and dies of a signal."""
    refused = _REFUSED.search(stderr)
    last = (stderr.strip().splitlines() or [""])[-1]
    return f"died ({code}): {refused[0].strip() if refused else last[:200]}"


def answer_of(found: Sequence[Capped]) -> dict[str, object]:
    """The share that survives, by kind of answer and by XLA; caps against the free peak."""
    kinds = list(dict.fromkeys(kind for capped in found for kind in capped.endings))
    return {
        "table": "cap",
        "n": len(found),
        **{f"{kind}_survive": survival(found, kind) for kind in kinds},
        "groups": {
            f"{kind}, XLA {xla}": survival([c for c in found if c.row.xla == xla], kind)
            for kind in kinds
            for xla in ("off", "on")
        },
        "rows": [
            {
                "row": c.row.label,
                "xla": c.row.xla,
                "kind": c.row.kind,
                "truth_bytes": c.truth_bytes,
                **{
                    f"{kind}_{name}": value
                    for kind, ending in c.endings.items()
                    for name, value in asdict(ending).items()
                },
            }
            for c in found
            if c.row.group == "open"
        ],
    }


def survival(found: Sequence[Capped], kind: str) -> float | None:
    """Share of the runs under this kind of cap that survived; None of nothing."""
    return share([c.endings[kind].survived for c in found if kind in c.endings])


def rows_table(found: Sequence[Capped]) -> str:
    """Every configuration of an open network; the held ones are counted only."""
    kinds = list(dict.fromkeys(kind for capped in found for kind in capped.endings))
    return table(
        "three steps under a cap of high_bytes, MiB",
        ("row", "XLA", "kind", "free peak", *(name for kind in kinds for name in (kind, "of peak", "survived"))),
        [
            (
                c.row.label,
                c.row.xla,
                c.row.kind,
                round(c.truth_bytes / MIB, 1),
                *(text for kind in kinds for text in _told(c.endings.get(kind), c.truth_bytes)),
            )
            for c in found
            if c.row.group == "open"
        ],
    )


def _told(ending: Ending | None, truth_bytes: int) -> tuple[object, str, str]:
    """One ending's columns."""
    if ending is None:
        return None, percent(None), shown(None)
    return ending.cap_mib, percent(ending.cap_mib * MIB / truth_bytes), shown(ending.survived)


if __name__ == "__main__":
    main()
