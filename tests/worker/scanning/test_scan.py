"""The user's own data, made here for real: folders of images, arrays, tables; whole and broken."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from app.core.pipeline.datafiles import read_columns, train_folder
from app.core.types.errors import BadDataset
from app.core.types.text import Text
from app.worker.channel import JobCancelled
from app.worker.scanning.image_headers import parse_image_header
from app.worker.scanning.records import masked_crc32c, parse_example
from app.worker.scanning.scan import scan

FORMATS = ("JPEG", "PNG", "GIF", "BMP", "WEBP")


def encoded(kind: str, width: int, height: int, mode: str = "RGB") -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, (width, height), 7).save(buffer, kind)
    return buffer.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, count in (("cat", 30), ("dog", 20)):
        (tmp_path / name).mkdir()
        for i in range(count):
            (tmp_path / name / f"{i}.jpg").write_bytes(encoded("JPEG", 60 + i, 40))
    return tmp_path


class TestHeaders:
    @given(st.sampled_from(FORMATS), st.integers(1, 400), st.integers(1, 400), st.sampled_from(["RGB", "L"]))
    def test_size_and_channels_are_those_that_were_written(self, kind, width, height, mode):
        header = parse_image_header(io.BytesIO(encoded(kind, width, height, mode)))
        assert header is not None
        assert (header.format, header.width, header.height) == (kind.lower(), width, height)
        if kind in ("JPEG", "PNG"):
            assert header.channels == {"RGB": 3, "L": 1}[mode]

    @given(st.binary(max_size=300))
    def test_anything_may_come(self, data):
        parse_image_header(io.BytesIO(data))

    @given(st.sampled_from(FORMATS), st.data())
    def test_a_cut_or_flipped_file_raises_nothing(self, kind, draw):
        data = bytearray(encoded(kind, 20, 30))
        data[draw.draw(st.integers(0, len(data) - 1))] ^= draw.draw(st.integers(1, 255))
        header = parse_image_header(io.BytesIO(bytes(data[: draw.draw(st.integers(0, len(data)))])))
        assert header is None or min(header.width, header.height, header.channels) >= 1

    def test_a_large_comment_before_the_frame_is_passed_over(self):
        plain = encoded("JPEG", 33, 44)
        comment = b"\xff\xfe\xff\xff" + b"x" * 65533
        header = parse_image_header(io.BytesIO(plain[:2] + comment * 3 + plain[2:]))
        assert header is not None
        assert (header.width, header.height) == (33, 44)


class TestImages:
    def test_a_folder_for_each_class(self, folder):
        data = scan(folder)
        assert (data.kind, data.samples, data.classes, data.real, data.broken_files) == ("images", 50, 2, True, 0)
        assert data.sample_shape == (None, None, 3)
        assert data.bytes_on_disk == sum(p.stat().st_size for p in folder.rglob("*.jpg"))
        assert "median image 40×72" in data.source

    def test_one_size_is_stated(self, tmp_path):
        (tmp_path / "a").mkdir()
        for i in range(3):
            (tmp_path / "a" / f"{i}.png").write_bytes(encoded("PNG", 8, 9, "L"))
        assert scan(tmp_path).sample_shape == (9, 8, 1)

    def test_broken_files_are_counted_and_left_out(self, folder):
        (folder / "cat" / "empty.jpg").touch()
        (folder / "cat" / "text.png").write_text("no image")
        (folder / "dog" / "cut.jpg").write_bytes(encoded("JPEG", 50, 50)[:300])
        (folder / "dog" / "._0.jpg").write_bytes(b"resource fork")
        found = scan(folder)
        assert found.broken_files == 3
        assert found.samples == 50

    def test_links_in_a_circle_end(self, folder):
        (folder / "dog" / "again").symlink_to(folder, target_is_directory=True)
        assert scan(folder).samples == 50

    def test_the_training_split_is_found(self, folder, tmp_path_factory):
        root = tmp_path_factory.mktemp("split")
        folder.rename(root / "train")
        (root / "val").mkdir()
        found = scan(root)
        assert found.samples == 50
        assert found.path == str(root / "train")
        assert train_folder(["train", "val"]) == "train"
        assert train_folder(["train", "cat"]) is None

    def test_progress_is_reported_and_a_cancel_is_obeyed(self, folder):
        heard: list[float] = []

        def tell(share: float, _words: Text) -> None:
            heard.append(share)
            if len(heard) > 20:
                raise JobCancelled

        with pytest.raises(JobCancelled):
            scan(folder, tell)
        assert heard[0] == 0 < heard[-1] < 1

    def test_nothing_to_train_on(self, tmp_path):
        with pytest.raises(BadDataset, match="no image"):
            scan(tmp_path)
        (tmp_path / "a.jpg").write_text("broken")
        with pytest.raises(BadDataset, match="no image can be read"):
            scan(tmp_path)
        with pytest.raises(BadDataset, match="no such"):
            scan(tmp_path / "nowhere")


class TestArrays:
    def test_shapes_come_from_the_headers(self, tmp_path):
        path = tmp_path / "fm.npz"
        np.savez(
            path, x_train=np.zeros((60, 28, 28), np.uint8), y_train=np.arange(60) % 10, x_test=np.zeros((5, 28, 28))
        )
        data = scan(path)
        assert (data.samples, data.sample_shape, data.dtype, data.classes) == (60, (28, 28), "uint8", 10)

    def test_one_hot_labels_and_no_labels(self, tmp_path):
        np.savez_compressed(tmp_path / "a.npz", x=np.zeros((4, 3)), y=np.eye(4))
        assert scan(tmp_path / "a.npz").classes == 4
        np.savez(tmp_path / "b.npz", np.zeros((4, 3)))
        assert scan(tmp_path / "b.npz").classes is None

    def test_objects_are_never_unpickled(self, tmp_path):
        np.savez(tmp_path / "o.npz", x=np.array([[1], [1, 2]], dtype=object), y=np.zeros(2))
        with pytest.raises(BadDataset, match="Python objects"):
            scan(tmp_path / "o.npz")

    @given(data=st.binary(max_size=200))
    def test_garbage_is_a_bad_dataset(self, tmp_path_factory, data):
        path = tmp_path_factory.mktemp("g") / "g.npz"
        path.write_bytes(data)
        with pytest.raises(BadDataset):
            scan(path)


class TestTables:
    def test_numbers_header_and_label(self, tmp_path):
        path = tmp_path / "iris.csv"
        rows = "".join(f"{i},{i / 7:.2f},1e-3,{'abc'[i % 3]}\n" for i in range(90))
        path.write_text("w,h,d,species\n" + rows)
        data = scan(path)
        assert (data.samples, data.sample_shape, data.classes) == (90, (3,), 3)
        assert "species" in data.source

    def test_a_real_number_to_predict(self, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("a;target\n" + "".join(f"{i};{i / 3}\n" for i in range(20)))
        data = scan(path)
        assert (data.samples, data.sample_shape, data.classes) == (20, (1,), 1)

    def test_text_only_is_refused(self, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("a,b\nfoo,bar\nfoo,baz\n")
        with pytest.raises(BadDataset, match="no column of numbers"):
            scan(path)

    @given(st.lists(st.lists(st.text(max_size=4), max_size=4), max_size=6))
    def test_any_rows_may_come(self, rows):
        columns = read_columns(rows)
        assert columns is None or columns.numeric


class TestRecords:
    def test_the_checksum_is_castagnoli(self):
        # RFC 3720, B.4: 32 bytes of zeros give 8A9136AA; masked as TFRecord does it
        crc = 0x8A9136AA
        assert masked_crc32c(bytes(32)) == (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF

    @pytest.mark.parametrize("content", [b"x" * 40, b"abc", bytes(16)])
    def test_a_damaged_file_is_said_to_be_so(self, tmp_path, content):
        path = tmp_path / "a.tfrecord"
        path.write_bytes(content)
        with pytest.raises(BadDataset, match="broken at"):
            scan(path)

    @given(st.binary(max_size=80))
    def test_any_record_may_come(self, data):
        parse_example(data)


def test_an_unknown_kind_of_file(tmp_path):
    (tmp_path / "a.xyz").write_text("1")
    (tmp_path / "b.npz").touch()
    for name, word in (("a.xyz", "not known"), ("b.npz", "empty")):
        with pytest.raises(BadDataset, match=word):
            scan(tmp_path / name)
