"""What to type after a mistake: the same command with the word that was probably meant, else the verb's help."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Iterable, Sequence

from typer.exceptions import TyperException

from app.core.types.errors import WillItTrainError
from app.core.types.text import Text, phrase

PROGRAM = "willittrain"
_CHOICES = re.compile(r"'(?P<typed>[^']*)' is not one of (?P<choices>'[^']*'(?:, '[^']*')*)")
_NO_COMMAND = re.compile(r"No such command '(?P<typed>[^']*)'")
_PREFIX = "Value error, "
"""Pydantic's, which says nothing to a person."""
_LIKE = 0.5
"""How much two words must have in common to be taken for each other (`difflib.SequenceMatcher.ratio`)."""


def usage_message(error: TyperException, words: Sequence[str]) -> Text:
    """What is wrong with the words of a command, and what to type instead."""
    message = error.format_message().replace(_PREFIX, "").rstrip(".")
    mistake = _mistake(error, message, words)
    if mistake is not None and (fixed := _with(words, *mistake)):
        return phrase("{message}; try `{command}`", message=message, command=fixed)
    path = getattr(getattr(error, "ctx", None), "command_path", PROGRAM)
    return phrase("{message}; see `{command}`", message=message, command=f"{path} --help")


def problem_message(error: WillItTrainError, words: Sequence[str]) -> Text:
    """A problem, and the command with the name that was probably meant, if there is one."""
    typed = error.received.strip("'\"")
    if error.instead and (fixed := _with(words, typed, error.instead)):
        if str(error).endswith("?"):
            return phrase("{message} Try `{command}`", message=error, command=fixed)
        return phrase("{message}; try `{command}`", message=error, command=fixed)
    return phrase("{message}", message=error)


def _mistake(error: TyperException, message: str, words: Sequence[str]) -> tuple[str, str] | None:
    """The wrong word, and the likely one; None if nothing is like it."""
    typed = getattr(error, "option_name", "")
    known: Iterable[str] = _options(error, typed, words)
    if found := _CHOICES.search(message):
        typed, known = found["typed"], re.findall("'([^']*)'", found["choices"])
    elif found := _NO_COMMAND.search(message):
        group = getattr(getattr(error, "ctx", None), "command", None)
        typed, known = found["typed"], getattr(group, "commands", {})
    close = difflib.get_close_matches(typed, list(known), n=1, cutoff=_LIKE)
    return (typed, close[0]) if close else None


def _options(error: TyperException, typed: str, words: Sequence[str]) -> Iterable[str]:
    """The options that may have been meant: those that take a value where one stands behind, else those that do not."""
    known = getattr(error, "possibilities", None) or ()
    behind = [after for word, after in zip(words, (*words[1:], "-"), strict=True) if word == typed]
    if not behind:
        return known
    given = not behind[0].startswith("-")
    params = getattr(getattr(getattr(error, "ctx", None), "command", None), "params", ())
    named = {name: not getattr(one, "is_flag", False) for one in params for name in (*one.opts, *one.secondary_opts)}
    return [name for name in known if named.get(name, given) == given]


def _with(words: Sequence[str], typed: str, meant: str) -> str:
    """The command with one word in another's place, also behind an option's ``=`` or before a file's function.

    Returns:
        The command; empty if the word does not stand there.
    """
    places = [
        n for n, word in enumerate(words) if typed and typed in (word, *word.split("=", 1), word.rpartition(":")[0])
    ]
    if not places:
        return ""
    fixed = list(words)
    fixed[places[0]] = fixed[places[0]].replace(typed, meant, 1)
    return shlex.join([PROGRAM, *fixed])
