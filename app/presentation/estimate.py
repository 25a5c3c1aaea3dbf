"""An estimate in full: the verdict, what was asked, what fills the memory, and what other formulas say."""

from __future__ import annotations

from app.core.runs.doubts import BUSY_HOST_PERCENT
from app.core.types.plan import Plan
from app.core.types.plans import plan_words
from app.core.types.prediction import Prediction
from app.core.types.stepgraph import ModelFacts
from app.core.types.text import Text, join, phrase
from app.core.types.units import format_bytes, format_count, format_number, format_share
from app.presentation.captured import captured_words
from app.presentation.figure import Figure, estimate_mark
from app.presentation.fit import memories_of, parts_of
from app.presentation.history import record_lines
from app.presentation.layout import BLANK, Block, Line, Table, Weight, points
from app.presentation.verdict import VerdictState, needs_words, verdict_state
from app.presentation.whole import whole_blocks
from app.presentation.words import LEGEND, MEMORIES, MODES, PARTS, VERDICT_ICONS, VERDICTS, shape_words

WEIGHTS: dict[str, Weight] = {"fits": "good", "tight": "warning", "does_not_fit": "bad", "unknown": "strong"}
_COMPILED = {True: phrase("XLA on"), False: phrase("XLA off"), None: phrase("XLA as Keras decides")}


def estimate_blocks(prediction: Prediction, deadline_s: float | None = None) -> tuple[Block, ...]:
    """All of an estimate, and how likely the training ends within a time."""
    record = prediction.track_record
    return (
        *verdict_lines(prediction),
        BLANK,
        *model_lines(prediction.model, prediction.plan),
        memory_table(prediction),
        *whole_blocks(prediction, deadline_s),
        BLANK,
        *shown_lines(prediction),
        *formula_lines(prediction),
        *((BLANK, *(Line(line, "soft") for line in record_lines(record))) if record is not None else ()),
        *points(phrase("Assumed"), [one for one in assumed(prediction) if one not in prediction.model.assumptions]),
        BLANK,
        Line(LEGEND, "soft"),
    )


def first_lines(prediction: Prediction) -> tuple[Line, ...]:
    """The answer in short, of a machine that is only now being measured."""
    unmeasured = phrase(
        "This machine has not been measured yet: the time is what a glance at it promises and may be off by a factor "
        "of two or more. It is measured now, once, which takes about half a minute."
    )
    return (*verdict_lines(prediction), BLANK, Line(unmeasured, "soft"), BLANK)


def busy_lines(others_percent: float | None) -> tuple[Line, ...]:
    """That other programs take a part of the processor now, where it is enough to matter."""
    if others_percent is None or others_percent < BUSY_HOST_PERCENT:
        return ()
    told = phrase(
        "Other programs use {busy} % of the processor now. A training beside them takes longer than told here.",
        busy=format_number(others_percent, ".0f"),
    )
    return (BLANK, Line(told, "warning"))


def verdict_lines(prediction: Prediction) -> tuple[Line, ...]:
    """The answer: does it fit, how long, what does it wait for."""
    state = verdict_state(prediction)
    word = join(" ", (VERDICT_ICONS[state.verdict], VERDICTS[state.verdict]))
    first = Line(word, WEIGHTS[state.verdict], phrase(" — {needs}", needs=needs_words(state)))
    lines = [join(" · ", _batches(state)), join(" · ", _duration(state)), state.waits]
    told = (Line(line, indent=1) for line in lines if line)
    return (first, *told, *(Line(reason, "soft", indent=1) for reason in state.reasons))


