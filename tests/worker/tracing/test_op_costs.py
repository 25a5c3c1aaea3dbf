"""Work and scratch of single operations."""

from __future__ import annotations

import pytest

from app.worker.tracing.op_costs import einsum_copies

TOKENS, SCORES = (8, 256, 6, 32), (8, 6, 256, 256)
COPY = 8 * 256 * 6 * 32 * 4


@pytest.mark.parametrize(
    ("equation", "shapes", "copies"),
    [
        ("abcd,aecd->acbe", (TOKENS, TOKENS, SCORES), (COPY, COPY)),
        ("acbe,aecd->abcd", (SCORES, TOKENS, TOKENS), (COPY, COPY)),
        ("ab,bc->ac", ((2, 3), (3, 4), (2, 4)), ()),
        ("ba,bc->ac", ((3, 2), (3, 4), (2, 4)), ()),
        ("ab,cb->ca", ((2, 3), (4, 3), (4, 2)), (32,)),
    ],
)
def test_an_einsum_copies_what_is_not_in_the_order_of_a_batched_product(equation, shapes, copies):
    assert einsum_copies(equation, shapes, 4) == copies
