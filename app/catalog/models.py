"""Networks that can be named instead of given as a file: ``resources/models.csv``.

The facts answer before anything is traced.  Parameter counts are those of Keras 3.15 at the row's input shape and
number of classes, weights only; a test builds the networks and counts again.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from app.catalog.table import Columns, load_table, matching, one_of, whole
from app.core.types.errors import BadModel
from app.core.types.text import join, phrase

FILE = "models.csv"
TASKS = (
    phrase("image classification"),
    phrase("text classification"),
    phrase("language modelling"),
    "super-resolution",
    "segmentation",
    phrase("tabular classification"),
)


class _Columns(Columns, frozen=True):
    name: str
    title: str
    family: str
    input_shape: Annotated[str, matching("[1-9][0-9]{0,6}(x[1-9][0-9]{0,6})*", phrase("a shape such as 224x224x3"))]
    task: Annotated[str, one_of(TASKS)]
    source: str
    params: Annotated[int, whole(at_least=1)] | None = None
    classes: Annotated[int, whole(at_least=1)] | None = None
    extra: str | None = None


@dataclass(frozen=True)
class ModelEntry:
    """One network.

    ``input_shape`` leaves out the batch.  ``classes`` is None where the network has no classifier.
    ``extra`` is the optional dependency it needs: ``hub`` stands for ``willittrain[hub]``.
    """

    name: str
    title: str
    family: str
    params: int | None
    input_shape: tuple[int, ...]
    classes: int | None
    task: str
    extra: str
    source: str


def load_models(user_dir: Path | None = None) -> tuple[ModelEntry, ...]:
    """All networks of the table.

    Raises:
        StoreError: The table, or the user's, is damaged.
    """
    return load_table(FILE, _Columns, _parse, user_dir)


def match_model(text: str, entries: Iterable[ModelEntry]) -> ModelEntry:
    """Find a network by name or title; case, blanks, dashes and the like do not matter.

    A clear beginning is not enough: ``resnet`` could be any of six, and they differ fourfold.

    Raises:
        BadModel: No network is called that; the closest names are in the hint.
    """
    known = {alias: entry for entry in entries for alias in (_plain(entry.title), _plain(entry.name))}
    wanted = _plain(text)
    if wanted in known:
        return known[wanted]
    begin = [alias for alias in known if wanted and alias.startswith(wanted)]
    close = begin or difflib.get_close_matches(wanted, known, n=6, cutoff=0.6)
    names = list(dict.fromkeys(known[alias].name for alias in close))[:4]
    hint = phrase("did you mean {names}?", names=join(" or ", names)) if names else phrase("see `willittrain models`")
    expected = phrase("a name of the catalog, a .keras, .h5 or .json file, or file.py:function")
    raise BadModel(
        phrase("unknown model"), expected=expected, received=repr(text), hint=hint, instead=next(iter(names), "")
    )

    instead = next(iter(names), "")
    raise BadModel(phrase("unknown model"), expected=expected, received=repr(text), hint=hint, instead=instead)


def _plain(text: str) -> str:
    """Letters and digits only, in lower case."""
    return re.sub(r"[^a-z0-9]", "", text.casefold())


def _parse(row: _Columns) -> ModelEntry:
    """One network."""
    return ModelEntry(
        name=row.name,
        title=row.title,
        family=row.family,
        params=row.params,
        input_shape=tuple(int(side) for side in row.input_shape.split("x")),
        classes=row.classes,
        task=row.task,
        extra=row.extra or "",
        source=row.source,
    )