def model_lines(model: ModelFacts, plan: Plan) -> tuple[Line, ...]:
    """One line each on the model and the plan, each followed by what was assumed or taken from its author."""
    parameters = phrase("{params} parameters", params=format_count(model.params))
    if model.trainable_params != model.params:
        parameters = phrase("{parameters} ({n} trained)", parameters=parameters, n=format_count(model.trainable_params))
    shapes = phrase("input {shapes}", shapes=join(", ", map(shape_words, model.input_shapes)))
    compiled = _COMPILED[plan.jit]
    if plan.backend == "torch":
        compiled = phrase("torch.compile on") if plan.jit else phrase("torch.compile off")
    settings = (MODES[plan.mode], plan.optimizer, plan.precision, compiled, *plan_words(plan))
    return (
        Line(phrase("Model: {facts}", facts=join(" · ", (model.name, parameters, shapes)))),
        *(Line(line, indent=1) for line in model.assumptions),
        Line(phrase("Plan: {settings}", settings=join(" · ", settings))),
        *(Line(line, indent=1) for line in (captured_words(model.captured, plan) if model.captured else ())),
    )


def memory_table(prediction: Prediction) -> Table:
    """What fills the memory, and the memories that are never mixed."""
    mark = estimate_mark(prediction.memory.basis)
    parts = [
        (PARTS[part.part], Figure(part.size_bytes, "bytes", mark).marked, format_share(part.share))
        for part in parts_of(prediction)
    ]
    memories = [(MEMORIES[row.kind], row.size.marked, row.size.range) for row in memories_of(prediction)]
    columns = (phrase("Part"), phrase("Size"), phrase("Share"))
    return Table(columns, (*parts, *memories), (1, 2), phrase("What fills the memory"), rule=len(parts))


def shown_lines(prediction: Prediction) -> tuple[Line, ...]:
    """What else the user will read of a card, where it differs from what is needed."""
    shown = prediction.shown_peak_bytes
    if shown is None:
        return ()
    words = phrase(
        "TensorFlow's own counter may show up to {shown}: it tries fast kernels with what room there is.",
        shown=format_bytes(shown),
    )
    return (Line(words),)


def formula_lines(prediction: Prediction) -> tuple[Line, ...]:
    """What the usual formulas say, and why they differ."""
    size, reason = format_bytes(prediction.textbook_bytes), prediction.textbook_reason
    needed = format_bytes(prediction.memory.allocator_peak_bytes)
    lines = [phrase("The textbook formula says {size}, which is much the same.", size=size)]
    if reason:
        lines = [
            phrase(
                "The textbook formula says {size} where {needed} are predicted here: {why}.",
                size=size,
                needed=needed,
                why=reason,
            )
        ]
    if prediction.rule_of_thumb_bytes is not None:
        lines.append(
            phrase(
                "The rule of 35 × the dataset says {size}; it ignores the network and the batch.",
                size=format_bytes(prediction.rule_of_thumb_bytes),
            )
        )
    return tuple(Line(line, "soft") for line in lines)


def assumed(prediction: Prediction) -> tuple[str, ...]:
    """What was assumed, each once, the dominant ones first."""
    lines = (prediction.memory.dominant_assumption, prediction.time.dominant_assumption, *prediction.assumptions)
    return tuple(line for line in dict.fromkeys(lines) if line)


def _batches(state: VerdictState) -> list[Text]:
    """The batch that was asked for, and those that were looked for."""
    found = [phrase("Batch {batch}", batch=format_count(state.batch_size))]
    if state.largest_batch.known:
        found.append(phrase("largest batch {batch}", batch=state.largest_batch.marked))
    if state.best_batch.known:
        found.append(phrase("best {batch}", batch=state.best_batch.marked))
    return found


def _duration(state: VerdictState) -> list[Text]:
    """How long, as far as it is known."""
    if not state.step.known:
        return [phrase("time not available")]
    found = [phrase("{step} per step ({range})", step=state.step.marked, range=state.step.range)]
    if state.epoch.known:
        found.append(phrase("{epoch} per epoch", epoch=state.epoch.marked))
    if state.total.known and state.trainings > 1:
        found.append(
            phrase("{total} for {trainings} trainings", total=state.total.marked, trainings=str(state.trainings))
        )
    elif state.total.known and state.epochs > 1:
        found.append(phrase("{total} for {epochs} epochs", total=state.total.marked, epochs=format_count(state.epochs)))
    return found
