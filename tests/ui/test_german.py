"""The window in German: a user who reads no English meets none."""

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.core.types.errors import BadDataset
from app.core.types.plan import Plan
from app.core.types.text import phrase
from app.core.types.workload import Workload
from app.presentation.machine import machine_table
from app.presentation.problem import error_state
from app.services.advisor import Advisor
from app.services.models.own_code import OwnCode
from app.services.settings import Settings
from app.services.store.history import History
from app.ui.kit import language
from app.ui.kit.error_card import ErrorCard
from app.ui.kit.speech import said
from app.ui.shell.main_window import ADVICE, BENCHMARK, FIT, RUNS, UPGRADES
from app.ui.workload.code_dialog import CodeDialog
from app.ui.workload.code_presenter import CodeFile
from tests.fakes import advisor as fake_advisor
from tests.fakes.figures import MACHINE
from tests.ui.english import english_in, english_words, recorded, seen_texts

MADE_UP = recorded(Path(fake_advisor.__file__).parent)


@pytest.fixture
def german(qapp):
    language.install(qapp, "de")


def test_english_would_be_found():
    assert english_words("Needs 4 GiB of the memory") == {"needs", "of", "the", "memory"}
    assert not english_words("Braucht 4,1 GiB von 5,3 GiB, die auf RTX 2060 nutzbar sind; `bench --data array`")


def test_every_page_and_dialog_is_german(german, open_window):
    story = open_window()
    story.answered()
    story.window.form.more.toggle.setChecked(True)
    found = {}
    assert story.window.verdict.accessibleDescription().startswith("Passt. Braucht 277,1 MiB von 52,0 GiB auf Ryzen")
    story.wiring.measure()
    story.until(lambda: not story.wiring.bench.running)
    for index in (FIT, BENCHMARK, ADVICE, UPGRADES, RUNS):
        page = story.page(index)
        if index == RUNS:
            story.until(lambda page=page: page.table.rowCount() == 1)
            page.table.select_row(0, add=False)
            story.until(page.details.result.isVisible)
        if index in (ADVICE, UPGRADES):
            story.until(lambda: story.wiring.advice.state.stage == "ready")
        story.qtbot.wait(100)
        found |= english_in(seen_texts(story.window), MADE_UP)
    dialogs = story.wiring.dialogs
    for opener in (
        dialogs.open_settings,
        dialogs.open_simulate,
        dialogs.open_accuracy,
        story.window.machine.show_details,
    ):
        opener()
        story.until(QApplication.activeModalWidget)
        opened = QApplication.activeModalWidget()
        found |= english_in(seen_texts(opened), MADE_UP)
        opened.close()
    assert found == {}


@pytest.mark.parametrize("outcome", ["out_of_memory", "crashed"])
def test_a_run_that_fails_is_told_in_german(german, open_window, outcome):
    story = open_window(bench_outcome=outcome)
    story.answered()
    story.wiring.measure()
    story.until(lambda: not story.wiring.bench.running)
    story.page(BENCHMARK)
    assert english_in(seen_texts(story.window), MADE_UP) == {}


def test_errors_are_german_and_keep_what_was_received(german, qtbot):
    error = BadDataset(
        phrase("there is no such file or folder"),
        expected=phrase("a folder or file"),
        received="/my/pictures",
        hint=phrase("choose data on this machine, or let it come through a pipeline"),
    )
    card = ErrorCard()
    qtbot.addWidget(card)
    card.set_error(error_state(error))
    assert card.message() == "Diese Datei oder diesen Ordner gibt es nicht"
    assert "Erhalten: /my/pictures" in card._detail.text()
    assert english_in([card._detail.text(), card._hint.text(), card.accessibleName()]) == {}


def texts_in(value):
    """All texts of a nest of dataclasses, except machine and graph, which are no sentences."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for item in value:
            yield from texts_in(item)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in tuple(
                "machine plan name source kind device_name id changes basis verdict bound_by device_bound".split()
            ):
                yield from texts_in(getattr(value, field.name))


@pytest.fixture(scope="module")
def real_advisor(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WILLITTRAIN_DATA_DIR", str(tmp_path_factory.mktemp("german")))
        settings = Settings.load()
        yield Advisor(settings, History(settings.history_path))


@pytest.mark.parametrize(
    ("model", "card", "plan"),
    [
        ("fashion_mnist_cnn", None, Plan(batch_size=256, optimizer="adam")),
        ("resnet50", "RTX 2060", Plan(batch_size=64, optimizer="sgd")),
        ("cnn_58m", "RTX 2060", Plan(batch_size=2048, precision="mixed_float16")),
        ("lstm_2", None, Plan(batch_size=64)),
    ],
)
def test_what_the_core_says_of_real_networks_is_german(german, real_advisor, model, card, plan):
    machine = MACHINE
    if card is not None:
        machine = real_advisor.machine.simulate(
            machine, gpu=next(g.name for g in real_advisor.catalog.gpus() if card in g.name)
        )
    workload = Workload(
        real_advisor.catalog.find_model(model), real_advisor.catalog.find_dataset("fashion_mnist"), plan
    )
    graph = real_advisor.predictor.graphs.get(workload) or real_advisor.predictor.graphs.get(
        Workload(workload.model, None, plan)
    )
    assert graph is not None
    prediction = real_advisor.predictor.predict(workload, machine, graph)
    advice = real_advisor.advice.advise(workload, machine, graph)
    texts = {*texts_in(prediction), *texts_in(advice)}
    texts |= {name for name, _ in machine_table(machine).rows}
    assert english_in(map(said, texts)) == {}


def test_a_dialog_that_asks_for_trust_is_german(german, qtbot):
    dialog = CodeDialog(
        CodeFile(OwnCode("/home/me/net.py", "", {"a.py": b""}, b"x = 1"), ("net",), "model", known=False)
    )
    qtbot.addWidget(dialog)
    dialog.show()
    assert english_in(seen_texts(dialog)) == {}
