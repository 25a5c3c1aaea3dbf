"""The options of a plan on the command line, made from their declarations (`app.core.types.plan`)."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import typer

from app.core.types.errors import InvalidWorkload, UsageError
from app.core.types.options import Option
from app.core.types.plan import Plan, plan_options

_TYPES: dict[str, Any] = {"switch": bool, "auto_switch": bool, "whole": int, "number": float, "patterns": list[str]}


def plan_parameters() -> list[inspect.Parameter]:
    """A keyword parameter for each option, as typer reads them."""
    return [_parameter(one) for one in plan_options()]


def plan_from(values: Mapping[str, Any]) -> Plan:
    """The plan that was typed.

    Args:
        values: What typer made of each option, by the names of `plan_parameters`; what is not there was not typed.

    Raises:
        UsageError: An option has an impossible value.
    """
    try:
        return Plan(**{one.name: _value(one, values[one.name]) for one in plan_options() if one.name in values})
    except InvalidWorkload as error:
        raise UsageError(error.message, expected=error.expected, received=error.received, hint=error.hint) from error


def _value(option: Option, typed: Any) -> Any:
    """What typer read, as a plan has it."""
    if option.kind == "patterns":
        return tuple(typed or ())
    return option.read(typed) if option.read is not None and isinstance(typed, str) else typed


def _parameter(option: Option) -> inspect.Parameter:
    """One option for typer."""
    typed: Any = Literal[tuple(option.choices)] if option.choices else _TYPES.get(option.kind, str)
    if option.optional or option.kind == "patterns":
        typed = typed | None
    both = (f"{option.flag}/--no-{option.flag.removeprefix('--')}",)
    flags = {"switch": both if option.default else (option.flag,), "auto_switch": both}
    least, most = (limit if option.kind in ("whole", "number") else None for limit in (option.minimum, option.maximum))
    told = typer.Option(
        *flags.get(option.kind, ()), help=option.help, min=least, max=most, metavar=option.metavar or None
    )
    default = None if option.kind == "patterns" else option.default
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(option.name, kind, default=default, annotation=Annotated[typed, told])
