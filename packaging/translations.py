"""Bring the catalogues up to date: ``python packaging/translations.py [--check]``.

1. Reads every template that the program can say out of its source (the functions of `app.core.types.text` and
   `app.ui.kit.speech` that make texts), out of the reports' templates and the tables.
2. Takes them into ``resources/i18n/LANGUAGE/LC_MESSAGES/willittrain.po``, keeping what is translated.
3. Compiles the ``.mo`` files that the program loads.

What has no finished translation is printed; then the exit code is 1.  Write the German into the ``.po`` (with any
editor for gettext catalogues, or by hand) and run this again.  ``--check`` writes nothing.  English stands in the
source, so its catalogue is compiled for its plural forms alone and needs no file.
"""

from __future__ import annotations

import argparse
import ast
import csv
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import jinja2
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import extract_from_ast

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "i18n"
LANGUAGES = ("de",)
DOMAIN = "willittrain"
TABLES = {
    "prices.csv": ("price_date", "source"),
    "clouds.csv": ("price_date", "source"),
    "accuracy/peers.csv": ("what",),
}
"""What is said of these tables, by column, besides where electricity has its price."""
KEYWORDS = {"phrase": 0, "tr": 0, "phrase_in": 1, "tr_in": 1, "plural": 0, "tr_many": 0}
"""Functions that make texts, and which argument is the template."""
_LETTER = re.compile(r"[^\W\d_]")
_PLACE = re.compile(r"\{\w+\}")


class Message(NamedTuple):
    """A template that is translated."""

    template: str
    plural: str = ""
    context: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """As Babel keys it."""
        return (self.template, self.plural) if self.plural else self.template


def messages() -> list[Message]:
    """Every template of the program that has words in it, sorted."""
    found: set[Message] = set()
    for path in sorted((ROOT / "app").rglob("*.py")):
        found.update(of_source(path.read_text("utf-8"), path.name))
    for table, columns in TABLES.items():
        with (ROOT / "resources" / table).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        found.update(Message(row["name"]) for row in rows if row.get("kind") == "electricity")
        found.update(Message(row[column]) for row in rows for column in columns if re.search("[a-z]{2}", row[column]))
    for template in sorted((ROOT / "resources" / "templates").glob("*.j2")):
        parsed = jinja2.Environment().parse(template.read_text("utf-8"))
        found.update(
            Message(str(texts[0])) for _line, _name, texts in extract_from_ast(parsed, ("t",), babel_style=False)
        )
    return sorted(one for one in found if _LETTER.search(_PLACE.sub("", one.template)))


def of_source(source: str, name: str) -> Iterator[Message]:
    """The templates of one Python file.

    Raises:
        SystemExit: A template is no literal, so that nobody could translate it.
    """
    for node in ast.walk(ast.parse(source)):
        function = node.func if isinstance(node, ast.Call) else None
        keyword = getattr(function, "id", "")
        if not isinstance(node, ast.Call) or keyword not in KEYWORDS:
            continue
        literals = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        first, needed = KEYWORDS[keyword], KEYWORDS[keyword] + 1 + (keyword in ("plural", "tr_many"))
        if len(literals) < needed:
            raise SystemExit(f"{name}, line {node.lineno}: the template of {keyword}() is no literal")
        yield Message(literals[first], literals[1] if needed - first == 2 else "", literals[0] if first else "")


def updated(language: str, found: list[Message]) -> Catalog:
    """The catalogue of a language with exactly these messages, translated as far as it was."""
    with po_file(language).open("rb") as file:
        catalogue = read_po(file, locale=language, domain=DOMAIN)
    wanted = {(one.template, one.context) for one in found}
    for message in [message for message in catalogue if message.id]:
        template = message.id if isinstance(message.id, str) else message.id[0]
        if (template, message.context or "") not in wanted:
            catalogue.delete(message.id, message.context)
    for one in found:
        if catalogue.get(one.id, one.context or None) is None:
            catalogue.add(one.id, context=one.context or None)
    return catalogue


def unfinished(catalogue: Catalog) -> list[str]:
    """Templates without a finished translation, or whose translation has other places."""
    found = []
    for message in catalogue:
        sources = (message.id,) if isinstance(message.id, str) else message.id
        told = (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))
        used = {frozenset(_PLACE.findall(one)) for one in told}
        known = frozenset(place for one in sources for place in _PLACE.findall(one))
        whole = all(one <= known for one in used) if len(sources) > 1 else used == {known}
        if message.id and (message.fuzzy or not all(told) or not whole):
            found.append(sources[0])
    return found


def po_file(language: str) -> Path:
    """The catalogue of a language."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def written(catalogue: Catalog) -> dict[str, bytes]:
    """The file that a translator edits and the file that the program loads, by suffix."""
    po, mo = BytesIO(), BytesIO()
    write_po(po, catalogue, width=110, no_location=True, sort_output=True)
    write_mo(mo, catalogue)
    return {".po": po.getvalue(), ".mo": mo.getvalue()}


def main(arguments: list[str] | None = None) -> int:
    """Update or check; 1 if a translation is missing or ``--check`` finds files that are out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only say whether the files are up to date")
    chosen = parser.parse_args(arguments)
    found, wrong = messages(), 0
    for language in LANGUAGES:
        catalogue = updated(language, found)
        for template in unfinished(catalogue):
            print(f"not translated: {language}: {template}")
            wrong += 1
        for suffix, content in written(catalogue).items():
            path = po_file(language).with_suffix(suffix)
            if chosen.check and (not path.is_file() or path.read_bytes() != content):
                print(f"out of date: {path.relative_to(ROOT).as_posix()}")
                wrong += 1
            elif not chosen.check:
                path.write_bytes(content)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
