"""How good the predictions of this version are, laid out once for window, terminal and ``docs/accuracy.md``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.core.types.accuracy import Accuracy, Figures, Published, SameRows, Scaled, StoredTable
from app.core.types.text import Text, join, phrase
from app.core.types.units import format_count, format_day, format_number
from app.presentation.layout import Block, Line, Points, Table

NONE = "–"
COMMAND = "python -m studies.accuracy.{}"
FROM_ONE_CARD = "one card, "
"""So begin the names of those that scale a measured step."""
FITTED = ("work / FP32 peak x its median efficiency", "one card, the two cards' median ratio of the other networks")
"""These were fitted to the very rows that they are judged on: nobody has them before the answer."""
TITLES = {
    "memory": phrase("our own: a step on a processor"),
    "memory_xla": phrase("our own: compiled with XLA"),
    "programs": phrase("whole programs, ours and others'"),
    "device_limits": phrase("log lines: what a card leaves"),
    "time_profet": phrase("PROFET: Keras, cloud cards"),
    "time_lambda": phrase("Lambda: image networks, XLA"),
    "time_neusight": phrase("NeuSight: transformers"),
    "time_timm": phrase("timm: RTX 3090 to 4090, back"),
    "fit_profet": phrase("PROFET: Keras, 8 to 16 GB"),
    "peers": phrase("others, on the same rows"),
}
MEMORY = ("memory", "memory_xla", "programs", "device_limits")
TIME = ("time_profet", "time_lambda", "time_neusight", "time_timm")
NOTES = (
    phrase("The median error is the one that half of the rows stay below; of 100 rows, 95 stay below the next column."),
    phrase(
        "The repeat is how far measurements of one and the same thing lie apart in the median: no prediction can be "
        "judged more finely. Where a table tells no repeats, that is not known."
    ),
    phrase("Inside: the share of the truths that lay in the interval that was told with the number."),
    phrase("The simple way is the best of those that somebody could take without this program, not the average one."),
    phrase(
        "No rate, share or coefficient of the program was tuned to these tables. The intervals of step times are as "
        "wide as PROFET and Lambda ask for, and NeuSight was looked at when the model of cards was made."
    ),
    phrase(
        "PROFET, Lambda, NeuSight, timm and xMem published what they measured; the commands say which files, "
        "under which licence, and what of them was left out."
    ),
    phrase("How good it has been on your machine stands on the Runs page and in `willittrain runs`."),
)


@dataclass(frozen=True)
class _Row:
    """What of a table stands in a line of errors."""

    title: str
    figures: Figures | Scaled
    spread: float | None
    simple: float | None


def accuracy_blocks(known: Accuracy) -> tuple[Block, ...]:
    """The whole page; parts whose tables were not run are left out."""
    parts = (_fits(known), _errors(phrase("Memory of a training step"), _rows(known, MEMORY)))
    times = _errors(phrase("Time of a step on cards that are not here"), _rows(known, TIME))
    tables = (*parts, times, _same_rows(known), _published(known.published), _provenance(known.tables))
    return (
        Line(phrase("How good is it?"), "title"),
        Line(phrase("What the tables of this program printed when its predictions were compared with measured runs.")),
        *(table for table in tables if table.rows),
        Points(phrase("How to read this"), NOTES),
    )


def _fits(known: Accuracy) -> Table:
    """Whether runs fit that are known to have run or to have failed."""
    found = known.table("fit_profet")
    names = (phrase("Compared with"), phrase("Runs"), phrase("“Fits”, but failed"), phrase("Refused, but ran"))
    others = (phrase("“Tight”, and ran"), phrase("Wrong"), phrase("Simple way"))
    rows = (_verdicts(found),) if found is not None else ()
    return Table((*names, *others), rows, tuple(range(1, 7)), phrase("Does it fit?"))


def _verdicts(table: StoredTable) -> tuple[str, ...]:
    """The shares of a table of verdicts."""
    told = table.figures
    shares = (told.wrongly_fits, told.wrongly_refused, told.tight_of_ran, told.wrong, _least(told.baselines))
    return (TITLES[table.name], format_count(told.n), *map(_percent, shares))


def _rows(known: Accuracy, names: Iterable[str]) -> list[_Row]:
    """A line for each table, and one more for what it says given another card's measurement."""
    found = []
    for one in filter(None, map(known.table, names)):
        told, title = one.figures, TITLES[one.name]
        ways = {name: error for name, error in told.baselines.items() if name not in FITTED}
        scaled = {name: error for name, error in ways.items() if name.startswith(FROM_ONE_CARD)}
        plain = {name: error for name, error in ways.items() if name not in scaled}
        found.append(_Row(title, told, told.truth_spread, _least(plain)))
        if told.one_card is not None:
            given = phrase("… from a run on another card")
            found.append(_Row(given, told.one_card, told.truth_spread, _least(scaled)))
    return found


