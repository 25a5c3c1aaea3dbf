"""What the user typed becomes a reference to a model; nothing is opened."""

from __future__ import annotations

import pytest

from app.catalog.models import load_models
from app.core.types.errors import BadModel
from app.core.types.workload import ModelRef
from app.services.models.find import find_model, needs_trust
from app.services.models.own_code import read_own
from tests.core.types.test_notebook import notebook

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


def test_a_file_that_does_something_is_a_script_and_one_that_only_defines_is_asked_for_its_function(tmp_path):
    path = tmp_path / "train.py"
    for text in (
        "if __name__ == '__main__':\n    main()",
        "main()",
        "history = model.fit(x)",
        "for k in folds:\n    f(k)",
    ):
        path.write_text(f'"""Doc."""\nimport keras\nSIZE = 3\ndef main():\n    pass\n{text}\n')
        found = find_model(str(path), ENTRIES, arguments=("--epochs", "3"))
        assert found == find_model(str(path), ENTRIES, arguments=["--epochs", "3"])
        assert (found.kind, found.name, found.arguments) == ("script", "train.py --epochs 3", ("--epochs", "3"))
        assert find_model(str(path), ENTRIES).name == "train.py"
        assert needs_trust(found)
    path.write_text("import keras\nSIZE: int = 3\nclass A:\n    pass\ndef main():\n    pass\n")
    with pytest.raises(BadModel) as error:
        find_model(str(path), ENTRIES)
    assert "train.py:main" in error.value.hint
    assert find_model(str(path), ENTRIES, arguments=["--yes"]).kind == "script"


def test_a_notebook_is_a_script_that_runs_where_it_lies(tmp_path):
    path = tmp_path / "study.ipynb"
    path.write_text(notebook("import helper\n%magic"))
    (tmp_path / "helper.py").write_text("A = 1")
    found = find_model(str(path), ENTRIES)
    assert (found.kind, found.name, found.folder) == ("script", "study.ipynb", str(tmp_path))
    own = read_own(str(path))
    assert list(own.digests) == ["study.ipynb", "helper.py"]
    assert "import helper\npass" in own.text


def test_a_module_is_found_below_the_folder_where_one_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kit" / "tools").mkdir(parents=True)
    for name in ("kit/train.py", "kit/tools/__main__.py"):
        (tmp_path / name).touch()
    found = find_model("kit.train", ENTRIES, module=True, arguments=["-x"])
    assert (found.path, found.function) == (str(tmp_path / "kit" / "train.py"), "kit.train")
    assert (found.name, found.folder) == ("kit.train -x", str(tmp_path))
    assert find_model("kit.tools", ENTRIES, module=True).path == str(tmp_path / "kit" / "tools" / "__main__.py")
    with pytest.raises(BadModel, match="no such module"):
        find_model("kit.nothing", ENTRIES, module=True)


@pytest.mark.parametrize("text", ["vgg16", "{folder}/net.py:make", "{folder}/net.keras"])
def test_only_a_script_takes_arguments(tmp_path, text):
    for name in ("net.py", "net.keras"):
        (tmp_path / name).touch()
    with pytest.raises(BadModel, match="only a script"):
        find_model(text.format(folder=tmp_path), ENTRIES, arguments=("--epochs", "3"))


def test_only_a_function_takes_arguments_by_name(tmp_path):
    (tmp_path / "net.py").write_text("def make(classes): ...\nmake(3)\n")
    function, script = f"{tmp_path}/net.py:make", f"{tmp_path}/net.py"
    given = find_model(function, ENTRIES, values=["classes=3", "name=a=b"])
    assert (given.name, given.arguments) == ("net.py:make(classes=3, name=a=b)", ("classes=3", "name=a=b"))
    for text in (script, "resnet50"):
        with pytest.raises(BadModel, match="by name"):
            find_model(text, ENTRIES, values=["classes=3"])
    for wrong in ("classes", "=3", "a b=3"):
        with pytest.raises(BadModel, match="names no argument"):
            find_model(function, ENTRIES, values=[wrong])


def test_a_saved_model_folder_gets_a_hint(tmp_path):
    (tmp_path / "saved_model.pb").touch()
    with pytest.raises(BadModel) as error:
        find_model(str(tmp_path), ENTRIES)
    assert ".keras" in error.value.hint


@pytest.mark.parametrize(
    "text", ["~user\0", "x" * 300, "a/" * 3000, "net\udcff.keras", "~nobody-at-all/net.keras", "net\0.keras"]
)
def test_names_that_no_file_can_have_are_refused_in_words(text):
    with pytest.raises(BadModel):
        find_model(text, ())
