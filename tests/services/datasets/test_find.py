"""What the user typed: a description, a name of the catalog, or a folder or file that is looked into for real."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from app.core.types.errors import BadDataset
from app.services.datasets.described import describe_dataset, is_description
from app.services.datasets.find import find_dataset
from app.services.datasets.keras import find_keras_datasets
from app.services.datasets.scan import scan_dataset


class TestDescriptions:
    def test_shape_samples_classes(self):
        data = describe_dataset("28x28x1:60000:10")
        assert (data.sample_shape, data.samples, data.classes, data.real) == ((28, 28, 1), 60_000, 10, False)
        assert describe_dataset("128").sample_shape == (128,)

    @pytest.mark.parametrize("text", ["", "axb", "0x3", "3:0", "1:1:1:1", "-3"])
    def test_nonsense_is_refused(self, text):
        with pytest.raises(BadDataset):
            describe_dataset(text)

    @given(st.text(max_size=12))
    def test_a_text_is_a_description_or_not(self, text):
        assert is_description(text) in (True, False)


def test_names_paths_and_descriptions_are_told_apart(monkeypatch, tmp_path):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "none"))
    (tmp_path / "cats").mkdir()
    Image.new("RGB", (9, 7)).save(tmp_path / "cats" / "0.png")
    assert find_dataset("Fashion-MNIST", tmp_path).real is False
    assert find_dataset("28x28x1:60000:10", tmp_path).kind == "described"
    assert find_dataset(str(tmp_path), tmp_path).kind == "images"
    with pytest.raises(BadDataset):
        find_dataset("no such thing", tmp_path)


def test_a_folder_is_looked_into_in_a_child_that_tells_how_far_it_is(tmp_path):
    (tmp_path / "cats").mkdir()
    for number in range(30):
        Image.new("L", (9, 7)).save(tmp_path / "cats" / f"{number}.png")
    heard: list[tuple[float | None, str]] = []
    found = scan_dataset(tmp_path, lambda share, words: heard.append((share, words)))
    assert (found.name, found.samples, found.sample_shape) == (tmp_path.name, 30, (7, 9, 1))
    assert heard[0] == (None, "0 files found")


def test_what_the_child_says_of_a_source_can_be_said_in_another_language(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.zeros((4, 3)), y=np.arange(4))
    assert scan_dataset(tmp_path / "a.npz").source.values


def test_a_downloaded_keras_dataset_comes_with_its_path(tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    (tmp_path / "datasets").mkdir()
    np.savez(tmp_path / "datasets" / "mnist.npz", x_train=np.zeros((2, 28, 28), np.uint8), y_train=np.zeros(2))
    assert [d.name for d in find_keras_datasets()] == ["mnist"]
    found = find_dataset("mnist", tmp_path)
    assert found.real
    assert found.path == str(tmp_path / "datasets" / "mnist.npz")
