"""The language of the window for the reports that it saves."""

from __future__ import annotations

from app.services.reports.language import Language
from app.ui.kit.speech import speaker


def report_language() -> Language:
    """How the window speaks now."""
    spoken = speaker()
    return Language(spoken.code, spoken.say)