def _errors(title: Text, rows: list[_Row]) -> Table:
    """Errors of predictions, beside the repeat of the truth and a simple way."""
    names = (phrase("Compared with"), phrase("Rows"), phrase("Median error"), phrase("95 of 100 below"))
    others = (phrase("Inside"), phrase("Repeat"), phrase("Simple way"))
    cells = tuple(
        (
            row.title,
            format_count(row.figures.n),
            *map(_percent, (row.figures.median_error, row.figures.p95_error, row.figures.coverage)),
            *map(_percent, (row.spread, row.simple)),
        )
        for row in rows
    )
    return Table((*names, *others), cells, tuple(range(1, 7)), title)


def _same_rows(known: Accuracy) -> Table:
    """Other predictors and ours on the same measured rows."""
    names = (phrase("Predictor"), phrase("Of"), phrase("Rows"), phrase("Its median error"), phrase("95 of 100 below"))
    peers = (peer for one in known.tables for peer in one.figures.peers)
    rows = tuple(map(_peer, peers))
    return Table((*names, phrase("Ours on the same")), rows, (2, 3, 4, 5), phrase("Others, on the same measured rows"))


def _peer(peer: SameRows) -> tuple[str, ...]:
    """One of them."""
    errors = map(_percent, (peer.median_error, peer.p95_error, peer.ours))
    return peer.peer, _quantity(peer.of), format_count(peer.n), *errors


def _published(papers: Iterable[Published]) -> Table:
    """What papers state of themselves: of other data, networks and cards, so that none is set off against ours."""
    names = (phrase("Predictor"), phrase("Error"), phrase("Of what"), phrase("Source"))
    rows = tuple((one.name, _stated(one), join(": ", (_quantity(one.of), one.what)), one.source) for one in papers)
    return Table(names, rows, (), phrase("What others state of themselves, on data of their own"))


def _stated(one: Published) -> Text:
    """An error, and which."""
    error = _percent(one.error)
    if one.statistic == "median":
        return phrase("median {error}", error=error)
    return phrase("average {error}", error=error)


def _provenance(tables: Iterable[StoredTable]) -> Table:
    """When and where each table was printed, and by which command anybody prints it again."""
    names = (phrase("Command"), phrase("Date"), phrase("Sources"), phrase("Machine"))
    rows = tuple((COMMAND.format(one.name), format_day(one.date), one.commit, one.machine) for one in tables)
    return Table(names, rows, (), phrase("Where these figures come from"))


def _quantity(of: str) -> Text:
    """Memory or time."""
    return phrase("memory") if of == "memory" else phrase("time")


def _least(ways: dict[str, float | None]) -> float | None:
    """The best of some ways; None of none."""
    return min((error for error in ways.values() if error is not None), default=None)


def _percent(share: float | None) -> str:
    """A share in percent with one decimal; a dash for what a table does not tell."""
    return NONE if share is None else phrase("{percent} %", percent=format_number(100 * share, ".1f"))
