"""What picture and Markdown of a shown run or answer say, each once; the texts are values until a face says them."""

from __future__ import annotations

from collections.abc import Iterator

from app import __version__
from app.catalog.models import load_models
from app.core.types.backends import TITLES
from app.core.types.text import Text, join, phrase, plural
from app.core.types.units import NOT_AVAILABLE, format_bytes, format_count, format_day, format_number
from app.presentation.estimate import memory_table, verdict_lines
from app.presentation.layout import Block, Line, Table, fact, facts, points
from app.presentation.run import comparison_table, data_words, headline, notes, plan_facts
from app.presentation.words import LEGEND, shape_words
from app.services.sharing.shown import Shown

SIMULATED = phrase("simulated")


def title_of(shown: Shown) -> str:
    """The model, as the catalog calls it."""
    name = shown.run.workload.model.name
    return next((entry.title for entry in load_models() if entry.name == name), name)


def plan_line(shown: Shown) -> Text:
    """How it is trained, and on what."""
    workload = shown.run.workload
    return join(" · ", (*filter(None, plan_facts(workload)), *_data(shown)))


def where_line(shown: Shown) -> Text:
    """Where, and with what."""
    return join(" · ", filter(None, _where(shown)))


def made_with(shown: Shown) -> Text:
    """Who says so, and when."""
    day = format_day(shown.run.created_at)
    return phrase("Will It Train? {version} · {day}", version=__version__, day=day)


def shown_blocks(shown: Shown) -> tuple[Block, ...]:
    """The Markdown below its title."""
    run, told, found = shown.run, shown.prediction, shown.run.result.measurement
    return (
        *((headline(run),) if shown.measured else ()),
        *(verdict_lines(told)[:1] if told is not None else ()),
        _facts(shown),
        *(_numbers(shown)),
        *points(phrase("Please note"), notes(run.result) if found is not None else ()),
        Line(LEGEND, "soft"),
        Line(made_with(shown), "soft"),
    )


def _numbers(shown: Shown) -> Iterator[Block]:
    """What was measured beside the estimate; of an answer what fills the memory and how long it takes."""
    told, found = shown.prediction, shown.run.result.measurement
    if found is not None or told is not None:
        yield comparison_table(told, found).known() if found is not None else _without_measured(shown)
    if found is None and told is not None:
        yield memory_table(told)


def _without_measured(shown: Shown) -> Table:
    """The estimate and its interval alone."""
    table = comparison_table(shown.prediction, None)
    kept = table.pick([0, 2, 3])
    return Table(kept.columns, kept.rows, (1, 2), phrase("Estimate"))


def _data(shown: Shown) -> tuple[str, ...]:
    """On what; an answer makes nothing up."""
    data = shown.run.workload.dataset
    return data_words(shown.run.workload) if shown.measured or data is None else (data.name,)


def _facts(shown: Shown) -> Table:
    """What was trained, how and where."""
    run, told = shown.run, shown.prediction
    workload = run.workload
    rows = [fact(phrase("Model"), title_of(shown)), fact(phrase("Data"), *_data(shown))]
    if told is not None:
        rows.append(fact(phrase("Parameters"), format_count(told.model.params)))
        rows.append(fact(phrase("Input"), *(shape_words(shape) for shape in told.model.input_shapes)))
    rows += [fact(phrase("Plan"), *plan_facts(workload)), fact(phrase("Machine"), *filter(None, _where(shown)))]
    return facts(phrase("What was trained"), rows)


def _where(shown: Shown) -> Iterator[str]:
    """The card, the processor, RAM, system and frameworks."""
    machine, card, versions = shown.run.machine, shown.card, shown.run.result.environment
    if card is not None:
        size = card.memory_total_bytes
        yield card.name if size is None else phrase("{card}, {size}", card=card.name, size=format_bytes(size))
    yield machine.cpu.name or NOT_AVAILABLE
    cores = machine.cpu.usable_cores
    if cores is not None:
        yield plural("1 core", "{n} cores", cores, n=format_number(cores, "g"))
    if machine.ram.total_bytes is not None:
        yield phrase("{size} RAM", size=format_bytes(machine.ram.total_bytes))
    yield machine.os or ""
    backend = shown.run.workload.plan.backend
    if backend in versions:
        yield phrase("{framework} {version}", framework=TITLES[backend], version=versions[backend])
    if machine.simulated:
        yield SIMULATED
