"""The ``scan`` job: from a folder or a file to a `Dataset`, within a limit of memory and of time."""

from __future__ import annotations

import dataclasses
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.core.pipeline import scan_limits
from app.core.pipeline.datafiles import is_image, is_record, is_skipped_folder, train_folder
from app.core.types.errors import BadDataset
from app.core.types.text import phrase, to_plain
from app.core.types.workload import Dataset
from app.worker.no_network import without_network
from app.worker.scanning.images import scan_images
from app.worker.scanning.records import list_records, scan_records
from app.worker.scanning.tables import scan_table
from app.worker.scanning.telling import Tell, nobody, to_parent

if TYPE_CHECKING:
    from app.worker.channel import Channel

EXPECTED = phrase("a folder with one folder of images for each class, a .npz, .csv or TFRecord file")


def run(arguments: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """The dataset at ``path``; this process may hold ``memory_bytes`` and compute for ``time_s``, without a network."""
    without_network()
    _limit(arguments["memory_bytes"], arguments["time_s"])
    found: dict[str, Any] = to_plain(dataclasses.asdict(scan(Path(arguments["path"]), to_parent(channel))))
    return found


def _limit(memory_bytes: int, time_s: float) -> None:
    """Let the kernel keep the limits, where it does; everywhere else the parent looks.

    ``RLIMIT_DATA`` counts what is written to, other than ``RLIMIT_AS``, which counts NumPy's reserves.
    """
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_CPU, (int(time_s) + 1, int(time_s) + 2))


def scan(root: Path, tell: Tell = nobody) -> Dataset:
    """Look at the user's data without reading all of it.

    Raises:
        BadDataset: There is nothing that can be trained on.
    """
    try:
        kind = root.stat().st_mode
        if stat.S_ISDIR(kind):
            return _scan_folder(root, tell)
        if not stat.S_ISREG(kind):
            raise BadDataset(phrase("this is neither a file nor a folder"), expected=EXPECTED, received=str(root))
        return _scan_file(root, tell)
    except FileNotFoundError:
        raise BadDataset(phrase("there is no such file or folder"), expected=EXPECTED, received=str(root)) from None
    except OSError as error:
        received = f"{error.filename or root}: {error.strerror or error}"
        raise BadDataset(phrase("the data cannot be read"), expected=EXPECTED, received=received) from error


def _scan_file(path: Path, tell: Tell) -> Dataset:
    """One file."""
    suffix = path.suffix.lower()
    if path.stat().st_size == 0:
        raise BadDataset(phrase("the file is empty"), expected=EXPECTED, received=str(path))
    if suffix == ".npz":
        from app.worker.scanning.arrays import scan_npz  # NumPy: half of the child's start, for this kind only

        return scan_npz(path, tell)
    if suffix in (".csv", ".tsv"):
        return scan_table(path, tell)
    if is_record(path.name):
        return scan_records([path], path, tell)
    hint = phrase("for single images give their folder") * is_image(path.name)
    raise BadDataset(phrase("this kind of file is not known"), expected=EXPECTED, received=path.name, hint=hint)


def _scan_folder(root: Path, tell: Tell) -> Dataset:
    """A folder of images, or of TFRecord files."""
    records = list_records(root)
    if records:
        return scan_records(records, root, tell)
    split = train_folder(e.name for e in root.iterdir() if e.is_dir() and not is_skipped_folder(e.name))
    found = scan_images(root if split is None else root / split, root.name, tell)
    if found is None:
        inside = ", ".join(scan_limits.shortened(e.name) for e in sorted(root.iterdir())[:5]) or "nothing"
        raise BadDataset(phrase("there is no image in the folder"), expected=EXPECTED, received=f"{root}: {inside}")
    return found
