"""What the user has let run, and that a change ends it."""

import pytest

from app.core.types.errors import BadDataset, BadModel, StoreError
from app.core.types.workload import Dataset, ModelRef, Workload
from app.services.advisor import Advisor
from app.services.models.consent import MAX_CODE_BYTES, TrustStore, code_functions, code_text
from app.services.settings import Folders, Settings
from app.services.store.history import History


@pytest.fixture
def store(tmp_path):
    return TrustStore(tmp_path / "config" / "trusted.json")


@pytest.fixture
def code(tmp_path):
    path = tmp_path / "net.py"
    path.write_text("def build():\n    return None\n\n\nasync def no(): ...\n\n\ndef batches(): ...\n")
    return path


def test_trust_is_remembered_by_content_and_over_a_restart(store, code, tmp_path):
    assert not store.knows(str(code))
    store.remember(str(code))
    copy = tmp_path / "elsewhere.py"
    copy.write_bytes(code.read_bytes())
    again = TrustStore(tmp_path / "config" / "trusted.json")
    assert again.knows(str(code))
    assert again.knows(str(copy))


def test_a_changed_file_is_not_trusted_any_more(store, code):
    store.remember(str(code))
    code.write_text(code.read_text() + "\nprint(1)\n")
    assert not store.knows(str(code))


def test_a_workload_with_changed_code_is_refused(store, code):
    store.remember(str(code))
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
    assert code_functions(str(code)) == ("build", "batches")


@pytest.mark.parametrize("text", ["def (", "x = 1\n", "\0"])
def test_a_file_without_a_function_says_so(code, text):
    code.write_text(text)
    with pytest.raises(BadModel):
        code_functions(str(code))


def test_a_file_that_is_gone_or_far_too_long_is_an_error_in_words(store, code, tmp_path):
    with pytest.raises(BadModel, match="cannot be read"):
        code_text(str(tmp_path / "gone.py"))
    with pytest.raises(StoreError):
        store.remember(str(tmp_path / "gone.py"))
    code.write_bytes(b"#" * (MAX_CODE_BYTES + 1))
    with pytest.raises(BadModel, match="too long"):
        code_text(str(code))


def test_where_nothing_can_be_written_it_counts_for_the_session(code, tmp_path):
    (tmp_path / "file").write_text("")
    store = TrustStore(tmp_path / "file" / "trusted.json")
    store.remember(str(code))
    assert store.knows(str(code))


@pytest.mark.parametrize("content", [b"", b"{", b'{"a": 1}', b"\xff", b"[" * 100_000])
def test_a_damaged_list_means_asking_again(code, tmp_path, content):
    (tmp_path / "trusted.json").write_bytes(content)
    assert not TrustStore(tmp_path / "trusted.json").knows(str(code))


@pytest.fixture
def advisor(tmp_path):
    settings = Settings(folders=Folders(tmp_path / "data", tmp_path / "cache", tmp_path / "config"))
    return Advisor(settings, History(settings.history_path))


def test_what_was_allowed_once_is_not_asked_again(advisor, code):
    text = f"{code}:build"
    assert not advisor.catalog.allows(text)
    assert not advisor.catalog.find_model(text).trusted
    assert advisor.catalog.find_model(text, trust=True).trusted
    assert advisor.catalog.allows(text)
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
