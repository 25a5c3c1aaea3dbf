"""Reading tables: what is right comes back, what is wrong is named with file and line."""

import contextlib
import csv
import io
from dataclasses import dataclass
from typing import Annotated

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.catalog.paths import resource_path
from app.catalog.table import MAX_TABLE_BYTES, Columns, Date, YesNo, number, read_table, whole
from app.core.types.errors import StoreError


class ItemColumns(Columns, frozen=True):
    name: str
    size: Annotated[float, number(at_least=1)]
    count: Annotated[int, whole()] | None = None
    kind: str | None = None
    ok: YesNo | None = None
    date: Date | None = None
    note: str | None = None


@dataclass(frozen=True)
class Item:
    name: str
    size: float
    count: int | None
    ok: bool | None
    date: str | None
    note: str | None


def parse(row: ItemColumns) -> Item:
    return Item(row.name, row.size, row.count, None if row.ok is None else row.ok == "yes", row.date, row.note)


def read(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(read_table(path, ItemColumns, parse).values())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "items.csv"


def test_reads_rows_in_order_and_empty_cells_as_none(path):
    text = 'name,count,size,ok,date,note\r\nb,,2.5,yes,2024-02,\r\n\r\na,3,1,no,,"x, y"\r\n'
    assert read(path, text) == [Item("b", 2.5, None, True, "2024-02", None), Item("a", 1, 3, False, None, "x, y")]


def test_accepts_the_byte_order_mark_of_spreadsheets(path):
    assert read(path, b"\xef\xbb\xbfname,size\na,1\n")[0].name == "a"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["line 1", "a column name", "an empty file"]),
        ("name\na\n", ["line 1", "a column size"]),
        ("name,size,cuont\n", ["line 1", "cuont", "did you mean count?"]),
        ("name,size,size\n", ["line 1", "size twice"]),
        ("name,size\na,1\nb\n", ["line 3", "expected 2 cells", "received 1"]),
        ("name,size\na,1,\n", ["line 2", "expected 2 cells", "received 3"]),
        ("name,size\na,\n", ["line 2", "column size", "a number of at least 1"]),
        ("name,size\na,0\n", ["line 2", "column size", "a number of at least 1", "'0'"]),
        ("name,size\na,nan\n", ["line 2", "column size"]),
        ("name,size\na,inf\n", ["line 2", "column size"]),
        ("name,size\na,1e999\n", ["line 2", "column size"]),
        ("name,size\n,1\n", ["line 2", "column name"]),
        ("name,size\na,1\na,2\n", ["line 3", "every row once"]),
        ("name,size,count\na,1,2.5\n", ["line 2", "column count", "a whole number"]),
        ("name,size,count\na,1,-2\n", ["line 2", "column count"]),
        ("name,size,count\na,1,٣\n", ["line 2", "column count"]),
        ("name,size,ok\na,1,maybe\n", ["line 2", "column ok", "yes, no"]),
        ("name,size,date\na,1,2024-13\n", ["line 2", "column date"]),
        ('name,size\n"a,1\n', ["line 2"]),
        (b"name,size\n\xff,1\n", ["not text", "UTF-8"]),
        (b"name,size\r\n" + b"x" * MAX_TABLE_BYTES, ["too large"]),
    ],
)
def test_damage_is_named(path, text, parts):
    with pytest.raises(StoreError) as caught:
        read(path, text)
    for part in ["items.csv", *parts]:
        assert part in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(StoreError, match=r"cannot read .*none\.csv"):
        read_table(tmp_path / "none.csv", ItemColumns, parse)


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.lists(st.one_of(cells, st.sampled_from(["1", "2.5", "yes"])), max_size=7), max_size=5))
@example(lines=[["a", "1\n2"]])
def test_malformed_rows_give_items_or_a_store_error(path, lines):
    text = io.StringIO()
    csv.writer(text).writerows([["name", "size", "note"], *lines])
    with contextlib.suppress(StoreError):
        for item in read(path, text.getvalue()):
            assert item.name
            assert item.size >= 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=80))
def test_any_bytes_give_items_or_a_store_error(path, data):
    with contextlib.suppress(StoreError):
        read(path, b"name,size\n" + data)
    with pytest.raises(StoreError):
        read(path, data)


def test_finds_resources_beside_or_inside_the_package(tmp_path):
    inside, beside = tmp_path / "app" / "resources", tmp_path / "resources"
    beside.mkdir()
    (beside / "x.csv").touch()
    assert resource_path("x.csv", (inside, beside)) == beside / "x.csv"
    inside.mkdir(parents=True)
    (inside / "x.csv").touch()
    assert resource_path("x.csv", (inside, beside)) == inside / "x.csv"
    with pytest.raises(StoreError, match="missing"):
        resource_path("y.csv", (inside, beside))
    assert resource_path("gpus.csv").is_file()
