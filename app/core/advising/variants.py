"""What to compare: the words of ``--compare`` become variants of a plan, each with the change it is named by.

Each setting is changed by itself: ``xla,threads`` compares the plan with one variant of the other XLA and one for
each other thread count, so that every difference has one cause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.core.types.errors import UsageError
from app.core.types.plan import Plan
from app.core.types.plan_values import CACHES, MAX_THREADS, Cache, Precision
from app.core.types.text import Text, phrase, verbatim

SETTINGS: tuple[str, ...] = ("device", "xla", "precision", "threads", "data")
COMPARED_PRECISIONS: tuple[Precision, ...] = ("float32", "mixed_float16", "mixed_bfloat16")
COMPARED_CACHES: tuple[Cache, ...] = ("none", "ram")
_SWITCH = {"on": True, "off": False}

Wishes = Mapping[str, tuple[Any, ...]]
"""Setting to the values that were listed, as a plan has them; an empty list means the usual ones."""


@dataclass(frozen=True)
class Here:
    """What this machine makes of a plan: its device, XLA (``torch.compile``), its threads, and the cards there are."""

    device: str
    xla: bool
    threads: int
    gpus: tuple[int, ...] = ()
    real_data: bool = False


@dataclass(frozen=True)
class Variant:
    """A plan and the words by which it differs from the others."""

    label: str
    plan: Plan


def read_wishes(texts: Sequence[str]) -> Wishes:
    """Read ``xla,threads`` or ``precision=float32,mixed_float16,xla``; several texts add up.

    Raises:
        UsageError: There is no such setting, or a value is impossible.
    """
    wishes: dict[str, tuple[Any, ...]] = {}
    for text in texts:
        listed = None
        for word in (part.strip() for part in text.split(",")):
            name, given, value = word.partition("=")
            if given or name in SETTINGS:
                _check_setting(name)
                wishes.setdefault(name, ())
                listed = name if given else None
            elif listed is None:
                _check_setting(name)
            if listed is not None:
                wishes[listed] += (_READ[listed](value if given else word),)
    return wishes


def variants(plan: Plan, wishes: Wishes, here: Here) -> tuple[Variant, ...]:
    """The plans to compare, the one that is asked about (or the first that was listed) first.

    Raises:
        UsageError: There is nothing to compare.
    """
    choices = {name: _values(name, listed, here) for name, listed in wishes.items()}
    if "data" in choices and not here.real_data:
        raise UsageError(
            phrase("data that is made up has no pipeline to compare"),
            received="--compare data",
            hint=phrase("name your own folder or file with --dataset"),
        )
    base = {name: _base(name, wishes[name], values, plan, here) for name, values in choices.items()}
    first = replace(plan, **_changes(base))
    label = " · ".join(_words(name, value, plan) for name, value in base.items())
    found = [Variant(label, first)]
    for name, values in choices.items():
        others = [value for value in values if value != base[name]]
        found += [Variant(_words(name, value, plan), replace(first, **_changes({name: value}))) for value in others]
    if len(found) < 2:
        raise UsageError(
            phrase("there is nothing to compare"),
            received=", ".join(wishes),
            expected=phrase("two values or more"),
            hint=phrase("list them, such as --compare threads=1,2"),
        )
    return tuple(found)


def _check_setting(name: str) -> None:
    """Refuse what cannot be compared."""
    if name not in SETTINGS:
        raise UsageError(
            phrase("cannot compare this"),
            expected=", ".join(SETTINGS),
            received=name,
            hint=phrase("or a list such as precision=float32,mixed_float16"),
        )


def _values(name: str, listed: tuple[Any, ...], here: Here) -> tuple[Any, ...]:
    """The values of a setting: those listed, else the usual ones."""
    if listed:
        return tuple(dict.fromkeys(listed))
    if name == "device":
        return ("cpu", *(f"gpu:{index}" for index in here.gpus or (0,)))
    if name == "xla":
        return (False, True)
    if name == "precision":
        return COMPARED_PRECISIONS
    if name == "data":
        return COMPARED_CACHES
    return tuple(dict.fromkeys((here.threads, max(1, here.threads // 2), 1)))


def _base(name: str, listed: tuple[Any, ...], values: tuple[Any, ...], plan: Plan, here: Here) -> Any:
    """The value that the others are held against: the plan's own if it is among them and nothing was listed."""
    own: dict[str, Any] = {
        "device": here.device,
        "xla": here.xla,
        "precision": plan.precision,
        "threads": plan.threads or here.threads,
        "data": plan.cache,
    }
    return own[name] if own[name] in values and not listed else values[0]


def _changes(values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of the plan."""
    fields = {"xla": "jit", "data": "cache"}
    return {fields.get(name, name): value for name, value in values.items()}


def _words(name: str, value: Any, plan: Plan) -> Text:
    """A value as a label."""
    if name == "xla":
        compiler = "torch.compile" if plan.backend == "torch" else "XLA"
        return phrase("{compiler} on", compiler=compiler) if value else phrase("{compiler} off", compiler=compiler)
    if name == "threads":
        return phrase("1 thread") if value == 1 else phrase("{value} threads", value=value)
    if name == "data":
        return phrase("no cache") if value == "none" else phrase("cache {value}", value=value)
    return verbatim(str(value))


def _read_device(text: str) -> str:
    """``cpu``, ``gpu`` or ``gpu:N``."""
    device = "gpu:0" if text == "gpu" else text
    if device != "cpu" and not (device.startswith("gpu:") and device[4:].isdecimal()):
        raise UsageError(phrase("unknown device"), expected=phrase("cpu or gpu:N"), received=text)
    return device


def _read_threads(text: str) -> int:
    """A thread count."""
    if not text.isdecimal() or not 1 <= int(text) <= MAX_THREADS:
        raise UsageError(
            phrase("not a thread count"), expected=phrase("1 to {max_threads}", max_threads=MAX_THREADS), received=text
        )
    return int(text)


def _one_of(name: str, values: Mapping[str, Any]) -> Callable[[str], Any]:
    """A reader of a few fixed words."""

    def read(text: str) -> Any:
        if text not in values:
            raise UsageError(phrase("unknown {name}", name=name), expected=", ".join(values), received=text)
        return values[text]

    return read


_READ: dict[str, Callable[[str], Any]] = {
    "device": _read_device,
    "xla": _one_of(phrase("state of XLA"), _SWITCH),
    "precision": _one_of("precision", {name: name for name in COMPARED_PRECISIONS}),
    "threads": _read_threads,
    "data": _one_of("cache", {name: name for name in CACHES}),
}
