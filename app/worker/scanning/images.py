"""Scan a folder of images, one folder for each class: how many, how large, how many broken."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from app.core.pipeline import scan_limits
from app.core.pipeline.datafiles import is_image, is_skipped_folder
from app.core.types.errors import BadDataset
from app.core.types.text import phrase
from app.core.types.units import format_count
from app.core.types.workload import Dataset
from app.worker.scanning.image_headers import ImageHeader, read_image_header
from app.worker.scanning.telling import Tell

_FILES_PER_TELL = 500


def scan_images(root: Path, name: str, tell: Tell) -> Dataset | None:
    """Count and sample the images below a folder.

    Args:
        root: The folder whose folders are the classes.
        name: Of the dataset.
        tell: Hears of progress.

    Returns:
        None if there is no image.

    Raises:
        BadDataset: None of the images can be read.
    """
    drawn = random.Random(0)  # the same files every time
    sample: list[str] = []
    classes: set[str] = set()
    files = size_bytes = empty = 0
    for path, class_name, length in _walk(root, tell):
        if length == 0:
            empty += 1
            continue
        if len(sample) < scan_limits.HEADERS:
            sample.append(path)
        elif (place := int(drawn.random() * (files + 1))) < len(sample):  # each file with the same chance
            sample[place] = path
        files += 1
        classes.add(class_name)
        size_bytes += length
    if not files and not empty:
        return None
    headers, broken = _headers(sample, tell)
    if not headers:
        raise BadDataset(
            phrase("no image can be read"),
            expected=phrase("JPEG, PNG, BMP, GIF or WebP files"),
            received=phrase("{broken} broken files in {root}", broken=broken + empty, root=root),
        )
    height, width = round(median(h.height for h in headers)), round(median(h.width for h in headers))
    one_size = len({(h.height, h.width) for h in headers}) == 1
    grey = all(header.channels <= 2 for header in headers)  # grey stays grey, all else becomes RGB
    return Dataset(
        name,
        kind="images",
        path=str(root),
        samples=files - broken,
        sample_shape=(*((height, width) if one_size else (None, None)), 1 if grey else 3),
        dtype="uint8",
        classes=len(classes) if len(classes) > 1 and "" not in classes else None,
        bytes_on_disk=size_bytes,
        files=files + empty,
        source=phrase(
            "your folder, median image {median_height}×{median_width}", median_height=height, median_width=width
        ),
        real=True,
        broken_files=broken + empty,
    )


def _walk(root: Path, tell: Tell) -> Iterator[tuple[str, str, int]]:
    """Every image below ``root``: path, class (first folder, empty for none) and size; link cycles end."""
    seen: set[tuple[int, int]] = set()
    waiting = [(str(root), "", 0)]
    looked_at = 0
    while waiting:
        folder, class_name, depth = waiting.pop()
        try:
            status = os.stat(folder)
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        if (status.st_dev, status.st_ino) in seen or depth > scan_limits.DEPTH:
            continue
        seen.add((status.st_dev, status.st_ino))
        for entry in entries:
            if looked_at % _FILES_PER_TELL == 0:
                tell(0.0, phrase("{count} files found", count=format_count(looked_at)))
            looked_at += 1
            try:
                if entry.is_dir():
                    if not is_skipped_folder(entry.name):
                        waiting.append((entry.path, class_name or entry.name, depth + 1))
                elif is_image(entry.name) and entry.is_file():
                    yield entry.path, class_name, entry.stat().st_size
            except OSError:
                continue


def _headers(sample: list[str], tell: Tell) -> tuple[list[ImageHeader], int]:
    """Headers of the files, and how many could not be read."""
    headers: list[ImageHeader] = []
    broken = 0
    until_s = time.monotonic() + scan_limits.HEADER_S
    for number, path in enumerate(sample):
        if time.monotonic() > until_s:
            break
        tell(number / len(sample), phrase("{number} of {count} headers read", number=number, count=len(sample)))
        header = read_image_header(path)
        if header is None:
            broken += 1
        else:
            headers.append(header)
    return headers, broken
