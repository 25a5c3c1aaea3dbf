"""What a stranger's file says is shown as it is written: nothing in the window reads markup."""

import ast
from dataclasses import replace
from pathlib import Path

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QPoint, QUrl
from PySide6.QtGui import QHelpEvent, QImage, QTextDocument
from PySide6.QtGui import Qt as Rich
from PySide6.QtWidgets import QApplication, QDialog, QGraphicsTextItem, QLabel, QToolTip, QWidget

import app.ui
from app.core.types.machine import GpuSupport
from app.core.types.workload import ModelRef
from app.presentation.problem import ErrorState
from app.services.models.own_code import OwnCode
from app.services.runtimes.find import Runtime
from app.ui.kit.basics import ElidedLabel
from app.ui.kit.diagnostics_dialog import DiagnosticsDialog
from app.ui.kit.plain import WORD_JOINER, PlainLabel, button_text, plain_tip
from app.ui.kit.plot_card import PlotCard
from app.ui.runs.print_pdf import _own_document
from app.ui.shell.main_window import ADVICE, BENCHMARK, FIT, RUNS, UPGRADES
from app.ui.workload.code_dialog import CodeDialog
from app.ui.workload.code_presenter import CodeFile
from tests.fakes.advisor import make
from tests.fakes.script import Script
from tests.ui.gallery import WITH_CARD
from tests.ui.hostile import MARKUP, HostileAdvisor, poisoned, rich_texts

UI = Path(app.ui.__file__).parent


@pytest.fixture
def advisor(tmp_path):
    plain = make(tmp_path)
    return HostileAdvisor(plain.settings, plain.history, Script(real_machine=poisoned(WITH_CARD)))


@pytest.fixture
def hostile(story):
    """A window on a stranger's model, with everything unfolded and a run."""
    model = ModelRef("file", f"{MARKUP}net.keras", f"/{MARKUP}/net.keras")
    story.wiring.session.set_workload(replace(story.wiring.session.workload, model=model))
    story.answered()
    story.window.form.more.toggle.setChecked(True)
    return story


def measured(story, wanted="plan"):
    story.wiring.bench.set_measure(wanted)
    story.wiring.measure()
    story.until(lambda: story.wiring.bench.running)
    story.until(lambda: not story.wiring.bench.running)


def drawn(page, story):
    story.until(lambda: all(card.plot is not None for card in page.findChildren(PlotCard) if card.isVisible()))


def written(top):
    """Everything that labels below a widget say."""
    labels = top.findChildren(QLabel)
    return "\n".join(label.full_text() if isinstance(label, ElidedLabel) else label.text() for label in labels)


@pytest.mark.parametrize("wanted", ["plan", "xla", "device", "batch"])
def test_no_widget_of_a_page_reads_markup(hostile, wanted):
    measured(hostile, wanted)
    assert hostile.page(BENCHMARK).findChildren(QLabel)
    for index in (FIT, BENCHMARK, ADVICE, UPGRADES, RUNS):
        page = hostile.page(index)
        if index == ADVICE:
            hostile.until(lambda page=page: bool(page.cards))
            assert MARKUP in written(page)
        elif index == UPGRADES:
            hostile.until(lambda page=page: page.table.rowCount() == 3)
            page.table.select_row(0, add=False)
        elif index == RUNS:
            hostile.until(lambda page=page: page.table.rowCount() > 0)
            page.table.select_row(0, add=False)
            hostile.until(page.details.result.isVisible)
            assert page.table.model().index(0, 0).isValid()
        drawn(page, hostile)
        assert rich_texts(hostile.window) == []
    assert MARKUP in written(hostile.window)


