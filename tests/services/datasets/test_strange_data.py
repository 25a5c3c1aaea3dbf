"""Files that were made to harm whoever only looks at them, each with what it may cost at most."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import socket
import struct
import sys
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image

from app.core.pipeline import scan_limits
from app.core.types.errors import BadDataset, Cancelled, WillItTrainError, WorkerFailed
from app.core.types.units import GIB, MIB
from app.services.datasets.scan import scan_dataset
from app.worker.scanning.records import masked_crc32c
from tests.patience import SOON_S

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sparse files, pipes and device links")

MOST_HELD_BYTES = 300 * MIB
"""Of the child, for files that are to be seen through and not to meet its limit."""


def record(data: bytes) -> bytes:
    """One TFRecord; the checksum of the data is never looked at."""
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc32c(length)) + data + bytes(4)


def field(number: int, data: bytes) -> bytes:
    """A field of a protocol buffer that has a length."""
    length, left = b"", len(data)
    while left > 0x7F:
        length, left = length + bytes([left & 0x7F | 0x80]), left >> 7
    return bytes([number << 3 | 2]) + length + bytes([left]) + data


def sparse(path: Path, start: bytes, size_bytes: int, end: bytes = b"") -> Path:
    """A file with a hole."""
    with path.open("wb") as file:
        file.write(start)
        file.truncate(size_bytes - len(end))
        file.seek(0, os.SEEK_END)
        file.write(end)
    return path


class Held:
    """The most memory that a scan takes, here and in the child, looked at as often as can be."""

    def __init__(self) -> None:
        self.most_bytes = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Held:
        self._own_bytes = psutil.Process().memory_info().rss
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        here = psutil.Process()
        own_words = here.cmdline()
        while not self._over.wait(0.005):
            held = here.memory_info().rss - self._own_bytes
            for child in here.children():
                with contextlib.suppress(psutil.Error):
                    # a child that is forked and not yet the program it becomes shares the memory of this one
                    if child.cmdline() != own_words:
                        held += child.memory_info().rss
            self.most_bytes = max(self.most_bytes, held)


def refused(path: Path, words: str, *, kind: type[WillItTrainError] = BadDataset) -> WillItTrainError:
    """The error that looking into a file ends with, soon and without much memory here or in the child."""
    begun_s = time.monotonic()
    with Held() as held, pytest.raises(kind, match=words) as caught:
        scan_dataset(path)
    assert time.monotonic() - begun_s < SOON_S
    assert held.most_bytes < MOST_HELD_BYTES
    assert caught.value.expected
    assert caught.value.received
    return caught.value


class TestRecords:
    def test_a_length_below_zero_inside_an_example_does_not_loop(self, tmp_path):
        # a field with the length -11, written in ten bytes: the next one would begin where this one did
        path = tmp_path / "a.tfrecord"
        path.write_bytes(record(b"\x0a" + b"\xf5" + b"\xff" * 8 + b"\x01" + bytes(11)))
        assert path.stat().st_size == 38
        begun_s = time.monotonic()
        assert scan_dataset(path).samples == 1
        assert time.monotonic() - begun_s < SOON_S

    @pytest.mark.parametrize("length", [2**64 - 1, 2**63, 2**64 - 16, 10**15])
    def test_a_record_longer_than_its_file_is_refused(self, tmp_path, length):
        head = struct.pack("<Q", length)
        (tmp_path / "a.tfrecord").write_bytes(head + struct.pack("<I", masked_crc32c(head)) + bytes(30))
        refused(tmp_path / "a.tfrecord", "broken at")

    def test_records_of_length_zero_are_counted(self, tmp_path):
        (tmp_path / "a.tfrecord").write_bytes(record(b"") * 100_000)
        assert scan_dataset(tmp_path / "a.tfrecord").samples == 100_000

    def test_images_of_the_records_are_not_kept(self, tmp_path):
        picture = io.BytesIO()
        Image.new("RGB", (8, 8)).save(picture, "JPEG")
        image = picture.getvalue() + bytes(2**20)
        feature = field(1, b"image") + field(2, field(1, field(1, image)))
        (tmp_path / "a.tfrecord").write_bytes(record(field(1, field(1, feature))) * 400)
        with Held() as held:
            found = scan_dataset(tmp_path / "a.tfrecord")
        assert (found.samples, found.sample_shape) == (400, (8, 8, 3))
        assert held.most_bytes < MOST_HELD_BYTES

    def test_a_sparse_file_of_eight_gigabytes_is_one_record(self, tmp_path):
        head = struct.pack("<Q", 8 * GIB)
        path = sparse(tmp_path / "a.tfrecord", head + struct.pack("<I", masked_crc32c(head)), 8 * GIB + 16)
        begun_s = time.monotonic()
        assert scan_dataset(path).samples == 1
        assert time.monotonic() - begun_s < SOON_S

    def test_an_example_of_millions_of_fields_is_none(self, tmp_path):
        (tmp_path / "a.tfrecord").write_bytes(record(b"\x0a\x00" * 2**24))
        begun_s = time.monotonic()
        assert scan_dataset(tmp_path / "a.tfrecord").real is False
        assert time.monotonic() - begun_s < SOON_S


class TestTables:
    @pytest.mark.parametrize("content", [b"\0", b"1,"], ids=["a hole", "cells"])
    def test_a_line_without_end_is_refused_before_it_is_read(self, tmp_path, content):
        if content == b"\0":
            path = sparse(tmp_path / "a.csv", b"a,b\n1,2\n", 8 * GIB)
        else:
            path = tmp_path / "a.csv"
            path.write_bytes(content * (64 * MIB))
        refused(path, "too long|cannot be read")

    def test_quotes_without_end_are_refused(self, tmp_path):
        (tmp_path / "a.csv").write_bytes(b'a,b\n1,2\n3,"' + b'x\n","' * (16 * MIB))
        refused(tmp_path / "a.csv", "too long|cannot be read")

    def test_a_line_without_end_behind_the_first_rows_is_refused(self, tmp_path):
        (tmp_path / "a.csv").write_bytes(b"a,b\n" + b"1,2\n" * 2000 + b"3," * (64 * MIB))
        refused(tmp_path / "a.csv", "too long")

    def test_labels_that_are_books_are_not_kept(self, tmp_path):
        with (tmp_path / "a.csv").open("w", newline="") as file:
            write = csv.writer(file).writerow
            write(("a", "label"))
            for number in range(180):
                write((number, f"{number}" + "x" * 900_000))
        with Held() as held:
            assert scan_dataset(tmp_path / "a.csv").classes == 180
        assert held.most_bytes < 160 * MIB

    def test_a_header_of_a_million_characters_is_shortened(self, tmp_path):
        name = "n" * 900_000
        (tmp_path / "a.csv").write_text(f"a,{name}\n" + "".join(f"{n},{n % 2}\n" for n in range(50)))
        assert len(scan_dataset(tmp_path / "a.csv").source) < 300


class TestArrays:
    def bomb(self, path: Path, starts: dict[str, bytes], unpacked_bytes: int, kind: int = zipfile.ZIP_DEFLATED) -> Path:
        """An archive whose members unpack to so many zeros behind their beginnings."""
        with zipfile.ZipFile(path, "w", kind, compresslevel=1) as archive:
            for name, start in starts.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    member.write(start)
                    for _ in range(unpacked_bytes // MIB):
                        member.write(bytes(MIB))
        return path

    def header(self, shape: tuple[int, ...]) -> bytes:
        """That of an array of bytes, as NumPy writes it."""
        made = io.BytesIO()
        np.lib.format.write_array_header_1_0(made, {"descr": "|u1", "fortran_order": False, "shape": shape})
        return made.getvalue()

    def test_a_header_that_unpacks_to_gigabytes_is_not_read(self, tmp_path):
        start = b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1)
        refused(self.bomb(tmp_path / "a.npz", {"x": start}, 400 * MIB), "cannot be read")

    def test_compressions_without_a_limit_are_not_unpacked(self, tmp_path):
        path = self.bomb(tmp_path / "a.npz", {"x": self.header((4 * MIB,))}, 4 * MIB, zipfile.ZIP_BZIP2)
        refused(path, "cannot be read")

    def test_arrays_that_unpack_to_gigabytes_are_looked_at_by_their_headers(self, tmp_path):
        path = tmp_path / "a.npz"
        self.bomb(path, {"x": self.header((200 * MIB, 512)), "y": self.header((200 * MIB,))}, 200 * MIB)
        with Held() as held:
            found = scan_dataset(path)
        assert (found.samples, found.classes) == (200 * MIB, 1)
        assert held.most_bytes < 150 * MIB

    def test_a_list_of_members_without_end_is_not_read(self, tmp_path):
        start = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 60000, 60000, 2**30, 0, 0)
        refused(sparse(tmp_path / "a.npz", b"", 2**30 + len(start), start), "cannot be read")

    def test_lists_in_lists_in_a_header_are_refused(self, tmp_path):
        text = b"(" * 30_000
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
            archive.writestr("x.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text)
        refused(tmp_path / "a.npz", "cannot be read")

    def test_a_sparse_file_is_no_archive(self, tmp_path):
        refused(sparse(tmp_path / "a.npz", b"PK\x03\x04", 8 * GIB), "cannot be read")


class TestFolders:
    def good(self, folder: Path) -> None:
        """Three images that can be read."""
        (folder / "cat").mkdir()
        for number in range(3):
            Image.new("RGB", (9, 7)).save(folder / "cat" / f"{number}.png")

    def test_half_a_gigabyte_of_padding_is_a_broken_image(self, tmp_path):
        self.good(tmp_path)
        with (tmp_path / "cat" / "padded.jpg").open("wb") as file:
            file.write(b"\xff\xd8")
            for _ in range(512):
                file.write(b"\xff" * MIB)
        begun_s = time.monotonic()
        found = scan_dataset(tmp_path)
        assert time.monotonic() - begun_s < SOON_S
        assert (found.samples, found.broken_files) == (3, 1)

    def test_what_is_no_file_is_not_opened(self, tmp_path):
        self.good(tmp_path)
        cat = tmp_path / "cat"
        os.mkfifo(cat / "pipe.jpg")
        (cat / "zero.jpg").symlink_to("/dev/zero")
        (cat / "tty.png").symlink_to("/dev/tty")
        (cat / "self.png").symlink_to("self.png")
        (cat / "up").symlink_to(tmp_path, target_is_directory=True)
        (tmp_path / "loop").symlink_to("loop")
        os.mkfifo(tmp_path / "a.tfrecord")
        (tmp_path / "b.tfrecord").symlink_to("/dev/zero")
        with socket.socket(socket.AF_UNIX) as listening:
            here = Path.cwd()
            os.chdir(cat)  # the path of a socket is short
            try:
                listening.bind("socket.png")
            finally:
                os.chdir(here)
            begun_s = time.monotonic()
            found = scan_dataset(tmp_path)
        assert time.monotonic() - begun_s < SOON_S
        assert (found.samples, found.broken_files) == (3, 0)

    @pytest.mark.parametrize("name", ["pipe.csv", "zero.csv", "zero.npz", "zero.tfrecord"])
    def test_a_pipe_or_a_device_in_a_files_place_is_refused(self, tmp_path, name):
        if name == "pipe.csv":
            os.mkfifo(tmp_path / name)
        else:
            (tmp_path / name).symlink_to("/dev/zero")
        refused(tmp_path / name, "neither a file nor a folder")

    @pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")
    def test_a_name_that_is_no_text_is_told_of_all_the_same(self, tmp_path):
        (tmp_path / os.fsdecode(b"caf\xe9 \x1b]52;c;eA==\x07.txt")).touch()
        refused(tmp_path, "no image")


def test_a_cancel_in_the_midst_of_one_large_file_is_answered(tmp_path):
    path = sparse(tmp_path / "a.csv", b"a,b\n" + b"1,2\n" * 9_000_000, 64 * GIB)
    cancel = threading.Event()
    cancelled_s: list[float] = []

    def heard(_share: float | None, _words: str) -> None:
        if not cancel.is_set():
            cancelled_s.append(time.monotonic())
            cancel.set()

    with pytest.raises(Cancelled):
        scan_dataset(path, heard, cancel)
    assert time.monotonic() - cancelled_s[0] < SOON_S


def limited(monkeypatch: pytest.MonkeyPatch, path: Path, name: str, value: float) -> WorkerFailed:
    """The error of a child with another limit."""
    monkeypatch.setattr(scan_limits, name, value)
    with pytest.raises(WorkerFailed, match="came to no end") as caught:
        scan_dataset(path)
    assert caught.value.expected
    assert caught.value.received
    assert "28x28x1" in caught.value.hint
    return caught.value


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the guard looks ten times a second")
def test_a_child_that_takes_more_memory_than_it_may_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("a,b\n" + "".join(f"{n},{n % 2},{'12,' * 1000}\n" for n in range(1000)))
    limited(monkeypatch, tmp_path / "a.csv", "MEMORY_BYTES", 40 * MIB)


def test_a_child_that_takes_longer_than_it_may_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(scan_limits, "SLOWEST_BYTES_PER_S", 1000 * GIB)
    path = sparse(tmp_path / "a.csv", b"a,b\n" + b"1,2\n" * 2000, 64 * GIB)
    limited(monkeypatch, path, "TIME_S", 1.0)


def test_no_ordinary_file_meets_the_limits(tmp_path):
    """A thousand rows of ten thousand genes, and arrays with a type of many fields."""
    rows = "".join(",".join(["0.123456"] * 10_000) + f",{n % 3}\n" for n in range(300))
    (tmp_path / "genes.csv").write_text(rows)
    found = scan_dataset(tmp_path / "genes.csv")
    assert (found.samples, found.sample_shape, found.classes) == (300, (10_000,), 3)
    fields = np.dtype([(f"field{n}", "<f4") for n in range(400)])
    np.savez(tmp_path / "fields.npz", x=np.zeros(5, fields))
    assert scan_dataset(tmp_path / "fields.npz").samples == 5
