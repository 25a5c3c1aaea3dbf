"""The language of the window: English and German through Qt Linguist, numbers and dates by locale.

English texts stand in the source; ``resources/i18n`` holds what ``packaging/translations.py`` builds.  The
chosen language is kept as a property of the application object, as the palette is (`app.ui.kit.style`).
"""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.ui.kit.resources import resources_dir

LANGUAGES = ("system", "en", "de")
"""What can be chosen."""

_PROPERTY = "willittrain_language"
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


def install(app: QApplication, chosen: str) -> str:
    """Let the application speak a language; windows made from now on use it.

    Args:
        app: The application object.
        chosen: One of `LANGUAGES`; anything else counts as ``system``.

    Returns:
        The language of the texts.
    """
    language = spoken(chosen)
    for old in app.findChildren(QTranslator, _TRANSLATOR):
        app.removeTranslator(old)
        old.deleteLater()
    folders = {
        f"qtbase_{language}": QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath),
        f"willittrain_{language}": str(resources_dir() / "i18n"),
    }
    for name, folder in folders.items():
        translator = QTranslator(app)
        translator.setObjectName(_TRANSLATOR)
        if translator.load(name, folder):
            app.installTranslator(translator)
    QLocale.setDefault(locale_of(chosen))
    app.setProperty(_PROPERTY, language)
    return language


def current() -> str:
    """The language of the texts now; English before `install` was called."""
    app = QApplication.instance()
    return str(app.property(_PROPERTY) or "en") if app is not None else "en"
