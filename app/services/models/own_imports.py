"""Which modules of its own folder a Python file imports: read from the text, nothing is run.

What a file imports by a name that it makes up when it runs cannot be read; then every module of the folder may be
meant.  The child imports from the folder what is found here and nothing else (`app.worker.models.own.beside`).
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.core.types.errors import BadModel
from app.core.types.notebook import SUFFIX
from app.core.types.source_text import MAX_CODE_BYTES, Hiding, Unreadable, parsed, text_of
from app.core.types.text import phrase

MAX_TOTAL_CODE_BYTES = 4 * MAX_CODE_BYTES
"""Of a file and all that it imports of its folder; each is parsed."""
MAX_COMPILED_BYTES = 256 * 1024**2
"""Of all compiled modules together, which are held in memory."""
MAX_NOTEBOOK_BYTES = 32 * 1024**2
"""With its pictures."""
MAX_MODULES = 200
"""More are no folder of a model, but of a life."""
MAX_FOLDERS = 1000
"""As many are looked into for modules whose names the file makes up."""
_SUFFIXES = (".py", ".so", ".pyd")
_NOT_OURS = ("site-packages", "dist-packages", "__pycache__", "node_modules")
_LOADERS = ("import_module", "__import__", "spec_from_file_location", "run_path", "run_module")


def modules_beside(path: Path, content: bytes) -> dict[str, bytes]:
    """Contents of the modules below a file's folder that it may import, and those that they may, by relative path.

    Args:
        path: The file.
        content: What it holds.

    Raises:
        BadModel: They are too many, or one of them is too long or cannot be read.
    """
    found, listing = _Found(path, content), _Listing()
    waiting = [(source_text(path, content), "")]
    package = path.parent / "__init__.py"
    if package != path and package.is_file():  # runs before the file does where it is run by its name in a package
        waiting.append((source_text(package, found.take(package)), ""))
    while waiting:
        source, within = waiting.pop()
        for place in _imported(source, within, path.parent, listing):
            name = place.relative_to(path.parent).as_posix()
            if name in found.held or place == path:
                continue
            module = found.take(place)
            if place.suffix == ".py":
                waiting.append((source_text(place, module), _package_of(name)))
    return dict(sorted(found.held.items()))


class _Found:
    """Modules below a file's folder, as far as they are no more than a person wrote."""

    def __init__(self, path: Path, content: bytes) -> None:
        self._folder = path.parent
        self.held: dict[str, bytes] = {}
        self._code_left = MAX_TOTAL_CODE_BYTES - len(content)
        self._compiled_left = MAX_COMPILED_BYTES

    def take(self, place: Path) -> bytes:
        """Read one.

        Raises:
            BadModel: They are too many or too long together, or it is so alone or cannot be read.
        """
        content = read_bounded(place)
        if place.suffix == ".py":
            self._code_left -= len(content)
        else:
            self._compiled_left -= len(content)
        if len(self.held) == MAX_MODULES or min(self._code_left, self._compiled_left) < 0:
            raise BadModel(
                phrase("the file imports too much of its folder"),
                expected=phrase("at most {most} modules", most=MAX_MODULES),
                received=str(self._folder),
                hint=phrase("put the model's files into a folder of their own"),
            )
        self.held[place.relative_to(self._folder).as_posix()] = content
        return content


def source_text(path: Path, content: bytes) -> str:
    """What a source says, for people and for the parser.

    Raises:
        BadModel: It is in an encoding that would hide that.
    """
    try:
        return text_of(content)
    except Hiding as error:
        raise BadModel(
            phrase("this is no Python that can be read"), expected="UTF-8", received=f"{path}: {error}"
        ) from error


def read_bounded(path: Path) -> bytes:
    """What a file of code holds.

    Raises:
        BadModel: The file cannot be read or is too long to have been read by anybody.
    """
    most = {".py": MAX_CODE_BYTES, SUFFIX: MAX_NOTEBOOK_BYTES}.get(path.suffix.lower(), MAX_COMPILED_BYTES)
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise BadModel(phrase("the file cannot be read"), received=f"{path}: {error.strerror}") from error
    if len(content) > most:
        raise BadModel(
            phrase("the file is too long"),
            expected=phrase("at most {max_code} bytes", max_code=f"{most:,}"),
            received=str(path),
        )
    return content


def _imported(source: str, package: str, folder: Path, listing: _Listing) -> Iterator[Path]:
    """Files below a folder that a source may import."""
    try:
        tree = parsed(source)
    except Unreadable:
        return  # the child says what is wrong with it
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from listing.places(folder, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: -(node.level - 1) or None] if node.level and package else []
            parts = [*above, *(node.module.split(".") if node.module else [])]
            for alias in node.names:
                yield from listing.places(folder, [*parts, alias.name] if alias.name != "*" else parts)
                if alias.name == "*" and (inside := folder.joinpath(*parts)).is_dir():
                    yield from _modules_of(inside)
        elif isinstance(node, ast.Call) and _name_of(node.func) in _LOADERS:
            literal = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            if isinstance(literal, str) and not literal.startswith(".") and _name_of(node.func) in _LOADERS[:2]:
                yield from listing.places(folder, literal.split("."))
            else:
                everything = list(itertools.islice(_all_below(folder), MAX_MODULES + 1))
                yield from everything if len(everything) <= MAX_MODULES else ()


class _Listing:
    """Modules of folders by their names; each folder is listed once, however often the file imports from it."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, list[Path]]] = {}

    def places(self, folder: Path, parts: Sequence[str]) -> Iterator[Path]:
        """Files that a dotted name and the packages above it may be."""
        if not all(part.isidentifier() for part in parts):
            return
        for part in parts:
            yield from self._of(folder).get(part, ())
            folder = folder / part
            if not os.path.isdir(folder):
                return

    def _of(self, folder: Path) -> dict[str, list[Path]]:
        """A folder's modules and packages by name, sources first."""
        if (known := self._known.get(str(folder))) is not None:
            return known
        found: dict[str, list[Path]] = {}
        with contextlib.suppress(OSError):
            for entry in sorted(os.scandir(folder), key=lambda one: (not one.name.endswith(".py"), one.name)):
                name, _, rest = entry.name.partition(".")
                package = os.path.join(entry.path, "__init__.py")
                if not rest and os.path.isfile(package):
                    found.setdefault(name, []).append(Path(package))
                elif (rest == "py" or entry.name.endswith(_SUFFIXES[1:])) and os.path.isfile(entry.path):
                    found.setdefault(name, []).append(Path(entry.path))
        self._known[str(folder)] = found
        return found


def _modules_of(folder: Path) -> Iterator[Path]:
    """Modules that lie in a folder itself."""
    yield from sorted(place for place in folder.iterdir() if place.suffix in _SUFFIXES and place.is_file())


def _all_below(folder: Path) -> Iterator[Path]:
    """All modules of a folder and of packages in it; not those of an environment or of hidden folders."""
    for place, below, names in itertools.islice(os.walk(folder), MAX_FOLDERS):
        below[:] = sorted(name for name in below if not name.startswith(".") and name not in _NOT_OURS)
        if "pyvenv.cfg" in names:
            below.clear()
            continue
        yield from (Path(place, name) for name in sorted(names) if Path(name).suffix in _SUFFIXES)


def _package_of(name: str) -> str:
    """The package of the module in a file."""
    return ".".join(Path(name).parent.parts)


def _name_of(function: ast.expr) -> str:
    """The last part of what is called."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
