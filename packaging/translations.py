"""Bring the texts of the window up to date: ``python packaging/translations.py [--check]``.

1. Reads every sentence that `core`, `services`, the probes, the catalog and the child can show out of their
   source, of the tables and of the reports' templates, and writes ``resources/i18n/sentences.txt`` (see
   `app.ui.kit.sentences`).
2. ``lupdate`` takes these and every ``tr()`` of the window into ``willittrain_de.ts``, keeping what is translated;
   ``willittrain_en.ts`` holds only the plural forms of English.
3. ``lrelease`` makes the ``.qm`` files that the window loads.

Both programs come with PySide6.  What has no finished translation is printed; then the exit code is 1.  Write the
German into the ``.ts`` (with Qt Linguist, or by hand) and run this again.  ``--check`` writes nothing that is kept.
"""

from __future__ import annotations

import argparse
import ast
import csv
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import jinja2
from jinja2.ext import extract_from_ast

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "i18n"
TABLES = ("prices.csv", "clouds.csv")
COLUMNS = ("price_date", "source")
"""What the window shows of these tables, besides where electricity has its price."""
TEMPLATES = ROOT / "resources" / "templates"
ROOMS = ("core", "services", "probes", "catalog", "worker")
SILENT = tuple(
    "core/runs/fault_text.py core/simulate/optimizer_recipes.py core/simulate/optimizers.py "
    "core/simulate/update_builder.py core/timing/op_times.py core/timing/signatures.py "
    "core/timing/step_signatures.py core/simulate/xla/expansions.py core/simulate/xla/fusion.py "
    "core/simulate/xla/lowering.py "
    "services/child/stack_dump.py services/child/windows_job.py services/child/worker_command.py "
    "services/reports/diagnostics.py services/settings.py services/store/forecasts.py "
    "services/store/history_schema.py worker/rates/trials.py".split()
)
"""Tables, patterns and texts of the command line: they reach neither the window's labels nor its reports."""
SHOWN_WORDS = frozenset(
    {"DetailLine", "Explanation", "Row", "Series", "SupportLine", "_size_row", "_time_row", "line_chart", "say"}
)
"""Calls whose texts are shown even where they are one word."""
WORD_TABLES = frozenset({"BOUNDS", "FITS", "FRAMEWORKS", "KINDS", "MODES", "OUTCOMES", "PARTS", "VERDICTS"})
"""Tables whose values are shown even where they are one word (`app.services.reports`)."""
KEYS_AS_WORDS = tuple("calibrated compiled computing formula measured off on predicted scaled traced".split())
"""Single words that stand in sentences: what a number is based on (`app.core.types.prediction`), what a device does."""
WRITTEN_FOR_PEOPLE = frozenset(
    "format_bytes format_seconds format_count format_share percent_words len round min max sum _percent".split()
)
"""Functions whose result is a number."""

_LOOKUP = re.compile(r"^_?log\.|^re\.|^Verbatim$|\.(?:get|startswith|endswith|split|find|partition)$")
_PROSE = re.compile(r"(?:^|[^\w])[a-z]{2,}[ ,:;]|[ ][a-z]{2,}")
_CODE = re.compile(
    r"\\|%[sd]|=\"|\(\?|\| |^\s|[a-z]\n|^(?:SELECT|INSERT|UPDATE|CREATE|PRAGMA|BEGIN|import |pip )|arXiv| = |^[a-z]+ /"
)
_UNITS = re.compile(r"(?:\{n?\d+\}|[ ×/]|\b(?:h|min|ms|s|[GT]FLOP)\b)+")
_OPERATIONS = re.compile(r"^(?:[A-Z_][A-Za-z0-9_]*\d*[A-Za-z0-9]* ?)+$")


def sentences() -> list[str]:
    """Every sentence of the source as a pattern, sorted."""
    found: set[str] = set(KEYS_AS_WORDS)
    for room in ROOMS:
        for path in sorted((ROOT / "app" / room).rglob("*.py")):
            if path.relative_to(ROOT / "app").as_posix() not in SILENT:
                found.update(_of_file(path))
    for path in sorted((ROOT / "app" / "ui").rglob("state*.py")):
        found.update(_of_file(path))
    for table in TABLES:
        with (ROOT / "resources" / table).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        found.update(row["name"] for row in rows if row.get("kind") == "electricity")
        found.update(text for row in rows for column in COLUMNS if re.search("[a-z]{2}", text := row[column]))
    for template in sorted(TEMPLATES.glob("*.j2")):
        parsed = jinja2.Environment().parse(template.read_text("utf-8"))
        found.update(str(texts[0]) for _line, _name, texts in extract_from_ast(parsed, ("t",), babel_style=False))
    return sorted(found)