def test_no_error_toast_or_popup_reads_markup(hostile):
    window, wiring = hostile.window, hostile.wiring
    wiring.session.fail(ErrorState(*[MARKUP] * 5, needed_bytes=2, had_bytes=1))
    wiring.session.say(MARKUP, MARKUP, lambda: None)
    wiring.machine._support = (GpuSupport(0, MARKUP, "tensorflow", False, MARKUP, MARKUP),)
    wiring.machine._show()
    hostile.page(FIT)
    assert rich_texts(window) == []
    assert window.toast.text.text() == MARKUP
    assert window.error.message() == MARKUP
    hostile.qtbot.mouseClick(window.error.diagnostics, Rich.MouseButton.LeftButton)
    hostile.until(lambda: window.findChildren(DiagnosticsDialog))
    shown = window.findChildren(DiagnosticsDialog)[0]
    assert rich_texts(shown) == []
    shown.reject()


@pytest.mark.parametrize("opener", ["open_settings", "open_simulate", "open_palette", "open_runtimes"])
def test_no_dialog_reads_markup(hostile, opener):
    hostile.advisor.runtimes.find = lambda: (Runtime(f"/{MARKUP}", MARKUP, MARKUP, ((MARKUP, MARKUP),), MARKUP),)
    getattr(hostile.wiring.dialogs, opener)()
    hostile.until(QApplication.activeModalWidget)
    opened = QApplication.activeModalWidget()
    assert rich_texts(opened) == []
    opened.close()


def test_neither_the_machine_nor_a_file_that_may_run_nor_a_price_is_read_as_markup(hostile):
    hostile.window.machine.show_details()
    own = OwnCode(f"/{MARKUP}.py", "", {MARKUP: MARKUP.encode()}, MARKUP.encode())
    asked = CodeDialog(CodeFile(own, (MARKUP,), "model", known=False), hostile.window)
    asked.open()
    upgrades = hostile.page(UPGRADES)
    hostile.until(lambda: upgrades.table.rowCount() == 3)
    upgrades.table.select_row(0, add=False)
    upgrades.own_price.click()
    opened = [one for one in hostile.window.findChildren(QDialog) if one.isVisible()]
    assert len(opened) == 3
    assert [rich_texts(one) for one in opened] == [[], [], []]
    assert asked.text.toPlainText() == MARKUP
    for one in opened:
        one.close()


def test_the_walk_can_fail(qtbot):
    top = QWidget()
    qtbot.addWidget(top)
    label = QLabel(MARKUP, top)
    label.setToolTip(MARKUP)
    assert len(rich_texts(top)) == 2


def test_a_tooltip_is_shown_as_it_is_written(hostile):
    combo = hostile.window.form.model
    place = QPoint(2, 2)
    QApplication.sendEvent(combo, QHelpEvent(QEvent.Type.ToolTip, place, combo.mapToGlobal(place)))
    hostile.until(QToolTip.isVisible)
    told = QToolTip.text()
    QToolTip.hideText()
    assert not Rich.mightBeRichText(told)
    assert MARKUP.strip() in told.replace(WORD_JOINER, "")


@pytest.mark.parametrize(
    "text",
    [
        MARKUP,
        "<b>x</b>",
        "a & b &lt;i&gt;",
        "<?xml version='1.0'?>",
        "<!-- x --><b>",
        "  <p>",
        "1 < 2",
        "",
        "a\n<b>x</b>",
    ],
)
def test_no_text_makes_a_tooltip_markup_and_none_is_changed_to_the_eye(text):
    tip = plain_tip(text)
    assert tip.replace(WORD_JOINER, "") == text
    for told in (tip, f"{tip}\n\n{tip}", f"{plain_tip('<')}{tip}", tip + plain_tip("b>")):
        assert not Rich.mightBeRichText(told)


def test_a_label_takes_the_room_of_the_text_that_is_written_in_it(qtbot):
    label, letter = PlainLabel("<b>x</b>"), PlainLabel("x")
    for widget in (label, letter):
        qtbot.addWidget(widget)
    assert label.sizeHint().width() > 3 * letter.sizeHint().width()


