"""Which language the window speaks, and whose numbers and dates it writes.

The language (`app.presentation.language`) is a property of the application object, as the palette is
(`app.ui.kit.style`); Qt translates the texts of its own dialogs.
"""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.presentation.language import load
from app.ui.kit.resources import resources_dir
from app.ui.kit.speech import PROPERTY

LANGUAGES = ("system", "en", "de")
"""What can be chosen."""

_TRANSLATOR = "willittrain translator"
_LOCALES = {
    "en": QLocale(QLocale.Language.English, QLocale.Country.UnitedStates),
    "de": QLocale(QLocale.Language.German, QLocale.Country.Germany),
}


def spoken(chosen: str, system: QLocale | None = None) -> str:
    """The language of the texts: ``en`` or ``de``.

    Args:
        chosen: One of `LANGUAGES`.
        system: The desktop's locale; read from Qt by default.
    """
    if chosen in _LOCALES:
        return chosen
    wished = (system or QLocale.system()).uiLanguages()
    known = (tag.partition("-")[0] for tag in wished)
    return next((language for language in known if language in _LOCALES), "en")


def locale_of(chosen: str, system: QLocale | None = None) -> QLocale:
    """How numbers and dates are written: as the desktop has them, unless another language was chosen."""
    own = system or QLocale.system()
    if chosen not in _LOCALES or own.language() == _LOCALES[chosen].language():
        return own
    return _LOCALES[chosen]


def install(app: QApplication, chosen: str, *, decimal_sizes: bool = False) -> str:
    """Let the application speak a language; windows made from now on use it.

    Args:
        app: The application object.
        chosen: One of `LANGUAGES`; anything else counts as ``system``.
        decimal_sizes: Sizes are in powers of 1000.

    Returns:
        The language of the texts.
    """
    code, locale = spoken(chosen), locale_of(chosen)
    for old in app.findChildren(QTranslator, _TRANSLATOR):
        app.removeTranslator(old)
        old.deleteLater()
    translator = QTranslator(app)
    translator.setObjectName(_TRANSLATOR)
    if translator.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(translator)
    QLocale.setDefault(locale)
    region = None if locale.language() == QLocale.Language.C else locale.name()
    language = load(code, resources_dir() / "i18n", region=region, decimal_sizes=decimal_sizes)
    app.setProperty(PROPERTY, language)
    return code
