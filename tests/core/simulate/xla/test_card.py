import pytest

from app.core.simulate.xla.card import CardCompiler


@pytest.mark.parametrize(("capability", "by_triton"), [((7, 0), False), ((7, 5), False), ((8, 0), True), (None, True)])
def test_products_are_xlas_own_from_ampere_on(capability, by_triton):
    assert CardCompiler(capability).writes_products_itself is by_triton


@pytest.mark.parametrize(
    ("capability", "precision", "rank", "last"),
    [
        ((6, 1), "mixed_float16", 2, False),
        ((7, 5), "mixed_float16", 2, True),
        ((7, 5), "mixed_float16", 3, False),
        ((8, 9), "float32", 2, False),
        ((9, 0), "float32", 3, True),
    ],
)
def test_where_channels_stay_last(capability, precision, rank, last):
    assert CardCompiler(capability).keeps_channels_last(precision, rank) is last


@pytest.mark.parametrize("capability", [None, (6, 1), (7, 0), (7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (10, 0), (12, 0)])
def test_one_card_of_a_generation_stands_for_all(capability):
    own, first = CardCompiler(capability), CardCompiler(CardCompiler.generation(capability))
    assert own.writes_products_itself == first.writes_products_itself
    for precision in ("float32", "mixed_float16"):
        for rank in (1, 2, 3):
            assert own.keeps_channels_last(precision, rank) == first.keeps_channels_last(precision, rank)
