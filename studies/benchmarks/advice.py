"""How soon advice answers after a trace, and how soon a shelf of thousands is filtered and sorted.

::

    python -m studies.benchmarks.advice [--repeats 7] [--json]

Advice is asked for networks whose graphs ship with the program: ``prepared`` once (`AdviceService.prepare`, which the
window does beside the first answer: it simulates the step with XLA, in half precision and so on), then at other batch
sizes, of which nothing is remembered: the first is in another octave, for which every kind of card compiles anew
(slowest), the others are beside it (median); then 3,000 cards and 200 offers are joined, filtered and sorted as the
window does.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from app.cli.main import collect_rarely
from app.core.types.text import phrase, verbatim

CARDS, OFFERS = 3000, 200
ADVICE_LIMIT_S, SHELF_LIMIT_S = 0.1, 0.016
NETWORKS = (
    ("fashion_mnist_cnn", "28x28x1:60000:10", 256),
    ("cnn_58m", "256x256x3:9792:4:1.5GB", 64),
    ("srresnet", "24x24x3:4000:19GB", 16),
    ("resnet50", "224x224x3:1281167:1000:150GB", 32),
    ("mobilenetv2", "224x224x3:50000:1000:5GB", 64),
)
CASES = Path(__file__).parents[2] / "tests" / "cases"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    collect_rarely()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WILLITTRAIN_DATA_DIR"] = folder
        rows = advice_times(chosen.repeats)
    shelf = shelf_times(max(20, chosen.repeats))
    if chosen.json:
        print(json.dumps({"advice": rows, "shelf": shelf}))
        return 0
    print(f"{'network':20} {'prepared':>9} {'median':>14} {'slowest':>9}   limit {1e3 * ADVICE_LIMIT_S:.0f} ms")
    for row in rows:
        times = f"{row['prepared_ms']:7.0f} ms {row['median_ms']:11.0f} ms {row['slowest_ms']:6.0f} ms"
        print(f"{row['network']:20} {times}")
    print(
        f"{CARDS} cards, {OFFERS} offers: joined, filtered and sorted in {shelf['median_ms']:.1f} ms, "
        f"slowest {shelf['slowest_ms']:.1f} ms   limit {1e3 * SHELF_LIMIT_S:.0f} ms"
    )
    return 0


def advice_times(repeats: int) -> list[dict[str, float | str]]:
    """Milliseconds of an advice for each network, on the machine of case S5."""
    from app.cli.machine_file import parse_machine
    from app.cli.session import open_advisor
    from app.core.types.workload import Plan, Workload

    advisor = open_advisor()
    machine, _ = parse_machine((CASES / "s5_machine.json").read_bytes())
    rows: list[dict[str, float | str]] = []
    for name, data, batch in NETWORKS:
        workload = Workload(
            advisor.catalog.find_model(name), advisor.catalog.find_dataset(data), Plan(batch_size=batch)
        )
        graph = advisor.predictor.graphs.get(workload)
        if graph is None:
            continue
        started = time.perf_counter()
        advisor.advice.prepare(workload, machine)
        prepared = 1e3 * (time.perf_counter() - started)
        times = []
        for repeat in range(1, repeats + 1):
            asked = replace(workload, plan=replace(workload.plan, batch_size=batch + repeat))
            advisor.predictor.predict(asked, machine, graph)
            started = time.perf_counter()
            advisor.advice.advise(asked, machine, graph)
            times.append(1e3 * (time.perf_counter() - started))
        rows.append(
            {"network": name, "prepared_ms": prepared, "median_ms": statistics.median(times), "slowest_ms": max(times)}
        )
    return rows


def shelf_times(repeats: int) -> dict[str, float]:
    """Milliseconds to join cards with rents, filter and sort."""
    from app.core.advising.shortlist import Order, Wanted, shortlist
    from app.core.types.advice import Upgrade

    rents = [(f"card {i * 15}", 0.1 + i / 100) for i in range(OFFERS)]
    cards = [
        Upgrade(
            "gpu",
            phrase("card {i}", i=i),
            i % 7 != 0,
            32 + i,
            100.0 / (1 + i % 97),
            None,
            None,
            5.0,
            100.0 + (i * 37) % 5000,
            worth=i % 3 != 0,
        )
        for i in range(CARDS)
    ]
    orders: tuple[Order, ...] = ("price", "epoch", "gain", "break_even", "name")
    times = []
    for repeat in range(repeats):
        started = time.perf_counter()
        cheapest: dict[str, float] = {}
        for name, hourly in rents:
            cheapest[name] = min(hourly, cheapest.get(name, hourly))
        hours = [(card.price or 0) / cheapest[card.name] if card.name in cheapest else None for card in cards]
        offers = [
            Upgrade("cloud", verbatim(name), True, None, 10.0, None, None, None, hourly) for name, hourly in rents
        ]
        wanted = Wanted(text="card", most_price=4000.0, fitting=True, order=orders[repeat % len(orders)])
        found = shortlist([*cards, *offers], wanted)
        times.append(1e3 * (time.perf_counter() - started))
        assert found
        assert len(hours) == CARDS
    return {"median_ms": statistics.median(times), "slowest_ms": max(times)}


if __name__ == "__main__":
    sys.exit(main())
