"""What TensorFlow may use of a card: the product's rule against quoted log lines of real machines.

    python -m studies.accuracy.device_limits [--data FOLDER] [--json]

Tables: ``tf_device_limits.csv`` and ``tf_device_limits_lambda.csv`` ("Created device … with N MB"), and beside this
file ``server_limits.csv``: the same line in notebooks, logs and manuals that people have published of cards without a
screen (looked for by the card's name on 2026-11-28; cards of which others held gigabytes are left out).

The free memory at that moment is in none of the lines.  Two things are judged:

* ``end to end``: the product's answer for a simulated card, which assumes that screen, other programs
  and context hold 785 MiB, as the median of the first table; so on that table the assumption itself is
  fitted, and the two others are the check (Lambda's: servers, laptops, TensorFlow 1.15 to 2.4, whose rule was an
  older one: 5 % of what is free, at least 300 MiB).
* ``rule``: what the product's rule keeps back against TensorFlow's source, card by card
  (column ``tf_min_system_memory_rule_mib``), and what then remains for others and the context: a rule that
  is right leaves neither less than 0 nor gigabytes.

The line that looks limited by its owner (RTX 4070 with 6140 MB) is shown and left out of the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.core.simulate.device import allowed_memory, choose_device, system_reserve_bytes
from app.core.types.errors import UsageError
from app.core.types.machine import GpuSpec
from app.core.types.units import GIB, MIB
from app.services.advisor import Advisor
from studies.accuracy.command import finish, parser, percent, read_table, signed, table
from studies.accuracy.figures import Pair, share, summary
from studies.accuracy.product import open_advisor, say
from studies.accuracy.published import card

TABLES = {"desktops": "tf_device_limits.csv", "lambda": "tf_device_limits_lambda.csv"}
SERVERS = "server_limits.csv"
LIMITED_BY_OWNER = {("RTX 4070", 6140)}


@dataclass(frozen=True)
class Limit:
    """A line of the tables."""

    origin: str
    card: str
    spec: GpuSpec
    nominal_bytes: int
    truth_bytes: int
    predicted_bytes: int
    reserve_bytes: int
    table_reserve_bytes: int | None
    limited: bool

    @property
    def pair(self) -> Pair:
        """Prediction and truth."""
        return Pair(self.predicted_bytes, self.truth_bytes)

    @property
    def held_bytes(self) -> int:
        """What the rule leaves for the context and others."""
        return self.spec.visible_memory_bytes - self.reserve_bytes - self.truth_bytes


def main() -> None:
    """Judge all tables."""
    given = parser(__doc__).parse_args()
    advisor = open_advisor()
    tables = {origin: read_table(given.data, name) for origin, name in TABLES.items()}
    tables["servers"] = read_table(Path(__file__).parent, SERVERS)
    found = [_limit(advisor, record, origin) for origin, records in tables.items() for record in records]
    known = [limit for limit in found if limit is not None]
    finish(answer_of(known, len(found)), as_json=given.json, tables=(rows_table(known),))


def _limit(advisor: Advisor, record: dict[str, str], origin: str) -> Limit | None:
    """The product's answer for one line; None if its card is not in our table."""
    name = record["gpu"]
    truth = int(record.get("limit_mib_median") or record["tf_created_device_mb"]) * MIB
    try:
        spec = _spec(advisor, record)
    except UsageError:
        say(f"{name} is not in our card table")
        return None
    machine = advisor.machine.simulate(advisor.machine.read(), gpu=spec.name)
    allowed = allowed_memory(machine, choose_device(machine, "gpu:0")).bytes or 0
    rule = record.get("tf_min_system_memory_rule_mib")
    return Limit(
        origin,
        name,
        spec,
        spec.memory_bytes,
        truth,
        allowed,
        system_reserve_bytes(spec.memory_bytes, spec.compute_capability),
        int(rule) * MIB if rule else None,
        (name, truth // MIB) in LIMITED_BY_OWNER,
    )


def _spec(advisor: Advisor, record: dict[str, str]) -> GpuSpec:
    """The card of our table, by name and size."""
    nominal = record.get("nominal_vram_mib")
    if nominal is None:
        return card(advisor, record["gpu"])
    size = round(int(nominal) * MIB / GIB)
    try:
        return card(advisor, f"{record['gpu'].replace(' 6GB', '')} {size}GB")
    except UsageError:
        return card(advisor, record["gpu"])


def answer_of(known: list[Limit], read: int) -> dict[str, object]:
    """The figures of all tables, end to end, and of the rule."""
    honest = [v for v in known if not v.limited]
    with_rule = [v for v in known if v.table_reserve_bytes is not None]
    return {
        "table": "tf_device_limits",
        **summary([v.pair for v in honest]),
        "left_out": read - len(honest),
        "baselines": {
            "sold memory": summary([Pair(v.nominal_bytes, v.truth_bytes) for v in honest])["median_error"],
            "90 % of it": summary([Pair(0.9 * v.nominal_bytes, v.truth_bytes) for v in honest])["median_error"],
        },
        "rule_as_in_source": share([v.reserve_bytes == v.table_reserve_bytes for v in with_rule]),
        "rule_leaves_possible": share([0 <= v.held_bytes <= 2 * GIB for v in honest]),
        "groups": {
            origin: summary([v.pair for v in honest if v.origin == origin])
            for origin in dict.fromkeys(v.origin for v in honest)
        },
    }


def rows_table(known: list[Limit]) -> str:
    """Every line."""
    return (
        table(
            "memory that TensorFlow may use, MiB",
            ("card", "table", "sold", "truth", "predicted", "error", "kept back", "as source", "left for others"),
            [
                (
                    v.card + (" (limited)" if v.limited else ""),
                    v.origin,
                    v.nominal_bytes // MIB,
                    v.truth_bytes // MIB,
                    v.predicted_bytes // MIB,
                    signed(v.pair.error),
                    v.reserve_bytes // MIB,
                    None if v.table_reserve_bytes is None else v.reserve_bytes == v.table_reserve_bytes,
                    v.held_bytes // MIB,
                )
                for v in known
            ],
        )
        + "\n"
        + percent(share([0 <= v.held_bytes <= 2 * GIB for v in known if not v.limited]))
        + (" of the lines leave 0 to 2 GiB for context and others under the rule")
    )


if __name__ == "__main__":
    main()
