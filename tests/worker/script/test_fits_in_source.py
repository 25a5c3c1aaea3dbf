"""Which lines of a source train: read from its text."""

from __future__ import annotations

import pytest

from app.worker.script.fits_in_source import FitLine, fits_in


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("scaler.fit(x)\nmodel.fit(x, y, epochs=3)", [(2, False)]),
        ("for k in range(3):\n    m.fit(x, epochs=1)\nm.fit(x,\n      epochs=2)", [(2, True), (3, False)]),
        ("def one(k):\n    return m.fit(x, epochs=k)\nscores = [one(k) for k in range(5)]", [(2, True)]),
        ("def one(k):\n    return m.fit(x, epochs=k)\none(3)", [(2, False)]),
        ("while True:\n    def f():\n        m.fit(x, callbacks=[])", [(3, False)]),
        ("def f(:\n", []),
    ],
)
def test_lines_that_train_are_found_with_whether_they_train_again(source, lines):
    assert [(one.first, one.in_loop) for one in fits_in(source)] == lines


def test_a_call_of_many_lines_is_known_by_its_first_and_its_last():
    assert fits_in("m.fit(\n    x,\n    epochs=2,\n)") == (FitLine(1, 4, False),)


def test_an_expression_of_two_thousand_terms_is_read_as_any_other():
    assert [one.first for one in fits_in(f"n = {'1 + ' * 2000}1\nm.fit(x, epochs=n)")] == [2]
