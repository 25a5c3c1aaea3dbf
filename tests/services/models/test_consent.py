"""What the user has let run, and that a change ends it."""

import json
from types import ModuleType

import pytest

from app.core.types.errors import BadDataset, BadModel, NeedsConsent, UsageError
from app.core.types.messages import Request
from app.core.types.source_text import MAX_CODE_BYTES
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.advisor import Advisor
from app.services.child.child_jobs import bench_arguments, run_job, trace_request
from app.services.child.child_options import ChildOptions
from app.services.models.consent import TrustStore
from app.services.models.own_code import read_own
from app.services.settings import Folders, Settings
from app.services.store.history import History
from tests.worker.models.own import hostile


@pytest.fixture
def store(tmp_path):
    return TrustStore(tmp_path / "config" / "trusted.json")


@pytest.fixture
def code(tmp_path):
    path = tmp_path / "net.py"
    path.write_text("def build():\n    return None\n\n\nasync def no(): ...\n\n\ndef batches(): ...\n")
    return path


def test_trust_is_remembered_by_content_and_over_a_restart(store, code, tmp_path):
    assert not store.knows(read_own(str(code)))
    store.remember(read_own(str(code)))
    copy = tmp_path / "elsewhere.py"
    copy.write_bytes(code.read_bytes())
    again = TrustStore(tmp_path / "config" / "trusted.json")
    assert again.knows(read_own(str(code)))
    assert again.knows(read_own(str(copy)))


def test_a_changed_file_is_not_trusted_any_more(store, code):
    store.remember(read_own(str(code)))
    code.write_text(code.read_text() + "\nprint(1)\n")
    assert not store.knows(read_own(str(code)))


def test_a_workload_with_changed_code_is_refused(store, code):
    store.remember(read_own(str(code)))
    model = Workload(ModelRef("code", "net.py:build", str(code), "build", trusted=True))
    data = Dataset("net.py:batches", "code", str(code), function="batches", trusted=True)
    store.require(model)
    store.require(Workload(ModelRef("catalog", "resnet50"), data))
    code.write_text("import os\n")
    with pytest.raises(BadModel, match="not the one that you let run"):
        store.require(model)
    with pytest.raises(BadDataset, match="not the one that you let run"):
        store.require(Workload(ModelRef("catalog", "resnet50"), data))


def test_what_runs_no_code_needs_no_trust(store):
    store.require(Workload(ModelRef("catalog", "resnet50"), Dataset("cifar10")))
    store.require(Workload(ModelRef("code", "net.py:build", "/nowhere/net.py", "build", trusted=False)))


def test_functions_are_found_without_running_the_file(code):
    code.write_text("raise SystemExit\n" + code.read_text())
    assert read_own(str(code)).functions() == ("build", "batches")


@pytest.mark.parametrize(
    "content",
    [
        b"# coding: unicode_escape\n# harmless \\u000adef hidden(): pass\n",
        b"# harmless\n# coding: utf-7\n# harmless +AAo-def hidden(): pass\n",
        b"# coding: punycode\nx",
    ],
)
@pytest.mark.parametrize("file", ["net.py", "helper.py"])
def test_an_encoding_that_hides_code_is_refused(tmp_path, file, content):
    (tmp_path / "net.py").write_text("import helper\ndef build(): pass\n")
    (tmp_path / file).write_bytes(content)
    with pytest.raises(BadModel, match="no Python that can be read"):
        read_own(str(tmp_path / "net.py"))


@pytest.mark.parametrize(
    "content", [b"# harmless\rdef hidden(): pass\n", "# coding: latin-1\nx='é'\ndef hidden(): pass\n".encode("latin-1")]
)
def test_what_is_shown_is_what_python_makes_of_it(code, content):
    code.write_bytes(content)
    own = read_own(str(code))
    assert "hidden" in vars(load(own.content))
    assert own.text.splitlines()[-1] == "def hidden(): pass"
    assert own.functions() == ("hidden",)