def test_names_of_axes_and_curves_are_drawn_as_they_are_written(qtbot):
    from app.ui.benchmark.live_plot import LivePlot

    plot = LivePlot(MARKUP, MARKUP, MARKUP, {"one": MARKUP, "two": MARKUP}, limit=MARKUP)
    qtbot.addWidget(plot.widget)
    plot.set_curves({"one": ([0.0, 1.0], [1.0, 2.0]), "two": ([0.0, 1.0], [1.0, 2.0])})
    plot.set_limit(2.0)
    plot.restyle()
    assert rich_texts(plot.widget) == []
    written = [item.toPlainText() for item in plot.widget.scene().items() if isinstance(item, QGraphicsTextItem)]
    assert sum(MARKUP.strip() in text for text in written) == 5


def test_a_drawing_that_reads_markup_would_be_seen(qtbot):
    view = pg.GraphicsLayoutWidget()
    qtbot.addWidget(view)
    view.addItem(pg.LabelItem("<img src='file:///dev/null'>"))
    assert len(rich_texts(view)) == 1


def test_a_page_that_is_printed_opens_no_file(qapp, tmp_path):
    picture = tmp_path / "picture.png"
    assert QImage(3, 3, QImage.Format.Format_RGB32).save(str(picture))
    address = QUrl.fromLocalFile(str(picture))
    kind = QTextDocument.ResourceType.ImageResource
    assert QTextDocument().resource(kind, address) is not None
    page = _own_document()
    page.setHtml(f"<img src='{address.toString()}'>")
    assert page.resource(kind, address) is None
    page.addResource(kind, QUrl("drawing:1"), QImage(3, 3, QImage.Format.Format_RGB32))
    assert page.resource(kind, QUrl("drawing:1")).width() == 3


def test_a_card_with_an_ampersand_in_its_name_keeps_it():
    assert button_text("A&B") == "A&&B"


MADE_PLAIN = set(
    "QLabel QFormLayout QTextEdit QTextBrowser QTextDocument QGraphicsTextItem QMessageBox QErrorMessage QInputDialog "
    "QProgressDialog QWhatsThis QSystemTrayIcon QSplashScreen QStatusBar AxisItem LegendItem LabelItem TextItem".split()
)
"""What decides by a text whether it is markup, or holds a label that does."""
CALLS = set(
    "setToolTip showText setHtml insertHtml setMarkdown setTextFormat setWhatsThis setStatusTip setTabToolTip "
    "setTabWhatsThis appendHtml".split()
)
MAY = {"print_pdf.py": {"QTextDocument", "setHtml"}, "plain.py": MADE_PLAIN | CALLS, "plain_plots.py": MADE_PLAIN}
"""The report is a page of ours, in which texts are escaped."""


def name_of(node):
    """The last name of an expression."""
    return getattr(node, "attr", getattr(node, "id", ""))


def roads_to_markup(source):
    """What a source makes, inherits or calls that may read markup, by line."""
    found = []
    for node in ast.walk(ast.parse(source)):
        names = set()
        if isinstance(node, ast.ClassDef):
            names = {name_of(base) for base in node.bases} & MADE_PLAIN
        elif isinstance(node, ast.Call):
            names = {name_of(node.func)} & (MADE_PLAIN | CALLS)
        elif isinstance(node, ast.FunctionDef):
            inside = {name_of(part) for part in ast.walk(node)}
            names = {"ToolTipRole"} if "ToolTipRole" in inside and "plain_tip" not in inside else set()
        found += [(name, node.lineno) for name in names]
    return found


@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=lambda path: str(path.relative_to(UI)))
def test_no_source_of_the_window_makes_what_reads_markup(path):
    found = roads_to_markup(path.read_text("utf-8"))
    assert [one for one in found if one[0] not in MAY.get(path.name, set())] == []


@pytest.mark.parametrize(
    "source",
    [
        "label = QLabel(text)",
        "label = QtWidgets.QLabel()",
        "class Mine(QLabel): pass",
        "widget.setToolTip(text)",
        "QToolTip.showText(place, text)",
        "def data(role):\n    return text if role == Qt.ItemDataRole.ToolTipRole else None",
        "item = pg.TextItem(html=text)",
        "QMessageBox(parent)",
    ],
)
def test_the_reading_can_fail(source):
    assert len(roads_to_markup(source)) == 1
