"""Files are read once as long as nobody touches them, and again after every edit."""

import hashlib
import json
import os
import time
import zipfile
from pathlib import Path

import pytest

from app.core.types.workload import ModelRef
from app.services.store.file_digests import FileDigests
from app.services.store.model_contents import ModelContents

LONG_AGO_S = 1_000_000_000


def net(path: Path, text: str = "one") -> ModelRef:
    path.write_text(text)
    return ModelRef("code", "net.py:make", str(path), "make", trusted=True)


def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that are opened from now on."""
    names: list[str] = []
    real = Path.open

    def counting(path: Path, *args: object, **options: object) -> object:
        names.append(path.name)
        return real(path, *args, **options)

    monkeypatch.setattr(Path, "open", counting)
    return names


def test_an_untouched_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "big.h5"
    path.write_bytes(b"w" * 1000)
    os.utime(path, (LONG_AGO_S, LONG_AGO_S))
    digests, names = FileDigests(), opened(monkeypatch)
    assert len({digests.of(str(path)) for _ in range(5)}) == 1
    assert names == ["big.h5"]


def test_an_edit_of_the_same_length_within_one_tick_is_seen(tmp_path: Path):
    path, digests = tmp_path / "net.py", FileDigests()
    path.write_text("a = 1")
    now_ns = time.time_ns()
    os.utime(path, ns=(now_ns, now_ns))
    before = digests.of(str(path))
    path.write_text("a = 2")
    os.utime(path, ns=(now_ns, now_ns))
    assert digests.of(str(path)) != before


def test_a_file_that_takes_the_place_of_another_is_seen(tmp_path: Path):
    path, digests = tmp_path / "net.py", FileDigests()
    path.write_text("a = 1")
    os.utime(path, (LONG_AGO_S, LONG_AGO_S))
    before = digests.of(str(path))
    other = tmp_path / "other.py"
    other.write_text("a = 2")
    os.utime(other, (LONG_AGO_S, LONG_AGO_S))
    other.replace(path)
    assert digests.of(str(path)) != before


def test_of_a_keras_file_only_the_configuration_counts(tmp_path: Path):
    def saved(units: int, weights: bytes) -> str:
        path = tmp_path / f"net{units}{len(weights)}.keras"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("config.json", json.dumps({"units": units}))
            archive.writestr("model.weights.h5", weights)
        return FileDigests().of(str(path))

    assert saved(1, b"few") == saved(1, b"many more")
    assert saved(1, b"few") != saved(2, b"few")


def test_a_keras_file_that_is_no_zip_is_told_apart_by_all_of_it(tmp_path: Path):
    path, found = tmp_path / "net.keras", set()
    for content in (b"PK one", b"PK two"):
        path.write_bytes(content)
        found.add(FileDigests().of(str(path)))
    assert len(found) == 2


def stamp(path: Path) -> tuple[int, int]:
    return path.stat().st_size, path.stat().st_mtime_ns


def test_an_edited_import_is_another_model_also_after_a_restart(tmp_path: Path):
    model, kept = net(tmp_path / "net.py"), tmp_path / "imports.json"
    (tmp_path / "helper.py").write_text("width = 8")
    contents = ModelContents(kept)
    helper = FileDigests().of(str(tmp_path / "helper.py"))
    traced = contents.learn(model, contents.main(model), {"helper.py": helper})
    assert contents.of(model) == traced
    assert ModelContents(kept).of(model) == traced
    assert list(contents.files(model)) == [str(tmp_path / "net.py"), str(tmp_path / "helper.py")]
    (tmp_path / "helper.py").write_text("width = 9999")
    assert contents.of(model) != traced
    assert ModelContents(kept).of(model) != traced
    (tmp_path / "helper.py").write_text("width = 8")
    assert contents.of(model) == traced
    (tmp_path / "helper.py").unlink()
    assert contents.of(model) != traced


def test_an_edit_of_what_the_code_reads_is_another_model(tmp_path: Path):
    (tmp_path / "mine").mkdir()
    model, kept = net(tmp_path / "mine" / "net.py"), tmp_path / "imports.json"
    settings, elsewhere = tmp_path / "mine" / "sizes.json", tmp_path / "shared.yaml"
    settings.write_text("8")
    elsewhere.write_text("9")
    read = {"sizes.json": stamp(settings), str(elsewhere): stamp(elsewhere)}
    contents = ModelContents(kept)
    assert contents.are_as_read(model, read)
    traced = contents.learn(model, contents.main(model), {}, read)
    assert traced == contents.of(model) != contents.main(model)
    for place in (settings, elsewhere):
        before = place.read_text()
        place.write_text("20000")
        assert not contents.are_as_read(model, read)
        assert ModelContents(kept).of(model) != traced
        place.write_text(before)
        assert ModelContents(kept).of(model) == traced
    assert list(contents.files(model)) == [model.path, str(elsewhere), str(settings)]


def test_long_files_that_the_code_reads_are_known_by_size_and_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("app.services.store.model_contents.MOST_READ_BYTES", 3)
    model, contents = net(tmp_path / "net.py"), ModelContents(tmp_path / "imports.json")
    table = tmp_path / "table.csv"
    table.write_text("1,2,3")
    traced = contents.learn(model, contents.main(model), {}, {"table.csv": stamp(table)})
    assert contents.of(model) == traced
    os.utime(table, (1, 1))
    assert contents.of(model) != traced


def test_a_file_that_imports_something_else_now_forgets_what_it_did_before(tmp_path: Path):
    model, contents = net(tmp_path / "net.py"), ModelContents(tmp_path / "imports.json")
    contents.learn(model, contents.main(model), {"helper.py": "0"})
    net(tmp_path / "net.py", "two")
    assert contents.of(model) == contents.main(model)


def test_what_cannot_be_read_has_no_digest(tmp_path: Path):
    contents = ModelContents(tmp_path / "imports.json")
    assert contents.digest(ModelRef("file", "gone.keras", str(tmp_path / "gone.keras"))) is None
    assert contents.digest(ModelRef("catalog", "resnet50")) is None
    assert contents.of(ModelRef("catalog", "resnet50")) == "resnet50"


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_configuration_in_any_packing_is_digested_as_a_file(tmp_path: Path, packing: int):
    path = tmp_path / "net.keras"
    with zipfile.ZipFile(path, "w", packing) as archive:
        archive.writestr("config.json", b"{}" * 500)
    content = bytearray(path.read_bytes())
    start = len("config.json") + 30
    content[start + 4 : start + 20] = b"\xff" * 16
    path.write_bytes(content)
    assert FileDigests().of(str(path)) == hashlib.sha256(content).hexdigest()


def test_a_list_of_contents_that_is_far_too_long_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "net.keras"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("config.json", b"{}")
        for number in range(50_000):
            archive.writestr(f"{number:080}", b"")
    monkeypatch.setattr(zipfile.ZipFile, "getinfo", lambda *_: pytest.fail("it was read"))
    assert FileDigests().of(str(path)) == hashlib.sha256(path.read_bytes()).hexdigest()