def test_a_cell_names_no_encoding_for_what_is_shown(tmp_path):
    cell = {"cell_type": "code", "source": "# coding: unicode_escape\nx = '\\\\u000a# '; hidden()"}
    path = tmp_path / "net.ipynb"
    path.write_text(json.dumps({"cells": [cell]}))
    assert read_own(str(path)).text.endswith(cell["source"])


def load(content: bytes) -> ModuleType:
    """The module that Python makes of some bytes."""
    module = ModuleType("net")
    exec(compile(content, "net.py", "exec"), vars(module))
    return module


def test_models_and_their_classes_are_offered_after_the_functions(code):
    code.write_text("class A(keras.Model): ...\nclass B: ...\nnet = Sequential([])\nx = f()\ndef make(): ...")
    assert read_own(str(code)).functions() == ("make", "A", "net")


@pytest.mark.parametrize("text", ["def (", "x = 1\n", "\0"])
def test_a_file_without_a_function_says_so(code, text):
    code.write_text(text)
    with pytest.raises(BadModel):
        read_own(str(code)).functions()


def test_a_file_that_is_gone_or_far_too_long_is_an_error_in_words(code, tmp_path):
    with pytest.raises(BadModel, match="cannot be read"):
        read_own(str(tmp_path / "gone.py"))
    code.write_bytes(b"#" * (MAX_CODE_BYTES + 1))
    with pytest.raises(BadModel, match="too long"):
        read_own(str(code))


def test_where_nothing_can_be_written_it_counts_for_the_session(code, tmp_path):
    (tmp_path / "file").write_text("")
    store = TrustStore(tmp_path / "file" / "trusted.json")
    store.remember(read_own(str(code)))
    assert store.knows(read_own(str(code)))


@pytest.mark.parametrize("content", [b"", b"{", b'{"a": 1}', b"\xff", b"[" * 100_000])
def test_a_damaged_list_means_asking_again(code, tmp_path, content):
    (tmp_path / "trusted.json").write_bytes(content)
    assert not TrustStore(tmp_path / "trusted.json").knows(read_own(str(code)))


@pytest.fixture
def advisor(tmp_path):
    settings = Settings(folders=Folders(tmp_path / "data", tmp_path / "cache", tmp_path / "config"))
    return Advisor(settings, History(settings.history_path))


def test_what_was_allowed_once_is_not_asked_again(advisor, code):
    text = f"{code}:build"
    assert not advisor.catalog.trust.knows(advisor.catalog.own_code(text))
    assert not advisor.catalog.find_model(text).trusted
    assert advisor.catalog.find_model(text, trust=True).trusted
    assert advisor.catalog.trust.knows(advisor.catalog.own_code(text))
    assert advisor.catalog.find_model(text).trusted


@pytest.mark.parametrize("ask", ["graph", "bench", "refine"])
def test_the_facade_lets_no_stored_workload_vouch_for_a_file_that_has_changed(advisor, code, ask):
    """As the window remembers it, or as the history gives it back; whichever face asks."""
    stored = Workload(advisor.catalog.find_model(f"{code}:build", trust=True))
    code.write_text("raise SystemExit('not what was allowed')\n")
    asking = {
        "graph": advisor.predictor.graph,
        "bench": lambda w: advisor.benchmarks.bench(w, advisor.machine.read()),
        "refine": lambda w: advisor.predictor.refine(w, advisor.machine.read()),
    }
    with pytest.raises(BadModel, match="not the one that you let run"):
        asking[ask](stored)


SPY = "open({mark!r}, 'w')\n"


@pytest.fixture
def spied(advisor, tmp_path):
    """A file whose code was allowed, and what it becomes afterwards."""
    path = tmp_path / "net.py"
    path.write_text("import keras, helper\ndef build():\n    return helper.made()\ndef batches():\n    return None\n")
    (tmp_path / "helper.py").write_text("import keras\ndef made():\n    return keras.Sequential([keras.Input((3,))])\n")
    advisor.catalog.trust.remember(read_own(str(path)))
    return path


