"""The user's own input pipeline: ``file.py:function``.  Nothing is opened here; the child does it, if it may."""

from __future__ import annotations

import os
from pathlib import Path

from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.core.types.workload import Dataset
from app.services.models.find import CODE, nameable


def code_dataset(text: str, *, trust: bool = False) -> Dataset | None:
    """The dataset that a function of the user's file makes; None if the text names no such function.

    Args:
        text: Such as ``data.py:train_batches``.
        trust: The user allows the file to run code; without it the child refuses.

    Raises:
        BadDataset: There is no such file, or the function's name is none.
    """
    match = CODE.fullmatch(text.strip().strip("\"'"))
    if match is None or not nameable(text):
        return None
    path = Path(os.path.expanduser(match["path"]))
    if not match["function"].isidentifier():
        raise BadDataset(
            phrase("this is no function's name"), expected="file.py:function", received=repr(match["function"])
        )
    if not path.is_file():
        raise BadDataset(phrase("there is no such file"), expected=phrase("a Python file"), received=str(path))
    path = path.resolve()
    return Dataset(
        f"{path.name}:{match['function']}",
        kind="code",
        path=str(path),
        function=match["function"],
        trusted=trust,
        real=True,
        source=phrase("your own pipeline"),
    )
