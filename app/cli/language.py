"""Which language the terminal speaks: the window's if one was chosen there, else that of the environment.

JSON and what stands in files stay English, and so does ``--help``.
"""

from __future__ import annotations

import configparser
import os
from dataclasses import replace
from pathlib import Path

from app.catalog.paths import resource_path
from app.presentation.language import ENGLISH, SPOKEN, Language, load

VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""What names the language of messages, the first that is set (POSIX, Base Definitions 8.2)."""


def terminal_language() -> Language:
    """The language for everything that people read; English figures without a region, as scripts know them."""
    chosen, sizes = _window_settings()
    system = next(filter(None, map(os.environ.get, VARIABLES)), "").partition(".")[0]
    code = chosen if chosen in SPOKEN else system.partition("_")[0]
    if code not in SPOKEN or code == ENGLISH.code:
        return replace(ENGLISH, decimal_sizes=sizes)
    region = system if system.startswith(code) else f"{code}_{code.upper()}"
    return load(code, resource_path("i18n"), region=region, decimal_sizes=sizes)


def said(text: str) -> str:
    """A text in the terminal's language."""
    return terminal_language().say(text)


def _window_settings() -> tuple[str, bool]:
    """The language and the sizes that were chosen in the window (`app.ui.session.ui_settings` writes them)."""
    stored = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        stored.read(_window_folder() / "window.ini", encoding="utf-8")
        values = stored["General"] if stored.has_section("General") else {}
    except (configparser.Error, UnicodeDecodeError, OSError):
        values = {}
    return values.get("language", "system"), values.get("sizes", "binary") == "decimal"


def _window_folder() -> Path:
    """Where the window keeps its settings, as `app.ui.kit.resources.window_dir` has it."""
    chosen = os.environ.get("WILLITTRAIN_DATA_DIR")
    if chosen:
        return Path(chosen) / "window"
    import platformdirs

    return Path(platformdirs.user_cache_dir("willittrain")) / "window"
