"""From a folder, a file or a description to a `Dataset`: what there is, how much, of which shape."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from app.catalog import datasets
from app.catalog.datasets import CatalogDataset
from app.core.pipeline.datafiles import is_image, is_record, is_skipped_folder, train_folder
from app.core.types.cancelling import never_cancelled
from app.core.types.errors import BadDataset
from app.core.types.text import phrase, verbatim
from app.core.types.units import format_count, parse_bytes
from app.core.types.workload import Dataset
from app.services.datasets.arrays import scan_csv, scan_npz
from app.services.datasets.images import ImageFolder, Report, scan_images
from app.services.datasets.keras import find_keras_datasets
from app.services.datasets.tfrecord import list_records, scan_tfrecords

__all__ = ["Scan", "describe_dataset", "find_dataset", "find_keras_datasets", "is_description", "scan", "scan_dataset"]

EXPECTED = phrase("a folder with one folder of images for each class, a .npz, .csv or TFRecord file")

_DESCRIPTION = re.compile(
    r"(?P<shape>\d{1,9}(?:[x×]\d{1,9}){0,7})(?::(?P<samples>\d{1,15}))?(?::(?P<classes>\d{1,9}))?"
    r"(?::(?P<size>\d{1,9}(?:\.\d{1,9})?\s*[kmgt]i?b))?",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True)
class Scan:
    """What was found.  ``images`` has the details of an image folder; ``notes`` are for the user."""

    dataset: Dataset
    images: ImageFolder | None = None
    notes: tuple[str, ...] = ()


def scan_dataset(
    path: str | Path, report: Report | None = None, cancelled: Callable[[], bool] = never_cancelled
) -> Dataset:
    """The `Dataset` of a folder or file; see `scan`."""
    return scan(path, report, cancelled).dataset


def scan(path: str | Path, report: Report | None = None, cancelled: Callable[[], bool] = never_cancelled) -> Scan:
    """Look at the user's data without reading all of it.

    Args:
        path: A folder or file.
        report: Hears of progress: share done (None: unknown) and what is happening.
        cancelled: Asked often, for example ``threading.Event().is_set``.

    Raises:
        BadDataset: There is nothing that can be trained on.
        Cancelled: ``cancelled`` said so.
    """
    root = Path(os.path.expanduser(path)).absolute()
    try:
        if root.is_dir():
            return _scan_folder(root, report, cancelled)
        if not root.exists():
            raise BadDataset(phrase("there is no such file or folder"), expected=EXPECTED, received=str(path))
        return Scan(_scan_file(root, cancelled))
    except OSError as error:
        received = f"{error.filename or root}: {error.strerror or error}"
        raise BadDataset(phrase("the data cannot be read"), expected=EXPECTED, received=received) from error


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


def _scan_file(path: Path, cancelled: Callable[[], bool]) -> Dataset:
    """One file."""
    suffix = path.suffix.lower()
    if path.stat().st_size == 0:
        raise BadDataset(phrase("the file is empty"), expected=EXPECTED, received=str(path))
    if suffix == ".npz":
        return scan_npz(path)
    if suffix in (".csv", ".tsv"):
        return scan_csv(path, cancelled)
    if is_record(path.name):
        return scan_tfrecords([path], path.name, path, cancelled)
    hint = phrase("for single images give their folder") if is_image(path.name) else ""
    raise BadDataset(
        phrase("this kind of file is not known"), expected=EXPECTED, received=path.name, hint=verbatim(hint)
    )


def _scan_folder(root: Path, report: Report | None, cancelled: Callable[[], bool]) -> Scan:
    """A folder of images, or of TFRecord files."""
    records = list_records(root, is_record)
    if records:
        return Scan(scan_tfrecords(records, root.name, root, cancelled))
    notes = []
    split = train_folder(e.name for e in root.iterdir() if e.is_dir() and not is_skipped_folder(e.name))
    name = root.name
    if split is not None:
        notes.append(phrase("only the folder {split} is counted: an epoch goes through the training data", split=split))
        root = root / split
    images = scan_images(root, report, cancelled)
    if images is None:
        inside = ", ".join(sorted(entry.name for entry in root.iterdir())[:5]) or "nothing"
        raise BadDataset(phrase("there is no image in the folder"), expected=EXPECTED, received=f"{root}: {inside}")
    if images.median_height is None:
        raise BadDataset(
            phrase("no image can be read"),
            expected=phrase("JPEG, PNG, BMP, GIF or WebP files"),
            received=phrase("{broken} broken files in {root}", broken=images.broken, root=root),
        )
    return Scan(_image_dataset(name, root, images), images, (*notes, *_image_notes(images)))


def _image_dataset(name: str, root: Path, images: ImageFolder) -> Dataset:
    """The folder as a dataset; a size is stated only if all images have it."""
    size = (images.median_height, images.median_width) if images.same_size else (None, None)
    named = {label for label in images.class_counts if label}
    return Dataset(
        name,
        kind="images",
        path=str(root),
        samples=images.files - images.broken,
        sample_shape=(*size, images.channels),
        dtype="uint8",
        classes=len(named) if len(named) > 1 and len(named) == len(images.class_counts) else None,
        bytes_on_disk=images.bytes_on_disk,
        files=images.files,
        source=phrase(
            "your folder, median image {median_height}×{median_width}",
            median_height=images.median_height,
            median_width=images.median_width,
        ),
        real=True,
        broken_files=images.broken,
    )


def _image_notes(images: ImageFolder) -> tuple[str, ...]:
    """What the user should know."""
    notes = []
    if images.broken:
        of = f" of {format_count(images.checked)} that were looked at" if images.checked < images.files else ""
        notes.append(
            phrase("{broken} files{of} are broken and are left out", broken=format_count(images.broken), of=of)
        )
    if "" in images.class_counts and len(images.class_counts) > 1:
        notes.append(
            phrase(
                "{class_counts} images lie beside the class folders: classes are not counted",
                class_counts=images.class_counts[""],
            )
        )
    counts = [n for label, n in images.class_counts.items() if label]
    if len(counts) > 1 and max(counts) >= 10 * min(counts):
        notes.append(
            phrase("the classes differ in size: {counts} to {counts2} images", counts=min(counts), counts2=max(counts))
        )
    return tuple(notes)


def find_dataset(
    text: str,
    catalog: Iterable[CatalogDataset],
    report: Report | None = None,
    cancelled: Callable[[], bool] = never_cancelled,
) -> Dataset:
    """The data that the user means: a description, a folder or file, or a name of the catalog.

    A dataset of `keras.datasets` that is on this machine comes with its path, so that a benchmark can read it.

    Raises:
        BadDataset: There is nothing of that name, or nothing that can be trained on.
    """
    text = text.strip().strip("\"'")
    if is_description(text) and not Path(text).exists():
        return describe_dataset(text)
    looks_like_path = "/" in text or "\\" in text or Path(text).suffix.lower() in (".npz", ".csv", ".tsv")
    rows = tuple(catalog)
    if not looks_like_path or text in {row.dataset.name for row in rows}:
        try:
            return _on_this_machine(datasets.find_dataset(text, rows))
        except BadDataset:
            if not Path(os.path.expanduser(text)).exists():
                raise
    return scan_dataset(text, report, cancelled)


def _on_this_machine(dataset: Dataset) -> Dataset:
    """A catalog dataset, with its path if Keras has downloaded it."""
    if dataset.kind != "keras":
        return dataset
    here = next((found for found in find_keras_datasets() if found.name == dataset.name), None)
    if here is None:
        return dataset
    return replace(dataset, path=here.path, real=here.real, bytes_on_disk=here.bytes_on_disk, files=here.files)
