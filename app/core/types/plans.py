"""What is made of a plan by its declared options: another plan, words, JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.core.types.errors import InvalidWorkload
from app.core.types.options import Option
from app.core.types.plan import Plan, plan_options
from app.core.types.text import Text


def plan_words(plan: Plan) -> tuple[Text, ...]:
    """What a plan has that is not usual, one entry each; its headline (`Option.headline`) is said elsewhere."""
    chosen = (one for one in plan_options() if not one.headline and getattr(plan, one.name) != one.default)
    return tuple(filter(None, (one.described(plan) for one in chosen)))


def another_model(plan: Plan) -> Plan:
    """The plan without what it says of one model."""
    return replace(plan, **{one.name: one.default for one in plan_options() if one.of_model})


def nearest_plan(plan: Plan, values: Mapping[str, Any]) -> Plan:
    """The plan with other values; those that cannot be had beside the rest give way to the defaults."""
    cautious = [one for one in plan_options() if one.refused is not None]
    safe = {one.name: one.default for one in cautious}
    found = replace(plan, **{**values, **safe})
    for one in cautious:
        wanted = replace_unless_refused(found, one, values.get(one.name, getattr(plan, one.name)))
        found = found if isinstance(wanted, InvalidWorkload) else wanted
    return found


def replace_unless_refused(plan: Plan, one: Option, value: Any) -> Plan | InvalidWorkload:
    """The plan with another value of one option, or why it cannot have that."""
    try:
        return replace(plan, **{one.name: value})
    except InvalidWorkload as error:
        return error


def plan_from_json(values: Mapping[str, Any]) -> Plan:
    """The plan among JSON values, whose lists become tuples; other keys are passed over."""
    return Plan(**{one.name: _tuples(values[one.name]) for one in plan_options() if one.name in values})


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """A plan, every option, as JSON values."""
    return {one.name: _lists(getattr(plan, one.name)) for one in plan_options()}


def _tuples(value: Any) -> Any:
    """A value of JSON as a plan has it."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _lists(value: Any) -> Any:
    """A value of a plan as JSON has it."""
    return list(map(_lists, value)) if isinstance(value, tuple) else value
