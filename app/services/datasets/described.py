"""Data that a text describes, such as ``28x28x1:60000:10``."""

from __future__ import annotations

import re

from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.core.types.units import parse_bytes
from app.core.types.workload import Dataset

_DESCRIPTION = re.compile(
    r"(?P<shape>\d{1,9}(?:[x×]\d{1,9}){0,7})(?::(?P<samples>\d{1,15}))?(?::(?P<classes>\d{1,9}))?"
    r"(?::(?P<size>\d{1,9}(?:\.\d{1,9})?\s*[kmgt]i?b))?",
    re.IGNORECASE | re.ASCII,
)


def is_description(text: str) -> bool:
    """Does the text describe a shape, such as ``28x28x1:60000:10``?"""
    return _DESCRIPTION.fullmatch(text.strip()) is not None


def describe_dataset(text: str) -> Dataset:
    """Make a dataset of ``shape:samples:classes:size``, such as ``28x28x1:60000:10``; only the shape must be there.

    With a size on disk, such as ``256x256x3:10000:4:1.5GB``, it stands for files that are read and decoded while
    training.

    Raises:
        BadDataset: The text is none, or a number is zero.
    """
    match = _DESCRIPTION.fullmatch(text.strip())
    if match is None:
        raise BadDataset(
            phrase("this describes no data"),
            expected=phrase("shape:samples:classes such as 28x28x1:60000:10"),
            received=repr(text),
        )
    shape = tuple(int(side) for side in re.split("[x×]", match["shape"], flags=re.IGNORECASE))
    samples = int(match["samples"]) if match["samples"] else None
    classes = int(match["classes"]) if match["classes"] else None
    if 0 in shape or samples == 0 or classes == 0:
        raise BadDataset(phrase("a size cannot be zero"), expected=phrase("numbers of at least 1"), received=repr(text))
    size = parse_bytes(match["size"]) if match["size"] else None
    return Dataset(
        text.strip(),
        kind="images" if size else "described",
        samples=samples,
        sample_shape=shape,
        classes=classes,
        bytes_on_disk=size,
        source=phrase("described by you"),
    )
