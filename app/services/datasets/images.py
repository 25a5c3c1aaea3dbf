"""Scan a folder of images, one folder for each class: how many, how large, how many broken."""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.core.pipeline.datafiles import is_image, is_skipped_folder
from app.core.types.cancelling import never_cancelled
from app.core.types.errors import Cancelled
from app.core.types.text import phrase
from app.services.datasets.image_headers import ImageHeader, read_image_header

MAX_HEADERS = 5000
MAX_HEADER_S = 10.0
"""Headers are read from so many files, or for so long, drawn by chance; files are counted all."""
MAX_DEPTH = 32

Report = Callable[[float | None, str], None]
"""Called with the share that is done (None: unknown) and what is happening."""


@dataclass(frozen=True)
class ImageFolder:
    """What a folder of images holds.

    ``decoded_bytes`` is what all images would take as decoded bytes at their own sizes, estimated from those
    that were looked at.  ``broken`` were found among ``checked`` files and those of size 0.
    """

    files: int
    bytes_on_disk: int
    class_counts: dict[str, int]
    checked: int
    broken: int
    median_height: int | None
    median_width: int | None
    same_size: bool
    channels: int | None
    decoded_bytes: int | None
    formats: dict[str, int] = field(default_factory=dict)


def scan_images(
    root: Path, report: Report | None = None, cancelled: Callable[[], bool] = never_cancelled
) -> ImageFolder | None:
    """Count and sample the images below a folder.

    Args:
        root: The folder whose folders are the classes.
        report: Hears of progress.
        cancelled: Asked often.

    Returns:
        None if there is no image.

    Raises:
        Cancelled: ``cancelled`` said so.
    """
    paths: list[str] = []
    counts: dict[str, int] = {}
    size_bytes = empty = 0
    for path, class_name, length in _walk(root):
        _check(cancelled)
        if length == 0:
            empty += 1
            continue
        paths.append(path)
        counts[class_name] = counts.get(class_name, 0) + 1
        size_bytes += length
        if report is not None and len(paths) % 500 == 0:
            report(None, phrase("{count} images found", count=len(paths)))
    if not paths and not empty:
        return None
    headers, broken = _sample(paths, report, cancelled)
    return _summary(len(paths) + empty, size_bytes, counts, headers, broken + empty)


def _walk(root: Path) -> Iterator[tuple[str, str, int]]:
    """Every image below ``root``: path, class (first folder, empty for none) and size; link cycles end."""
    seen: set[tuple[int, int]] = set()
    waiting = [(str(root), "", 0)]
    while waiting:
        folder, class_name, depth = waiting.pop()
        try:
            status = os.stat(folder)
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        if (status.st_dev, status.st_ino) in seen or depth > MAX_DEPTH:
            continue
        seen.add((status.st_dev, status.st_ino))
        for entry in entries:
            try:
                if entry.is_dir():
                    if not is_skipped_folder(entry.name):
                        waiting.append((entry.path, class_name or entry.name, depth + 1))
                elif is_image(entry.name) and entry.is_file():
                    yield entry.path, class_name, entry.stat().st_size
            except OSError:
                continue


def _sample(paths: list[str], report: Report | None, cancelled: Callable[[], bool]) -> tuple[list[ImageHeader], int]:
    """Headers of files drawn from all, and how many could not be read."""
    chosen = random.Random(0).sample(paths, min(MAX_HEADERS, len(paths)))  # the same files every time
    headers: list[ImageHeader] = []
    broken = 0
    until = time.monotonic() + MAX_HEADER_S
    for number, path in enumerate(chosen):
        _check(cancelled)
        if time.monotonic() > until:
            break
        header = read_image_header(path)
        if header is None:
            broken += 1
        else:
            headers.append(header)
        if report is not None and number % 200 == 0:
            report(number / len(chosen), phrase("{number} of {count} headers read", number=number, count=len(chosen)))
    return headers, broken


def _summary(
    files: int, size_bytes: int, counts: dict[str, int], headers: list[ImageHeader], broken: int
) -> ImageFolder:
    """Put the counts together."""
    formats: dict[str, int] = {}
    for header in headers:
        formats[header.format] = formats.get(header.format, 0) + 1
    sizes = {(h.height, h.width) for h in headers}
    decoded = None
    if headers:
        decoded = round(statistics.fmean(h.height * h.width * _decoded(h.channels) for h in headers) * files)
    return ImageFolder(
        files=files,
        bytes_on_disk=size_bytes,
        class_counts=dict(sorted(counts.items())),
        checked=len(headers) + broken,
        broken=broken,
        median_height=round(statistics.median(h.height for h in headers)) if headers else None,
        median_width=round(statistics.median(h.width for h in headers)) if headers else None,
        same_size=len(sizes) == 1,
        channels=(1 if all(_decoded(h.channels) == 1 for h in headers) else 3) if headers else None,
        decoded_bytes=decoded,
        formats=formats,
    )


def _decoded(channels: int) -> int:
    """Channels after decoding for training: grey stays grey, all else becomes RGB."""
    return 1 if channels <= 2 else 3


def _check(cancelled: Callable[[], bool]) -> None:
    """Stop if the user wants it."""
    if cancelled():
        raise Cancelled(phrase("the scan was cancelled"))
