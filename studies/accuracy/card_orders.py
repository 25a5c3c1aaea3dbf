"""What XLA's scheduler says that its three orders need, on an emulated card, beside what the simulation says of them.

    python -m studies.accuracy.card_orders [--rows 12] [--part 0/2] [--json]

Open rows of the draw that XLA compiles, trained with the driver of `card_truth`; the scheduler tells its figures where
``TF_CPP_VMODULE`` asks for them (xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc).  The order decides what is
alive at once, so a row whose order is another one may be far off while everything else is right.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import asdict, dataclass, replace
from statistics import median

from app.core.simulate.program_builder import LoweringOptions, build_program
from app.core.simulate.xla.card import CardCompiler
from app.core.simulate.xla.card_regions import fuse_for_card
from app.core.simulate.xla.lowering import lower
from app.core.simulate.xla.merging import merged, seen_by_xla
from app.core.simulate.xla.orders import ORDERS, order_peak_bytes
from app.core.types.stepgraph import StepGraph
from app.core.types.units import GIB, KIB, MIB
from app.services.advisor import Advisor
from studies.accuracy import card_truth
from studies.accuracy.card_refined import compiled_rows
from studies.accuracy.card_rows import CARDS, CardRow
from studies.accuracy.command import add_part, finish, parser, part_of, table
from studies.accuracy.product import graph_of, open_advisor, say
from studies.accuracy.published import machine_with
from studies.accuracy.truth_table import CHECKOUT, TIMEOUT_S

TOLD = re.compile(r"Min-memory (list|dfs|post order) sequence: ([\d.]+)(B|KiB|MiB|GiB)")
UNITS = {"B": 1, "KiB": KIB, "MiB": MIB, "GiB": GIB}
NAMES = ("list", "dfs", "post order")


@dataclass(frozen=True)
class Orders:
    """What each order needs, bytes by name, as the compiler says and as we say; it takes the first that needs least."""

    row: CardRow
    told: dict[str, float]
    ours: dict[str, float]

    @property
    def same(self) -> bool:
        """Would both take the same order."""
        return min(self.told, key=self.told.__getitem__) == min(self.ours, key=self.ours.__getitem__)


def main() -> None:
    """Ask both, compare."""
    options = parser(__doc__)
    options.add_argument("--rows", type=int, default=12, help="how many open rows that XLA compiles")
    add_part(options)
    given = options.parse_args()
    advisor, found = open_advisor(), []
    rows = [row for row in compiled_rows(sys.maxsize) if row.group == "open"][: given.rows]
    for row in part_of(rows, given.part):
        told = of_xla(row)
        if told is None:
            say(f"{row.label}: the scheduler said nothing")
            continue
        found.append(Orders(row, told, of_ours(advisor, row)))
    if not found:
        sys.exit("error: the scheduler said nothing of any row; expected its three orders")
    off = {name: median([abs(one.ours[name] / one.told[name] - 1) for one in found]) for name in NAMES}
    answer = {"rows": len(found), "same_order": sum(one.same for one in found), **{f"{n}_off": off[n] for n in NAMES}}
    finish(answer, as_json=given.json, tables=[orders_table(found)])


def of_xla(row: CardRow) -> dict[str, float] | None:
    """Bytes by order, of the largest module that the training compiles."""
    driver, python = card_truth.instrument()
    environment = card_truth.environment(driver, card_truth.wheels_of(python), row.card)
    environment |= {"TF_CPP_MIN_LOG_LEVEL": "0", "TF_CPP_VMODULE": "hlo_memory_scheduler=2"}
    command = [str(python), "-m", "studies.accuracy.card_truth_child", json.dumps(asdict(row))]
    ended = subprocess.run(
        command, env=environment, cwd=CHECKOUT, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    found: dict[str, list[float]] = {name: [] for name in NAMES}
    for name, number, unit in TOLD.findall(ended.stderr):
        found[name].append(float(number) * UNITS[unit])
    return {name: max(sizes) for name, sizes in found.items()} if all(found.values()) else None


def of_ours(advisor: Advisor, row: CardRow) -> dict[str, float]:
    """Bytes by order, as the simulation counts them."""
    workload = row.workload()
    graph = graph_of(advisor, replace(workload, plan=replace(workload.plan, device="cpu")), row.label)
    (gpu,) = machine_with(advisor, CARDS[row.card].name).gpus
    return needs(graph, CardCompiler.of(gpu), row)


def needs(graph: StepGraph, compiler: CardCompiler, row: CardRow) -> dict[str, float]:
    """Bytes that each order needs of a graph compiled for a card."""
    program = build_program(graph, row.optimizer, LoweringOptions(kernels="xla"))
    module = lower(program, graph, batch_size=row.batch, card=compiler)
    made = fuse_for_card(module, batch_size=row.batch, speed=compiler.speed)
    groups = merged(made, module.resident, speed=compiler.speed, batch_size=row.batch)
    seen = seen_by_xla(made.kernels, groups, module.resident)
    orders = (order(seen.kernels, row.batch, seen.results) for order in ORDERS)
    sizes = (order_peak_bytes(seen.kernels, order, row.batch, seen.renewed, seen.results) for order in orders)
    return dict(zip(NAMES, sizes, strict=True))


def orders_table(found: list[Orders]) -> str:
    """Each order as XLA says and as we say, and whether both take the same one."""
    head = ["row", *(f"{name}{whose}" for name in NAMES for whose in ("", ", ours")), "same"]
    rows = [
        [one.row.label, *(size[name] / MIB for name in NAMES for size in (one.told, one.ours)), one.same]
        for one in found
    ]
    return table("what an order needs, MiB", head, rows)


if __name__ == "__main__":
    main()
