"""The table of networks: complete, found by what people type, and clear about what it does not know."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.catalog.models import load_models, match_model
from app.core.types.errors import BadModel

ENTRIES = load_models()
NAMES = {entry.name for entry in ENTRIES}
OWN = set(
    "fashion_mnist_cnn cnn_58m srresnet lstm_1 lstm_2 gru_1 gru_2 transformer_small vit_small unet mlp "
    "bert_base gpt2 vit_b16".split()
)


def test_it_has_the_networks_of_the_founding_cases_and_all_applications():
    assert NAMES >= OWN
    assert len(NAMES - OWN) == 40
    by_name = {entry.name: entry for entry in ENTRIES}
    assert by_name["fashion_mnist_cnn"].params == 562_474
    assert by_name["cnn_58m"].params == 58_091_396
    assert by_name["resnet50"].params == 25_636_712
    assert {entry.name for entry in ENTRIES if entry.extra} == {"bert_base", "gpt2", "vit_b16"}


def test_every_row_says_where_it_comes_from():
    assert all(entry.source and entry.params and entry.family for entry in ENTRIES)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ResNet-50", "resnet50"),
        ("resnet 50 v2", "resnet50v2"),
        ("EfficientNetV2-B0", "efficientnetv2b0"),
        ("ViT-S/16", "vit_small"),
        ("bert base", "bert_base"),
        ("MobileNetV3Small", "mobilenetv3small"),
        ("U-Net", "unet"),
    ],
)
def test_names_are_forgiving(text: str, name: str):
    assert match_model(text, ENTRIES).name == name


@given(st.sampled_from(ENTRIES), st.sampled_from(["", "-", " ", "_"]), st.booleans())
def test_case_and_dashes_never_matter(entry, sign, upper):
    text = sign.join(entry.name)
    assert match_model(text.upper() if upper else text, ENTRIES) == entry


def test_no_two_networks_can_be_meant_by_one_name():
    owners: dict[str, set[str]] = {}
    for entry in ENTRIES:
        for alias in (entry.name, entry.title):
            owners.setdefault("".join(c for c in alias.lower() if c.isalnum()), set()).add(entry.name)
    assert all(len(found) == 1 for found in owners.values())


def test_a_part_of_a_name_is_not_guessed_but_completed_in_the_hint():
    with pytest.raises(BadModel) as error:
        match_model("resnet", ENTRIES)
    assert "resnet50" in error.value.hint


def test_a_slip_of_the_pen_gets_suggestions():
    with pytest.raises(BadModel) as error:
        match_model("reznet50", ENTRIES)
    assert "resnet50" in error.value.hint
    with pytest.raises(BadModel) as error:
        match_model("qqqq", ENTRIES)
    assert "willittrain models" in error.value.hint
