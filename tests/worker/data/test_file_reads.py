import os
import sys
from pathlib import Path

import pytest

from app.worker.data import file_reads
from app.worker.data.file_reads import FileReads, bytes_from_disk, read_files


def files(folder: Path, count: int = 12, size: int = 300_000) -> list[str]:
    """Files of noise that have reached the disk, so that the system can drop them from memory."""
    paths = []
    for number in range(count):
        path = folder / f"{number}.bin"
        with open(path, "wb") as file:
            file.write(os.urandom(size))
            os.fsync(file.fileno())
        paths.append(str(path))
    return paths


def test_memory_is_told_from_the_disk(tmp_path: Path):
    reads = read_files(files(tmp_path), 2.0, lambda: None)
    assert reads.memory_bytes_per_s is not None
    assert reads.memory_bytes_per_s != reads.disk_bytes_per_s  # a host's own cache may make the disk as fast as memory


def test_a_rate_is_the_disks_only_if_the_bytes_came_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    counts = iter([1_000, 1_500])
    monkeypatch.setattr(file_reads, "bytes_from_disk", lambda: next(counts))
    assert read_files(files(tmp_path), 2.0, lambda: None).disk_bytes_per_s is None
    monkeypatch.setattr(file_reads, "bytes_from_disk", iter([0, 12 * 300_000]).__next__)
    assert read_files(files(tmp_path), 2.0, lambda: None).disk_bytes_per_s is not None


def test_files_that_are_gone_are_passed_over(tmp_path: Path):
    assert read_files([str(tmp_path / "gone")], 1.0, lambda: None).disk_bytes_per_s is None


def test_large_files_are_read_in_pieces(tmp_path: Path):
    sizes: list[int] = []
    read = file_reads._read_piece

    def listen(piece: tuple[str, int]) -> int:
        sizes.append(read(piece))
        return sizes[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_reads, "_read_piece", listen)
        read_files(files(tmp_path, 1, 2_500_000), 2.0, lambda: None)
    assert sum(sizes[:3]) == 2_500_000


def test_a_listener_can_stop_the_reading(tmp_path: Path):
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_files(files(tmp_path), 60.0, stop)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux counts it")
def test_the_system_counts_what_came_from_the_disk():
    count = bytes_from_disk()
    assert count is not None
    assert count >= 0


def test_reading_takes_its_time_from_where_the_bytes_lie():
    reads = FileReads(disk_bytes_per_s=100.0, memory_bytes_per_s=1000.0)
    assert reads.read_s(1000, 1.0) == 10
    assert reads.read_s(1000, 0.0) == 1
    assert reads.read_s(1000, None) == 1
    assert reads.read_s(1000, 0.5) == pytest.approx(5.5)
    assert FileReads(None, None).read_s(1000, 1.0) == 0
