"""What the window says: texts in its language, by the `Language` that the application object carries.

States are made of texts and load no Qt, so Qt is asked only where it is loaded; without a window all is English.
"""

from __future__ import annotations

import sys

from app.core.types.units import format_count
from app.presentation.language import ENGLISH, Language

PROPERTY = "willittrain_language"
"""Property of the application object that holds its language (`app.ui.kit.language`)."""


def speaker() -> Language:
    """The language of the window now."""
    qt = sys.modules.get("PySide6.QtCore")
    app = qt.QCoreApplication.instance() if qt is not None else None
    found = app.property(PROPERTY) if app is not None else None
    return found if isinstance(found, Language) else ENGLISH


def said(text: str) -> str:
    """A text of the other rooms as the window says it; a plain string is a name or said already."""
    return speaker().say(text)


def tr(template: str) -> str:
    """The translation of a text of the window, its places still open for ``str.format``.

    The template is a literal, because ``packaging/translations.py`` reads it out of the source.
    """
    return speaker().phrase(template)


def tr_in(context: str, template: str) -> str:
    """As `tr`, for English that means something else elsewhere."""
    return speaker().phrase(template, context)


def tr_many(one: str, many: str, number: int) -> str:
    """The translation that fits a number of things, with the number by locale in the place ``{n}``."""
    language = speaker()
    return language.counted(one, many, number).replace("{n}", language.say(format_count(number)))
