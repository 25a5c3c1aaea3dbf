r"""Characters that steer a terminal, a window or a reader's eye instead of being read, written so that they are seen.

A file may be named ``net\x1b]52;c;…\x07.keras``, which puts a text into the clipboard of whoever lists it in a terminal
(xterm's OSC 52), or ``cod\u202efdp.exe``, which is read backwards (Unicode TR 36, "Bidirectional Text Spoofing").
Every face calls `visible` where it prints, logs, draws or exports, and nobody else has to.
"""

from __future__ import annotations

import json
import re

_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e"  # format characters of scripts
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # without width; lines, paragraphs; bidirectional
    "\ud800-\udfff"  # surrogates alone: of a name that is no text
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?[\d.,]+(e[+-]?\d+)?", re.IGNORECASE)
_JOINERS = "\u200c\u200d"
"""Persian, the scripts of India and compound emoji need them, between two characters that are not ASCII."""


def visible(text: str, kept: str = "") -> str:
    r"""The text with an escape, such as Python writes it, for every character that cannot be seen.

    Args:
        text: Any text; lone surrogates are allowed.
        kept: Characters that stay: ``"\n"`` for a text of several lines.
    """

    def shown(found: re.Match[str]) -> str:
        char, at = found[0], found.start()
        if char in kept or (char in _JOINERS and _joins(text[max(0, at - 1) : at]) and _joins(text[at + 1 : at + 2])):
            return char
        return char.encode("unicode_escape").decode()

    return text if text.isprintable() else _HIDDEN.sub(shown, text)


def visible_cell(text: str) -> str:
    """A cell of a table for other programs: one that a spreadsheet would calculate begins with an apostrophe.

    Spreadsheets take what begins with these signs for a formula, which may start programs or ask a host (OWASP, CSV
    injection); a number may begin with them too.
    """
    return visible(text) if text[:1] not in _FORMULA or _NUMBER.fullmatch(text) else f"'{visible(text)}"


def _joins(neighbour: str) -> bool:
    """Is this a character that is joined with others?"""
    return neighbour > "\x7f" and neighbour.isprintable()


def visible_json(document: str) -> str:
    """JSON that means the same, with escapes for the characters that cannot be seen; its line breaks stay."""
    return _HIDDEN.sub(lambda found: "\n" if found[0] == "\n" else json.dumps(found[0])[1:-1], document)
