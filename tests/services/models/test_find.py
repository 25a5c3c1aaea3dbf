"""What the user typed becomes a reference to a model; nothing is opened."""

from __future__ import annotations

import pytest

from app.catalog.models import load_models
from app.core.types.errors import BadModel
from app.core.types.workload import ModelRef
from app.services.models.find import find_model, needs_trust

ENTRIES = load_models()


def test_a_catalog_name():
    assert find_model("ResNet-50", ENTRIES) == ModelRef("catalog", "resnet50")


@pytest.mark.parametrize("name", ["net.keras", "net.h5", "net.json", "Net.KERAS"])
def test_a_saved_file(tmp_path, name):
    path = tmp_path / name
    path.touch()
    assert find_model(f'"{path}"', ENTRIES) == ModelRef("file", name, path=str(path))


def test_a_function_needs_trust(tmp_path):
    path = tmp_path / "net.py"
    path.touch()
    found = find_model(f"{path}:make", ENTRIES)
    assert found == ModelRef("code", "net.py:make", path=str(path), function="make")
    assert needs_trust(found)
    assert not needs_trust(find_model(f"{path}:make", ENTRIES, trust=True))
    assert not needs_trust(find_model("vgg16", ENTRIES))


def test_what_is_missing_is_said(tmp_path):
    (tmp_path / "net.py").touch()
    for text in ("no.keras", "no.py:f", f"{tmp_path}/net.py", f"{tmp_path}/net.py:not a name", "nosuchmodel"):
        with pytest.raises(BadModel):
            find_model(text, ENTRIES)


def test_a_saved_model_folder_gets_a_hint(tmp_path):
    (tmp_path / "saved_model.pb").touch()
    with pytest.raises(BadModel) as error:
        find_model(str(tmp_path), ENTRIES)
    assert ".keras" in error.value.hint


@pytest.mark.parametrize("text", ["x" * 300, "a/" * 3000, "net\udcff.keras", "~nobody-at-all/net.keras", "net\0.keras"])
def test_names_that_no_file_can_have_are_refused_in_words(text):
    with pytest.raises(BadModel):
        find_model(text, ())
