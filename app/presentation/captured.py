"""What a model's author wrote, and what the user changed of it, in words."""

from __future__ import annotations

from app.core.types.captured import Captured
from app.core.types.plan import Plan, plan_options
from app.core.types.text import Text, join, phrase, verbatim
from app.core.types.units import format_count
from app.presentation.trainings import training_lines

_SAID = ("optimizer", "batch_size", "precision", "epochs")
"""Always said of a file, as far as it says them; other settings stand among the plan's words."""


def captured_words(captured: Captured, plan: Plan) -> list[Text]:
    """Lines on what was found in the author's code: its settings, what an option changed of them, what else is told."""
    if captured.fit is None and captured.get("optimizer") is None:
        return list(captured.told)  # a function that compiles nothing says nothing of training
    known = {name: captured.get(name) for name in _SAID}
    words = [_setting(name, value) for name, value in known.items() if value is not None]
    lines = [phrase("your file: {settings}", settings=join(", ", words))]
    labels = {one.name: one for one in plan_options()}
    for name, value in captured.changed(plan):
        one = labels[name]
        lines.append(
            phrase(
                "{option}: {now} here, {was} in your file",
                option=one.label,
                now=one.value_words(getattr(plan, name)),
                was=one.value_words(value),
            )
        )
    if captured.fit is not None:
        lines += training_lines(captured)
    return [*lines, *captured.told]


def _setting(name: str, value: object) -> Text:
    """One of the settings that are always said."""
    if name == "batch_size":
        return phrase("batch {size}", size=format_count(float(str(value))))
    if name == "epochs":
        return phrase("{epochs} epochs", epochs=format_count(float(str(value))))
    return verbatim(str(value))