def _of_file(path: Path) -> Iterator[str]:
    """The sentences of one file."""
    tree = ast.parse(path.read_text("utf-8"))
    skipped = _no_sentences(tree)
    single = {id(text) for node in ast.walk(tree) for argument in _shown_words(node) for text in ast.walk(argument)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        text = _pattern(node)
        if text and (_is_prose(text) or (id(node) in single and re.search(r"[A-Za-z]{3}", text))):
            yield text.strip()


def _shown_words(node: ast.AST) -> list[ast.expr]:
    """What in a call or a table is shown word by word."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SHOWN_WORDS:
        return node.args
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    table = getattr(node, "value", None)
    return table.values if isinstance(table, ast.Dict) and getattr(target, "id", "") in WORD_TABLES else []


def _no_sentences(tree: ast.AST) -> set[int]:
    """Docstrings, log lines, what is looked up or compared, and the pieces of f-strings, which are read as a whole."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            found.update(id(piece) for piece in node.values if isinstance(piece, ast.Constant))
            for piece in node.values:
                if isinstance(piece, ast.FormattedValue) and piece.format_spec is not None:
                    found.update(map(id, ast.walk(piece.format_spec)))
        elif isinstance(node, ast.Attribute) and node.attr == "split":
            found.add(id(node.value))
        elif isinstance(node, ast.Compare | ast.Subscript):
            found.update(id(operand) for operand in ast.iter_child_nodes(node) if isinstance(operand, ast.Constant))
        elif isinstance(node, ast.Call) and _LOOKUP.search(ast.unparse(node.func)):
            found.update(id(inner) for argument in node.args for inner in ast.walk(argument))
    return found


def _pattern(node: ast.AST) -> str:
    """A literal as a pattern: places are numbered, ``n`` marks a number."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if not isinstance(node, ast.JoinedStr):
        return ""
    text, count = "", 0
    for piece in node.values:
        if isinstance(piece, ast.FormattedValue):
            count += 1
            text += "{" + ("n" if _is_number(piece) else "") + str(count) + "}"
        else:
            text += str(piece.value)  # type: ignore[attr-defined]
    return text


def _is_number(piece: ast.FormattedValue) -> bool:
    """Does an f-string write a number in this place."""
    if isinstance(piece.format_spec, ast.JoinedStr):
        return True
    call = piece.value
    if isinstance(call, ast.BinOp):
        return not any(isinstance(text, ast.Constant) and isinstance(text.value, str) for text in ast.walk(call))
    return isinstance(call, ast.Call) and getattr(call.func, "id", "") in WRITTEN_FOR_PEOPLE


def _is_prose(text: str) -> bool:
    """Is this written for people, as far as its form tells."""
    words = re.sub(r"\{n?\d+\}", "x", text)
    fixed = re.sub(r"\{n?\d+\}", "", text)
    if _UNITS.fullmatch(text) or not re.search(r"[a-z]{2}", fixed) or " " not in words.strip() or _CODE.search(text):
        return False
    return bool(_PROSE.search(words)) and not _OPERATIONS.match(words.strip())


def _tool(name: str) -> str:
    """``lupdate`` or ``lrelease`` of the interpreter that runs this.

    Raises:
        SystemExit: PySide6's tools are not installed beside it.
    """
    found = shutil.which(f"pyside6-{name}", path=str(Path(sys.executable).parent)) or shutil.which(f"pyside6-{name}")
    if found is None:
        raise SystemExit(f"pyside6-{name} is missing: install PySide6-Essentials for this interpreter")
    return found


def update(folder: Path) -> None:
    """Write sentences, catalogues and their compiled forms into a folder that may hold older ones."""
    known = sentences()
    (folder / "sentences.txt").write_text("\n".join(known) + "\n", "utf-8", newline="\n")
    with tempfile.TemporaryDirectory() as scratch:
        calls = "\n".join(f'translate("sentences", {_quoted(text)})' for text in known)
        listed = Path(scratch) / "sentences.py"
        listed.write_text(calls + "\n", "utf-8")
        sources = sorted(map(str, (ROOT / "app" / "ui").rglob("*.py")))
        common = ["-locations", "none", "-no-obsolete", "-source-language", "en", "-silent"]
        german, english = str(folder / "willittrain_de.ts"), str(folder / "willittrain_en.ts")
        for options in (
            ["-target-language", "de", "-ts", german],
            ["-target-language", "en", "-pluralonly", "-ts", english],
        ):
            subprocess.run([_tool("lupdate"), *common, *sources, str(listed), *options], check=True)
        for catalogue in (german, english):
            subprocess.run([_tool("lrelease"), "-silent", catalogue], check=True)


def _quoted(text: str) -> str:
    """A text as a literal that lupdate reads."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def unfinished(catalogue: Path) -> list[tuple[str, str]]:
    """Messages (context, source) of a ``.ts`` file that have no finished translation."""
    found = []
    for context in ElementTree.parse(catalogue).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            forms = [] if translation is None else (translation.findall("numerusform") or [translation])
            done = translation is not None and translation.get("type") is None and all(form.text for form in forms)
            if not done:
                found.append((context.findtext("name", ""), message.findtext("source", "")))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Update or check; 1 if a translation is missing or ``--check`` finds files that are out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only say whether the files are up to date")
    chosen = parser.parse_args(arguments)
    stale: list[str] = []
    with tempfile.TemporaryDirectory() as copy:
        folder = Path(copy) if chosen.check else FOLDER
        if chosen.check:
            shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
        update(folder)
        missing = [one for name in ("de", "en") for one in unfinished(folder / f"willittrain_{name}.ts")]
        if chosen.check:
            stale = [f.name for f in sorted(folder.iterdir()) if f.read_bytes() != (FOLDER / f.name).read_bytes()]
    for context, source in missing:
        print(f"not translated: {context}: {source}")
    for name in stale:
        print(f"out of date: resources/i18n/{name}")
    return 1 if missing or stale else 0


if __name__ == "__main__":
    sys.exit(main())
