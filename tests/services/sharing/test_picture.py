"""The picture: readable in both themes, whole with any text, in any language."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from app.catalog.paths import resource_path
from app.core.types.machine import Gpu
from app.core.types.units import GIB
from app.core.types.workload import ModelRef
from app.presentation.language import ENGLISH, load
from app.services.sharing.picture import LOOKS, WIDTH, picture
from app.services.sharing.share import share
from app.services.sharing.shown import shown_answer, shown_run
from app.ui.kit.theme import TEXT_CONTRAST, contrast
from tests.cli import answers

NAMED = replace(answers.WORKLOAD, model=ModelRef("catalog", "fashion_mnist_cnn"))
RUN = replace(answers.run(), workload=NAMED)


def texts(drawing: str) -> list[str]:
    """Every text of a drawing."""
    return ["".join(one.itertext()) for one in ElementTree.fromstring(drawing).iter() if one.tag.endswith("}text")]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(theme):
    look = LOOKS[theme]
    for ink in (look.ink, look.soft, look.good, look.warning, look.bad):
        for ground in (look.ground, look.tile):
            assert contrast(ink, ground) >= TEXT_CONTRAST


def test_a_run_shows_what_was_measured_beside_the_estimate():
    shown = texts(picture(shown_run(RUN), "light"))
    assert shown[0] == "Fashion-MNIST CNN"
    for words in ("✓ 1.1 GiB", "~ 1.0 GiB · −7 %", "✓ 20 ms", "allowed 4.0 GiB →"):
        assert words in shown, shown


def test_an_answer_shows_the_verdict_and_the_interval():
    asked = replace(NAMED, dataset=replace(NAMED.dataset, real=False))
    shown = texts(picture(shown_answer(answers.PREDICTION, asked, "2026-01-02"), "dark"))
    assert "✔ Fits — needs ~ 1.0 GiB of 4.0 GiB allowed on RTX 2060" in shown
    assert "900.0 MiB to 1.2 GiB" in shown
    assert not any("Succeeded" in words or "made up" in words for words in shown)


def test_what_is_allowed_is_a_line_where_it_is_on_the_scale():
    told = replace(answers.PREDICTION, fit=replace(answers.FIT, allowed_bytes=int(1.1 * GIB)))
    shown = texts(picture(shown_answer(told, NAMED, "2026-01-02"), "light"))
    assert "allowed 1.1 GiB" in shown


def test_names_end_no_element_and_long_ones_are_cut():
    card = Gpu(0, "nvidia", '"><script>' + "x" * 300, memory_total_bytes=6 * GIB)
    machine = replace(answers.MACHINE, gpus=(card,))
    fit = replace(answers.FIT, device_name=card.name)
    told = replace(answers.PREDICTION, machine=machine, fit=fit)
    drawing = picture(shown_answer(told, NAMED, "2026-01-02"), "light")
    assert "<script" not in drawing
    assert max(map(len, texts(drawing))) < WIDTH / 6


def test_both_languages_say_all_of_it():
    german = load("de", resource_path("i18n"), region="de_DE")
    made, english = share(shown_run(RUN), german), share(shown_run(RUN), ENGLISH)
    assert "Erfolgreich" in made.light
    assert "Gemessen" in made.markdown
    assert "1,1 GiB" in made.light
    assert made.document == english.document, "what programs read is the same"
    assert made.name == english.name


def test_the_markdown_names_the_picture_beside_it():
    made = share(shown_run(RUN), ENGLISH, ".svg")
    assert made.name == "fashion-mnist-cnn-batch-256-run-7"
    assert f"]({made.name}-light.svg)" in made.markdown