@pytest.mark.worker
@pytest.mark.parametrize("changed", ["net.py", "helper.py"])
def test_a_file_that_is_written_to_after_the_last_check_does_not_run_in_the_child(advisor, spied, tmp_path, changed):
    checked = advisor.catalog.trust.require(Workload(advisor.catalog.find_model(f"{spied}:build")))
    (tmp_path / changed).write_text(SPY.format(mark=str(tmp_path / "mark")) + (tmp_path / changed).read_text())
    with pytest.raises(BadModel, match=r"let run|not asked about"):
        run_job(trace_request(checked), "cpu", ChildOptions())
    assert not (tmp_path / "mark").exists()


@pytest.mark.worker
def test_a_data_script_that_is_written_to_after_the_last_check_does_not_run_in_the_child(advisor, spied, tmp_path):
    data = advisor.catalog.find_dataset(f"{spied}:batches")
    checked = advisor.catalog.trust.require(Workload(ModelRef("catalog", "mlp"), data))
    spied.write_text(SPY.format(mark=str(tmp_path / "mark")) + spied.read_text())
    with pytest.raises(BadDataset, match="let run"):
        run_job(Request("bench", bench_arguments(checked, 1.0)), "cpu", ChildOptions())
    assert not (tmp_path / "mark").exists()


@pytest.mark.worker
def test_a_saved_model_that_is_written_to_after_the_last_check_is_not_built_as_the_allowed_one(advisor, tmp_path):
    for suffix in (".keras", ".h5", ".json"):
        net = hostile.write(tmp_path / f"net{suffix}", hostile.stack(hostile.layer("Dense", units=2, name="d")))
        checked = advisor.catalog.trust.require(Workload(advisor.catalog.find_model(str(net), trust=True)))
        hostile.write(net, hostile.stack(hostile.layer("Dense", units=3, name="d")))
        with pytest.raises(BadModel, match="let run"):
            run_job(trace_request(checked), "cpu", ChildOptions())


@pytest.mark.worker
def test_a_saved_model_that_holds_code_is_built_after_a_yes(advisor, tmp_path):
    code = hostile.layer("Lambda", function=hostile.function("keras.ops", "relu"), name="code")
    dense = hostile.layer("Dense", units=2, name="d")
    net = str(hostile.write(tmp_path / "net.keras", hostile.stack(code, dense)))
    with pytest.raises(NeedsConsent):
        advisor.predictor.graph(Workload(advisor.catalog.find_model(net)))
    advisor.catalog.trust.remember(read_own(net))
    assert advisor.predictor.graph(Workload(advisor.catalog.find_model(net))).model.params == 10


def test_a_stored_workload_brings_no_consent_of_its_own(store, code):
    stored = ModelRef("code", "net.py:build", str(code), "build", consent=("a digest",))
    assert store.require(Workload(stored)).model.consent == ()


def test_what_was_let_run_is_listed_and_can_be_withdrawn(store, code, tmp_path):
    (tmp_path / "helper.py").write_text("")
    store.remember(read_own(str(code)))
    code.write_text("import helper\ndef build(): ...\n")
    store.remember(read_own(str(code)))
    assert [list(one.files) for one in store.all()] == [["net.py"], ["net.py", "helper.py"]]
    assert {one.path for one in store.all()} == {str(code)}
    assert len(store.withdraw(str(code))) == 2
    assert store.all() == ()
    assert not store.knows(read_own(str(code)))
    with pytest.raises(UsageError, match="not allowed"):
        store.withdraw(str(code))


def test_a_list_of_an_older_version_counts_for_files_that_stand_alone(code, tmp_path):
    digest = read_own(str(code)).digest
    (tmp_path / "trusted.json").write_text(json.dumps({digest: "2026-01-01T00:00:00+00:00"}))
    store = TrustStore(tmp_path / "trusted.json")
    assert store.knows(read_own(str(code)))
    assert store.all()[0].given.startswith("2026")
    (tmp_path / "helper.py").write_text("")
    other = tmp_path / "other.py"
    other.write_text(code.read_text() + "import helper\n")
    assert not store.knows(read_own(str(other)))
    store.withdraw(str(code))
    assert not store.knows(read_own(str(code)))
