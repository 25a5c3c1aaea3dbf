"""Which modules of its own folder a Python file imports: read from the text, nothing is run.

What a file imports by a name that it makes up when it runs cannot be read; then every module of the folder may be
meant.  The child imports from the folder what is found here and nothing else (`app.worker.models.own.beside`).
"""

from __future__ import annotations

import ast
import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from app.core.types.errors import BadModel
from app.core.types.text import phrase

MAX_FILE_BYTES = 4 * 1024**2
"""A longer file is no file that a person wrote and read."""
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
    found: dict[str, bytes] = {}
    waiting = [(content, "")]
    package = path.parent / "__init__.py"
    if package != path and package.is_file():  # runs before the file does where it is run by its name in a package
        found[package.name] = read_bounded(package)
        waiting.append((found[package.name], ""))
    while waiting:
        source, within = waiting.pop()
        for place in _imported(source, within, path.parent):
            name = place.relative_to(path.parent).as_posix()
            if name in found or place == path:
                continue
            if len(found) == MAX_MODULES:
                raise BadModel(
                    phrase("the file imports too much of its folder"),
                    expected=phrase("at most {most} modules", most=MAX_MODULES),
                    received=str(path.parent),
                    hint=phrase("put the model's files into a folder of their own"),
                )
            found[name] = read_bounded(place)
            if place.suffix == ".py":
                waiting.append((found[name], _package_of(name)))
    return dict(sorted(found.items()))


def read_bounded(path: Path) -> bytes:
    """What a file of code holds.

    Raises:
        BadModel: The file cannot be read or is too long to have been read by anybody.
    """
    most = MAX_FILE_BYTES if path.suffix == ".py" else 64 * MAX_FILE_BYTES
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


def _imported(source: bytes, package: str, folder: Path) -> Iterator[Path]:
    """Files below a folder that a source may import."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # the child says what is wrong with it
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _places(folder, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: -(node.level - 1) or None] if node.level and package else []
            parts = [*above, *(node.module.split(".") if node.module else [])]
            for alias in node.names:
                yield from _places(folder, [*parts, alias.name] if alias.name != "*" else parts)
                if alias.name == "*" and (inside := folder.joinpath(*parts)).is_dir():
                    yield from _modules_of(inside)
        elif isinstance(node, ast.Call) and _name_of(node.func) in _LOADERS:
            literal = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
            if isinstance(literal, str) and not literal.startswith(".") and _name_of(node.func) in _LOADERS[:2]:
                yield from _places(folder, literal.split("."))
            else:
                everything = list(itertools.islice(_all_below(folder), MAX_MODULES + 1))
                yield from everything if len(everything) <= MAX_MODULES else ()


def _places(folder: Path, parts: list[str]) -> Iterator[Path]:
    """Files that a dotted name and the packages above it may be."""
    if not all(part.isidentifier() for part in parts):
        return
    for count in range(1, len(parts) + 1):
        base = folder.joinpath(*parts[:count])
        native = sorted(base.parent.glob(f"{base.name}.*")) if base.parent.is_dir() else []
        candidates = [base.with_name(base.name + ".py"), base / "__init__.py"]
        candidates += [place for place in native if place.suffix in _SUFFIXES[1:]]
        yield from (place for place in candidates if place.is_file())


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
