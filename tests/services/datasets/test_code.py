from pathlib import Path

import pytest

from app.core.types.errors import BadDataset
from app.services.datasets.code import code_dataset


def test_a_function_of_a_file_is_a_dataset_that_is_not_opened(tmp_path: Path):
    file = tmp_path / "data.py"
    file.write_text("raise SystemExit('this file must not run here')")
    found = code_dataset(f"{file}:batches")
    assert found is not None
    assert (found.name, found.kind, found.path, found.function) == ("data.py:batches", "code", str(file), "batches")
    assert found.real
    assert not found.trusted
    assert code_dataset(f"{file}:batches", trust=True).trusted  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["fashion_mnist", "28x28x1:60000:10", "folder/of/images", "C:\\data\\x.npz"])
def test_other_texts_are_no_function(text: str):
    assert code_dataset(text) is None


def test_a_file_that_is_not_there_is_told(tmp_path: Path):
    with pytest.raises(BadDataset, match="no such file"):
        code_dataset(f"{tmp_path}/gone.py:batches")


def test_a_name_that_cannot_be_a_function_is_told(tmp_path: Path):
    (tmp_path / "data.py").touch()
    with pytest.raises(BadDataset, match="no function's name"):
        code_dataset(f"{tmp_path}/data.py:two words")
