"""From what the user typed or dropped to a `ModelRef`: a catalog name, a saved file, or a function in a file.

Nothing is opened here beyond a look at the folder: files are read in the child only.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from app.catalog.models import ModelEntry, match_model
from app.core.types.errors import BadModel
from app.core.types.text import phrase
from app.core.types.workload import ModelRef
from app.services.models.scripts import RUN_SUFFIXES, file_of_module, find_script, require_script

MAX_PATH, MAX_NAME = 4096, 255
NAMEABLE = phrase("text in UTF-8, at most {max_name} bytes for each part of a path", max_name=MAX_NAME)
FILE_SUFFIXES = (".keras", ".h5", ".hdf5", ".json")
CODE = re.compile(r"(?P<path>.+\.py):(?P<function>[^:\\/]+)", re.IGNORECASE)


def find_model(
    text: str,
    entries: Iterable[ModelEntry],
    *,
    trust: bool = False,
    arguments: Sequence[str] = (),
    module: bool = False,
    values: Sequence[str] = (),
) -> ModelRef:
    """Say which model is meant.

    Args:
        text: ``ResNet-50``, ``models/net.keras``, ``net.py:make_model`` or ``train.py``.
        entries: The catalog.
        trust: The user allows this file to run code.  A function is code always; whoever asks for it without trust
            gets a reference that the child refuses, so that a face can ask first (`needs_trust`).
        arguments: Of a script, its own.
        module: The text is the name of a script's module, as ``python -m`` takes it.
        values: Of a function's arguments, ``name=value`` each.

    Raises:
        BadModel: No such name or file, or one that takes no arguments.
    """
    if module:
        return _called_with(find_script(file_of_module(text), arguments, module=text, trust=trust), values)
    found = _found(text, entries, trust, arguments)
    if arguments and found.kind != "script":
        raise BadModel(
            phrase("only a script takes arguments"), expected="train.py -- --epochs 3", received=" ".join(arguments)
        )
    return _called_with(found, values)


def _called_with(model: ModelRef, values: Sequence[str]) -> ModelRef:
    """A function with values for its arguments."""
    if values and model.kind != "code":
        raise BadModel(
            phrase("only a function takes arguments by name"),
            expected="file.py:function --arg num_classes=10",
            received=" ".join(values),
            hint=phrase("a script's own arguments stand behind --"),
        )
    wrong = [value for value in values if not value.partition("=")[0].isidentifier() or "=" not in value]
    if wrong:
        raise BadModel(phrase("this names no argument"), expected="num_classes=10", received=wrong[0])
    if not values:
        return model
    return replace(model, name=f"{model.name}({', '.join(values)})", arguments=tuple(values))


def _found(text: str, entries: Iterable[ModelEntry], trust: bool, arguments: Sequence[str]) -> ModelRef:
    """What a text names."""
    text = text.strip().strip("\"'")
    if not nameable(text):
        raise BadModel(
            phrase("this cannot be a model's name"),
            expected=NAMEABLE,
            received=repr(text[:60]),
            hint=phrase("rename the file or its folder"),
        )
    code = CODE.fullmatch(text)
    if code:
        return _function(Path(os.path.expanduser(code["path"])), code["function"], trust)
    path = Path(os.path.expanduser(text))
    if path.suffix.lower() in RUN_SUFFIXES:
        path = _existing(path)
        if not arguments:
            require_script(path)
        return find_script(path, arguments, trust=trust)
    if path.suffix.lower() in FILE_SUFFIXES:
        path = _existing(path)
        return ModelRef("file", path.name, path=str(path), trusted=trust)
    if path.is_dir() and (path / "saved_model.pb").exists():
        raise BadModel(
            phrase("a SavedModel folder has no Keras layers to look at"),
            expected=phrase("a .keras, .h5 or .json file"),
            received=str(path),
            hint=phrase("save it with model.save('name.keras')"),
        )
    return ModelRef("catalog", match_model(text, entries).name)


def nameable(text: str) -> bool:
    """Can this be the name of something, and be stored?  Systems refuse to even look for longer parts.

    A name on a Linux disk may be no text at all; Python then holds lone surrogates, which JSON and databases refuse.
    No system has a name with a zero in it.
    """
    try:
        return (
            "\0" not in text
            and len(text) < MAX_PATH
            and all(len(part.encode()) <= MAX_NAME for part in re.split(r"[\\/]", text))
        )
    except UnicodeEncodeError:
        return False


def needs_trust(model: ModelRef) -> bool:
    """Must the user be asked before this model is built?"""
    return model.kind in ("code", "script") and not model.trusted


def _function(path: Path, function: str, trust: bool) -> ModelRef:
    """A function in a Python file."""
    if not function.isidentifier():
        raise BadModel(phrase("this is no function's name"), expected="file.py:function", received=repr(function))
    path = _existing(path)
    return ModelRef("code", f"{path.name}:{function}", path=str(path), function=function, trusted=trust)


def _existing(path: Path) -> Path:
    """The file's full path."""
    if not path.is_file():
        raise BadModel(
            phrase("there is no such file"),
            expected=phrase("a model file"),
            received=str(path),
            hint=phrase("the catalog's own networks: `willittrain models`"),
            instead=_beside(path),
        )
    return path.resolve()


def _beside(path: Path) -> str:
    """The file of that folder which was probably meant; empty if none is like it, or the folder cannot be read."""
    try:
        names = [one.name for one in path.parent.iterdir() if one.is_file()]
    except OSError:
        return ""
    like = difflib.get_close_matches(path.name, names, n=1)
    return str(path.with_name(like[0])) if like else ""
