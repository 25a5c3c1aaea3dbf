import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.ui.kit import language
from app.ui.kit.sentences import parse, said, sentences, value_said


@pytest.fixture
def german(qapp):
    language.install(qapp, "de")


def test_english_stays_as_it_was_written():
    assert said("1.2 GiB stay free on the device") == "1.2 GiB stay free on the device"


def test_a_sentence_keeps_its_figures_and_writes_them_by_locale(german):
    told = said("the step needs 12.5 GiB, but only 7.9 GiB may be used")
    assert told == "der Schritt braucht 12,5 GiB, aber nur 7,9 GiB sind nutzbar"


def test_versions_in_a_sentence_are_not_numbers(german):
    told = said("the NVIDIA driver 550.54 supports CUDA 12.4, TensorFlow 2.21.0 needs CUDA 12.5")
    assert told == "der NVIDIA-Treiber 550.54 unterstützt CUDA 12.4, TensorFlow 2.21.0 braucht CUDA 12.5"


def test_what_stands_in_a_place_is_translated_too(german):
    told = said("the whole dataset lies on the card, and once more in RAM as prepared arrays: 1.5 GiB")
    assert told == "der ganze Datensatz liegt auf der Karte, und noch einmal im RAM als vorbereitete Arrays: 1,5 GiB"


def test_several_sentences_in_one_text_are_each_translated(german):
    assert said("choose a smaller batch; `willittrain runs` lists them").startswith("einen kleineren Batch wählen; ")
    assert said("TensorFlow's allocator (get_memory_info)") == "TensorFlows Allokator (get_memory_info)"


def test_a_capital_and_a_full_stop_do_not_hide_a_sentence(german):
    assert said("The file is damaged.") == "Die Datei ist beschädigt."


def test_the_more_specific_of_two_sentences_is_meant(german):
    assert said("input 28x28x1 instead of the network's own 32x32x3").endswith("der eigenen des Netzes")
    assert said("input 28x28x1 instead of 32x32x3") == "Eingabe 28x28x1 statt 32x32x3"


def test_a_figure_alone_is_written_by_locale_only_where_it_comes_from_the_core(german):
    assert value_said("4.1 GiB") == "4,1 GiB"
    assert said("1.234 h") == "1.234 h"


@given(text=st.text(max_size=60))
def test_what_nobody_knows_stays_as_it_is_or_has_known_parts(text):
    assert isinstance(said(text), str)


def test_every_sentence_recognises_itself():
    for one in sentences():
        filled = one.source
        for place in one.form.groupindex:
            filled = filled.replace("{" + place[1:] + "}", "7")
        assert one.form.fullmatch(filled), one.source


def test_sentences_in_a_row_keep_their_full_stops(german):
    told = said("The file is damaged. The file is damaged.")
    assert told == "Die Datei ist beschädigt. Die Datei ist beschädigt."


def test_a_number_does_not_swallow_what_follows_a_comma(german):
    told = said("a step of 517 ms: decoding and preparing 6.42 ms, computing 514 ms")
    assert told == "ein Schritt von 517 ms: Dekodieren und Aufbereiten 6,42 ms, Rechnen 514 ms"


def test_few_letters_are_recognised_only_around_single_words():
    assert parse("{1} of {2}").form.fullmatch("3 of 10")
    assert not parse("{1} of {2}").form.fullmatch("a text that speaks of something else")
